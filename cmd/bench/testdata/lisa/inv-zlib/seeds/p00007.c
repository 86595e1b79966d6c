// r0001-c-sequence07
#include <zlib.h>
#include <string.h>

void test_sequence(void)
{
    // STEP1
    unsigned char runs[3000];
    unsigned char back[6000];
    unsigned char packed[64];
    unsigned char nothing[4];
    memset(runs, 'r', 1000);
    memset(runs + 1000, 'l', 1000);
    memset(runs + 2000, 'e', 1000);
    memset(back, 1, sizeof back);
    memset(packed, 0, sizeof packed);
    memset(nothing, 9, sizeof nothing);

    // STEP2
    gzFile out = gzopen("rle07.gz", "wb6R");
    int buffer_rc = gzbuffer(out, 512);
    int wrote = gzwrite(out, runs, (unsigned)sizeof runs);
    int wrote_none = gzwrite(out, runs, 0);
    long same = gzseek(out, 0, SEEK_CUR);
    long backward = gzseek(out, 10, SEEK_SET);
    long far_pos = gzseek(out, 2000, SEEK_CUR);
    long offset = gzoffset(out);
    int close_rc = gzclose_w(out);

    // STEP3
    gzFile in = gzopen("rle07.gz", "rb");
    int in_buffer_rc = gzbuffer(in, 600);
    int got1 = gzread(in, back, 1500);
    long tell1 = gztell(in);
    long ahead = gzseek(in, 1000, SEEK_CUR);
    int got2 = gzread(in, back + 2500, 2500);
    int eof_now = gzeof(in);
    int got3 = gzread(in, back + 5000, 1000);
    int eof_after = gzeof(in);
    int close_in = gzclose_r(in);

    // STEP4
    uLongf packed_len = sizeof packed;
    int pack_rc = compress2(packed, &packed_len, runs, 0, Z_DEFAULT_COMPRESSION);
    uLongf nothing_len = sizeof nothing;
    uLong used = packed_len;
    int unpack_rc = uncompress2(nothing, &nothing_len, packed, &used);
    uLong empty_adler = adler32(0L, Z_NULL, 0);
}
