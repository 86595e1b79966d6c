// r0001-c-sequence10
#include <stddef.h>
#include <string.h>
#include <cJSON.h>
#include <cJSON_Utils.h>

void test_sequence(void)
{
    // STEP1
    cJSON *game = cJSON_Parse("{\"players\":[{\"nick\":\"kim\",\"score\":10,\"alive\":true},{\"nick\":\"lee\",\"score\":12,\"alive\":false}],\"round\":1}");
    cJSON *patch = cJSON_Parse("[{\"op\":\"copy\",\"from\":\"/players/0\",\"path\":\"/players/-\"},{\"op\":\"move\",\"from\":\"/round\",\"path\":\"/turn\"},{\"op\":\"replace\",\"path\":\"/players/2/nick\",\"value\":\"max\"}]");
    cJSON *players = cJSON_GetObjectItem(game, "players");
    cJSON *third = NULL;
    cJSON *score = NULL;
    cJSON *alive = NULL;
    cJSON *nick = NULL;
    cJSON *loser = NULL;
    cJSON *log = cJSON_CreateArray();
    char line[200] = {0};
    char *where = NULL;
    int rc = -1;
    cJSON_bool ok = 0;
    double points = 0.0;

    // STEP2
    rc = cJSONUtils_ApplyPatchesCaseSensitive(game, patch);
    third = cJSONUtils_GetPointerCaseSensitive(game, "/players/2");
    nick = cJSON_GetObjectItemCaseSensitive(third, "nick");
    score = cJSON_GetObjectItemCaseSensitive(third, "score");
    alive = cJSON_GetObjectItemCaseSensitive(third, "alive");

    // STEP3
    ok = cJSON_IsString(nick);
    ok = cJSON_IsBool(alive);
    points = cJSON_SetNumberValue(score, 99);
    points = cJSON_SetNumberValue(cJSON_GetObjectItem(game, "turn"), 2);
    loser = cJSON_DetachItemFromArray(players, 1);
    ok = cJSON_AddItemToArray(log, loser);
    ok = cJSON_AddItemToArray(log, cJSON_Duplicate(nick, 0));
    ok = cJSON_AddItemReferenceToArray(log, third);
    cJSON_DeleteItemFromObject(loser, "SCORE");
    ok = cJSON_AddItemToObject(game, "spare", cJSON_CreateObjectReference(score));

    // STEP4
    ok = cJSON_IsString(cJSON_GetArrayItem(log, 1));
    ok = cJSON_IsBool(cJSON_GetObjectItem(cJSON_GetArrayItem(log, 0), "alive"));
    ok = cJSON_HasObjectItem(loser, "score");
    ok = cJSON_HasObjectItem(game, "round");
    points = cJSON_GetNumberValue(cJSON_GetObjectItem(cJSON_GetArrayItem(log, 2), "score"));
    where = cJSONUtils_FindPointerFromObjectTo(game, alive);
    ok = cJSON_PrintPreallocated(log, line, (int)sizeof(line), 0);

    // STEP5
    cJSON_free(where);
    cJSON_Delete(log);
    cJSON_Delete(patch);
    cJSON_Delete(game);
    (void)rc;
    (void)ok;
    (void)points;
    (void)line;
}
