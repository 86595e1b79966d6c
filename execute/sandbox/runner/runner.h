// What the parts of the runner share: runner.c talks to the harness and supervises, confine.c makes the
// place in which one program runs.
#ifndef LISABENCH_RUNNER_H
#define LISABENCH_RUNNER_H

#include <stdint.h>
#include <sys/types.h>

// Where the runner may work; from its command line.
struct place {
	const char *work, *tmp; // emptied for every program
	char **below;           // directories below tmp that programs see all the same
	int uid;                // user that only programs run as, or -1 for who we are
	int namespaces;         // namespaces can be made here
	int alone;              // we are pid 1 of a container, in which all else is the program's
	uint64_t base_data;     // bytes of private memory the sanitizers reserve before a program starts
};

// One job, as received. Strings point into the request.
struct job {
	uint32_t seq;
	int exec;             // run argv instead of calling entries
	int input;            // standard input is the job's, not /dev/null
	int keep_stdout;
	int counters;         // how many coverage counters the library has; 0: do not report them
	uint64_t counters_at; // where in its memory
	unsigned char perturb; // pattern for fresh memory; 0: leave things alone
	uint64_t wall_ms, cpu_s, memory, file_bytes, processes; // 0: no limit
	int library, test;    // memory that holds the shared objects, or with exec the executable in test; -1: none
	char *words[256];     // argv, or entries: 'i' or 'v' (returns int or void) and the name
	int nwords;
};

void die(const char *what) __attribute__((noreturn));

// place_init finds out what this machine allows; call it once.
void place_init(struct place *p);

// spawn_init forks the process that a program's processes end with. Returns as fork does.
pid_t spawn_init(const struct place *p);

// furnish gives the calling init empty directories and its own /proc. Without namespaces
// the directories are the place's, emptied by bury.
void furnish(const struct place *p);

// open_shop makes the work directory of the next program in a container.
void open_shop(const struct place *p);

// confine limits the calling process and takes every privilege from it, for good.
void confine(const struct place *p, const struct job *j);

// reap waits for those children that have ended. Returns 1 once pid is among them, with how
// it ended in status.
int reap(pid_t pid, int *status);

// bury kills whatever is left of a program, waits for all of it, removes what it left and
// returns the CPU time that it took, in microseconds, with that of what was reaped before.
uint64_t bury(const struct place *p, pid_t init);

// clock.c: the date that programs see. calendar_shift moves its beginning by steps of a day, an hour, a
// minute and a second, all at once: what a program shows of the date then differs.
void calendar_shift(int steps);

// remains.c: what a program leaves where it had no namespaces of its own.

// A directory being read. Set fd, and n to 0.
struct listing {
	int fd, at, n;
	char data[16 << 10] __attribute__((aligned(8)));
};

const char *next_entry(struct listing *l);

// empty_directory removes what is in a directory, but for other file systems below it.
// Returns 0 if nothing of ours is left.
int empty_directory(const char *path);

// remove_ipc removes every System V object and POSIX message queue of this IPC namespace.
void remove_ipc(void);

#endif
