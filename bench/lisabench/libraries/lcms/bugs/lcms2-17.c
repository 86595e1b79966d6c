/* ICC.1:2022, grayTRCTag (clause 9) and curveType (clause 10): a gamma of 2.0 makes Y the square of the
 * gray. So a linear 1e-5 is the gray sqrt(1e-5), which is 207 of 65535. doc/LittleCMS2.* API.pdf,
 * TYPE_GRAY_FLT: the input is a 32-bit float; the buggy version rounds it to 16 bits first, where
 * 1e-5 is 1 of 65535 or 0, and 207 is lost. */
#include <assert.h>
#include <stddef.h>
#include <stdlib.h>
#include "lcms2.h"
int main(void)
{
    cmsFloat32Number in[1] = { 0.00001f };
    cmsUInt16Number out[1] = { 0 };
    cmsToneCurve *one = cmsBuildGamma(NULL, 1.0), *two = cmsBuildGamma(NULL, 2.0);
    cmsHPROFILE linear = cmsCreateGrayProfile(cmsD50_xyY(), one), square = cmsCreateGrayProfile(cmsD50_xyY(), two);
    cmsHTRANSFORM transform = cmsCreateTransform(linear, TYPE_GRAY_FLT, square, TYPE_GRAY_16,
                                                 INTENT_RELATIVE_COLORIMETRIC, cmsFLAGS_NOOPTIMIZE);
    assert(transform != NULL);
    cmsDoTransform(transform, in, out, 1);
    assert(abs(out[0] - 207) <= 4); /* sqrt(1e-5) * 65535 = 207.2 */
    cmsDeleteTransform(transform);
    cmsCloseProfile(linear);
    cmsCloseProfile(square);
    cmsFreeToneCurve(one);
    cmsFreeToneCurve(two);
    return 0;
}
