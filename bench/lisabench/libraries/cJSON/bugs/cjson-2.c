/* RFC 8259, section 6, puts no limit on the number of digits. A 0.25 written with 70 digits is valid
 * JSON and must parse to 0.25; the buggy parser copies 63 characters only and rejects the rest. */
#include <assert.h>
#include <stdlib.h>
#include "cJSON.h"
int main(void)
{
    cJSON *array = cJSON_Parse(
        "[0.2500000000" "0000000000" "0000000000" "0000000000" "0000000000" "0000000000" "0000000000" ", 7]");
    assert(array != NULL);
    assert(cJSON_GetArraySize(array) == 2);
    assert(cJSON_GetArrayItem(array, 0)->valuedouble == 0.25);
    assert(cJSON_GetArrayItem(array, 1)->valueint == 7);
    cJSON_Delete(array);
    return 0;
}
