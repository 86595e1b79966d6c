// The calendar of test programs. It begins at a fixed second and goes on by a microsecond with each look at
// it, so that two dates that a program compares never lie on two sides of a second on a slow machine alone.
// Monotonic and processor clocks are the machine's. It stands in the executable, where the dynamic linker finds it
// before libc's, for the library under test and the test alike. A program that asks the kernel sees the real date.
#define _GNU_SOURCE
#include <stdatomic.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

enum { BEGIN = 1704067200 }; // 2024-01-01 00:00:00 UTC

static _Atomic unsigned long long looks;
static time_t shift;

void calendar_shift(int steps); // runner.h
void calendar_shift(int steps) { shift = (time_t)steps * (86400 + 3600 + 60 + 1); }

static struct timespec now(void) {
	unsigned long long us = atomic_fetch_add(&looks, 1);
	return (struct timespec){BEGIN + shift + (time_t)(us / 1000000), (long)(us % 1000000) * 1000};
}

time_t time(time_t *to) {
	time_t t = now().tv_sec;
	if (to) *to = t;
	return t;
}

int gettimeofday(struct timeval *restrict to, void *restrict zone) {
	(void)zone;
	struct timespec t = now();
	*to = (struct timeval){t.tv_sec, t.tv_nsec / 1000};
	return 0;
}

int clock_gettime(clockid_t id, struct timespec *to) {
	if (id != CLOCK_REALTIME && id != CLOCK_REALTIME_COARSE && id != CLOCK_TAI) return (int)syscall(SYS_clock_gettime, id, to);
	*to = now();
	return 0;
}

int timespec_get(struct timespec *to, int base) {
	if (base != TIME_UTC) return 0;
	*to = now();
	return base;
}
