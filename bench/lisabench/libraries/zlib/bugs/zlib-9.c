/* zlib.h, gzflush: with Z_FINISH "the remaining data is written and the gzip stream is
 * completed in the output.  If gzwrite() is called again, a new gzip stream will be started
 * in the output".  It is not called again here, so gzclose() has nothing to add. */
#include <assert.h>
#include <stdio.h>
#include "zlib.h"
static long size_of(const char *name)
{
    long size;
    FILE *f = fopen(name, "rb");
    assert(f != NULL && fseek(f, 0, SEEK_END) == 0);
    size = ftell(f);
    fclose(f);
    return size;
}
int main(void)
{
    const char *name = "finished.gz";
    long flushed, closed;
    gzFile g = gzopen(name, "wb");
    assert(g != NULL);
    assert(gzwrite(g, "hello, hello!", 13) == 13);
    assert(gzflush(g, Z_FINISH) == Z_OK);
    flushed = size_of(name);
    assert(gzclose(g) == Z_OK);
    closed = size_of(name);
    remove(name);
    assert(closed == flushed);
    return 0;
}
