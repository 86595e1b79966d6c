// r0002-c-sequence02
#include <zlib.h>
#include <string.h>

void test_sequence(void)
{
    // STEP1
    unsigned char data[3000];
    unsigned char out1[4000];
    unsigned char out2[4000];
    unsigned char plain[3000];
    memset(data, '.', sizeof data);
    memcpy(data, "copy of a stream in mid-flight ", 31);
    memcpy(data + 31, data, 31);
    memcpy(data + 700, data, 62);
    memcpy(data + 2000, data, 62);
    memset(out1, 0, sizeof out1);
    memset(out2, 0, sizeof out2);
    memset(plain, 0, sizeof plain);
    z_stream a;
    z_stream b;
    memset(&a, 0, sizeof a);
    memset(&b, 0, sizeof b);

    // STEP2
    int init_rc = deflateInit2(&a, 5, Z_DEFLATED, -15, 8, Z_DEFAULT_STRATEGY);
    a.next_in = data;
    a.avail_in = 1500;
    a.next_out = out1;
    a.avail_out = (uInt)sizeof out1;
    int first_rc = deflate(&a, Z_SYNC_FLUSH);
    uLong before_copy = a.total_out;
    int copy_rc = deflateCopy(&b, &a);

    // STEP3
    memcpy(out2, out1, sizeof out2);
    b.next_out = out2 + before_copy;
    a.avail_in = 1500;
    b.avail_in = 1500;
    int a_rc = deflate(&a, Z_FINISH);
    int b_rc = deflate(&b, Z_FINISH);
    uLong a_total = a.total_out;
    uLong b_total = b.total_out;
    int a_end = deflateEnd(&a);
    int b_end = deflateEnd(&b);

    // STEP4
    z_stream r;
    memset(&r, 0, sizeof r);
    r.next_in = out2;
    r.avail_in = (uInt)b_total;
    int inf_init = inflateInit2(&r, -15);
    r.next_out = plain;
    r.avail_out = 1000;
    int part_rc = inflate(&r, Z_NO_FLUSH);
    uLong part = r.total_out;
    r.avail_out = 2000;
    int rest_rc = inflate(&r, Z_FINISH);
    uLong whole = r.total_out;
    uInt unread = r.avail_in;
    int inf_end = inflateEnd(&r);

    // STEP5
    gzFile out = gzopen("copy09.gz", "wb5h");
    z_size_t items = gzfwrite(data, 100, 30, out);
    int put = gzputc(out, 'q');
    long told = gztell(out);
    int close_rc = gzclose_w(out);
}
