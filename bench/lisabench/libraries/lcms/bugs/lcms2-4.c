/* doc/LittleCMS2.* API.pdf, cmsDetectBlackPoint: "Estimate the black point of a given profile. Used
 * by black point compensation algorithm." That algorithm (Adobe Systems' Implementation of Black
 * Point Compensation, 2006) takes no black point above L* = 50. The darkest colour of this RGB
 * profile is a light gray, Y = 0.5 or L* = 76, so the answer is 50; the buggy version takes the
 * profile for a negative and answers 0. */
#include <assert.h>
#include <math.h>
#include <stddef.h>
#include "lcms2.h"
int main(void)
{
    cmsFloat64Number parameters[7] = { 1.0, 0.5, 0.5, 0.0 }; /* Y = 0.5 X + 0.5 */
    cmsCIExyY d65 = { 0.3127, 0.3290, 1.0 };
    cmsCIExyYTRIPLE primaries = { { 0.64, 0.33, 1.0 }, { 0.30, 0.60, 1.0 }, { 0.15, 0.06, 1.0 } };
    cmsToneCurve *curve = cmsBuildParametricToneCurve(NULL, 6, parameters);
    cmsToneCurve *curves[3] = { curve, curve, curve };
    cmsHPROFILE profile = cmsCreateRGBProfile(&d65, &primaries, curves);
    cmsCIEXYZ black = { -1, -1, -1 };
    cmsCIELab lab;
    assert(cmsDetectBlackPoint(&black, profile, INTENT_RELATIVE_COLORIMETRIC, 0));
    cmsXYZ2Lab(NULL, &lab, &black);
    assert(fabs(lab.L - 50.0) < 0.01);
    cmsCloseProfile(profile);
    cmsFreeToneCurve(curve);
    return 0;
}
