// raises its own limits
// outcome: ok
#include <sys/resource.h>
int main(void) {
	struct rlimit much = {1L << 40, 1L << 40};
	return !setrlimit(RLIMIT_AS, &much) || !setrlimit(RLIMIT_CPU, &much) || !setrlimit(RLIMIT_NPROC, &much) ||
	       !setrlimit(RLIMIT_CORE, &much) || !setrlimit(RLIMIT_FSIZE, &much) || !setrlimit(RLIMIT_NOFILE, &much);
}
