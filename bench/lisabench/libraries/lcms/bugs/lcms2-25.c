/* lcms2.h: cmsGetPostScriptCSA() makes a "PostScript ColorSpace" array. PostScript Language Reference, section 3.2.2: in
 * a literal text string "\( left parenthesis, \) right parenthesis" stand for parentheses that are not balanced. */
#include <assert.h>
#include <string.h>
#include "lcms2.h"
int main(void)
{
    static char text[65536];
    cmsUInt16Number pcs[3] = {0x8000, 0x8080, 0x8080};
    cmsNAMEDCOLORLIST *colors = cmsAllocNamedColorList(NULL, 1, 0, "", "");
    cmsHPROFILE named = cmsCreateProfilePlaceholder(NULL);
    cmsUInt32Number n;
    assert(colors != NULL && named != NULL);
    assert(cmsAppendNamedColor(colors, "a)b", pcs, NULL));
    cmsSetProfileVersion(named, 4.3);
    cmsSetDeviceClass(named, cmsSigNamedColorClass);
    cmsSetPCS(named, cmsSigLabData);
    cmsSetColorSpace(named, cmsSigLabData);
    assert(cmsWriteTag(named, cmsSigNamedColor2Tag, colors));
    n = cmsGetPostScriptCSA(NULL, named, INTENT_PERCEPTUAL, 0, text, sizeof text - 1);
    assert(n > 0);
    assert(strstr(text, "(a\\)b)") != NULL);
    cmsFreeNamedColorList(colors);
    cmsCloseProfile(named);
    return 0;
}
