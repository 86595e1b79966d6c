// r0001-c-sequence04
#include <stddef.h>
#include <string.h>
#include <cJSON.h>
#include <cJSON_Utils.h>

void test_sequence(void)
{
    // STEP1
    cJSON *target = cJSON_Parse("{\"title\":\"Goodbye!\",\"author\":{\"givenName\":\"John\",\"familyName\":\"Doe\"},\"tags\":[\"example\",\"sample\"],\"content\":\"This will be unchanged\",\"draft\":true,\"revision\":1}");
    cJSON *patch = cJSON_Parse("{\"title\":\"Hello!\",\"phoneNumber\":\"+01-123-456-7890\",\"author\":{\"familyName\":null},\"tags\":[\"example\"]}");
    cJSON *before = cJSON_Duplicate(target, 1);
    cJSON *generated = NULL;
    cJSON *tags = NULL;
    cJSON *revision = NULL;
    cJSON *draft = NULL;
    char *out = NULL;
    char *out_patch = NULL;
    cJSON_bool a = 0;
    cJSON_bool b = 0;
    cJSON_bool equal = 0;
    double rev = 0.0;

    // STEP2
    target = cJSONUtils_MergePatchCaseSensitive(target, patch);
    tags = cJSON_GetObjectItemCaseSensitive(target, "tags");
    revision = cJSON_GetObjectItemCaseSensitive(target, "revision");
    draft = cJSON_GetObjectItemCaseSensitive(target, "draft");

    // STEP3
    a = cJSON_IsString(cJSONUtils_GetPointer(target, "/phonenumber"));
    b = cJSON_IsBool(draft);
    rev = cJSON_SetNumberValue(revision, 2);
    equal = cJSON_AddItemToArray(tags, cJSON_CreateString("merged \"tag\"\n"));
    equal = cJSON_AddItemToArray(tags, cJSON_CreateString("\xc3\xa9t\xc3\xa9"));
    equal = cJSON_AddItemToArray(tags, cJSON_CreateTrue());
    generated = cJSONUtils_GenerateMergePatchCaseSensitive(before, target);
    before = cJSONUtils_MergePatchCaseSensitive(before, generated);

    // STEP4
    cJSONUtils_SortObjectCaseSensitive(before);
    cJSONUtils_SortObjectCaseSensitive(target);
    equal = cJSON_Compare(before, target, 1);
    a = cJSON_IsString(cJSON_GetArrayItem(tags, 2));
    b = cJSON_IsBool(cJSON_GetArrayItem(tags, 3));
    rev = cJSON_GetNumberValue(cJSON_GetObjectItem(before, "Revision"));
    a = cJSON_HasObjectItem(cJSON_GetObjectItem(target, "author"), "familyName");
    out = cJSON_Print(target);
    out_patch = cJSON_PrintUnformatted(generated);

    // STEP5
    cJSON_free(out_patch);
    cJSON_free(out);
    cJSON_Delete(generated);
    cJSON_Delete(before);
    cJSON_Delete(patch);
    cJSON_Delete(target);
    (void)a;
    (void)b;
    (void)equal;
    (void)rev;
}
