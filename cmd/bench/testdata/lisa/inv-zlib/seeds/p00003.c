// r0001-c-sequence03
#include <zlib.h>
#include <string.h>

void test_sequence(void)
{
    // STEP1
    const char first[] = "line one\nline two\n";
    const char second[] = "line three\nline four";
    char line[64];
    unsigned char streams[256];
    unsigned char plain[64];
    memset(line, 0, sizeof line);
    memset(streams, 0, sizeof streams);
    memset(plain, 0, sizeof plain);
    uLongf len1 = 128;
    uLongf len2 = 128;
    uLongf plain_len = sizeof plain;
    uLong taken = 0;

    // STEP2
    gzFile out = gzopen("append03.gz", "wb9");
    int wrote1 = gzwrite(out, first, (unsigned)strlen(first));
    int close1 = gzclose_w(out);
    gzFile app = gzopen("append03.gz", "ab1");
    long skipped = gzseek(app, 3, SEEK_CUR);
    int wrote2 = gzwrite(app, second, (unsigned)strlen(second));
    int close2 = gzclose_w(app);

    // STEP3
    gzFile in = gzopen("append03.gz", "rb");
    char *line1 = gzgets(in, line, (int)sizeof line);
    long after1 = gztell(in);
    int pushed = gzungetc('X', in);
    int popped = gzgetc(in);
    long there = gzseek(in, (long)strlen(first) + 3, SEEK_SET);
    char *line3 = gzgets(in, line, 6);
    int early_eof = gzeof(in);
    char *rest = gzgets(in, line, (int)sizeof line);
    long back_there = gzseek(in, 9, SEEK_SET);
    int letter = gzgetc(in);
    int close3 = gzclose(in);

    // STEP4
    int rc1 = compress2(streams, &len1, (const Bytef *)first, (uLong)strlen(first), Z_BEST_COMPRESSION);
    int rc2 = compress2(streams + len1, &len2, (const Bytef *)second, (uLong)strlen(second), Z_BEST_SPEED);
    taken = len1 + len2;
    int rc3 = uncompress2(plain, &plain_len, streams, &taken);
    uLongf plain2_len = sizeof plain - plain_len;
    uLong taken2 = len2;
    int rc4 = uncompress2(plain + plain_len, &plain2_len, streams + taken, &taken2);
}
