// The calendar of test programs. It begins at a fixed second and goes on by a microsecond with each look at
// it and by what the program sleeps, so that two dates that a program compares never lie on two sides of a second on a
// slow machine alone.
// Monotonic and processor clocks are the machine's. It stands in the executable, where the dynamic linker finds it
// before libc's, for the library under test and the test alike. A program that asks the kernel sees the real date.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdatomic.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

enum { BEGIN = 1704067200 }; // 2024-01-01 00:00:00 UTC

static _Atomic unsigned long long passed; // microseconds
static time_t shift;

void calendar_shift(int steps); // runner.h
void calendar_shift(int steps) { shift = (time_t)steps * (86400 + 3600 + 60 + 1); }

static struct timespec now(void) {
	unsigned long long us = atomic_fetch_add(&passed, 1);
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

// slept sleeps by libc's function, at which threads can be cancelled, and lets the calendar go on by as much. It returns 0 or
// an error's number.
static int slept(clockid_t id, const struct timespec *length, struct timespec *left) {
	struct timespec rest = {0};
	int (*real)(clockid_t, int, const struct timespec *, struct timespec *) = dlsym(RTLD_NEXT, "clock_nanosleep");
	int error = real(id, 0, length, &rest);
	if (error && error != EINTR) return error;
	atomic_fetch_add(&passed, (unsigned long long)((length->tv_sec - rest.tv_sec) * 1000000 + (length->tv_nsec - rest.tv_nsec) / 1000));
	if (error && left) *left = rest;
	return error;
}

// of makes an error's number what most functions return.
static int of(int error) {
	if (error) errno = error;
	return error ? -1 : 0;
}

int nanosleep(const struct timespec *length, struct timespec *left) { return of(slept(CLOCK_MONOTONIC, length, left)); }

int clock_nanosleep(clockid_t id, int flags, const struct timespec *length, struct timespec *left) {
	if (!(flags & TIMER_ABSTIME)) return slept(id, length, left);
	struct timespec t;
	if (clock_gettime(id, &t)) return EINVAL;
	long long us = (length->tv_sec - t.tv_sec) * 1000000LL + (length->tv_nsec - t.tv_nsec) / 1000;
	return us > 0 ? slept(CLOCK_MONOTONIC, &(struct timespec){us / 1000000, us % 1000000 * 1000}, NULL) : 0;
}

unsigned sleep(unsigned seconds) {
	struct timespec left = {0};
	slept(CLOCK_MONOTONIC, &(struct timespec){seconds, 0}, &left);
	return (unsigned)(left.tv_sec + (left.tv_nsec >= 500000000));
}

int usleep(useconds_t us) { return of(slept(CLOCK_MONOTONIC, &(struct timespec){us / 1000000, us % 1000000 * 1000}, NULL)); }
