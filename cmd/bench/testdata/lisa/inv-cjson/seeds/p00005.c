// r0001-c-sequence05
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <cJSON.h>
#include <cJSON_Utils.h>

void test_sequence(void)
{
    // STEP1
    cJSON_Hooks hooks = {malloc, free};
    cJSON *order = NULL;
    cJSON *lines = NULL;
    cJSON *line = NULL;
    cJSON *total = NULL;
    cJSON *paid = NULL;
    cJSON *patches = NULL;
    cJSON *value = NULL;
    char *text = NULL;
    cJSON_bool ok = 0;
    cJSON_bool kind = 0;
    int rc = -1;
    double sum = 0.0;

    // STEP2
    cJSON_InitHooks(&hooks);
    order = cJSON_CreateObject();
    lines = cJSON_AddArrayToObject(order, "lines");
    total = cJSON_AddNumberToObject(order, "total", 0);
    paid = cJSON_AddBoolToObject(order, "paid", 0);

    // STEP3
    line = cJSON_CreateObject();
    cJSON_AddStringToObject(line, "sku", "A-100");
    cJSON_AddNumberToObject(line, "qty", 2);
    cJSON_AddNumberToObject(line, "price", 9.99);
    ok = cJSON_AddItemToArray(lines, line);
    line = cJSON_Duplicate(line, 1);
    ok = cJSON_ReplaceItemInObject(line, "sku", cJSON_CreateString("B-200"));
    sum = cJSON_SetNumberValue(cJSON_GetObjectItem(line, "price"), 20.5);
    ok = cJSON_AddItemToArray(lines, line);
    sum = cJSON_SetNumberValue(total, 2 * 9.99 + 2 * 20.5);
    patches = cJSON_CreateArray();
    value = cJSON_CreateTrue();
    cJSONUtils_AddPatchToArray(patches, "test", "/paid", paid);
    cJSONUtils_AddPatchToArray(patches, "replace", "/paid", value);
    cJSONUtils_AddPatchToArray(patches, "remove", "/lines/0", NULL);
    cJSON_Delete(value);
    value = cJSON_CreateString("EUR");
    cJSONUtils_AddPatchToArray(patches, "add", "/currency", value);
    rc = cJSONUtils_ApplyPatches(order, patches);

    // STEP4
    paid = cJSON_GetObjectItem(order, "paid");
    kind = cJSON_IsBool(paid);
    kind = cJSON_IsTrue(paid);
    kind = cJSON_IsString(cJSON_GetObjectItem(order, "currency"));
    kind = cJSON_IsString(cJSONUtils_GetPointer(order, "/lines/0/sku"));
    ok = (cJSON_GetArraySize(cJSON_GetObjectItem(order, "lines")) == 1);
    sum = cJSON_GetNumberValue(cJSON_GetObjectItem(order, "total"));
    text = cJSON_PrintBuffered(order, 1, 0);

    // STEP5
    cJSON_free(text);
    cJSON_Delete(value);
    cJSON_Delete(patches);
    cJSON_Delete(order);
    cJSON_InitHooks(NULL);
    (void)ok;
    (void)kind;
    (void)rc;
    (void)sum;
}
