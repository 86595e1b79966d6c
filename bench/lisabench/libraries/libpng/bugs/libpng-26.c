/* png.h, SIMPLIFIED API: PNG_FORMAT_FLAG_COLORMAP means that "image data is color-mapped", of the image's colours;
 * png_image_finish_read(): the background is what an alpha channel that is removed is composed on. Half of red on
 * a dark colour has much red and little green and blue. */
#include <assert.h>
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

int main(void) {
    static const unsigned char raw[] = {0, 255, 0, 0, 128};
    png_color back = {10, 20, 30};
    unsigned char px[1] = {0}, map[256 * 3] = {0};
    png_image im;
    start(1, 1, 8, PNG_COLOR_TYPE_RGB_ALPHA);
    idat(raw, sizeof raw);
    chunk("IEND", 0, 0);
    memset(&im, 0, sizeof im);
    im.version = PNG_IMAGE_VERSION;
    assert(png_image_begin_read_from_memory(&im, buf, len) != 0);
    im.format = PNG_FORMAT_RGB_COLORMAP;
    assert(png_image_finish_read(&im, &back, px, 0, map) != 0);
    assert(px[0] < im.colormap_entries);
    assert(map[px[0] * 3] >= 128);
    assert(map[px[0] * 3 + 1] < 64);
    assert(map[px[0] * 3 + 2] < 64);
    return 0;
}
