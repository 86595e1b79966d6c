// leaves itself no descriptors and the lowest priority
// outcome: ok
#include <sys/resource.h>
int main(void) {
	struct rlimit none = {0, 0};
	return setrlimit(RLIMIT_NOFILE, &none) || setpriority(PRIO_PROCESS, 0, 19) || setpriority(PRIO_PGRP, 0, 19);
}
