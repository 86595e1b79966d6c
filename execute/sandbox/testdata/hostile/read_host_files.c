// reads files of the host
// outcome: ok
#include <dirent.h>
static int entries(const char *dir) {
	DIR *d = opendir(dir);
	int n = 0;
	for (struct dirent *e; d && (e = readdir(d));) n += e->d_name[0] != '.';
	return n;
}
int main(void) {
	static const char *const files[] = {SECRET, "/proc/1/root" SECRET, "/proc/self/root" SECRET, "/proc/self/cwd/../../.." SECRET, "/etc/shadow",
	                                    "/var/run/docker.sock", "/run/docker.sock", "/dev/sda", "/dev/vda", "/dev/mem", "/proc/kcore", "/sys/kernel"};
	for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
		char byte;
		int f = open(files[i], O_RDONLY);
		if (f >= 0 && read(f, &byte, 1) > 0) return puts(files[i]), 1;
	}
	return entries("/root") + entries("/home") + entries("/sys") > 0;
}
