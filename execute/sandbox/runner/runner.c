// runner: runs test programs, one after the other, for the Go package execute/sandbox.
//
//	runner [-c] WORK TMP UID [DIR...]
//
// It reads jobs from JOB_FD and answers each on REPLY_FD; sandbox/wire.go has the other
// side and the layout of both. With -c these are standard input and output, all that a
// container has. The runner trusts the harness and nothing that a program does:
//
//	runner ── init (pid 1 of a new PID namespace) ── program (unprivileged)
//	   │         └ says how the program ended             └ stdout, stderr: pipes to runner
//	   └ watches the clock, drains the pipes, answers
//
// The program is a fork of a process that has done nothing before, so programs inherit
// nothing from one another. When it ends its init dies, and with it all that is left.
//
// In a container without privileges (-c) there is no init: the runner is pid 1 itself, which
// no process in there can signal or trace, and between two programs it kills all others.
#define _GNU_SOURCE
#include "runner.h"

#include <alloca.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <malloc.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { JOB_FD = 3, REPLY_FD = 4 };
// What a program finds open until it has been loaded; the two below are closed before its own code runs.
enum { REPORT_FD = 100, COUNTERS_FD, LIBRARY_FD, TEST_FD, OPEN_FDS };
enum { KEEP = 32 << 10 };
enum { TIMED_OUT = 1, LOAD_ERROR = 2, HARNESS_ERROR = 4, NAMESPACES = 8, ALONE = 16 };
enum { FAILED = 125, UNTRUSTED = 1 }; // no message begins with that byte

// A reply's header; text, stdout, stderr and counters follow in this order.
struct reply {
	uint32_t magic, seq;
	int32_t status; // as from wait(2)
	uint32_t flags;
	uint64_t wall_us, cpu_us;
	uint32_t text_len, out_len, err_len, counters_len;
	uint64_t err_total; // bytes that the program wrote
};
enum { MAGIC = 0x6c697361 };

// A stream keeps the first bytes of a program's output and a ring of the last ones.
struct stream {
	int fd;
	size_t head_cap, tail_cap;
	uint64_t total;
	char head[2 * KEEP], tail[KEEP];
};

static struct stream out, err;
static struct place place;
static int counters_fd; // memory shared with a program's coverage counters
static int input_fd;    // memory with a program's standard input
static int children_fd; // becomes readable when a child has ended
static int shelf[32];   // memory with the libraries that programs were last run with; 0: none
static char request[1 << 16];

// Where trouble is told. A program and its init have a pipe for that; what comes after the
// mark UNTRUSTED may have been written by the program itself.
static int report_fd = 2;

static void fail(const char *text) {
	dprintf(report_fd, "%s\n", text);
	_exit(FAILED);
}

void die(const char *what) {
	char text[512];
	snprintf(text, sizeof text, "runner: %s: %s", what, strerror(errno));
	fail(text);
	abort(); // not reached
}

static uint64_t now_us(void) {
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000 + (uint64_t)t.tv_nsec / 1000;
}

static ssize_t read_full(int fd, void *to, size_t n) {
	size_t got = 0;
	while (got < n) {
		ssize_t k = read(fd, (char *)to + got, n - got);
		if (k < 0 && errno == EINTR) continue;
		if (k <= 0) break;
		got += (size_t)k;
	}
	return (ssize_t)got;
}

static void write_full(int fd, const void *from, size_t n) {
	for (size_t put = 0; put < n;) {
		ssize_t k = write(fd, (const char *)from + put, n - put);
		if (k < 0 && errno == EINTR) continue;
		if (k <= 0) _exit(0); // the harness has gone
		put += (size_t)k;
	}
}

// ---- the program ----

// A range of a library's memory, relative to where the library lies.
struct range {
	uintptr_t base, at, end;
};

static int holds(struct dl_phdr_info *library, size_t size, void *arg) {
	(void)size;
	const struct range *r = arg;
	for (int i = 0; library->dlpi_addr == r->base && i < library->dlpi_phnum; i++) {
		const ElfW(Phdr) *p = &library->dlpi_phdr[i];
		if (p->p_type == PT_LOAD && p->p_flags & PF_W && r->at >= p->p_vaddr && r->end <= p->p_vaddr + p->p_memsz) return 1;
	}
	return 0;
}

