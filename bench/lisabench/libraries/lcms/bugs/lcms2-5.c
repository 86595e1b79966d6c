/* ICC.1:2022, clause 10, cicpType: signature, four reserved bytes, then one byte each of colour
 * primaries, transfer characteristics, matrix coefficients and video full range flag; 12 bytes in
 * all. The buggy version writes, and expects, four more. */
#include <assert.h>
#include <stddef.h>
#include <string.h>
#include "lcms2.h"
int main(void)
{
    static cmsUInt8Number memory[8192], raw[64];
    cmsUInt32Number size = sizeof(memory);
    cmsVideoSignalType video = { 9, 16, 3, 1 };
    const cmsVideoSignalType *back;
    cmsHPROFILE made = cmsCreate_sRGBProfile(), read;
    cmsSetProfileVersion(made, 4.4);
    assert(cmsWriteTag(made, cmsSigcicpTag, &video));
    assert(cmsSaveProfileToMem(made, memory, &size));
    read = cmsOpenProfileFromMem(memory, size);
    assert(read != NULL);
    assert(cmsReadRawTag(read, cmsSigcicpTag, raw, sizeof(raw)) == 12);
    assert(memcmp(raw, "cicp", 4) == 0);
    assert(memcmp(raw + 8, "\11\20\3\1", 4) == 0);
    back = (const cmsVideoSignalType *) cmsReadTag(read, cmsSigcicpTag);
    assert(back != NULL);
    assert(back->ColourPrimaries == 9);
    assert(back->VideoFullRangeFlag == 1);
    cmsCloseProfile(read);
    cmsCloseProfile(made);
    return 0;
}
