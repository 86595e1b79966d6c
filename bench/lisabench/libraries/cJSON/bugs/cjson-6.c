/* README.md, "Arrays": cJSON_AddItemToArray appends to the end. After the last element was replaced,
 * an appended item must become the new last element. The buggy replace leaves the head's tail link
 * on the old item, so the append is lost. (Memory comes from an arena that is never reused: the
 * stale link never touches freed memory, the wrong result is the only effect.) */
#include <assert.h>
#include <stdlib.h>
#include "cJSON.h"
static union { char bytes[8192]; long double align; } arena;
static size_t used;
static void *CJSON_CDECL take(size_t size)
{
    void *p = arena.bytes + used;
    size = (size + 15) & ~(size_t)15;
    if (size > sizeof(arena.bytes) - used)
    {
        return NULL;
    }
    used += size;
    return p;
}
static void CJSON_CDECL keep(void *p) { (void)p; }
int main(void)
{
    cJSON_Hooks hooks = { take, keep };
    cJSON *array = NULL;
    cJSON_InitHooks(&hooks);
    array = cJSON_Parse("[1, 2]");
    assert(array != NULL);
    cJSON_ReplaceItemInArray(array, 1, cJSON_CreateNumber(22));
    cJSON_AddItemToArray(array, cJSON_CreateNumber(3));
    assert(cJSON_GetArraySize(array) == 3);
    assert(cJSON_GetArrayItem(array, 1)->valueint == 22);
    assert(cJSON_GetArrayItem(array, 2)->valueint == 3);
    cJSON_Delete(array);
    return 0;
}