// share_counters puts shared memory in place of the library's coverage counters, so that
// they outlive the process however it ends. The library has them on pages of their own
// (internal/toolchain, counters.go).
static void share_counters(void *lib, uint64_t at, size_t counters) {
	struct link_map *map;
	if (dlinfo(lib, RTLD_DI_LINKMAP, &map)) fail(dlerror());
	size_t n = counters * 8;
	struct range range = {map->l_addr, at, at + n};
	if (!dl_iterate_phdr(holds, &range)) fail("the library has other coverage counters");
	char *begin = (char *)map->l_addr + at;
	char *copy = MAP_FAILED;
	if (ftruncate(counters_fd, (off_t)n) == 0) copy = mmap(NULL, n, PROT_READ | PROT_WRITE, MAP_SHARED, counters_fd, 0);
	if (copy == MAP_FAILED) die("coverage counters");
	memcpy(copy, begin, n); // what the library's constructors have counted
	if (mmap(begin, n, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, counters_fd, 0) == MAP_FAILED) die("coverage counters");
	munmap(copy, n);
}

// disturb changes what a correct program cannot see: addresses and the contents of fresh memory.
static void disturb(unsigned char pattern) {
	mallopt(M_PERTURB, pattern);
	mmap(NULL, (1 + pattern) * 4096UL, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (!malloc(16 + pattern * 48UL)) die("malloc");
}

// dirty fills the stack below the caller, so that what a program finds there does not
// depend on what the runner did.
__attribute__((noinline)) static void dirty(unsigned char pattern) {
	char *junk = alloca(64 << 10);
	memset(junk, pattern, 64 << 10);
	__asm__ volatile("" : : "r"(junk) : "memory"); // or the compiler drops the memset
}

static void *find_entry(void *test, const char *name) {
	void *f = dlsym(test, name);
	if (f) return f;
	char mangled[512]; // void name(void) in C++
	snprintf(mangled, sizeof mangled, "_Z%zu%sv", strlen(name), name);
	return dlsym(test, mangled);
}

static void call_entries(const struct job *j, void *test) {
	void *entry[sizeof j->words / sizeof *j->words];
	for (int i = 0; i < j->nwords; i++) {
		if (!(entry[i] = find_entry(test, j->words[i] + 1))) fail(dlerror());
	}
	close(report_fd);
	dirty(j->perturb);
	if (j->perturb) *(volatile char *)alloca(16 * (size_t)j->perturb) = 0; // moves the program's stack
	for (int i = 0; i < j->nwords; i++) {
		static char name[] = "test";
		char *argv[] = {name, NULL};
		int code = 0;
		if (!strcmp(j->words[i], "imain")) exit(((int (*)(int, char **, char **))entry[i])(1, argv, environ));
		if (j->words[i][0] == 'i') code = ((int (*)(void))entry[i])();
		else ((void (*)(void))entry[i])();
		if (code) exit(code & 0xff ? code : 1);
	}
	exit(0);
}

// load loads a shared object from memory. Its name is the same for every library and every test:
// it tells nobody which build runs.
static void *load(int fd, int mode) {
	char path[32];
	snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
	void *handle = dlopen(path, mode);
	close(fd);
	return handle;
}

static void run_program(const struct job *j) {
	sigset_t none;
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	setsid();
	int in = j->input ? input_fd : open("/dev/null", O_RDONLY | O_CLOEXEC);
	if (in < 0 || dup2(in, 0) < 0 || dup2(out.fd, 1) < 0 || dup2(err.fd, 2) < 0) die("standard streams");
	// Only these stay open: nothing of the runner's can be reached.
	report_fd = dup3(report_fd, REPORT_FD, O_CLOEXEC);
	counters_fd = dup3(counters_fd, COUNTERS_FD, O_CLOEXEC);
	if (j->library >= 0 && dup3(j->library, LIBRARY_FD, O_CLOEXEC) < 0) die("library");
	if (j->test >= 0 && dup3(j->test, TEST_FD, O_CLOEXEC) < 0) die("program");
	close_range(3, REPORT_FD - 1, 0);
	close_range(OPEN_FDS, ~0U, 0);
	confine(&place, j);
	if (chdir(place.work)) die(place.work);
	if (j->exec) {
		if (j->test >= 0) fexecve(TEST_FD, j->words, environ);
		else execve(j->words[0], j->words, environ);
		die(j->words[0]);
	}
	calendar_shift(j->perturb);
	if (j->perturb) disturb(j->perturb);
	void *lib = load(LIBRARY_FD, RTLD_NOW | RTLD_GLOBAL);
	if (!lib) fail(dlerror());
	if (j->counters) share_counters(lib, j->counters_at, (size_t)j->counters);
	close(counters_fd);
	static const char mark = UNTRUSTED;
	write_full(report_fd, &mark, 1); // the program's constructors are next
	void *test = load(TEST_FD, RTLD_NOW);
	if (!test) fail(dlerror());
	call_entries(j, test);
}

// run_init is pid 1 of the namespace, so that the program is not: the kernel keeps most
// signals from pid 1. It tells how the program ended; its own end kills the rest.
static void run_init(const struct job *j, int ended) {
	furnish(&place);
	pid_t program = fork();
	if (program == 0) run_program(j);
	if (program < 0) die("fork");
	int status;
	for (;;) {
		pid_t pid = waitpid(-1, &status, 0);
		if (pid == program) break;
		if (pid < 0 && errno != EINTR) die("wait");
	}
	write_full(ended, &status, sizeof status);
	_exit(0);
}

// ---- the runner ----

static void keep(struct stream *s, const char *data, size_t n) {
	if (s->total < s->head_cap) {
		size_t k = s->head_cap - s->total < n ? s->head_cap - s->total : n;
		memcpy(s->head + s->total, data, k);
		s->total += k, data += k, n -= k;
	}
	if (s->tail_cap && n > s->tail_cap) {
		s->total += n - s->tail_cap, data += n - s->tail_cap, n = s->tail_cap;
	}
	for (size_t i = 0; i < n && s->tail_cap; i++) s->tail[(s->total - s->head_cap + i) % s->tail_cap] = data[i];
	s->total += n;
}

// drain reads a bit of what there is and returns read's result. Not all of it: a program
// can write as fast as we read.
static ssize_t drain(struct stream *s) {
	static char data[64 << 10];
	ssize_t n = read(s->fd, data, sizeof data);
	if (n > 0) keep(s, data, (size_t)n);
	return n;
}

// has_ended reads from ended how the program ended, if it has.
static int has_ended(pid_t init, int ended, int *status) {
	struct signalfd_siginfo info;
	if (place.alone) {
		if (read(ended, &info, sizeof info) < 0 && errno != EAGAIN) die("signalfd");
		return reap(init, status);
	}
	// An init that went without a word was killed: so was the program.
	if (read_full(ended, status, sizeof *status) != sizeof *status) *status = SIGKILL;
	return 1;
}

// supervise returns when the program has ended or must end, and whether time was up. ended
// becomes readable when init may have something to say.
static int supervise(const struct job *j, pid_t init, int ended, uint64_t start, int *status) {
	struct pollfd fds[] = {{ended, POLLIN, 0}, {out.fd, POLLIN, 0}, {err.fd, POLLIN, 0}, {JOB_FD, 0, 0}};
	for (;;) {
		uint64_t spent = (now_us() - start) / 1000;
		if (j->wall_ms && spent >= j->wall_ms) return 1;
		uint64_t left = j->wall_ms ? j->wall_ms - spent : 60000;
		if (poll(fds, 4, left < 60000 ? (int)left : 60000) < 0 && errno != EINTR) die("poll");
		if (fds[3].revents & (POLLHUP | POLLERR)) { // the harness has gone, or wants us to go
			bury(&place, init);
			_exit(0);
		}
		if (fds[1].revents && drain(&out) == 0) fds[1].fd = -1;
		if (fds[2].revents && drain(&err) == 0) fds[2].fd = -1;
		if (fds[0].revents && has_ended(init, ended, status)) return 0;
	}
}

static void make_pipe(int *r, int *w) {
	int fds[2];
	if (pipe2(fds, O_CLOEXEC)) die("pipe");
	*r = fds[0], *w = fds[1];
}

static void send_reply(struct reply *r, const char *text) {
	static char data[64 << 10];
	size_t head = err.total < err.head_cap ? err.total : err.head_cap, tail = err.total - head;
	size_t from = 0;
	if (tail > err.tail_cap) from = tail % err.tail_cap, tail = err.tail_cap;
	r->out_len = (uint32_t)(out.total < out.head_cap ? out.total : out.head_cap);
	r->err_len = (uint32_t)(head + tail);
	r->err_total = err.total;
	write_full(REPLY_FD, r, sizeof *r);
	write_full(REPLY_FD, text, r->text_len);
	write_full(REPLY_FD, out.head, r->out_len);
	write_full(REPLY_FD, err.head, head);
	write_full(REPLY_FD, err.tail + from, tail - from);
	write_full(REPLY_FD, err.tail, from);
	for (uint32_t at = 0; at < r->counters_len;) {
		ssize_t n = pread(counters_fd, data, sizeof data, at);
		if (n <= 0) memset(data, 0, sizeof data), n = sizeof data; // the program cut them off
		if ((uint32_t)n > r->counters_len - at) n = r->counters_len - at;
		write_full(REPLY_FD, data, (size_t)n);
		at += (uint32_t)n;
	}
}

static void run_job(const struct job *j) {
	static char text[4096];
	struct reply r = {.magic = MAGIC, .seq = j->seq};
	int out_r, err_r, report_r, report_w, ended_r, ended_w;
	out = (struct stream){.head_cap = j->keep_stdout ? 2 * KEEP : 0};
	err = (struct stream){.head_cap = KEEP, .tail_cap = KEEP};
	make_pipe(&out_r, &out.fd), make_pipe(&err_r, &err.fd);
	make_pipe(&report_r, &report_w), make_pipe(&ended_r, &ended_w);
	if (ftruncate(counters_fd, 0)) die("counters");

	uint64_t start = now_us();
	if (place.alone) open_shop(&place);
	pid_t init = spawn_init(&place);
	if (init == 0) {
		report_fd = report_w;
		if (place.alone) run_program(j);
		run_init(j, ended_w);
	}
	if (init < 0) die("fork");
	close(out.fd), close(err.fd), close(report_w), close(ended_w);
	out.fd = out_r, err.fd = err_r;
	fcntl(out_r, F_SETFL, O_NONBLOCK), fcntl(err_r, F_SETFL, O_NONBLOCK), fcntl(report_r, F_SETFL, O_NONBLOCK);

	if (supervise(j, init, place.alone ? children_fd : ended_r, start, &r.status)) r.flags |= TIMED_OUT, r.status = SIGKILL;
	r.wall_us = now_us() - start;
	r.cpu_us = bury(&place, init);
	while (drain(&out) > 0) {} // no writer is left
	while (drain(&err) > 0) {}
	ssize_t n = read(report_r, text, sizeof text);
	int untrusted = n > 0 && text[0] == UNTRUSTED;
	if (n > 0 && !untrusted) r.flags |= HARNESS_ERROR;
	if (n > 1 && untrusted && WIFEXITED(r.status) && WEXITSTATUS(r.status) == FAILED) r.flags |= LOAD_ERROR;
	if (r.flags & (HARNESS_ERROR | LOAD_ERROR)) r.text_len = (uint32_t)(n - untrusted);
	// Nothing is there if the program did not get as far.
	if (j->counters && lseek(counters_fd, 0, SEEK_END) > 0) r.counters_len = (uint32_t)j->counters * 8;
	send_reply(&r, text + untrusted);
	close(out_r), close(err_r), close(report_r), close(ended_r);
}

// ---- jobs ----

static char *next_word(char **at, char *end) {
	char *word = *at, *stop = word < end ? memchr(word, 0, (size_t)(end - word)) : NULL;
	if (!stop) die("malformed job");
	*at = stop + 1;
	return word;
}

// receive_input puts n bytes of standard input where the program finds them.
static void receive_input(size_t n) {
	static char data[64 << 10];
	if (ftruncate(input_fd, 0) || lseek(input_fd, 0, SEEK_SET)) die("standard input");
	while (n > 0) {
		size_t k = n < sizeof data ? n : sizeof data;
		if (read_full(JOB_FD, data, k) != (ssize_t)k) _exit(0);
		write_full(input_fd, data, k);
		n -= k;
	}
	lseek(input_fd, 0, SEEK_SET);
}

// receive_file returns memory with n bytes that nobody can change any more, or -1 for none.
static int receive_file(const char *name, size_t n) {
	static char data[64 << 10];
	if (!n) return -1;
	int fd = memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING);
	if (fd < 0) die(name);
	while (n > 0) {
		size_t k = n < sizeof data ? n : sizeof data;
		if (read_full(JOB_FD, data, k) != (ssize_t)k) _exit(0);
		write_full(fd, data, k);
		n -= k;
	}
	if (fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE | F_SEAL_SEAL)) die(name);
	return fd;
}

