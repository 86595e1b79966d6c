/* README.md, "Objects": cJSON_DetachItemFromObject* takes an item out of an object and returns it.
 * The first member of an object that was sorted with cJSONUtils_SortObject (whose head has
 * prev == NULL) is no exception; the buggy check returns NULL. */
#include <assert.h>
#include <stdlib.h>
#include "cJSON.h"
#include "cJSON_Utils.h"
int main(void)
{
    cJSON *object = cJSON_Parse("{\"b\": 2, \"a\": 1}");
    cJSON *detached = NULL;
    assert(object != NULL);
    cJSONUtils_SortObject(object);
    detached = cJSON_DetachItemFromObject(object, "a");
    assert(detached != NULL && detached->valueint == 1);
    assert(cJSON_GetObjectItem(object, "a") == NULL);
    assert(cJSON_GetArraySize(object) == 1);
    cJSON_Delete(detached);
    cJSON_Delete(object);
    return 0;
}
