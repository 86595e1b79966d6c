/* png.h at png_image_write_to_memory(): "With all APIs row_stride is handled as in the read APIs - it is
 * the spacing from one row to the next in component sized units (1 or 2 bytes)".  Two rows of one 16-bit
 * pixel, black and white, 40000 components apart. */
#include <assert.h>
#include <string.h>
#include "png.h"

enum { STRIDE = 40000 };
static png_uint_16 rows[2 * STRIDE];
static unsigned char png[4096];

int main(void) {
    png_alloc_size_t size = sizeof png;
    png_image im;
    unsigned char px[2] = {9, 9};
    rows[STRIDE] = 65535;
    memset(&im, 0, sizeof im);
    im.version = PNG_IMAGE_VERSION;
    im.width = 1;
    im.height = 2;
    im.format = PNG_FORMAT_LINEAR_Y;
    assert(png_image_write_to_memory(&im, png, &size, 1, rows, STRIDE, NULL) != 0);
    memset(&im, 0, sizeof im);
    im.version = PNG_IMAGE_VERSION;
    assert(png_image_begin_read_from_memory(&im, png, size) != 0);
    im.format = PNG_FORMAT_GRAY;
    assert(png_image_finish_read(&im, NULL, px, 0, NULL) != 0);
    assert(px[0] == 0 && px[1] == 255);
    return 0;
}
