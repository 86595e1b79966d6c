/* doc/LittleCMS2.* API.pdf, cmsCreateProofingTransform: "cmsFLAGS_GAMUTCHECK: Color out of gamut are
 * flagged to a fixed color defined by the function cmsSetAlarmCodes"; the codes are "encoded in 16
 * bits". Nothing is said of formats, so the codes of 0.25, 0.5 and 0.75 must come out as floats,
 * too; the buggy version gives 1.0. */
#include <assert.h>
#include <math.h>
#include <stddef.h>
#include "lcms2.h"
int main(void)
{
    cmsUInt16Number codes[cmsMAXCHANNELS] = { 0x4000, 0x8000, 0xC000 };
    cmsHPROFILE lab = cmsCreateLab4Profile(NULL), srgb = cmsCreate_sRGBProfile();
    cmsCIELab outside = { 50, -125, 125 };
    cmsFloat32Number rgb[3] = { -1, -1, -1 };
    cmsHTRANSFORM transform;
    cmsSetAlarmCodes(codes);
    transform = cmsCreateProofingTransform(lab, TYPE_Lab_DBL, srgb, TYPE_RGB_FLT, srgb, INTENT_RELATIVE_COLORIMETRIC,
                                           INTENT_RELATIVE_COLORIMETRIC, cmsFLAGS_GAMUTCHECK | cmsFLAGS_SOFTPROOFING);
    assert(transform != NULL);
    cmsDoTransform(transform, &outside, rgb, 1);
    assert(fabs(rgb[0] - 0.25) < 0.001);
    assert(fabs(rgb[1] - 0.5) < 0.001);
    assert(fabs(rgb[2] - 0.75) < 0.001);
    cmsDeleteTransform(transform);
    cmsCloseProfile(lab);
    cmsCloseProfile(srgb);
    return 0;
}
