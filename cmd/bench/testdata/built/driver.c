// Reads a JSON file and checks one of its items.
#include "cJSON.h"
#include <stdio.h>

int check(const cJSON *item);

int main(int argc, char **argv) {
	char text[1000];
	FILE *file = fopen(argv[1], "r");
	if (argc != 3 || !file) return 2;
	text[fread(text, 1, sizeof text - 1, file)] = 0;
	fclose(file);
	cJSON *root = cJSON_Parse(text);
	int status = check(cJSON_GetObjectItem(root, argv[2]));
	cJSON_Delete(root);
	return status;
}
