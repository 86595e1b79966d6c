#include "FDSan.h"
#include <cJSON.h>
#include <stdint.h>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput_1(const uint8_t *data, size_t size) {
	std::vector<int> numbers(data, data + size);
	FILE *file = fopen("output_file", "wb");
	cJSON *array = cJSON_CreateIntArray(numbers.data(), (int)numbers.size());
	char *text = cJSON_PrintUnformatted(array);
	if (file && text) fputs(text, file);
	assert_file_closed(&file);
	cJSON_free(text);
	cJSON_Delete(array);
	return 0;
}
