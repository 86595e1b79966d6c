/* include/lcms2.h, PT_ANY, which is the colour space of format 0: "Don't check colorspace".
 * doc/LittleCMS2.* API.pdf, cmsTransform2DeviceLink: "Generates a device-link profile from a given
 * color transform." No buffer is converted for that, so a transform without formats, as linkicc
 * makes, must be had; the buggy check of the channel count refuses format 0. */
#include <assert.h>
#include <stddef.h>
#include "lcms2.h"
int main(void)
{
    cmsHPROFILE from = cmsCreate_sRGBProfile(), to = cmsCreate_sRGBProfile(), link;
    cmsHPROFILE chain[2] = { from, to };
    cmsHTRANSFORM transform = cmsCreateMultiprofileTransform(chain, 2, 0, 0, INTENT_RELATIVE_COLORIMETRIC,
                                                             cmsFLAGS_NOOPTIMIZE);
    assert(transform != NULL);
    link = cmsTransform2DeviceLink(transform, 4.3, 0);
    assert(link != NULL);
    assert(cmsGetDeviceClass(link) == cmsSigLinkClass);
    cmsCloseProfile(link);
    cmsDeleteTransform(transform);
    cmsCloseProfile(from);
    cmsCloseProfile(to);
    return 0;
}
