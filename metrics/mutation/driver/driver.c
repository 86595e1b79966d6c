// Runs one test program on the mutants of a library that holds them all.
//
//   driver LIBRARY TEST REFERENCE_MS CPU_MS FACTOR ENTRY...
//
// An entry is 'i' or 'v' (returns int or void) and a symbol. On standard input are a count and
// so many pairs of mutant and site, 4 bytes each. The program is loaded once; each run is a fork
// of the process from before its first entry is called. It runs three times with no mutant
// selected, for REFERENCE_MS milliseconds at most; unless all of them pass, that is all. A library
// without mutants is run so as well. Then it runs on each mutant whose site it has reached.
// A mutant's run has CPU_MS milliseconds of CPU time, or FACTOR times what the longest of the three
// took if that is more. A run that neither computes nor is ready to for two seconds, or ten times the
// reference's, waits for what will not come. A failure must happen twice, but for a hang.
//
// On standard output: struct head, a bit for each site that says whether it was reached, and as
// each run ends a byte for each pair: an outcome. The exit status is 0; 125 with words on standard
// error if a part could not be loaded.
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { UNREACHED, PASSED, ASSERTION, CRASHED, STATUS, HUNG, UNSTABLE };
enum { REFERENCES = 3, REFUSED = 125, PAIRS = 1 << 16 };

struct head {
	uint32_t magic, sites;
	uint32_t cpu_us; // of the longest run of the reference
	uint8_t reference[4]; // outcomes; UNREACHED: not run
};

struct pair { uint32_t mutant, site; };

static struct pair pairs[PAIRS];
static int results = 1, err_r, err_w, null_rd, null_wr;
static int *selector;
static char said[16 << 10]; // end of what a run has written to standard error
static size_t said_n;

static void refuse(const char *what, const char *why) {
	dprintf(2, "%s: %s\n", what, why);
	_exit(REFUSED);
}

static void die(const char *what) { refuse(what, strerror(errno)); }

static uint64_t us(struct timespec t) { return (uint64_t)t.tv_sec * 1000000 + (uint64_t)t.tv_nsec / 1000; }

static uint64_t wall_us(void) {
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return us(t);
}

static uint64_t cpu_us(pid_t pid) {
	clockid_t clock;
	struct timespec t;
	return clock_getcpuclockid(pid, &clock) || clock_gettime(clock, &t) ? 0 : us(t);
}

static void write_full(const void *from, size_t n) {
	for (size_t put = 0; put < n;) {
		ssize_t k = write(results, (const char *)from + put, n - put);
		if (k < 0 && errno == EINTR) continue;
		if (k <= 0) _exit(REFUSED);
		put += (size_t)k;
	}
}

static int read_full(void *to, size_t n) {
	for (size_t got = 0; got < n;) {
		ssize_t k = read(0, (char *)to + got, n - got);
		if (k < 0 && errno == EINTR) continue;
		if (k <= 0) return 0;
		got += (size_t)k;
	}
	return 1;
}

// ---- one run ----

// drain reads what the run has written to standard error.
static void drain(void) {
	for (;;) {
		if (said_n > sizeof said / 2) {
			memmove(said, said + said_n - sizeof said / 2, sizeof said / 2);
			said_n = sizeof said / 2;
		}
		ssize_t n = read(err_r, said + said_n, sizeof said - said_n);
		if (n <= 0) return;
		said_n += (size_t)n;
	}
}

// waits reports whether a process is neither running nor ready to.
static int waits(pid_t pid) {
	char path[64], line[512];
	snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0) return 0;
	ssize_t n = read(fd, line, sizeof line - 1);
	close(fd);
	line[n > 0 ? n : 0] = 0;
	char *end = strrchr(line, ')'); // names may hold blanks
	return end && end[1] == ' ' && end[2] == 'S';
}

