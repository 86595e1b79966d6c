/* lcms2.h: cmsIT8GetDataRowCol() gives the text of a cell; CGATS.17: the value of SAMPLE_ID is the name of the sample. */
#include <assert.h>
#include <string.h>
#include "lcms2.h"
int main(void)
{
    static const char text[] = "CGATS.17\nNUMBER_OF_FIELDS 2\nBEGIN_DATA_FORMAT\nSAMPLE_ID RGB_R\nEND_DATA_FORMAT\n"
        "NUMBER_OF_SETS 2\nBEGIN_DATA\nA1 1\n12ab 2\nEND_DATA\n";
    cmsHANDLE it8 = cmsIT8LoadFromMem(NULL, text, (cmsUInt32Number) strlen(text));
    assert(it8 != NULL);
    assert(strcmp(cmsIT8GetDataRowCol(it8, 0, 0), "A1") == 0);
    assert(strcmp(cmsIT8GetDataRowCol(it8, 1, 0), "12ab") == 0);
    cmsIT8Free(it8);
    return 0;
}
