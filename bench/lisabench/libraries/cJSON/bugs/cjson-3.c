/* cJSON.h: "With recurse!=0, it will duplicate any children connected to the item." A limit of the
 * recursion depth must count depth, not siblings: the buggy counter makes duplication of an array of
 * more than 10000 items fail. */
#include <assert.h>
#include <stdlib.h>
#include "cJSON.h"
int main(void)
{
    static const int values[10500];
    cJSON *array = cJSON_CreateIntArray(values, 10500);
    cJSON *copy = NULL;
    assert(array != NULL);
    copy = cJSON_Duplicate(array, 1);
    assert(copy != NULL);
    assert(cJSON_GetArraySize(copy) == 10500);
    cJSON_Delete(copy);
    cJSON_Delete(array);
    return 0;
}
