// r0001-c-sequence04
#include <zlib.h>
#include <string.h>

void test_sequence(void)
{
    // STEP1
    unsigned char zeros[600];
    unsigned char back[1024];
    unsigned char packed[128];
    unsigned char small[16];
    memset(zeros, 0, sizeof zeros);
    memset(back, 0xff, sizeof back);
    memset(packed, 0, sizeof packed);
    memset(small, 0x77, sizeof small);
    uLongf packed_len = sizeof packed;
    uLongf small_len = 8;
    uLong source_len = 0;
    int errnum = 1;

    // STEP2
    gzFile out = gzopen("mixed04.gz", "wb1f");
    int buffer_rc = gzbuffer(out, 256);
    int params_rc = gzsetparams(out, Z_BEST_COMPRESSION, Z_DEFAULT_STRATEGY);

    // STEP3
    int put = gzputc(out, 'Z');
    int puts_rc = gzputs(out, "puts;");
    int printed = gzprintf(out, "n=%d s=%s;", 42, "text");
    long here = gztell(out);
    long zero_to = gzseek(out, here + 600, SEEK_SET);
    int params_rc2 = gzsetparams(out, Z_NO_COMPRESSION, Z_HUFFMAN_ONLY);
    int wrote = gzwrite(out, "end", 3);
    const char *message = gzerror(out, &errnum);
    int flush_rc = gzflush(out, Z_SYNC_FLUSH);
    int close_rc = gzclose_w(out);

    // STEP4
    gzFile in = gzopen("mixed04.gz", "rb");
    int got = gzread(in, back, 700);
    int eof_before = gzeof(in);
    int rewind_rc = gzrewind(in);
    int first = gzgetc(in);
    long mark = gztell(in);
    int close_in = gzclose_r(in);

    // STEP5
    int rc1 = compress(packed, &packed_len, zeros, (uLong)sizeof zeros);
    source_len = packed_len;
    int rc2 = uncompress2(small, &small_len, packed, &source_len);
}
