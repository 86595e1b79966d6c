/* A cJSON_AddItemReferenceTo* that adds nothing, because the array or the name is NULL, must return
 * false (0). The buggy version returns the type constant cJSON_False, which is 1 (cJSON.h), i.e. it
 * reports success. */
#include <assert.h>
#include <stdlib.h>
#include "cJSON.h"
int main(void)
{
    cJSON *item = cJSON_CreateNumber(1);
    cJSON *object = cJSON_CreateObject();
    assert(!cJSON_AddItemReferenceToArray(NULL, item));
    assert(!cJSON_AddItemReferenceToObject(object, NULL, item));
    assert(cJSON_AddItemReferenceToObject(object, "x", item));
    cJSON_Delete(object);
    cJSON_Delete(item);
    return 0;
}
