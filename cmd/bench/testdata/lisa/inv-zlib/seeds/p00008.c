// r0002-c-sequence01
#include <zlib.h>
#include <string.h>

void test_sequence(void)
{
    // STEP1
    const char dict[] = "commonwordsusedoften";
    const char text[] = "often used common words: commonwordsusedoften, usedoften!";
    unsigned char packed[256];
    unsigned char plain[128];
    unsigned char dict_out[64];
    uInt dict_len = 0;
    memset(packed, 0, sizeof packed);
    memset(plain, 0, sizeof plain);
    memset(dict_out, 0, sizeof dict_out);
    z_stream def;
    z_stream inf;
    memset(&def, 0, sizeof def);
    memset(&inf, 0, sizeof inf);

    // STEP2
    int init_rc = deflateInit(&def, 6);
    int set_rc = deflateSetDictionary(&def, (const Bytef *)dict, (uInt)strlen(dict));
    uLong dict_id = def.adler;
    int get_rc = deflateGetDictionary(&def, dict_out, &dict_len);

    // STEP3
    def.next_in = (Bytef *)text;
    def.avail_in = (uInt)sizeof text;
    def.next_out = packed;
    def.avail_out = (uInt)sizeof packed;
    int deflate_rc = deflate(&def, Z_FINISH);
    uLong packed_len = def.total_out;
    int end_rc = deflateEnd(&def);

    // STEP4
    inf.next_in = packed;
    inf.avail_in = (uInt)packed_len;
    int inf_init = inflateInit2(&inf, 15);
    inf.next_out = plain;
    inf.avail_out = (uInt)sizeof plain;
    int need = inflate(&inf, Z_NO_FLUSH);
    uLong wanted_id = inf.adler;
    int give = inflateSetDictionary(&inf, (const Bytef *)dict, (uInt)strlen(dict));
    int done = inflate(&inf, Z_FINISH);
    uLong plain_len = inf.total_out;
    int inf_end = inflateEnd(&inf);

    // STEP5
    gzFile out = gzopen("dict08.gz", "wb9");
    z_size_t items = gzfwrite(packed, 1, packed_len, out);
    int put = gzputc(out, 0x1ff);
    int close_rc = gzclose(out);
    gzFile in = gzopen("dict08.gz", "rb");
    int got = gzread(in, dict_out, 10);
    long at_last = gzseek(in, (long)packed_len, SEEK_SET);
    int last = gzgetc(in);
    int past = gzgetc(in);
    int eof = gzeof(in);
    int close_in = gzclose(in);
}