// take_library returns the library in a place of the shelf, where n bytes are put first if there are any.
static int take_library(uint64_t slot, size_t n) {
	if (slot >= sizeof shelf / sizeof *shelf) die("malformed job");
	if (n) {
		if (shelf[slot]) close(shelf[slot]);
		shelf[slot] = receive_file("library", n);
	}
	return shelf[slot] ? shelf[slot] : -1;
}

// receive reads a job: the lengths of its words, its standard input, its library and its test, then
// all of them. Each word is ended by a NUL.
static int receive(struct job *j) {
	uint32_t n[4];
	if (read_full(JOB_FD, n, sizeof n) != sizeof n) return 0;
	if (n[0] > sizeof request || read_full(JOB_FD, request, n[0]) != (ssize_t)n[0]) die("malformed job");
	char *at = request, *end = request + n[0];
	memset(j, 0, sizeof *j);
	uint64_t v[13];
	for (size_t i = 0; i < sizeof v / sizeof *v; i++) v[i] = strtoull(next_word(&at, end), NULL, 10);
	j->seq = (uint32_t)v[0], j->exec = (int)v[1], j->keep_stdout = (int)v[2], j->input = (int)v[3];
	j->counters = (int)v[4], j->counters_at = v[5], j->perturb = (unsigned char)v[6], j->wall_ms = v[7];
	j->cpu_s = v[8], j->memory = v[9], j->file_bytes = v[10], j->processes = v[11];
	while (at < end) {
		if (j->nwords == sizeof j->words / sizeof *j->words - 1) die("too many entries");
		j->words[j->nwords++] = next_word(&at, end);
	}
	receive_input(n[1]);
	j->library = take_library(v[12], n[2]);
	j->test = receive_file("test", n[3]);
	return 1;
}

