// opens what /proc shows of pid 1
// outcome: ok
int main(void) {
	static const char *const files[] = {"mem", "environ", "maps", "auxv", "syscall", "stack", "fd/0", "fd/3", "fd/4", "fdinfo", "cwd", "root", "exe", "ns/mnt"};
	for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
		char path[64];
		snprintf(path, sizeof path, "/proc/1/%s", files[i]);
		int f = open(path, O_RDONLY);
		if (f >= 0 && read(f, path, 1) > 0) return puts(path), 1;
	}
	return open("/proc/1/oom_score_adj", O_WRONLY) >= 0;
}
