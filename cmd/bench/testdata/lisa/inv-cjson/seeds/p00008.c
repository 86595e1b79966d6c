// r0001-c-sequence09
#include <limits.h>
#include <stddef.h>
#include <string.h>
#include <cJSON.h>
#include <cJSON_Utils.h>

void test_sequence(void)
{
    // STEP1
    const char bytes[] = {'[', '"', 'x', '"', ',', 't', 'r', 'u', 'e', ',', '7', ',', '{', '}', ']'};
    cJSON *list = cJSON_ParseWithLength(bytes, sizeof(bytes));
    cJSON *item0 = cJSON_GetArrayItem(list, 0);
    cJSON *item1 = cJSON_GetArrayItem(list, 1);
    cJSON *item2 = cJSON_GetArrayItem(list, 2);
    cJSON *item3 = cJSON_GetArrayItem(list, 3);
    cJSON *bad = NULL;
    cJSON *moved = NULL;
    cJSON *snapshot = NULL;
    const char *error = NULL;
    char *text = NULL;
    cJSON_bool str0 = cJSON_IsString(item0);
    cJSON_bool bool1 = cJSON_IsBool(item1);
    cJSON_bool null_case = cJSON_IsBool(NULL);
    cJSON_bool res = 0;
    int saturated = 0;
    double num = 0.0;

    // STEP2
    cJSON_AddNumberToObject(item3, "zeta", 26);
    cJSON_AddFalseToObject(item3, "Alpha");
    cJSON_AddRawToObject(item3, "mid", "[null]");
    cJSON_AddNullToObject(item3, "beta");

    // STEP3
    num = cJSON_SetNumberValue(item2, 1e300);
    saturated = (item2->valueint == INT_MAX);
    num = cJSON_SetNumberValue(item2, -1e300);
    saturated = (item2->valueint == INT_MIN);
    snapshot = cJSON_Duplicate(list, 1);
    moved = cJSON_DetachItemViaPointer(list, item1);
    res = cJSON_AddItemToArray(list, moved);
    moved = cJSON_DetachItemFromArray(list, 0);
    res = cJSON_AddItemToArray(list, moved);
    cJSONUtils_SortObject(item3);
    bad = cJSON_Parse("[1, 2,, 3]");
    error = cJSON_GetErrorPtr();

    // STEP4
    res = cJSON_Compare(list, snapshot, 1);
    str0 = cJSON_IsString(cJSON_GetArrayItem(list, 3));
    bool1 = cJSON_IsBool(cJSON_GetArrayItem(list, 2));
    null_case = cJSON_IsString(bad);
    bool1 = cJSON_IsBool(cJSON_GetObjectItemCaseSensitive(item3, "Alpha"));
    num = cJSON_GetNumberValue(cJSON_GetObjectItem(item3, "ZETA"));
    text = cJSON_Print(list);

    // STEP5
    cJSON_free(text);
    cJSON_Delete(snapshot);
    cJSON_Delete(bad);
    cJSON_Delete(list);
    (void)error;
    (void)str0;
    (void)bool1;
    (void)null_case;
    (void)res;
    (void)saturated;
    (void)num;
}
