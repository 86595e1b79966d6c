// r0001-c-sequence07
#include <stddef.h>
#include <string.h>
#include <cJSON.h>
#include <cJSON_Utils.h>

void test_sequence(void)
{
    // STEP1
    const double samples[4] = {0.1, 1e15, -0.0, 123456789.125};
    const char *const names[3] = {"alpha", "beta", "gamma"};
    cJSON *matrix = cJSON_CreateArray();
    cJSON *row0 = cJSON_CreateDoubleArray(samples, 4);
    cJSON *row1 = cJSON_CreateStringArray(names, 3);
    cJSON *row2 = cJSON_CreateArray();
    cJSON *old_state = NULL;
    cJSON *patches = NULL;
    cJSON *inner = NULL;
    char *pointer = NULL;
    char *pretty = NULL;
    cJSON_bool ok = 0;
    cJSON_bool is_text = 0;
    cJSON_bool is_flag = 0;
    int rc = 0;
    double d = 0.0;

    // STEP2
    ok = cJSON_AddItemToArray(matrix, row0);
    ok = cJSON_AddItemToArray(matrix, row1);
    ok = cJSON_AddItemToArray(matrix, row2);
    old_state = cJSON_Duplicate(matrix, 1);

    // STEP3
    ok = cJSON_AddItemToArray(row2, cJSON_CreateBool(0));
    ok = cJSON_AddItemToArray(row2, cJSON_CreateBool(42));
    inner = cJSON_CreateObject();
    ok = cJSON_AddItemToArray(row2, inner);
    ok = cJSON_AddItemToObjectCS(inner, "a/b", cJSON_CreateNumber(1));
    ok = cJSON_AddItemToObjectCS(inner, "m~n", cJSON_CreateString("tilde"));
    d = cJSON_SetNumberValue(cJSON_GetArrayItem(row0, 1), 2e20);
    d = cJSON_SetNumberValue(cJSONUtils_GetPointer(matrix, "/2/2/a~1b"), 17);
    ok = cJSON_ReplaceItemInArray(row1, 1, cJSON_CreateString("BETA"));
    patches = cJSONUtils_GeneratePatches(old_state, matrix);
    rc = cJSONUtils_ApplyPatches(old_state, patches);

    // STEP4
    ok = cJSON_Compare(old_state, matrix, 0);
    is_text = cJSON_IsString(cJSONUtils_GetPointer(old_state, "/2/2/m~0n"));
    is_text = cJSON_IsString(cJSON_GetArrayItem(row1, 1));
    is_flag = cJSON_IsBool(cJSON_GetArrayItem(row2, 0));
    is_flag = cJSON_IsBool(inner);
    d = cJSON_GetNumberValue(cJSON_GetArrayItem(row0, 3));
    pointer = cJSONUtils_FindPointerFromObjectTo(matrix, cJSON_GetObjectItem(inner, "a/b"));
    pretty = cJSON_Print(patches);

    // STEP5
    cJSON_free(pretty);
    cJSON_free(pointer);
    cJSON_Delete(patches);
    cJSON_Delete(old_state);
    cJSON_Delete(matrix);
    (void)ok;
    (void)is_text;
    (void)is_flag;
    (void)rc;
    (void)d;
}
