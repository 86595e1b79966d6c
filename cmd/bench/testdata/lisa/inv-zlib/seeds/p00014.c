// r0002-c-sequence07
#include <zlib.h>
#include <string.h>

void test_sequence(void)
{
    // STEP1
    unsigned char data[500];
    unsigned char packed[1000];
    unsigned char packed2[1000];
    unsigned char plain[500];
    memset(data, 0, sizeof data);
    memcpy(data, "primed and reset", 16);
    memcpy(data + 250, "primed and reset", 16);
    memset(packed, 0, sizeof packed);
    memset(packed2, 0, sizeof packed2);
    memset(plain, 0xee, sizeof plain);
    z_stream def;
    z_stream inf;
    memset(&def, 0, sizeof def);
    memset(&inf, 0, sizeof inf);

    // STEP2
    int init_rc = deflateInit2(&def, 9, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
    uLong bound = deflateBound(&def, (uLong)sizeof data);
    def.next_in = data;
    def.avail_in = (uInt)sizeof data;
    def.next_out = packed;
    def.avail_out = (uInt)bound;
    int rc1 = deflate(&def, Z_FINISH);
    uLong len1 = def.total_out;

    // STEP3
    int reset_rc = deflateReset(&def);
    def.next_in = data;
    def.avail_in = (uInt)sizeof data;
    def.next_out = packed2;
    def.avail_out = (uInt)sizeof packed2;
    int rc2 = deflate(&def, Z_FINISH);
    uLong len2 = def.total_out;
    int def_end = deflateEnd(&def);

    // STEP4
    int inf_init = inflateInit2(&inf, 15 + 32);
    inf.next_in = packed;
    inf.avail_in = (uInt)len1;
    inf.next_out = plain;
    inf.avail_out = (uInt)sizeof plain;
    int inflate_rc = inflate(&inf, Z_FINISH);
    uLong crc = inf.adler;
    int point = inflateSyncPoint(&inf);
    int inf_reset = inflateReset(&inf);
    uLong out_after_reset = inf.total_out;
    int inf_end = inflateEnd(&inf);

    // STEP5
    gzFile out = gzopen("prime14.dat", "wb");
    z_size_t none = gzfwrite(data, 1, 0, out);
    int put = gzputc(out, '\n');
    long told = gztell(out);
    int close_rc = gzclose(out);
    uLong a = adler32(adler32(0L, Z_NULL, 0), data, 200);
    uLong b = adler32(adler32(0L, Z_NULL, 0), data + 200, 300);
    uLong ab = adler32_combine(a, b, 300);
    uLong whole = adler32_z(adler32(0L, Z_NULL, 0), data, sizeof data);
}
