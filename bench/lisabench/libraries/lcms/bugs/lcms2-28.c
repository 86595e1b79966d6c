/* ICC.1:2010, section 7.2.17: the profile creator signature in octets 80 to 83 "shall be used to identify the creator of
 * the profile"; cmsGetHeaderCreator() reads it. Saving a profile does not make another creator. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include "lcms2.h"
int main(void)
{
    cmsHPROFILE profile = cmsCreate_sRGBProfile();
    cmsUInt32Number n = 0, m = 0;
    char *first, *second;
    assert(cmsSaveProfileToMem(profile, NULL, &n));
    first = malloc(n);
    assert(first != NULL && cmsSaveProfileToMem(profile, first, &n));
    cmsCloseProfile(profile);
    memcpy(first + 80, "ABCD", 4);
    profile = cmsOpenProfileFromMem(first, n);
    assert(profile != NULL && cmsGetHeaderCreator(profile) == 0x41424344);
    assert(cmsSaveProfileToMem(profile, NULL, &m));
    second = malloc(m);
    assert(second != NULL && cmsSaveProfileToMem(profile, second, &m));
    cmsCloseProfile(profile);
    assert(memcmp(second + 80, "ABCD", 4) == 0);
    free(first);
    free(second);
    return 0;
}
