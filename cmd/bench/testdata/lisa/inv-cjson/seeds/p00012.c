// r0002-c-sequence02
#include <stddef.h>
#include <string.h>
#include <cJSON.h>

void test_sequence(void)
{
    // STEP1
    const char *broken = "{\"a\":[1,2,{\"b\":tru}]}";
    const char *escaped = "\xEF\xBB\xBF{\"greek\":\"\\u03b1\\u03b2\",\"clef\":\"\\uD834\\uDD1E\",\"ctl\":\"\\b\\f\\n\\r\\t\\/\"}";
    const char *stop = NULL;
    const char *err = NULL;
    cJSON *failed = NULL;
    cJSON *good = NULL;
    cJSON *clone = NULL;
    cJSON *leaf = NULL;
    cJSON *again = NULL;
    char *shown = NULL;
    cJSON_bool res = 0;
    size_t length = 0;
    ptrdiff_t where = 0;

    // STEP2
    failed = cJSON_ParseWithOpts(broken, &stop, 0);
    err = cJSON_GetErrorPtr();
    where = stop - broken;
    res = (err == stop);
    good = cJSON_ParseWithOpts(escaped, &stop, 1);
    where = stop - escaped;

    // STEP3
    clone = cJSON_Duplicate(good, 1);
    leaf = cJSON_Duplicate(cJSON_GetObjectItem(good, "clef"), 0);
    res = cJSON_AddItemToObject(clone, "copy of \"clef\"", leaf);
    res = cJSON_AddItemReferenceToObject(clone, "ref", cJSON_GetObjectItem(good, "greek"));
    cJSON_DeleteItemFromObject(clone, "CTL");
    shown = cJSON_Print(clone);
    again = cJSON_ParseWithOpts(shown, NULL, 1);

    // STEP4
    res = cJSON_IsString(failed);
    res = cJSON_IsString(cJSON_GetObjectItem(good, "ctl"));
    res = cJSON_IsString(leaf);
    res = cJSON_IsString(cJSON_GetObjectItem(again, "ref"));
    res = cJSON_Compare(again, clone, 1);
    length = strlen(cJSON_GetStringValue(leaf));

    // STEP5
    cJSON_Delete(again);
    cJSON_free(shown);
    cJSON_Delete(clone);
    cJSON_Delete(good);
    cJSON_Delete(failed);
    (void)res;
    (void)length;
    (void)where;
}
