/* doc/LittleCMS2.* API.pdf, cmsGetSupportedIntents: "Fills a table with id-numbers and descriptions
 * for all supported intents. Little CMS plug-in architecture allows to implement user-defined
 * intents; use this function to get info about such extended functionality." It returns the
 * "Supported intents count". The buggy version forgets those of plug-ins.
 * The structures are laid out as in doc/LittleCMS2.* Plugin API.pdf, "Plug-in header" and "Intent
 * plug-in"; lcms2_plugin.h, which declares them, is not among the headers of the benchmark. */
#include <assert.h>
#include <stddef.h>
#include <string.h>
#include "lcms2.h"
typedef struct base { cmsUInt32Number magic, version, type; struct base *next; } Base;
typedef struct { Base base; cmsUInt32Number intent; void *(*link)(void); char description[256]; } IntentPlugin;
static void *link_nothing(void) { return NULL; }
int main(void)
{
    /* 'acpp', a version of the library, 'intH' */
    IntentPlugin plugin = { { 0x61637070, 2060, 0x696E7448, NULL }, 300, link_nothing, "mine" };
    cmsUInt32Number codes[64] = { 0 };
    char *names[64] = { 0 };
    cmsUInt32Number before = cmsGetSupportedIntents(64, codes, names), after;
    assert(before > 0 && before < 64);
    assert(cmsPlugin(&plugin));
    after = cmsGetSupportedIntents(64, codes, names);
    assert(after == before + 1);
    assert(codes[0] == INTENT_PERCEPTUAL);
    assert(codes[before] == 300);
    assert(strcmp(names[before], "mine") == 0);
    cmsUnregisterPlugins();
    return 0;
}
