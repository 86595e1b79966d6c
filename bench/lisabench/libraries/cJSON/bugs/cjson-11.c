/* JSON Patch (RFC 6902, see cJSON_Utils.h): equal numbers need no operation, different numbers need
 * a "replace". The buggy test is inverted (1.5 vs 1.5 gives a replace, 1.5 vs 1.25 gives nothing). */
#include <assert.h>
#include <stdlib.h>
#include "cJSON.h"
#include "cJSON_Utils.h"
int main(void)
{
    cJSON *from = cJSON_Parse("{\"a\": 1.5}");
    cJSON *same = cJSON_Parse("{\"a\": 1.5}");
    cJSON *other = cJSON_Parse("{\"a\": 1.25}");
    cJSON *no_patch = cJSONUtils_GeneratePatches(from, same);
    cJSON *patch = cJSONUtils_GeneratePatches(from, other);
    assert(cJSON_GetArraySize(no_patch) == 0);
    assert(cJSON_GetArraySize(patch) == 1);
    cJSON_Delete(no_patch);
    cJSON_Delete(patch);
    cJSON_Delete(from);
    cJSON_Delete(same);
    cJSON_Delete(other);
    return 0;
}
