// What a fixed clock would cost (docs/explanation/threats.md, "No clock at all, tried"): clock_gettime by the vDSO, as a
// system call, and answered by a handler behind a seccomp filter, which the vDSO does not meet.
#define _GNU_SOURCE
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

enum { CALLS = 1000000, FIXED = 1500000000 };

static void answer(int signal, siginfo_t *info, void *context) {
	ucontext_t *u = context;
	struct timespec *t = (struct timespec *)u->uc_mcontext.gregs[REG_RSI];
	t->tv_sec = FIXED, t->tv_nsec = 0;
	u->uc_mcontext.gregs[REG_RAX] = 0;
}

static int by_call(clockid_t id, struct timespec *t) { return (int)syscall(SYS_clock_gettime, id, t); }

static void measure(const char *name, int (*get)(clockid_t, struct timespec *)) {
	struct timespec start, end, t;
	clock_gettime(CLOCK_MONOTONIC, &start);
	for (int i = 0; i < CALLS; i++) get(CLOCK_REALTIME, &t);
	clock_gettime(CLOCK_MONOTONIC, &end);
	double ns = (end.tv_sec - start.tv_sec) * 1e9 + (end.tv_nsec - start.tv_nsec);
	printf("%-8s %6.0f ns, and says %ld\n", name, ns / CALLS, (long)t.tv_sec);
}

int main(void) {
	measure("vDSO", clock_gettime);
	measure("call", by_call);
	struct sigaction action = {.sa_sigaction = answer, .sa_flags = SA_SIGINFO};
	struct sock_filter filter[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_clock_gettime, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_TRAP),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = {sizeof filter / sizeof *filter, filter};
	sigaction(SIGSYS, &action, NULL);
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program)) return 1;
	measure("trapped", by_call);
	measure("vDSO", clock_gettime);
	return 0;
}
