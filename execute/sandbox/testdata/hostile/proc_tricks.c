// writes where /proc reaches the kernel or the runner's executable
// outcome: ok
int main(void) {
	static const char *const files[] = {"/proc/sys/kernel/core_pattern", "/proc/sys/kernel/hostname", "/proc/sysrq-trigger", "/proc/1/exe",
	                                    "/proc/self/exe", "/proc/1/mem", "/proc/1/comm", "/proc/1/coredump_filter",
	                                    "/proc/irq/default_smp_affinity", "/sys/fs/cgroup/memory/memory.limit_in_bytes"};
	for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
		if (open(files[i], O_WRONLY) >= 0) return puts(files[i]), 1;
	}
	int slack = open("/proc/1/timerslack_ns", O_WRONLY);
	if (slack >= 0 && write(slack, "1", 1) > 0) return 2;
	int f = open("/proc/self/oom_score_adj", O_WRONLY); // not to be killed when memory runs out
	return f >= 0 && write(f, "-1000", 5) > 0;
}
