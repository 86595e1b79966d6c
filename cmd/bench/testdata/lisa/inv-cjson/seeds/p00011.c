// r0002-c-sequence01
#include <stddef.h>
#include <string.h>
#include <cJSON.h>
#include <cJSON_Utils.h>

void test_sequence(void)
{
    // STEP1
    const char *stream = "{\"seq\":1,\"msg\":\"first\"} {\"seq\":2,\"msg\":\"second\"} [\"tail\"]";
    const char *cursor = stream;
    cJSON *one = NULL;
    cJSON *two = NULL;
    cJSON *three = NULL;
    cJSON *all = cJSON_CreateArray();
    cJSON *backup = NULL;
    cJSON *patches = NULL;
    char *text = NULL;
    char *short_text = NULL;
    cJSON_bool flag = 0;
    ptrdiff_t used = 0;
    int rc = 0;

    // STEP2
    one = cJSON_ParseWithOpts(cursor, &cursor, 0);
    two = cJSON_ParseWithOpts(cursor, &cursor, 0);
    three = cJSON_ParseWithOpts(cursor, &cursor, 1);
    used = cursor - stream;

    // STEP3
    flag = cJSON_AddItemToArray(all, one);
    flag = cJSON_AddItemToArray(all, two);
    flag = cJSON_AddItemToArray(all, three);
    backup = cJSON_Duplicate(all, 1);
    flag = cJSON_ReplaceItemInObject(two, "MSG", cJSON_CreateString("2nd"));
    cJSON_DeleteItemFromObjectCaseSensitive(one, "seq");
    flag = cJSON_InsertItemInArray(three, 0, cJSON_CreateString("head"));
    patches = cJSONUtils_GeneratePatchesCaseSensitive(all, backup);
    text = cJSON_Print(patches);
    rc = cJSONUtils_ApplyPatchesCaseSensitive(all, patches);

    // STEP4
    flag = cJSON_Compare(all, backup, 1);
    flag = cJSON_IsString(cJSONUtils_GetPointerCaseSensitive(all, "/1/msg"));
    flag = cJSON_IsString(cJSONUtils_GetPointerCaseSensitive(all, "/2/0"));
    flag = cJSON_IsString(cJSONUtils_GetPointerCaseSensitive(all, "/0/seq"));
    short_text = cJSON_PrintUnformatted(all);

    // STEP5
    cJSON_free(short_text);
    cJSON_free(text);
    cJSON_Delete(patches);
    cJSON_Delete(backup);
    cJSON_Delete(all);
    (void)flag;
    (void)used;
    (void)rc;
}
