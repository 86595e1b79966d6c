/* doc/LittleCMS2.* API.pdf, Formatters: "Planar? 0=Chunky, 1=Planar", a format describes "how bitmap
 * buffers are organized". Two pixels of planar half floats are three planes of two samples, and
 * from sRGB to sRGB they come out as they went in. The buggy reader divides the distance of the
 * planes by the size of an output sample. */
#include <assert.h>
#include <math.h>
#include <stddef.h>
#include "lcms2.h"
#define RGB_HALF_PLANAR (FLOAT_SH(1) | COLORSPACE_SH(PT_RGB) | CHANNELS_SH(3) | BYTES_SH(2) | PLANAR_SH(1))
int main(void)
{
    /* R 0 0.25, G 0.5 0.75, B 1 0.875 */
    cmsUInt16Number in[6] = { 0x0000, 0x3400, 0x3800, 0x3a00, 0x3c00, 0x3b00 };
    cmsFloat32Number out[6] = { -1, -1, -1, -1, -1, -1 };
    cmsHPROFILE srgb = cmsCreate_sRGBProfile();
    cmsHTRANSFORM transform = cmsCreateTransform(srgb, RGB_HALF_PLANAR, srgb, TYPE_RGB_FLT, INTENT_PERCEPTUAL, 0);
    assert(transform != NULL);
    cmsDoTransform(transform, in, out, 2);
    assert(fabs(out[0] - 0.0) < 0.01);
    assert(fabs(out[1] - 0.5) < 0.01);
    assert(fabs(out[2] - 1.0) < 0.01);
    assert(fabs(out[3] - 0.25) < 0.01);
    assert(fabs(out[4] - 0.75) < 0.01);
    assert(fabs(out[5] - 0.875) < 0.01);
    cmsDeleteTransform(transform);
    cmsCloseProfile(srgb);
    return 0;
}
