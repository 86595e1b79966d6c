/* ICC.1:2022, clause 10, multiProcessElementsType: the position table holds offset and size of each
 * element, and a matrix element is its signature and a reserved field (4 + 4 bytes), two channel
 * counts (2 + 2 bytes) and the numbers (4 bytes each). A 3 x 3 matrix with offsets has
 * 12 + 4 * 12 = 60 bytes; the buggy writer leaves the first 8 out of the size. */
#include <assert.h>
#include <stddef.h>
#include <string.h>
#include "lcms2.h"
int main(void)
{
    static const cmsFloat64Number matrix[9] = { 1, 0, 0, 0, 0.5, 0, 0, 0, 0.25 };
    static const cmsFloat64Number offset[3] = { 0.125, 0, 0 };
    static cmsUInt8Number memory[8192], raw[256];
    cmsUInt32Number size = sizeof(memory);
    cmsHPROFILE made = cmsCreateProfilePlaceholder(NULL), read;
    cmsPipeline *pipeline = cmsPipelineAlloc(NULL, 3, 3);
    cmsSetProfileVersion(made, 4.3);
    cmsSetDeviceClass(made, cmsSigOutputClass);
    cmsSetColorSpace(made, cmsSigRgbData);
    cmsSetPCS(made, cmsSigXYZData);
    assert(cmsPipelineInsertStage(pipeline, cmsAT_END, cmsStageAllocMatrix(NULL, 3, 3, matrix, offset)));
    assert(cmsWriteTag(made, cmsSigDToB0Tag, pipeline));
    assert(cmsSaveProfileToMem(made, memory, &size));
    read = cmsOpenProfileFromMem(memory, size);
    assert(read != NULL);
    assert(cmsReadRawTag(read, cmsSigDToB0Tag, raw, sizeof(raw)) >= 24 + 60);
    assert(memcmp(raw + 12, "\0\0\0\1", 4) == 0);  /* one element */
    assert(memcmp(raw + 16, "\0\0\0\30", 4) == 0); /* at byte 24 */
    assert(memcmp(raw + 24, "matf", 4) == 0);
    assert(memcmp(raw + 20, "\0\0\0\74", 4) == 0); /* 60 bytes long */
    cmsCloseProfile(read);
    cmsCloseProfile(made);
    cmsPipelineFree(pipeline);
    return 0;
}
