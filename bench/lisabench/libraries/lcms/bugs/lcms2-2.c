/* doc/LittleCMS2.* API.pdf, table of flags: cmsFLAGS_HIGHRESPRECALC is there "to give better
 * accurancy". 16-bit Lab white (L* = 100, a* = b* = 0 in the PCSLAB encoding of ICC.1) must become the white
 * of a 16-bit RGB space but for rounding: five parts in 65535. A CLUT has no node at
 * a* = b* = 0 in this encoding, so the buggy resampling misses white by more. */
#include <assert.h>
#include <stddef.h>
#include "lcms2.h"
int main(void)
{
    cmsCIExyY d50 = { 0.3457, 0.3585, 1.0 };
    cmsCIExyYTRIPLE wide = { { 0.7347, 0.2653, 1.0 }, { 0.1596, 0.8404, 1.0 }, { 0.0366, 0.0001, 1.0 } };
    cmsToneCurve *gamma = cmsBuildGamma(NULL, 1.8);
    cmsToneCurve *curves[3] = { gamma, gamma, gamma };
    cmsHPROFILE rgb = cmsCreateRGBProfile(&d50, &wide, curves);
    cmsHPROFILE lab = cmsCreateLab4Profile(NULL);
    cmsHTRANSFORM transform = cmsCreateTransform(lab, TYPE_Lab_16, rgb, TYPE_RGB_16,
                                                 INTENT_RELATIVE_COLORIMETRIC, cmsFLAGS_HIGHRESPRECALC);
    cmsUInt16Number in[3] = { 0xffff, 0x8080, 0x8080 }, out[3] = { 0, 0, 0 };
    assert(transform != NULL);
    cmsDoTransform(transform, in, out, 1);
    assert(0xffff - out[0] <= 5);
    assert(0xffff - out[1] <= 5);
    assert(0xffff - out[2] <= 5);
    cmsDeleteTransform(transform);
    cmsCloseProfile(lab);
    cmsCloseProfile(rgb);
    cmsFreeToneCurve(gamma);
    return 0;
}
