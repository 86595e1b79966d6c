/* RFC 6901, section 4, which cJSON_Utils.h promises to implement: an array index token consists of
 * digits only. "/1:" is not an index, so cJSONUtils_GetPointer must return NULL; the buggy check
 * reads ':' as digit 10 -> index 20. */
#include <assert.h>
#include <stdlib.h>
#include "cJSON.h"
#include "cJSON_Utils.h"
int main(void)
{
    static const int values[32];
    cJSON *array = cJSON_CreateIntArray(values, 32);
    assert(array != NULL);
    assert(cJSONUtils_GetPointer(array, "/20") == cJSON_GetArrayItem(array, 20));
    assert(cJSONUtils_GetPointer(array, "/1:") == NULL);
    cJSON_Delete(array);
    return 0;
}
