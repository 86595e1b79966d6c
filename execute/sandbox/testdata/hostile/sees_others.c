// looks for processes, descriptors and files that are not its own
// outcome: ok
#include <dirent.h>
static int count(const char *dir, int numbers) {
	DIR *d = opendir(dir);
	int n = 0;
	for (struct dirent *e; d && (e = readdir(d));) n += numbers ? atoi(e->d_name) > 0 : e->d_name[0] != '.';
	return n;
}
int main(void) {
	for (int i = 3; i < 256; i++) {
		if (fcntl(i, F_GETFD) >= 0) return 1;
	}
	return count("/proc", 1) != 2 || count(".", 0) != 0;
}
