// r0001-c-sequence01
#include <stddef.h>
#include <string.h>
#include <cJSON.h>
#include <cJSON_Utils.h>

void test_sequence(void)
{
    // STEP1
    cJSON *root = cJSON_CreateObject();
    cJSON *sensors = NULL;
    cJSON *first = NULL;
    cJSON *second = NULL;
    cJSON *limit = NULL;
    cJSON *enabled = NULL;
    cJSON *label = NULL;
    cJSON *copy = NULL;
    cJSON *patches = NULL;
    char *text = NULL;
    char *path = NULL;
    char buffer[512] = {0};
    cJSON_bool ok = 0;
    int status = 0;
    double value = 0.0;

    // STEP2
    label = cJSON_AddStringToObject(root, "station", "North Ridge");
    enabled = cJSON_AddTrueToObject(root, "enabled");
    limit = cJSON_AddNumberToObject(root, "limit", 40);
    sensors = cJSON_AddArrayToObject(root, "sensors");

    // STEP3
    first = cJSON_CreateObject();
    ok = cJSON_AddItemToArray(sensors, first);
    cJSON_AddStringToObject(first, "id", "temp/0");
    cJSON_AddNumberToObject(first, "reading", -3.25);
    second = cJSON_CreateObject();
    ok = cJSON_AddItemToArray(sensors, second);
    cJSON_AddStringToObject(second, "id", "hum~1");
    cJSON_AddNumberToObject(second, "reading", 71);
    copy = cJSON_Duplicate(root, 1);
    value = cJSON_SetNumberValue(limit, 55.5);
    value = cJSON_SetNumberValue(cJSONUtils_GetPointerCaseSensitive(root, "/sensors/1/reading"), 68.0);
    ok = cJSON_AddItemToArray(sensors, cJSON_CreateNull());
    patches = cJSONUtils_GeneratePatchesCaseSensitive(copy, root);
    status = cJSONUtils_ApplyPatchesCaseSensitive(copy, patches);

    // STEP4
    ok = cJSON_Compare(copy, root, 1);
    ok = cJSON_IsString(label);
    ok = cJSON_IsString(limit);
    ok = cJSON_IsBool(enabled);
    ok = cJSON_IsBool(sensors);
    value = cJSON_GetNumberValue(cJSON_GetObjectItemCaseSensitive(copy, "limit"));
    path = cJSONUtils_FindPointerFromObjectTo(root, second);
    ok = cJSON_PrintPreallocated(root, buffer, (int)sizeof(buffer), 1);
    text = cJSON_PrintUnformatted(patches);

    // STEP5
    cJSON_free(text);
    cJSON_free(path);
    cJSON_Delete(patches);
    cJSON_Delete(copy);
    cJSON_Delete(root);
    (void)ok;
    (void)status;
    (void)value;
}
