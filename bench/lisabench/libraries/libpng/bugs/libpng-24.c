/* libpng-manual.txt, III, on png_read_update_info(): "This function will also update your palette with the
 * correct screen_gamma and background if these have been given with the calls above."  Gray 128 of a
 * file of gamma 0.45455 is 255 * (128/255)^2.2 = 56 on a linear screen. */
#include <assert.h>
#include <setjmp.h>
#include <string.h>
#include <zlib.h>
#include "png.h"

/* an in-memory PNG */
static unsigned char buf[65536];
static size_t len, pos;
static void be32(unsigned char *p, unsigned v) { p[0] = v >> 24; p[1] = v >> 16; p[2] = v >> 8; p[3] = v; }
static void chunk(const char *type, const void *data, unsigned n) {
    be32(buf + len, n);
    memcpy(buf + len + 4, type, 4);
    if (n) memcpy(buf + len + 8, data, n);
    be32(buf + len + 8 + n, crc32(0, buf + len + 4, n + 4));
    len += n + 12;
}
static void start(unsigned width, unsigned height, int depth, int color_type) { /* signature and IHDR */
    unsigned char d[13] = {0};
    memcpy(buf, "\x89PNG\r\n\x1a\n", 8);
    len = 8;
    be32(d, width);
    be32(d + 4, height);
    d[8] = depth;
    d[9] = color_type;
    chunk("IHDR", d, 13);
}
static void idat(const void *raw, unsigned n) {
    unsigned char z[4096];
    uLongf zn = sizeof z;
    assert(compress(z, &zn, raw, n) == Z_OK);
    chunk("IDAT", z, zn);
}
static void rd(png_structp p, png_bytep d, size_t n) { assert(pos + n <= len); memcpy(d, buf + pos, n); pos += n; }
static void quiet(png_structp p, png_const_charp m) {}

int main(void) {
    static const unsigned char raw[] = {0, 0}, pal[3] = {128, 128, 128};
    png_colorp palette = 0;
    int n = 0;
    png_structp p;
    png_infop i;
    start(1, 1, 8, PNG_COLOR_TYPE_PALETTE);
    chunk("PLTE", pal, 3);
    idat(raw, 2);
    chunk("IEND", 0, 0);
    p = png_create_read_struct(PNG_LIBPNG_VER_STRING, 0, 0, quiet);
    i = png_create_info_struct(p);
    assert(p && i);
    if (setjmp(png_jmpbuf(p))) assert(!"png_error");
    png_set_read_fn(p, 0, rd);
    png_read_info(p, i);
    png_set_gamma(p, 1.0, 0.45455);
    png_read_update_info(p, i);
    assert(png_get_PLTE(p, i, &palette, &n) != 0 && n == 1);
    assert(palette[0].red >= 53 && palette[0].red <= 59);
    assert(palette[0].green == palette[0].red && palette[0].blue == palette[0].red);
    png_destroy_read_struct(&p, &i, 0);
    return 0;
}
