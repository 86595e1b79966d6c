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
#include <sys/syscall.h>
#include <unistd.h>

// next_entry reads a directory without the heap, which programs inherit: what the runner does
// must not show there. Returns NULL at the end.
const char *next_entry(struct listing *l) {
	for (;;) {
		if (l->at >= l->n) {
			l->n = (int)syscall(SYS_getdents64, l->fd, l->data, sizeof l->data);
			l->at = 0;
			if (l->n <= 0) return NULL;
		}
		struct dirent64 *e = (struct dirent64 *)(l->data + l->at);
		l->at += e->d_reclen;
		if (strcmp(e->d_name, ".") && strcmp(e->d_name, "..")) return e->d_name;
	}
}

// A tree being emptied. No process is left that could change it meanwhile.
struct tree {
	int top;
	dev_t dev;
	unsigned moved; // numbers the directories that were moved to the top
};

// open_dir opens a directory of this file system for emptying, or returns -1.
static int open_dir(const struct tree *t, int parent, const char *name) {
	struct stat st;
	if (fstatat(parent, name, &st, AT_SYMLINK_NOFOLLOW) || !S_ISDIR(st.st_mode) || st.st_dev != t->dev) return -1;
	fchmodat(parent, name, 0700, 0); // fails where it is not ours; then we cannot empty it either
	return openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

// move_up moves a directory to the top under a name that is free there.
static void move_up(struct tree *t, int parent, const char *name) {
	for (int tries = 0; tries < 100000; tries++) {
		char to[32];
		snprintf(to, sizeof to, ".remains-%u", t->moved++);
		if (renameat2(parent, name, t->top, to, RENAME_NOREPLACE) == 0 || errno != EEXIST) return;
	}
}

// empty_one empties a directory of the top. A program nests directories deeper than there
// are descriptors or bytes in a path: those below are moved to the top instead.
static void empty_one(struct tree *t, const char *name) {
	static struct listing l;
	l.n = 0;
	if ((l.fd = open_dir(t, t->top, name)) < 0) return;
	for (const char *entry; (entry = next_entry(&l));) {
		if (unlinkat(l.fd, entry, 0) == 0) continue;
		int sub = open_dir(t, l.fd, entry); // makes it writable, which moving it takes
		if (sub < 0) continue;
		close(sub);
		if (unlinkat(l.fd, entry, AT_REMOVEDIR)) move_up(t, l.fd, entry);
	}
	close(l.fd);
}

// pass removes what it can from the top and returns how many entries went. left becomes the
// number of those that are ours and have not gone.
static int pass(struct tree *t, int *left) {
	static struct listing l;
	int gone = 0;
	l.n = 0, *left = 0;
	if ((l.fd = openat(t->top, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)) < 0) return *left = 1, 0;
	for (const char *entry; (entry = next_entry(&l));) {
		struct stat st;
		if (unlinkat(t->top, entry, 0) == 0) {
			gone++;
			continue;
		}
		empty_one(t, entry);
		if (unlinkat(t->top, entry, AT_REMOVEDIR) == 0) gone++;
		else if (!fstatat(t->top, entry, &st, AT_SYMLINK_NOFOLLOW) && st.st_dev == t->dev && st.st_uid == geteuid()) ++*left;
	}
	close(l.fd);
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

// each_id calls f with every id that a table of /proc/sysvipc (proc(5)) lists. The table is
// read again for as long as it has more than fits.
static void each_id(const char *table, void (*f)(int)) {
	static char text[16 << 10];
	for (int more = 1, rounds = 0; more && rounds < 10000; rounds++) {
		int fd = open(table, O_RDONLY | O_CLOEXEC);
		if (fd < 0) return;
		size_t n = 0;
		for (ssize_t k; n < sizeof text - 1 && (k = read(fd, text + n, sizeof text - 1 - n)) > 0;) n += (size_t)k;
		close(fd);
		text[n] = 0;
		more = n == sizeof text - 1;
		int id;
		for (char *line = strchr(text, '\n'); line && line[1]; line = strchr(line + 1, '\n')) {
			if (sscanf(line + 1, "%*d %d", &id) == 1) f(id);
		}
	}
}

static void remove_shm(int id) { shmctl(id, IPC_RMID, NULL); }
static void remove_sem(int id) { semctl(id, 0, IPC_RMID); }
static void remove_msg(int id) { msgctl(id, IPC_RMID, NULL); }

void remove_ipc(void) {
	each_id("/proc/sysvipc/shm", remove_shm);
	each_id("/proc/sysvipc/sem", remove_sem);
	each_id("/proc/sysvipc/msg", remove_msg);
	static struct listing queues;
	queues.n = 0;
	if ((queues.fd = open("/dev/mqueue", O_RDONLY | O_DIRECTORY | O_CLOEXEC)) < 0) return;
	for (const char *name; (name = next_entry(&queues));) unlinkat(queues.fd, name, 0);
	close(queues.fd);
}
