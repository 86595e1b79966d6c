// r0001-c-sequence01
#include <zlib.h>
#include <string.h>

void test_sequence(void)
{
    // STEP1
    const char head[] = "head of the file: 0123456789";
    const char tail[] = "tail of the file after a hole";
    unsigned char back[512];
    unsigned char packed[256];
    unsigned char plain[128];
    uLongf packed_len = sizeof packed;
    uLongf plain_len = sizeof plain;
    uLong used = 0;
    memset(back, 0x55, sizeof back);
    memset(packed, 0, sizeof packed);
    memset(plain, 0, sizeof plain);
    gzFile out = gzopen("seek01.gz", "wb6");

    // STEP2
    int buffer_rc = gzbuffer(out, 8192);

    // STEP3
    int wrote_head = gzwrite(out, head, (unsigned)sizeof head);
    long at_hole = gzseek(out, 100, SEEK_CUR);
    long told = gztell(out);
    int wrote_tail = gzwrite(out, tail, (unsigned)sizeof tail);
    long end = gztell(out);
    int close_rc = gzclose_w(out);

    // STEP4
    gzFile in = gzopen("seek01.gz", "rb");
    int got = gzread(in, back, (unsigned)sizeof back);
    int at_end = gzeof(in);
    long start = gzseek(in, 5, SEEK_SET);
    int fifth = gzgetc(in);
    int close_in = gzclose_r(in);

    // STEP5
    int packed_rc = compress(packed, &packed_len, (const Bytef *)head, (uLong)sizeof head);
    used = packed_len + 7;
    int plain_rc = uncompress2(plain, &plain_len, packed, &used);
}
