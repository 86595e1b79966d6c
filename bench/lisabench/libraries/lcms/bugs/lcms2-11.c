/* ICC.1:2022, 7.2.18: the profile ID is the MD5 of the whole profile with the profile flags, the
 * rendering intent and the ID itself set to zero. So it must not depend on the flags, and it must
 * depend on the device attributes; in the buggy version it is the other way round. */
#include <assert.h>
#include <stddef.h>
#include <string.h>
#include "lcms2.h"
int main(void)
{
    cmsUInt8Number plain[16], flagged[16], transparent[16];
    cmsHPROFILE profile = cmsCreate_sRGBProfile();
    cmsSetHeaderFlags(profile, 0);
    cmsSetHeaderAttributes(profile, 0);
    assert(cmsMD5computeID(profile));
    cmsGetHeaderProfileID(profile, plain);
    cmsSetHeaderFlags(profile, 1);
    assert(cmsMD5computeID(profile));
    cmsGetHeaderProfileID(profile, flagged);
    cmsSetHeaderAttributes(profile, cmsTransparency);
    assert(cmsMD5computeID(profile));
    cmsGetHeaderProfileID(profile, transparent);
    assert(memcmp(plain, flagged, 16) == 0);
    assert(memcmp(flagged, transparent, 16) != 0);
    cmsCloseProfile(profile);
    return 0;
}
