// writes to the coverage counters, takes them away
// outcome: crash
// counters: yes
unsigned long *lisabench_counters_begin(void), *lisabench_counters_end(void);
#include <sys/mman.h>
int main(void) {
	for (unsigned long *c = lisabench_counters_begin(); c < lisabench_counters_end(); c++) *c = 1UL << 60;
	if (!fork()) for (;;) lisabench_counters_begin()[0]++; // until after its parent
	munmap(lisabench_counters_begin(), 4096);
	return twice(1);
}
