// r0001-c-sequence02
#include <zlib.h>
#include <string.h>

void test_sequence(void)
{
    // STEP1
    unsigned char text[2048];
    unsigned char back[4096];
    unsigned char packed[4096];
    unsigned char plain[2048];
    memset(text, 'a', sizeof text);
    memcpy(text, "the quick brown fox jumps over the lazy dog. ", 45);
    memcpy(text + 45, text, 45);
    memcpy(text + 90, text, 90);
    memcpy(text + 180, text, 180);
    memcpy(text + 360, text, 360);
    memset(back, 0, sizeof back);
    memset(packed, 0, sizeof packed);
    memset(plain, 0, sizeof plain);
    uLongf packed_len = sizeof packed;
    uLongf plain_len = sizeof plain;
    uLong source_len = 0;
    gzFile out = gzopen("direct02.dat", "wbT");

    // STEP2
    int out_direct = gzdirect(out);
    int buffer_rc = gzbuffer(out, 1024);

    // STEP3
    int wrote = gzwrite(out, text, 1500);
    long sought = gzseek(out, 2000, SEEK_SET);
    int wrote_more = gzwrite(out, text + 1500, 48);
    long total = gztell(out);
    int close_rc = gzclose_w(out);

    // STEP4
    gzFile in = gzopen("direct02.dat", "rb");
    int in_direct = gzdirect(in);
    int got = gzread(in, back, (unsigned)sizeof back);
    long offset = gzoffset(in);
    int read_close = gzclose(in);

    // STEP5
    int pack_rc = compress2(packed, &packed_len, text, (uLong)sizeof text, Z_NO_COMPRESSION);
    source_len = packed_len;
    int unpack_rc = uncompress2(plain, &plain_len, packed, &source_len);
    uLong text_crc = crc32(crc32(0L, Z_NULL, 0), text, (uInt)sizeof text);
    uLong plain_crc = crc32(crc32(0L, Z_NULL, 0), plain, (uInt)sizeof plain);
}
