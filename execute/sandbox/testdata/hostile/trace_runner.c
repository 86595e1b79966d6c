// traces pid 1 and writes to its memory
// outcome: ok
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/uio.h>
int main(void) {
	char byte = 1;
	struct iovec here = {&byte, 1}, there = {&byte, 1};
	return ptrace(PTRACE_ATTACH, 1, 0, 0) == 0 || ptrace(PTRACE_SEIZE, 1, 0, 0) == 0 || syscall(SYS_process_vm_readv, 1, &here, 1, &there, 1, 0) >= 0 ||
	       syscall(SYS_process_vm_writev, 1, &here, 1, &there, 1, 0) >= 0 || syscall(SYS_pidfd_getfd, syscall(SYS_pidfd_open, 1, 0), 4, 0) >= 0;
}
