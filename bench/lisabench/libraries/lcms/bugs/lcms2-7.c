/* doc/LittleCMS2.* API.pdf, cmsCreateProofingTransform: "cmsFLAGS_GAMUTCHECK: Color out of gamut are
 * flagged to a fixed color". The CMYK profile covers every L*, but only -64 to 63 of a* and b*: a
 * mild colour is in its gamut (0), a saturated one is not. Into the null profile, whose gray is
 * always 0, the buggy version never raises the alarm. */
#include <assert.h>
#include <stddef.h>
#include "lcms2.h"
int main(void)
{
    static const cmsFloat64Number to_cmyk[12] = { -1, 0, 0, 0, 2, 0, 0, 0, 2, 0, 0, 0 };
    static const cmsFloat64Number to_cmyk_offset[4] = { 1, -0.5, -0.5, 0 };
    static const cmsFloat64Number to_lab[12] = { -1, 0, 0, 0, 0, 0.5, 0, 0, 0, 0, 0.5, 0 };
    static const cmsFloat64Number to_lab_offset[3] = { 1, 0.25, 0.25 };
    cmsPipeline *to = cmsPipelineAlloc(NULL, 3, 4), *from = cmsPipelineAlloc(NULL, 4, 3);
    cmsHPROFILE cmyk = cmsCreateProfilePlaceholder(NULL);
    cmsHPROFILE lab = cmsCreateLab4Profile(NULL), null = cmsCreateNULLProfile();
    cmsCIELab mild = { 50, 10, 12 }, saturated = { 50, 120, 0 };
    cmsUInt8Number mild_alarm = 77, saturated_alarm = 0;
    cmsHTRANSFORM transform;
    cmsSetProfileVersion(cmyk, 4.3);
    cmsSetDeviceClass(cmyk, cmsSigOutputClass);
    cmsSetColorSpace(cmyk, cmsSigCmykData);
    cmsSetPCS(cmyk, cmsSigLabData);
    assert(cmsPipelineInsertStage(to, cmsAT_END, cmsStageAllocMatrix(NULL, 4, 3, to_cmyk, to_cmyk_offset)));
    assert(cmsPipelineInsertStage(from, cmsAT_END, cmsStageAllocMatrix(NULL, 3, 4, to_lab, to_lab_offset)));
    assert(cmsWriteTag(cmyk, cmsSigBToA1Tag, to));
    assert(cmsWriteTag(cmyk, cmsSigAToB1Tag, from));
    transform = cmsCreateProofingTransform(lab, TYPE_Lab_DBL, null, TYPE_GRAY_8, cmyk, INTENT_RELATIVE_COLORIMETRIC,
                                           INTENT_RELATIVE_COLORIMETRIC, cmsFLAGS_GAMUTCHECK);
    assert(transform != NULL);
    cmsDoTransform(transform, &mild, &mild_alarm, 1);
    cmsDoTransform(transform, &saturated, &saturated_alarm, 1);
    assert(mild_alarm == 0);
    assert(saturated_alarm != 0);
    cmsDeleteTransform(transform);
    cmsCloseProfile(cmyk);
    cmsCloseProfile(lab);
    cmsCloseProfile(null);
    cmsPipelineFree(to);
    cmsPipelineFree(from);
    return 0;
}
