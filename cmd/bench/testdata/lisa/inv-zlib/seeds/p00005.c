// r0001-c-sequence05
#include <zlib.h>
#include <string.h>

void test_sequence(void)
{
    // STEP1
    unsigned char data[4096];
    unsigned char back[8192];
    unsigned char packed[8192];
    unsigned char plain[4096];
    memset(data, 0, sizeof data);
    memcpy(data, "record 0001 value alpha; record 0002 value beta; ", 49);
    memcpy(data + 49, data, 49);
    memcpy(data + 98, data, 98);
    memcpy(data + 196, data, 196);
    memcpy(data + 392, data, 392);
    memcpy(data + 784, data, 784);
    memcpy(data + 1568, data, 1568);
    memset(back, 0, sizeof back);
    memset(packed, 0, sizeof packed);
    memset(plain, 0, sizeof plain);
    z_stream strm;
    memset(&strm, 0, sizeof strm);
    strm.zalloc = Z_NULL;
    strm.zfree = Z_NULL;
    strm.opaque = Z_NULL;

    // STEP2
    int init_rc = deflateInit2(&strm, Z_BEST_COMPRESSION, Z_DEFLATED, 12, 4, Z_FILTERED);
    int tune_rc = deflateTune(&strm, 8, 16, 32, 64);
    uLong bound = deflateBound(&strm, (uLong)sizeof data);

    // STEP3
    strm.next_in = data;
    strm.avail_in = 1000;
    strm.next_out = packed;
    strm.avail_out = (uInt)sizeof packed;
    int part_rc = deflate(&strm, Z_FULL_FLUSH);
    uInt left_in = strm.avail_in;
    uLong flushed = strm.total_out;
    strm.avail_in = (uInt)sizeof data - 1000;
    int done_rc = deflate(&strm, Z_FINISH);
    uLong produced = strm.total_out;
    uLong consumed = strm.total_in;
    uLong stream_adler = strm.adler;
    int end_rc = deflateEnd(&strm);

    // STEP4
    uLongf plain_len = sizeof plain;
    uLong source_len = produced + 100;
    int unpack_rc = uncompress2(plain, &plain_len, packed, &source_len);
    uLong data_adler = adler32(adler32(0L, Z_NULL, 0), data, (uInt)sizeof data);

    // STEP5
    gzFile out = gzopen("copy05.gz", "wb");
    int wrote = gzwrite(out, packed, (unsigned)produced);
    z_size_t items = gzfwrite(data, 16, 10, out);
    long forward = gzseek(out, 40, SEEK_CUR);
    int close_rc = gzclose_w(out);
    gzFile in = gzopen("copy05.gz", "rb");
    long jump = gzseek(in, (long)produced + 16, SEEK_SET);
    z_size_t read_items = gzfread(back, 16, 9, in);
    long rewound = gzseek(in, -144, SEEK_CUR);
    int got = gzread(in, back + 1024, (unsigned)(sizeof back - 1024));
    int close_in = gzclose_r(in);
}
