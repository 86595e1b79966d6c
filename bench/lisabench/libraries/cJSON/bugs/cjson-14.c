/* RFC 6902, section 4.1, which cJSON_Utils.h implements: the object to add a member to "must
 * exist", and an error results if the target location's parent is a number.  cJSON_Utils.h,
 * cJSONUtils_ApplyPatches: "Returns 0 for success". */
#include <assert.h>
#include "cJSON.h"
#include "cJSON_Utils.h"
int main(void)
{
    cJSON *object = cJSON_Parse("{\"a\": 1}");
    cJSON *patches = cJSON_Parse("[{\"op\": \"add\", \"path\": \"/a/b\", \"value\": 2}]");
    assert(object != NULL && patches != NULL);
    assert(cJSONUtils_ApplyPatches(object, patches) != 0);
    cJSON_Delete(patches);
    cJSON_Delete(object);
    return 0;
}
