// remains.c: what a program leaves where it had no namespaces of its own. See runner.h.
#define _GNU_SOURCE
#include "runner.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/ipc.h>
#include <sys/msg.h>
#include <sys/sem.h>
#include <sys/shm.h>
#include <sys/stat.h>
#include <unistd.h>

// A tree being emptied. No process is left that could change it meanwhile.
struct tree {
	int top;
	dev_t dev;
	unsigned moved; // numbers the directories that were moved to the top
};

static int is_dots(const char *name) { return !strcmp(name, ".") || !strcmp(name, ".."); }

// open_dir opens a directory of this file system for emptying, or returns -1.
static int open_dir(const struct tree *t, int parent, const char *name) {
	struct stat st;
	if (fstatat(parent, name, &st, AT_SYMLINK_NOFOLLOW) || !S_ISDIR(st.st_mode) || st.st_dev != t->dev) return -1;
	fchmodat(parent, name, 0700, 0); // fails where it is not ours; then we cannot empty it either
	return openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

// move_up moves a directory to the top under a name that is free there.
static int move_up(struct tree *t, int parent, const char *name) {
	for (int tries = 0; tries < 100000; tries++) {
		char to[32];
		snprintf(to, sizeof to, ".remains-%u", t->moved++);
		if (renameat2(parent, name, t->top, to, RENAME_NOREPLACE) == 0) return 0;
		if (errno != EEXIST) return -1;
	}
	return -1;
}

// empty_one empties a directory of the top. A program nests directories deeper than there
// are descriptors or bytes in a path: those below are moved to the top instead.
static void empty_one(struct tree *t, const char *name) {
	int fd = open_dir(t, t->top, name);
	DIR *d = fd < 0 ? NULL : fdopendir(fd);
	if (!d) {
		if (fd >= 0) close(fd);
		return;
	}
	for (struct dirent *e; (e = readdir(d));) {
		if (is_dots(e->d_name) || unlinkat(fd, e->d_name, 0) == 0) continue;
		int sub = open_dir(t, fd, e->d_name); // makes it writable, which moving it takes
		if (sub < 0) continue;
		close(sub);
		if (unlinkat(fd, e->d_name, AT_REMOVEDIR)) move_up(t, fd, e->d_name);
	}
	closedir(d);
}

// pass removes what it can from the top and returns how many entries went, or -1.
static int pass(struct tree *t, int *left) {
	int fd = openat(t->top, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC), gone = 0;
	DIR *d = fd < 0 ? NULL : fdopendir(fd);
	if (!d) return -1;
	*left = 0;
	for (struct dirent *e; (e = readdir(d));) {
		struct stat st;
		if (is_dots(e->d_name)) continue;
		if (unlinkat(t->top, e->d_name, 0) == 0) {
			gone++;
			continue;
		}
		empty_one(t, e->d_name);
		if (unlinkat(t->top, e->d_name, AT_REMOVEDIR) == 0) gone++;
		else if (!fstatat(t->top, e->d_name, &st, AT_SYMLINK_NOFOLLOW) && st.st_dev == t->dev && st.st_uid == geteuid()) ++*left;
	}
	closedir(d);
	return gone;
}

int empty_directory(const char *path) {
	struct tree t = {.top = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)};
	struct stat st;
	int left = 1;
	if (t.top >= 0 && fstat(t.top, &st) == 0) {
		t.dev = st.st_dev;
		while (pass(&t, &left) > 0 && left > 0) {}
	}
	if (t.top >= 0) close(t.top);
	return left;
}

// each_id calls f with every id that a table of /proc/sysvipc (proc(5)) lists.
static void each_id(const char *table, void (*f)(int)) {
	char line[512];
	FILE *file = fopen(table, "r");
	if (!file) return;
	for (int row = 0, id; fgets(line, sizeof line, file); row++) {
		if (row > 0 && sscanf(line, "%*d %d", &id) == 1) f(id);
	}
	fclose(file);
}

static void remove_shm(int id) { shmctl(id, IPC_RMID, NULL); }
static void remove_sem(int id) { semctl(id, 0, IPC_RMID); }
static void remove_msg(int id) { msgctl(id, IPC_RMID, NULL); }

void remove_ipc(void) {
	each_id("/proc/sysvipc/shm", remove_shm);
	each_id("/proc/sysvipc/sem", remove_sem);
	each_id("/proc/sysvipc/msg", remove_msg);
	DIR *queues = opendir("/dev/mqueue");
	if (!queues) return;
	for (struct dirent *e; (e = readdir(queues));) {
		if (!is_dots(e->d_name)) unlinkat(dirfd(queues), e->d_name, 0);
	}
	closedir(queues);
}
