// r0001-c-sequence03
#include <stddef.h>
#include <cJSON.h>

void test_sequence(void)
{
    // STEP1
    static const char shared_text[] = "shared constant";
    const int primes[5] = {2, 3, 5, 7, 11};
    cJSON *root = cJSON_CreateArray();
    cJSON *numbers = cJSON_CreateIntArray(primes, 5);
    cJSON *reference = cJSON_CreateStringReference(shared_text);
    cJSON *flag = cJSON_CreateFalse();
    cJSON *holder = cJSON_CreateObject();
    cJSON *shallow = NULL;
    cJSON *deep = NULL;
    cJSON *taken = NULL;
    cJSON_bool result = 0;
    cJSON_bool checks[6] = {0};
    char small[256] = {0};
    double set = 0.0;

    // STEP2
    result = cJSON_AddItemToArray(root, numbers);
    result = cJSON_AddItemToArray(root, reference);
    result = cJSON_AddItemToArray(root, flag);

    // STEP3
    result = cJSON_AddItemReferenceToObject(holder, "primes", numbers);
    result = cJSON_AddItemReferenceToObject(holder, "text", reference);
    result = cJSON_AddItemReferenceToObject(holder, "flag", flag);
    set = cJSON_SetNumberValue(cJSON_GetArrayItem(numbers, 4), 13);
    set = cJSON_SetNumberValue(cJSON_GetArrayItem(numbers, 0), 3000000000.0);
    shallow = cJSON_Duplicate(numbers, 0);
    deep = cJSON_Duplicate(holder, 1);
    taken = cJSON_DetachItemViaPointer(numbers, cJSON_GetArrayItem(numbers, 2));
    result = cJSON_AddItemToArray(shallow, taken);
    result = cJSON_AddItemToArray(shallow, cJSON_CreateRaw("{\"raw\":[1,2]}"));

    // STEP4
    checks[0] = cJSON_IsString(reference);
    checks[1] = cJSON_IsString(cJSON_GetObjectItem(holder, "text"));
    checks[2] = cJSON_IsString(cJSON_GetObjectItem(deep, "text"));
    checks[3] = cJSON_IsBool(flag);
    checks[4] = cJSON_IsBool(cJSON_GetObjectItem(holder, "flag"));
    checks[5] = cJSON_IsBool(cJSON_GetArrayItem(root, 7));
    set = cJSON_GetNumberValue(cJSON_GetArrayItem(cJSON_GetObjectItem(deep, "primes"), 4));
    result = cJSON_PrintPreallocated(shallow, small, (int)sizeof(small), 0);
    result = cJSON_PrintPreallocated(deep, small, (int)sizeof(small), 0);

    // STEP5
    cJSON_Delete(deep);
    cJSON_Delete(shallow);
    cJSON_Delete(holder);
    cJSON_Delete(root);
    (void)result;
    (void)checks;
    (void)set;
    (void)small;
}
