// takes limits and priority from pid 1
// outcome: ok
#define _GNU_SOURCE
#include <sched.h>
#include <sys/resource.h>
#include <sys/syscall.h>
int main(void) {
	struct rlimit none = {0, 0};
	struct { int priority; } p = {0};
	unsigned long cpu = 1;
	return !syscall(SYS_prlimit64, 1, RLIMIT_NOFILE, &none, 0) || !syscall(SYS_prlimit64, 1, RLIMIT_CPU, &none, 0) ||
	       !setpriority(PRIO_PROCESS, 1, 19) || !setpriority(PRIO_USER, 0, 19) || !syscall(SYS_sched_setaffinity, 1, sizeof cpu, &cpu) ||
	       !syscall(SYS_sched_setscheduler, 1, 5, &p) || !syscall(SYS_ioprio_set, 1, 1, 3 << 13);
}
