/* cJSON_Utils.h: the functions sort "the members of the object into alphabetical order", here with
 * regard to case, i.e. by strcmp: "B" < "C" < "a" < "b". The buggy merge step compares without case. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include "cJSON.h"
#include "cJSON_Utils.h"
int main(void)
{
    cJSON *object = cJSON_Parse("{\"a\":1,\"b\":2,\"B\":3,\"C\":4}");
    assert(object != NULL);
    cJSONUtils_SortObjectCaseSensitive(object);
    assert(strcmp(cJSON_GetArrayItem(object, 0)->string, "B") == 0);
    assert(strcmp(cJSON_GetArrayItem(object, 1)->string, "C") == 0);
    assert(strcmp(cJSON_GetArrayItem(object, 2)->string, "a") == 0);
    assert(strcmp(cJSON_GetArrayItem(object, 3)->string, "b") == 0);
    cJSON_Delete(object);
    return 0;
}
