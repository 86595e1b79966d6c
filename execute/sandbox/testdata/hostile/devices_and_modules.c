// makes devices, sets the clock, loads code into the kernel
// outcome: ok
#include <sys/syscall.h>
#include <time.h>
int main(void) {
	struct timespec t = {0, 0};
	return mknod("disk", S_IFBLK | 0600, 0x0800) == 0 || clock_settime(CLOCK_REALTIME, &t) == 0 || syscall(SYS_init_module, "", 0, "") == 0 ||
	       syscall(SYS_bpf, 0, 0, 0) >= 0 || syscall(SYS_perf_event_open, 0, 0, 0, 0, 0) >= 0 || syscall(SYS_io_uring_setup, 1, 0) >= 0 ||
	       sethostname("x", 1) == 0 || syscall(SYS_reboot, 0, 0, 0, 0) == 0;
}
