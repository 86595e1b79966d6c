/* README.md, "Arrays": cJSON_AddItemToArray appends to the end. After the last element was detached,
 * an appended item must become the last element of the array. The buggy detach leaves the tail link
 * on the detached item, which then gets the new one. */
#include <assert.h>
#include <stdlib.h>
#include "cJSON.h"
int main(void)
{
    cJSON *array = cJSON_Parse("[1, 2, 3]");
    cJSON *last = NULL;
    assert(array != NULL);
    last = cJSON_DetachItemFromArray(array, 2);
    assert(last != NULL && last->valueint == 3);
    cJSON_AddItemToArray(array, cJSON_CreateNumber(4));
    assert(cJSON_GetArraySize(array) == 3);
    assert(cJSON_GetArrayItem(array, 2)->valueint == 4);
    assert(last->next == NULL);
    cJSON_Delete(last);
    cJSON_Delete(array);
    return 0;
}
