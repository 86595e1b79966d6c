/* lcms2.h, format descriptors: "P: Planar? 0=Chunky, 1=Planar", "E: Extra samples", "O: DoSwap"; with
 * DOSWAP_SH(1) all is in reverse order, the extra samples first (as in TYPE_ABGR_16). So behind two extra planes come
 * blue, green and red. */
#include <assert.h>
#include "lcms2.h"
int main(void)
{
    cmsHPROFILE srgb = cmsCreate_sRGBProfile();
    cmsUInt16Number out[6] = {0};
    cmsUInt16Number in[5] = {0xffff, 0xffff, 0x1111, 0x2222, 0x3333};
    cmsUInt32Number format = COLORSPACE_SH(PT_RGB) | CHANNELS_SH(3) | EXTRA_SH(2) | BYTES_SH(2) | PREMUL_SH(1) |
        PLANAR_SH(1) | DOSWAP_SH(1);
    cmsHTRANSFORM t = cmsCreateTransform(srgb, format, srgb, TYPE_RGB_16, INTENT_PERCEPTUAL, cmsFLAGS_NULLTRANSFORM);
    assert(t != NULL);
    cmsDoTransform(t, in, out, 1);
    assert(out[0] == 0x3333 && out[1] == 0x2222 && out[2] == 0x1111);
    cmsDeleteTransform(t);
    cmsCloseProfile(srgb);
    return 0;
}
