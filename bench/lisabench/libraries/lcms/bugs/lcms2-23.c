/* lcms2.h, format descriptors: "M: Premultiplied alpha (only works when extra samples is 1)". A colour that is
 * multiplied by an alpha of one half is twice what the sample says, so 0x4000 stands for one half. */
#include <assert.h>
#include "lcms2.h"
int main(void)
{
    cmsHPROFILE srgb = cmsCreate_sRGBProfile();
    cmsUInt16Number out[6] = {0};
    cmsUInt16Number in[4] = {0x4000, 0x4000, 0x4000, 0x8000};
    cmsHTRANSFORM t = cmsCreateTransform(srgb, TYPE_RGBA_16_PREMUL, srgb, TYPE_RGB_16, INTENT_PERCEPTUAL,
        cmsFLAGS_NULLTRANSFORM);
    assert(t != NULL);
    cmsDoTransform(t, in, out, 1);
    assert(out[0] >= 0x7ff0 && out[0] <= 0x8010);
    assert(out[1] == out[0] && out[2] == out[0]);
    cmsDeleteTransform(t);
    cmsCloseProfile(srgb);
    return 0;
}
