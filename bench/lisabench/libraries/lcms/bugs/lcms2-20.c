/* doc/LittleCMS2.* API.pdf, cmsReadRawTag: "BufferSize: Size of memory buffer in bytes", returns
 * "Number of bytes read". A buffer smaller than the tag must get as much of the tag as fits, which
 * is what fread-like readers such as colord's rely on; the buggy version reads nothing and
 * returns 0. The white point tag is 20 bytes long (ICC.1:2022, clause 10, XYZType). */
#include <assert.h>
#include <stddef.h>
#include <string.h>
#include "lcms2.h"
int main(void)
{
    static cmsUInt8Number memory[8192], whole[20], part[20];
    cmsUInt32Number size = sizeof(memory);
    cmsHPROFILE made = cmsCreate_sRGBProfile(), read;
    assert(cmsSaveProfileToMem(made, memory, &size));
    read = cmsOpenProfileFromMem(memory, size);
    assert(read != NULL);
    assert(cmsReadRawTag(read, cmsSigMediaWhitePointTag, NULL, 0) == 20);
    assert(cmsReadRawTag(read, cmsSigMediaWhitePointTag, whole, sizeof(whole)) == 20);
    assert(cmsReadRawTag(read, cmsSigMediaWhitePointTag, part, 12) == 12);
    assert(memcmp(part, whole, 12) == 0);
    assert(memcmp(part, "XYZ ", 4) == 0);
    assert(part[12] == 0 && part[19] == 0);
    cmsCloseProfile(read);
    cmsCloseProfile(made);
    return 0;
}
