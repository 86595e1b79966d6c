// r0002-c-sequence03
#include <zlib.h>
#include <string.h>

void test_sequence(void)
{
    // STEP1
    const char text[] = "payload with a gzip header, payload with a name";
    unsigned char name_in[16];
    unsigned char comment_in[16];
    unsigned char extra_in[16];
    unsigned char packed[512];
    unsigned char plain[128];
    memset(name_in, 0, sizeof name_in);
    memset(comment_in, 0, sizeof comment_in);
    memset(extra_in, 0, sizeof extra_in);
    memset(packed, 0, sizeof packed);
    memset(plain, 0, sizeof plain);
    gz_header head;
    gz_header seen;
    z_stream def;
    z_stream inf;
    memset(&head, 0, sizeof head);
    memset(&seen, 0, sizeof seen);
    memset(&def, 0, sizeof def);
    memset(&inf, 0, sizeof inf);

    // STEP2
    head.text = 1;
    head.time = 1234567890UL;
    head.os = 3;
    head.name = (Bytef *)"name.txt";
    head.comment = (Bytef *)"a comment";
    head.extra = (Bytef *)"EXTRA";
    head.extra_len = 5;
    head.hcrc = 1;
    int init_rc = deflateInit2(&def, Z_BEST_COMPRESSION, Z_DEFLATED, 31, 9, Z_DEFAULT_STRATEGY);
    int head_rc = deflateSetHeader(&def, &head);
    uLong bound = deflateBound(&def, (uLong)sizeof text);

    // STEP3
    def.next_in = (Bytef *)text;
    def.avail_in = (uInt)sizeof text;
    def.next_out = packed;
    def.avail_out = (uInt)sizeof packed;
    int deflate_rc = deflate(&def, Z_FINISH);
    uLong packed_len = def.total_out;
    int end_rc = deflateEnd(&def);

    // STEP4
    seen.name = name_in;
    seen.name_max = (uInt)sizeof name_in;
    seen.comment = comment_in;
    seen.comm_max = (uInt)sizeof comment_in;
    seen.extra = extra_in;
    seen.extra_max = (uInt)sizeof extra_in;
    inf.next_in = packed;
    inf.avail_in = (uInt)packed_len;
    int inf_init = inflateInit2(&inf, 47);
    int get_rc = inflateGetHeader(&inf, &seen);
    inf.next_out = plain;
    inf.avail_out = (uInt)sizeof plain;
    int inflate_rc = inflate(&inf, Z_FINISH);
    uLong plain_len = inf.total_out;
    int inf_end = inflateEnd(&inf);

    // STEP5
    gzFile out = gzopen("head10.gz", "wb");
    z_size_t items = gzfwrite(text, 4, 3, out);
    int put = gzputc(out, '!');
    int flush_rc = gzflush(out, Z_FINISH);
    int puts_rc = gzputs(out, "second member");
    int close_rc = gzclose(out);
    gzFile in = gzopen("head10.gz", "rb");
    int got = gzread(in, plain, 100);
    int close_in = gzclose(in);
}
