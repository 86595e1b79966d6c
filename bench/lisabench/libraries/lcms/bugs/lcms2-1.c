/* doc/LittleCMS2.* API.pdf, cmsDetectDestinationBlackPoint: "Estimate the black point of a given
 * destination profile by using the Black point compensation ICC algorithm." That algorithm
 * (ISO 18619:2015) reads it off a curve that is fitted to the shadows of the profile's round trip.
 * The round trip of this version 2 output profile is max(L*, 25): flat up to L* = 25, a straight
 * line above, so the black point is L* = 25. The buggy limits of the straight line give 0. */
#include <assert.h>
#include <math.h>
#include <stddef.h>
#include "lcms2.h"
int main(void)
{
    static const cmsFloat64Number lightness[3] = { 1, 0, 0 };      /* Lab -> L */
    static const cmsFloat64Number neutral[3] = { 1, 0, 0 };        /* L -> (L, 0, 0) */
    static const cmsFloat64Number neutral_offset[3] = { 0, 128.0 / 255.0, 128.0 / 255.0 };
    cmsFloat64Number down[7] = { 1.0, 1.0 / 0.75, -0.25 / 0.75 };  /* max((L - 0.25) / 0.75, 0) */
    cmsFloat64Number up[7] = { 1.0, 0.75, 0.25, 0.0 };             /* 0.75 gray + 0.25 */
    cmsToneCurve *to_gray = cmsBuildParametricToneCurve(NULL, 2, down);
    cmsToneCurve *from_gray = cmsBuildParametricToneCurve(NULL, 6, up);
    cmsPipeline *to = cmsPipelineAlloc(NULL, 3, 1), *from = cmsPipelineAlloc(NULL, 1, 3);
    cmsHPROFILE profile = cmsCreateProfilePlaceholder(NULL);
    cmsCIEXYZ black = { -1, -1, -1 };
    cmsCIELab lab;
    cmsSetProfileVersion(profile, 2.1);
    cmsSetDeviceClass(profile, cmsSigOutputClass);
    cmsSetColorSpace(profile, cmsSigGrayData);
    cmsSetPCS(profile, cmsSigLabData);
    assert(cmsPipelineInsertStage(to, cmsAT_END, cmsStageAllocMatrix(NULL, 1, 3, lightness, NULL)));
    assert(cmsPipelineInsertStage(to, cmsAT_END, cmsStageAllocToneCurves(NULL, 1, &to_gray)));
    assert(cmsPipelineInsertStage(from, cmsAT_END, cmsStageAllocToneCurves(NULL, 1, &from_gray)));
    assert(cmsPipelineInsertStage(from, cmsAT_END, cmsStageAllocMatrix(NULL, 3, 1, neutral, neutral_offset)));
    assert(cmsWriteTag(profile, cmsSigBToA0Tag, to));
    assert(cmsWriteTag(profile, cmsSigAToB0Tag, from));
    assert(cmsDetectDestinationBlackPoint(&black, profile, INTENT_PERCEPTUAL, 0));
    cmsXYZ2Lab(NULL, &lab, &black);
    assert(fabs(lab.L - 25.0) < 0.5);
    cmsCloseProfile(profile);
    cmsPipelineFree(to);
    cmsPipelineFree(from);
    cmsFreeToneCurve(to_gray);
    cmsFreeToneCurve(from_gray);
    return 0;
}
