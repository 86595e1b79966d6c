#include "FDSan.h"
#include <cJSON.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <string>
//<ID> 0
//<Prompt> ["cJSON_ParseWithLength","cJSON_Duplicate","cJSON_Compare","cJSON_Print"]

extern "C" int LLVMFuzzerTestOneInput_0(const uint8_t *data, size_t size) {
	cJSON *item = cJSON_ParseWithLength((const char *)data, size);
	if (!item) return 0;
	cJSON *copy = cJSON_Duplicate(item, 1);
	if (!cJSON_Compare(item, copy, 1)) abort();
	char *text = cJSON_Print(copy);
	cJSON_free(text);
	cJSON_Delete(copy);
	cJSON_Delete(item);
	return 0;
}
