// r0001-c-sequence02
#include <stddef.h>
#include <string.h>
#include <cJSON.h>

void test_sequence(void)
{
    // STEP1
    const char *source = "{\"user\":{\"name\":\"Ada\",\"age\":36,\"admin\":false},\"tags\":[\"math\",\"engine\"]}";
    const char *end = NULL;
    cJSON *doc = cJSON_ParseWithOpts(source, &end, 1);
    cJSON *user = cJSON_GetObjectItemCaseSensitive(doc, "user");
    cJSON *tags = cJSON_GetObjectItemCaseSensitive(doc, "tags");
    cJSON *name = cJSON_GetObjectItem(user, "NAME");
    cJSON *age = cJSON_GetObjectItem(user, "age");
    cJSON *admin = cJSON_GetObjectItem(user, "admin");
    cJSON *detached = NULL;
    cJSON *reparsed = NULL;
    char *printed = NULL;
    char *new_name = NULL;
    cJSON_bool is_string = 0;
    cJSON_bool is_bool = 0;
    cJSON_bool added = 0;
    cJSON_bool same = 0;
    int size = 0;
    double number = 0.0;

    // STEP2
    is_string = cJSON_IsString(name);
    is_bool = cJSON_IsBool(admin);

    // STEP3
    new_name = cJSON_SetValuestring(name, "Augusta Ada King, Countess of Lovelace");
    number = cJSON_SetNumberValue(age, 37);
    added = cJSON_AddItemToArray(tags, cJSON_CreateString("poetry"));
    added = cJSON_AddItemToArray(tags, cJSON_CreateBool(1));
    added = cJSON_AddItemToArray(tags, cJSON_CreateNumber(1843));
    number = cJSON_SetNumberValue(cJSON_GetArrayItem(tags, 4), 1842.5);
    added = cJSON_ReplaceItemInObjectCaseSensitive(user, "admin", cJSON_CreateTrue());
    admin = cJSON_GetObjectItemCaseSensitive(user, "admin");
    detached = cJSON_DetachItemFromArray(tags, 0);
    added = cJSON_AddItemToObject(user, "first_tag", detached);
    added = cJSON_InsertItemInArray(tags, 1, cJSON_CreateNull());

    // STEP4
    is_bool = cJSON_IsBool(admin);
    is_bool = cJSON_IsTrue(admin);
    is_string = cJSON_IsString(cJSON_GetObjectItem(user, "first_tag"));
    is_string = cJSON_IsString(cJSON_GetArrayItem(tags, 1));
    size = cJSON_GetArraySize(tags);
    number = cJSON_GetNumberValue(age);
    printed = cJSON_PrintBuffered(doc, 16, 1);
    cJSON_Minify(printed);
    reparsed = cJSON_ParseWithLength(printed, strlen(printed));
    same = cJSON_Compare(doc, reparsed, 1);

    // STEP5
    cJSON_Delete(reparsed);
    cJSON_free(printed);
    cJSON_Delete(doc);
    (void)new_name;
    (void)is_string;
    (void)is_bool;
    (void)added;
    (void)same;
    (void)size;
    (void)number;
}
