// dumps core in its directory
// outcome: crash
#include <sys/resource.h>
int main(void) {
	struct rlimit much = {1 << 20, 1 << 20};
	setrlimit(RLIMIT_CORE, &much);
	abort();
}
