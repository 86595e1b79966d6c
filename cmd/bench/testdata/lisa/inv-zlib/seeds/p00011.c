// r0002-c-sequence04
#include <zlib.h>
#include <string.h>

void test_sequence(void)
{
    // STEP1
    unsigned char data[2000];
    unsigned char packed[4000];
    unsigned char plain[2000];
    memset(data, 'm', sizeof data);
    memcpy(data + 100, "parameters change while the stream runs", 39);
    memcpy(data + 1100, "parameters change while the stream runs", 39);
    memset(packed, 0, sizeof packed);
    memset(plain, 0, sizeof plain);
    unsigned pending = 99;
    int bits = 99;
    z_stream def;
    z_stream inf;
    memset(&def, 0, sizeof def);
    memset(&inf, 0, sizeof inf);

    // STEP2
    int init_rc = deflateInit(&def, Z_NO_COMPRESSION);
    def.next_in = data;
    def.avail_in = 1000;
    def.next_out = packed;
    def.avail_out = (uInt)sizeof packed;
    int stored_rc = deflate(&def, Z_NO_FLUSH);
    int params_rc = deflateParams(&def, Z_BEST_COMPRESSION, Z_DEFAULT_STRATEGY);
    uLong in_after_params = def.total_in;
    def.avail_in = 1000;
    int done_rc = deflate(&def, Z_FINISH);
    int pending_rc = deflatePending(&def, &pending, &bits);
    uLong packed_len = def.total_out;
    int data_type = def.data_type;
    uLong check = def.adler;

    // STEP3
    int inf_init = inflateInit2(&inf, 0);
    inf.next_in = packed;
    inf.avail_in = (uInt)packed_len;
    inf.next_out = plain;
    inf.avail_out = (uInt)sizeof plain;
    int inflate_rc = inflate(&inf, Z_NO_FLUSH);
    uLong plain_len = inf.total_out;
    int inf_end = inflateEnd(&inf);

    // STEP4
    int reset_rc = deflateReset(&def);
    uLong in_after_reset = def.total_in;
    uLong out_after_reset = def.total_out;
    int def_end = deflateEnd(&def);

    // STEP5
    gzFile out = gzopen("para11.gz", "wb0");
    z_size_t items = gzfwrite(data, 500, 4, out);
    int put = gzputc(out, 'm');
    int bad_items = (int)gzfwrite(data, 0, 5, out);
    int close_rc = gzclose_w(out);
    gzFile in = gzopen("para11.gz", "rb");
    z_size_t read_items = gzfread(plain, 300, 6, in);
    long pos = gztell(in);
    int close_in = gzclose_r(in);
}
