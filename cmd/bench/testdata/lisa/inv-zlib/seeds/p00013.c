// r0002-c-sequence06
#include <zlib.h>
#include <string.h>

void test_sequence(void)
{
    // STEP1
    const char text[] = "small windows of output make many calls of deflate and inflate";
    unsigned char packed[256];
    unsigned char plain[128];
    unsigned char twin[128];
    memset(packed, 0, sizeof packed);
    memset(plain, 0, sizeof plain);
    memset(twin, 0, sizeof twin);
    z_stream def;
    z_stream inf;
    z_stream inf2;
    memset(&def, 0, sizeof def);
    memset(&inf, 0, sizeof inf);
    memset(&inf2, 0, sizeof inf2);

    // STEP2
    int init_rc = deflateInit2(&def, 1, Z_DEFLATED, 9, 1, Z_HUFFMAN_ONLY);
    def.next_in = (Bytef *)text;
    def.avail_in = (uInt)sizeof text;
    def.next_out = packed;
    def.avail_out = 20;
    int rc1 = deflate(&def, Z_FINISH);
    uInt out_left1 = def.avail_out;
    uLong out1 = def.total_out;
    def.avail_out = (uInt)sizeof packed - 20;
    int rc2 = deflate(&def, Z_FINISH);
    uLong packed_len = def.total_out;
    uLong check = def.adler;
    int def_end = deflateEnd(&def);

    // STEP3
    int inf_init = inflateInit2(&inf, 15);
    inf.next_in = packed;
    inf.avail_in = 30;
    inf.next_out = plain;
    inf.avail_out = (uInt)sizeof plain;
    int part_rc = inflate(&inf, Z_SYNC_FLUSH);
    uLong part_in = inf.total_in;
    uLong part_out = inf.total_out;
    int copy_rc = inflateCopy(&inf2, &inf);
    inf.avail_in = (uInt)packed_len - 30;
    int end_rc = inflate(&inf, Z_FINISH);
    uLong plain_len = inf.total_out;
    int inf_end = inflateEnd(&inf);

    // STEP4
    memcpy(twin, plain, part_out);
    inf2.next_in = packed + part_in;
    inf2.avail_in = (uInt)(packed_len - part_in);
    inf2.next_out = twin + part_out;
    inf2.avail_out = (uInt)(sizeof twin - part_out);
    int twin_rc = inflate(&inf2, Z_FINISH);
    uLong twin_len = inf2.total_out;
    int twin_end = inflateEnd(&inf2);

    // STEP5
    char line[32];
    memset(line, 0, sizeof line);
    gzFile out = gzopen("twin13.gz", "wb2");
    int put1 = gzputc(out, 'a');
    z_size_t items = gzfwrite("bcdef\nghi\n", 1, 10, out);
    int close_rc = gzclose(out);
    gzFile in = gzopen("twin13.gz", "rb");
    char *line1 = gzgets(in, line, 4);
    int first = gzgetc(in);
    int back_rc = gzungetc(first, in);
    char *line2 = gzgets(in, line, (int)sizeof line);
    int close_in = gzclose(in);
}
