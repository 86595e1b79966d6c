/* doc/LittleCMS2.* API.pdf, Formatters: "Planar? 0=Chunky, 1=Planar", a format describes "how bitmap
 * buffers are organized". Two pixels of planar 16-bit samples are three planes of two samples, and
 * from sRGB to sRGB they come out as they went in. The buggy writer takes the distance of the
 * planes in bytes for one in samples; the buffer is large enough for both. */
#include <assert.h>
#include <stddef.h>
#include <stdlib.h>
#include "lcms2.h"
int main(void)
{
    cmsFloat32Number in[6] = { 0.0f, 0.5f, 1.0f, 0.25f, 0.75f, 0.875f };
    cmsUInt16Number out[24] = { 0 };
    cmsHPROFILE srgb = cmsCreate_sRGBProfile();
    cmsHTRANSFORM transform = cmsCreateTransform(srgb, TYPE_RGB_FLT, srgb, TYPE_RGB_16_PLANAR, INTENT_PERCEPTUAL, 0);
    assert(transform != NULL);
    cmsDoTransform(transform, in, out, 2);
    assert(out[0] < 0x100);
    assert(abs(out[1] - 0x4000) < 0x100);
    assert(abs(out[2] - 0x8000) < 0x100);
    assert(abs(out[3] - 0xbfff) < 0x100);
    assert(abs(out[4] - 0xffff) < 0x100);
    assert(abs(out[5] - 0xdfff) < 0x100);
    cmsDeleteTransform(transform);
    cmsCloseProfile(srgb);
    return 0;
}
