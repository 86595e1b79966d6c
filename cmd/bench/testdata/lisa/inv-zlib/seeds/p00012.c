// r0002-c-sequence05
#include <zlib.h>
#include <string.h>

void test_sequence(void)
{
    // STEP1
    unsigned char data[1200];
    unsigned char packed[2400];
    unsigned char plain[1200];
    memset(data, 'x', sizeof data);
    memcpy(data, "before the flush point", 22);
    memcpy(data + 600, "after the flush point", 21);
    memset(packed, 0, sizeof packed);
    memset(plain, 0, sizeof plain);
    z_stream def;
    z_stream inf;
    memset(&def, 0, sizeof def);
    memset(&inf, 0, sizeof inf);

    // STEP2
    int init_rc = deflateInit2(&def, 6, Z_DEFLATED, -12, 5, Z_DEFAULT_STRATEGY);
    def.next_in = data;
    def.avail_in = 600;
    def.next_out = packed;
    def.avail_out = (uInt)sizeof packed;
    int full_rc = deflate(&def, Z_FULL_FLUSH);
    uLong flush_at = def.total_out;
    def.avail_in = 600;
    int finish_rc = deflate(&def, Z_FINISH);
    uLong packed_len = def.total_out;
    int def_end = deflateEnd(&def);

    // STEP3
    int inf_init = inflateInit2(&inf, -12);
    inf.next_in = packed + 3;
    inf.avail_in = (uInt)packed_len - 3;
    inf.next_out = plain;
    inf.avail_out = (uInt)sizeof plain;
    int sync_rc = inflateSync(&inf);
    uInt left_after_sync = inf.avail_in;
    int rest_rc = inflate(&inf, Z_FINISH);
    uLong rest_len = inf.total_out;

    // STEP4
    int reset_rc = inflateReset2(&inf, -15);
    inf.next_in = packed;
    inf.avail_in = (uInt)packed_len;
    inf.next_out = plain;
    inf.avail_out = (uInt)sizeof plain;
    int whole_rc = inflate(&inf, Z_FINISH);
    uLong whole_in = inf.total_in;
    uLong whole_out = inf.total_out;
    int inf_end = inflateEnd(&inf);

    // STEP5
    gzFile out = gzopen("sync12.gz", "wb6F");
    z_size_t items = gzfwrite(data, 400, 3, out);
    int put = gzputc(out, 0);
    int level_rc = gzsetparams(out, 1, Z_RLE);
    int put2 = gzputc(out, 255);
    int close_rc = gzclose_w(out);
    gzFile in = gzopen("sync12.gz", "rb");
    int direct = gzdirect(in);
    long at = gzseek(in, 1200, SEEK_SET);
    int zero = gzgetc(in);
    int high = gzgetc(in);
    int close_in = gzclose_r(in);
}
