// makes namespaces to have privileges in
// outcome: ok
#include <sys/syscall.h>
int unshare(int);
int main(void) {
	static const int kinds[] = {0x10000000, 0x00020000, 0x20000000, 0x40000000, 0x08000000, 0x04000000, 0x02000000};
	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
		if (unshare(kinds[i]) == 0) return 1;
		long pid = syscall(SYS_clone, kinds[i] | SIGCHLD, 0, 0, 0, 0);
		if (pid == 0) _exit(0);
		if (pid > 0) return 2;
	}
	return 0;
}
