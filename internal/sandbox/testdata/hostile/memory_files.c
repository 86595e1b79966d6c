// keeps memory in files without names and in shared segments
// outcome: ok
// note: bounded by the limits of file size and descriptors, not by that of memory; in a container by that too
#define _GNU_SOURCE
#include <sys/mman.h>
#include <sys/shm.h>
int memfd_create(const char *, unsigned);
int main(void) {
	static char block[1 << 20];
	long mb = 0;
	signal(SIGXFSZ, SIG_IGN);
	for (int i = 0; i < 8; i++) { // 8 of the 250 that it could open
		int f = memfd_create("m", 0);
		while (write(f, block, sizeof block) > 0) mb++;
	}
	return mb > 8 * 16;
}
