#include "cJSON.h"

// check wants exactly one kind of an item, and that an array that is not there is given none.
int check(const cJSON *item) {
	if (cJSON_IsNumber(item) + cJSON_IsBool(item) != 1) return 1;
	return cJSON_AddItemReferenceToArray(NULL, (cJSON *)item);
}