// empty removes what a run has left in a directory, on its own file system only.
static void empty(int dir) {
	DIR *d = dir < 0 ? NULL : fdopendir(dir);
	struct stat here, st;
	if (!d || fstat(dir, &here)) return;
	for (struct dirent *e; (e = readdir(d));) {
		if (!strcmp(e->d_name, ".") || !strcmp(e->d_name, "..") || unlinkat(dir, e->d_name, 0) == 0) continue;
		if (fstatat(dir, e->d_name, &st, AT_SYMLINK_NOFOLLOW) || !S_ISDIR(st.st_mode) || st.st_dev != here.st_dev) continue;
		fchmodat(dir, e->d_name, 0700, 0);
		empty(openat(dir, e->d_name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
		unlinkat(dir, e->d_name, AT_REMOVEDIR);
	}
	closedir(d);
}

// sweep ends what a run has left running, and removes what it has left lying.
static void sweep(pid_t pid) {
	if (getppid() == 1) kill(-1, SIGKILL); // all else in this namespace is the run's
	else kill(-pid, SIGKILL);
	while (waitpid(-1, NULL, 0) > 0 || errno == EINTR) {}
	empty(open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
	if (getenv("TMPDIR")) empty(open(getenv("TMPDIR"), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
}

static void call(char **entries, void **f) {
	for (int i = 0; entries[i]; i++) {
		static char name[] = "test";
		char *argv[] = {name, NULL};
		int code = 0;
		if (!strcmp(entries[i], "imain")) exit(((int (*)(int, char **, char **))f[i])(1, argv, environ));
		if (entries[i][0] == 'i') code = ((int (*)(void))f[i])();
		else ((void (*)(void))f[i])();
		if (code) exit(code & 0xff ? code : 1);
	}
	exit(0);
}

static void start(uint32_t mutant, uint64_t limit_us, char **entries, void **f) {
	setpgid(0, 0);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (dup2(null_rd, 0) < 0 || dup2(null_wr, 1) < 0 || dup2(err_w, 2) < 0) _exit(REFUSED);
	close_range(3, ~0U, 0);
	struct rlimit cpu;
	if (getrlimit(RLIMIT_CPU, &cpu) == 0) { // a net below the one that is finer
		rlim_t s = (rlim_t)(limit_us / 1000000 + 2);
		if (cpu.rlim_cur > s) cpu.rlim_cur = s, setrlimit(RLIMIT_CPU, &cpu);
	}
	*selector = (int)mutant;
	call(entries, f);
}

// run runs the program once and returns its outcome. The last two arguments are what the
// reference took, or 0 where it is the reference that runs.
static int run(uint32_t mutant, uint64_t limit_us, uint64_t idle_us, char **entries, void **f, uint64_t *cpu, uint64_t *wall) {
	said_n = 0;
	uint64_t began = wall_us(), moved = began, spent = 0;
	pid_t pid = fork();
	if (pid < 0) die("fork");
	if (pid == 0) start(mutant, limit_us, entries, f);
	setpgid(pid, pid); // whoever comes first
	int hung = 0, status = 0, fd = (int)syscall(SYS_pidfd_open, pid, 0);
	if (fd < 0) die("pidfd_open");
	struct pollfd fds[] = {{fd, POLLIN, 0}, {err_r, POLLIN, 0}};
	for (;;) {
		uint64_t left = limit_us > spent ? (limit_us - spent) / 1000 + 1 : 1;
		if (poll(fds, 2, (int)(left < 100 ? left : 100)) < 0 && errno != EINTR) die("poll");
		if (fds[1].revents) drain();
		if (fds[0].revents) break;
		uint64_t now = wall_us(), used = cpu_us(pid);
		if (used > spent || !waits(pid)) moved = now;
		spent = used;
		if (used >= limit_us || now - moved >= idle_us) {
			hung = 1;
			kill(pid, SIGKILL);
			break;
		}
	}
	close(fd);
	struct rusage ru;
	while (wait4(pid, &status, 0, &ru) < 0 && errno == EINTR) {}
	*cpu = (uint64_t)(ru.ru_utime.tv_sec + ru.ru_stime.tv_sec) * 1000000 + (uint64_t)(ru.ru_utime.tv_usec + ru.ru_stime.tv_usec);
	*wall = wall_us() - began;
	sweep(pid);
	drain();
	if (hung || (WIFSIGNALED(status) && WTERMSIG(status) == SIGXCPU)) return HUNG;
	if (WIFEXITED(status)) return WEXITSTATUS(status) ? STATUS : PASSED;
	if (WTERMSIG(status) != SIGABRT) return CRASHED;
	char *at = memmem(said, said_n, "Assertion `", 11);
	return at && memmem(at, said_n - (size_t)(at - said), "' failed.", 9) ? ASSERTION : CRASHED;
}

// ---- the program ----

static void *find_entry(void *test, const char *name) {
	void *f = dlsym(test, name);
	if (f) return f;
	char mangled[512]; // void name(void) in C++
	snprintf(mangled, sizeof mangled, "_Z%zu%sv", strlen(name), name);
	return dlsym(test, mangled);
}

static void prepare(void) {
	results = fcntl(1, F_DUPFD_CLOEXEC, 100);
	int fds[2];
	if (pipe2(fds, O_CLOEXEC)) die("pipe");
	err_r = fds[0], err_w = fds[1];
	fcntl(err_r, F_SETFL, O_NONBLOCK);
	null_rd = open("/dev/null", O_RDONLY | O_CLOEXEC), null_wr = open("/dev/null", O_WRONLY | O_CLOEXEC);
	if (results < 0 || null_rd < 0 || null_wr < 0) die("standard streams");
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	prctl(PR_SET_DUMPABLE, 0); // a program of our own user must not find our pipes in /proc
}

int main(int argc, char **argv) {
	if (argc < 7) refuse("driver", "usage: driver LIBRARY TEST REFERENCE_MS CPU_MS FACTOR ENTRY...");
	uint64_t most = strtoull(argv[3], NULL, 10) * 1000, limit = strtoull(argv[4], NULL, 10) * 1000, factor = strtoull(argv[5], NULL, 10);
	uint32_t n = 0;
	if (!read_full(&n, sizeof n) || n > PAIRS || !read_full(pairs, n * sizeof *pairs)) refuse("driver", "malformed input");
	prepare();
	void *library = dlopen(argv[1], RTLD_NOW | RTLD_GLOBAL);
	if (!library) refuse("driver", dlerror());
	int *(*the_selector)(void) = (int *(*)(void))dlsym(library, "lisabench_selector");
	unsigned short *(*the_notes)(uint32_t *) = (unsigned short *(*)(uint32_t *))dlsym(library, "lisabench_notes");
	if ((!the_selector || !the_notes) && n > 0) refuse(argv[1], "it holds no mutants");
	struct head head = {.magic = 0x6d757461};
	static int none;
	selector = the_selector ? the_selector() : &none;
	unsigned short *notes = the_notes ? the_notes(&head.sites) : NULL;
	void *test = dlopen(argv[2], RTLD_NOW);
	if (!test) refuse("driver", dlerror());
	void **f = calloc((size_t)argc, sizeof *f);
	for (int i = 6; i < argc; i++) {
		if (!f || !(f[i - 6] = find_entry(test, argv[i] + 1))) refuse("driver", "an entry is missing");
	}
	// Memory that runs share with this process comes in place of the notes of what was reached, with nothing of what
	// constructors have noted. Whole pages are the library's (schema.go).
	size_t bytes = ((size_t)head.sites * sizeof *notes + 4095) / 4096 * 4096;
	if (notes && mmap(notes, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED | MAP_ANONYMOUS, -1, 0) == MAP_FAILED) die("share notes");
	mallopt(M_PERTURB, 0x5a); // memory that nobody has written has one content in each build

	uint64_t cpu, wall, most_cpu = 0, most_wall = 0, idle = 2000000;
	int good = 1;
	for (int i = 0; i < REFERENCES && good; i++) {
		head.reference[i] = (uint8_t)run(0, most, most, argv + 6, f, &cpu, &wall);
		good = head.reference[i] == PASSED;
		if (cpu > most_cpu) most_cpu = cpu;
		if (wall > most_wall) most_wall = wall;
	}
	head.cpu_us = (uint32_t)most_cpu;
	write_full(&head, sizeof head);
	static uint8_t reached[1 << 14];
	if (head.sites > 8 * sizeof reached) refuse(argv[1], "it has too many sites");
	for (uint32_t i = 0; i < head.sites; i++) reached[i / 8] |= (uint8_t)((notes[i] != 0) << i % 8);
	write_full(reached, (head.sites + 7) / 8);
	if (factor * most_cpu > limit) limit = factor * most_cpu;
	if (10 * most_wall > idle) idle = 10 * most_wall;
	for (uint32_t i = 0; i < n && good; i++) {
		uint8_t outcome = UNREACHED;
		if (pairs[i].site < head.sites && reached[pairs[i].site / 8] >> pairs[i].site % 8 & 1) {
			outcome = (uint8_t)run(pairs[i].mutant, limit, idle, argv + 6, f, &cpu, &wall);
			if (outcome != PASSED && outcome != HUNG && run(pairs[i].mutant, limit, idle, argv + 6, f, &cpu, &wall) == PASSED) outcome = UNSTABLE;
		}
		write_full(&outcome, 1);
	}
	return 0;
}
