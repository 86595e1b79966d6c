/* include/lcms2.h, cmsFormatterForColorspaceOfProfile: "Build a suitable formatter for the colorspace
 * of this profile", and above TYPE_XYZ_DBL: "'BYTES' FIELD IS SET TO ZERO ON DLB because 8 bytes
 * overflows the bitfield". A format of doubles for CMYK has 4 channels and 0 bytes; the buggy
 * version lets the 8 spill into the channels, which makes 5. */
#include <assert.h>
#include <stddef.h>
#include "lcms2.h"
int main(void)
{
    cmsHPROFILE profile = cmsCreateProfilePlaceholder(NULL);
    cmsUInt32Number format;
    cmsSetColorSpace(profile, cmsSigCmykData);
    format = cmsFormatterForColorspaceOfProfile(profile, sizeof(cmsFloat64Number), TRUE);
    assert(T_CHANNELS(format) == 4);
    assert(T_BYTES(format) == 0);
    assert(T_FLOAT(format) == 1);
    assert(T_COLORSPACE(format) == PT_CMYK);
    cmsCloseProfile(profile);
    return 0;
}
