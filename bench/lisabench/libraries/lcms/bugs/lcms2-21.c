/* lcms2.h, format descriptors: "EXTRA_SH(e)": samples beside the channels ("E: Extra samples"). So two pixels of three
 * channels and two extra samples lie five samples apart. cmsFLAGS_NULLTRANSFORM: "Don't transform anyway". */
#include <assert.h>
#include "lcms2.h"
int main(void)
{
    cmsHPROFILE srgb = cmsCreate_sRGBProfile();
    cmsUInt16Number out[6] = {0};
    cmsUInt16Number in[10] = {0xffff, 0xffff, 0xffff, 0xffff, 0xffff, 0, 0, 0, 0xffff, 0xffff};
    cmsUInt32Number format = COLORSPACE_SH(PT_RGB) | CHANNELS_SH(3) | EXTRA_SH(2) | BYTES_SH(2) | PREMUL_SH(1);
    cmsHTRANSFORM t = cmsCreateTransform(srgb, format, srgb, TYPE_RGB_16, INTENT_PERCEPTUAL, cmsFLAGS_NULLTRANSFORM);
    assert(t != NULL);
    cmsDoTransform(t, in, out, 2);
    assert(out[0] == 0xffff && out[1] == 0xffff && out[2] == 0xffff);
    assert(out[3] == 0 && out[4] == 0 && out[5] == 0);
    cmsDeleteTransform(t);
    cmsCloseProfile(srgb);
    return 0;
}