// hold_signals keeps signals from the runner and its inits, whatever handlers the
// sanitizers install: a program of the same user can send them.
static void hold_signals(void) {
	sigset_t set;
	sigfillset(&set);
	sigprocmask(SIG_SETMASK, &set, NULL);
	sigemptyset(&set);
	sigaddset(&set, SIGCHLD);
	children_fd = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	if (children_fd < 0) die("signalfd");
}

// move_streams puts standard input and output where jobs come from and replies go to.
static void move_streams(void) {
	if (getpid() != 1) fail("runner: -c is for pid 1 of a container");
	if (dup3(0, JOB_FD, O_CLOEXEC) < 0 || dup3(1, REPLY_FD, O_CLOEXEC) < 0 || dup2(2, 1) < 0) die("standard streams");
	int null = open("/dev/null", O_RDONLY | O_CLOEXEC);
	if (null < 0 || dup2(null, 0) < 0) die("/dev/null");
	close(null);
}

int main(int argc, char **argv) {
	place.alone = argc > 1 && !strcmp(argv[1], "-c");
	if (argc < 4 + place.alone) fail("usage: runner [-c] WORK TMP UID [DIR...]");
	int persona = personality(0xffffffff);
	// Addresses are fixed when a process is executed. Some containers refuse that.
	if (persona >= 0 && !(persona & ADDR_NO_RANDOMIZE) && personality((unsigned)persona | ADDR_NO_RANDOMIZE) >= 0) {
		execv("/proc/self/exe", argv);
	}
	umask(022);
	argv += place.alone;
	place.work = argv[1], place.tmp = argv[2], place.uid = atoi(argv[3]), place.below = argv + 4;
	if (place.alone) move_streams(); // first, or their numbers may be taken
	hold_signals();
	place_init(&place);
	counters_fd = memfd_create("counters", MFD_CLOEXEC);
	input_fd = memfd_create("input", MFD_CLOEXEC);
	if (counters_fd < 0 || input_fd < 0) die("memfd");
	// What most libraries need is loaded once; local, so that no program sees it unasked.
	static const char *const common[] = {"libm.so.6", "libgcc_s.so.1", "libstdc++.so.6"};
	for (size_t i = 0; i < sizeof common / sizeof *common; i++) dlopen(common[i], RTLD_NOW | RTLD_LOCAL);

	struct reply hello = {.magic = MAGIC};
	if (place.namespaces) hello.flags |= NAMESPACES;
	if (place.alone) hello.flags |= ALONE;
	write_full(REPLY_FD, &hello, sizeof hello);
	static struct job j;
	while (receive(&j)) {
		run_job(&j);
		if (j.test >= 0) close(j.test);
	}
	return 0;
}
