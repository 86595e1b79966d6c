// r0001-c-sequence08
#include <stddef.h>
#include <string.h>
#include <cJSON.h>

void test_sequence(void)
{
    // STEP1
    cJSON *playlist = cJSON_CreateObject();
    cJSON *songs = cJSON_CreateArray();
    cJSON *song = cJSON_CreateObject();
    cJSON *rating = cJSON_CreateNumber(3);
    cJSON *favourite = cJSON_CreateTrue();
    cJSON *title = cJSON_CreateString("Blue \\ Train\t(1957)");
    cJSON *view = NULL;
    cJSON *twin = NULL;
    cJSON *parsed = NULL;
    char *text = NULL;
    const char *shown = NULL;
    cJSON_bool r1 = 0;
    cJSON_bool r2 = 0;
    cJSON_bool r3 = 0;
    double rate = 0.0;

    // STEP2
    r1 = cJSON_AddItemToObject(song, "title", title);
    r1 = cJSON_AddItemToObject(song, "rating", rating);
    r1 = cJSON_AddItemToObject(song, "favourite", favourite);
    r1 = cJSON_AddItemToArray(songs, song);
    r1 = cJSON_AddItemToObject(playlist, "songs", songs);

    // STEP3
    r2 = cJSON_IsString(title);
    r3 = cJSON_IsBool(favourite);
    rate = cJSON_SetNumberValue(rating, 4.5);
    twin = cJSON_Duplicate(song, 1);
    r1 = cJSON_AddItemToArray(songs, twin);
    rate = cJSON_SetNumberValue(cJSON_GetObjectItem(twin, "rating"), 1);
    shown = cJSON_SetValuestring(cJSON_GetObjectItem(twin, "title"), "Naima");
    r1 = cJSON_ReplaceItemViaPointer(twin, cJSON_GetObjectItem(twin, "favourite"), cJSON_CreateFalse());
    view = cJSON_CreateArrayReference(song);
    r1 = cJSON_AddItemReferenceToArray(songs, title);

    // STEP4
    r2 = cJSON_IsString(cJSON_GetArrayItem(songs, 2));
    r3 = cJSON_IsBool(cJSON_GetArrayItem(songs, 2));
    rate = (double)cJSON_GetArraySize(view);
    text = cJSON_PrintUnformatted(playlist);
    parsed = cJSON_Parse(text);
    r1 = cJSON_Compare(playlist, parsed, 1);
    shown = cJSON_GetStringValue(cJSON_GetObjectItem(cJSON_GetArrayItem(songs, 0), "title"));

    // STEP5
    cJSON_Delete(parsed);
    cJSON_free(text);
    cJSON_Delete(view);
    cJSON_Delete(playlist);
    (void)r1;
    (void)r2;
    (void)r3;
    (void)rate;
    (void)shown;
}
