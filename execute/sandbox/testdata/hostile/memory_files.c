// keeps memory in files without names and in shared segments that it has detached
// outcome: ok
#define _GNU_SOURCE
#include <sys/mman.h>
#include <sys/shm.h>
int memfd_create(const char *, unsigned);
int main(void) {
	static char block[1 << 20];
	long mb = 0;
	for (int i = 0; i < 8; i++) {
		int f = memfd_create("m", 0);
		for (int k = 0; k < 8 && write(f, block, sizeof block) > 0; k++) mb++;
	}
	for (int i = 0; i < 512; i++) {
		char *p = shmat(shmget(IPC_PRIVATE, 1 << 20, 0600), 0, 0);
		if (p == (void *)-1) break;
		memset(p, 1, 1 << 20), shmdt(p), mb++;
	}
	return mb > 64;
}
