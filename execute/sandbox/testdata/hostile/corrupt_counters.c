// writes to the coverage counters, takes them away
// outcome: crash
// counters: yes
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
int main(void) {
	char line[4096];
	unsigned long *begin = NULL, *end = NULL;
	FILE *maps = fopen("/proc/self/maps", "r");
	while (maps && !end && fgets(line, sizeof line, maps))
		if (strstr(line, "memfd:counters")) sscanf(line, "%p-%p", (void **)&begin, (void **)&end);
	if (!end) return 9;
	for (unsigned long *c = begin; c < end; c++) *c = 1UL << 60;
	if (!fork()) for (;;) begin[0]++; // until after its parent
	munmap(begin, (char *)end - (char *)begin);
	return twice(1);
}
