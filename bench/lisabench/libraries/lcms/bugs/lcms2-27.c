/* ICC.1:2010, section 10.16.1 (formula curve segments), type 0: Y = (a X + b)^g + c, for all X of the segment. With g = 1
 * that is the straight line a X + b + c, whatever the sign. */
#include <assert.h>
#include <math.h>
#include "lcms2.h"
int main(void)
{
    cmsCurveSegment line = {.x0 = -1e22f, .x1 = 1e22f, .Type = 6, .Params = {1.0, 1.0, -0.5, 0.0}};
    cmsToneCurve *curve = cmsBuildSegmentedToneCurve(NULL, 1, &line);
    assert(curve != NULL);
    assert(fabs(cmsEvalToneCurveFloat(curve, 0.75f) - 0.25) < 1e-6);
    assert(fabs(cmsEvalToneCurveFloat(curve, 0.25f) + 0.25) < 1e-6);
    cmsFreeToneCurve(curve);
    return 0;
}
