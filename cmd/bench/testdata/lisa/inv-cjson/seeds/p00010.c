// r0001-c-sequence06
#include <stddef.h>
#include <string.h>
#include <cJSON.h>

void test_sequence(void)
{
    // STEP1
    char json[] = "{ // config\n \"mode\" : \"fast\", /* switch */ \"verbose\" : true ,\n \"levels\" : [ 1 , 2.5 , -3e2 ] }";
    cJSON *config = NULL;
    cJSON *mode = NULL;
    cJSON *verbose = NULL;
    cJSON *levels = NULL;
    cJSON *removed = NULL;
    char *compact = NULL;
    char exact[128] = {0};
    cJSON_bool string_seen = 0;
    cJSON_bool bool_seen = 0;
    cJSON_bool done = 0;
    int count = 0;
    double stored = 0.0;

    // STEP2
    cJSON_Minify(json);
    config = cJSON_ParseWithLengthOpts(json, strlen(json) + 1, NULL, 1);
    mode = cJSON_GetObjectItemCaseSensitive(config, "mode");
    verbose = cJSON_GetObjectItemCaseSensitive(config, "verbose");
    levels = cJSON_GetObjectItemCaseSensitive(config, "levels");

    // STEP3
    string_seen = cJSON_IsString(mode);
    bool_seen = cJSON_IsBool(verbose);
    done = cJSON_AddItemToArray(levels, cJSON_CreateNumber(4));
    done = cJSON_AddItemToArray(levels, cJSON_CreateString("max"));
    stored = cJSON_SetNumberValue(cJSON_GetArrayItem(levels, 2), 1e-7);
    stored = cJSON_SetNumberValue(cJSON_GetArrayItem(levels, 3), -2147483649.0);
    cJSON_DeleteItemFromArray(levels, 1);
    removed = cJSON_DetachItemFromObjectCaseSensitive(config, "verbose");
    done = cJSON_AddItemToArray(levels, removed);

    // STEP4
    count = cJSON_GetArraySize(levels);
    string_seen = cJSON_IsString(cJSON_GetArrayItem(levels, 3));
    bool_seen = cJSON_IsBool(cJSON_GetArrayItem(levels, 4));
    bool_seen = cJSON_IsBool(cJSON_GetObjectItem(config, "verbose"));
    compact = cJSON_PrintUnformatted(config);
    done = cJSON_PrintPreallocated(config, exact, (int)strlen(compact) + 6, 0);

    // STEP5
    cJSON_free(compact);
    cJSON_Delete(config);
    (void)string_seen;
    (void)bool_seen;
    (void)done;
    (void)count;
    (void)stored;
}
