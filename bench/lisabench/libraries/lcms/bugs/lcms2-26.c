/* lcms2.h: with D_CALCULATE as D_value the degree of adaptation is computed. CIE 159:2004, CIECAM02:
 * D = F [1 - (1/3.6) exp((-LA - 42) / 92)], and F is 0.9 in a dim surround. So that value gives the same result. */
#include <assert.h>
#include <math.h>
#include "lcms2.h"
static cmsJCh appearance(double degree)
{
    cmsViewingConditions vc = {{95.05, 100, 108.88}, 20, 30, DIM_SURROUND, 0};
    cmsCIEXYZ in = {30, 20, 10};
    cmsJCh out;
    cmsHANDLE model;
    vc.D_value = degree;
    model = cmsCIECAM02Init(NULL, &vc);
    assert(model != NULL);
    cmsCIECAM02Forward(model, &in, &out);
    cmsCIECAM02Done(model);
    return out;
}
int main(void)
{
    cmsJCh computed = appearance(D_CALCULATE), given = appearance(0.9 * (1 - exp((-30.0 - 42) / 92) / 3.6));
    assert(fabs(computed.J - given.J) < 1e-6);
    assert(fabs(computed.C - given.C) < 1e-6);
    assert(fabs(computed.h - given.h) < 1e-6);
    return 0;
}
