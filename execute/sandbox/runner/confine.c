// confine.c: the place in which one program runs. See runner.h.
#define _GNU_SOURCE
#include "runner.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <linux/audit.h>
#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { NEW_NAMESPACES = CLONE_NEWPID | CLONE_NEWNS | CLONE_NEWIPC };

// base_data reads how much private writable memory this process maps. Under ASan that is
// mostly shadow: a limit on a program's memory counts from there.
static uint64_t base_data(void) {
	unsigned long data = 0;
	FILE *f = fopen("/proc/self/statm", "r");
	if (f && fscanf(f, "%*u %*u %*u %*u %*u %lu", &data) != 1) data = 0;
	if (f) fclose(f);
	return (uint64_t)data * (uint64_t)sysconf(_SC_PAGESIZE);
}

void place_init(struct place *p) {
	p->base_data = base_data();
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	// A program that runs as our own user could trace us and open our files.
	prctl(PR_SET_DUMPABLE, 0);
	if (p->alone) return;
	// Mounts made for programs must not show outside, which without bubblewrap is the host.
	if (unshare(CLONE_NEWNS) || mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL)) return;
	p->namespaces = 1;
	pid_t pid = spawn_init(p);
	if (pid == 0) {
		furnish(p);
		_exit(0);
	}
	int status = 0;
	p->namespaces = pid > 0 && waitpid(pid, &status, 0) == pid && status == 0;
}

pid_t spawn_init(const struct place *p) {
	if (!p->namespaces) return fork();
	return (pid_t)syscall(SYS_clone, NEW_NAMESPACES | SIGCHLD, 0, 0, 0, 0);
}

static void mount_tmpfs(const struct place *p, const char *dir) {
	char options[96];
	unsigned uid = p->uid >= 0 ? (unsigned)p->uid : getuid();
	unsigned gid = p->uid >= 0 ? (unsigned)p->uid : getgid();
	snprintf(options, sizeof options, "size=128m,nr_inodes=65536,mode=0700,uid=%u,gid=%u", uid, gid);
	if (mount("tmpfs", dir, "tmpfs", MS_NOSUID | MS_NODEV, options)) die(dir);
}

// mount_tmp mounts an empty directory over tmp and the caller's directories and files over that.
static void mount_tmp(const struct place *p) {
	enum { MOST = 16 };
	int tree[MOST], n = 0;
	for (; p->below[n]; n++) {
		if (n == MOST) die("too many directories");
		tree[n] = (int)syscall(SYS_open_tree, AT_FDCWD, p->below[n], OPEN_TREE_CLONE | AT_RECURSIVE);
		if (tree[n] < 0) die(p->below[n]);
	}
	mount_tmpfs(p, p->tmp);
	for (int i = 0; i < n; i++) {
		char dir[4096];
		snprintf(dir, sizeof dir, "%s", p->below[i]);
		for (char *slash = dir + strlen(p->tmp) + 1; (slash = strchr(slash, '/')); *slash++ = '/') {
			*slash = 0;
			mkdir(dir, 0755);
		}
		struct stat shown;
		if (fstat(tree[i], &shown)) die(dir);
		int fd = S_ISDIR(shown.st_mode) ? mkdir(dir, 0755) : open(dir, O_CREAT | O_WRONLY | O_CLOEXEC, 0644);
		if (fd > 0) close(fd);
		if (syscall(SYS_move_mount, tree[i], "", AT_FDCWD, dir, MOVE_MOUNT_F_EMPTY_PATH)) die(dir);
		close(tree[i]);
	}
}

void open_shop(const struct place *p) {
	if (mkdir(p->work, 0700)) die(p->work);
}

static int no_ipc; // IPC objects, which are charged to no process, cannot be limited

// limit_ipc limits the IPC objects of this namespace; the executor sets the same for containers.
static void limit_ipc(void) {
	static const char *const limits[][2] = {{"shmall", "16384"}, {"msgmni", "64"}, {"sem", "250 4000 100 64"}}; // 64 MiB in pages
	for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
		char path[64];
		snprintf(path, sizeof path, "/proc/sys/kernel/%s", limits[i][0]);
		int fd = open(path, O_WRONLY | O_CLOEXEC);
		if (fd < 0 || write(fd, limits[i][1], strlen(limits[i][1])) < 0) no_ipc = 1;
		if (fd >= 0) close(fd);
	}
}

void furnish(const struct place *p) {
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (!p->namespaces) return;
	limit_ipc(); // through the /proc that is there: a new one makes the entries on the way anew
	mount_tmpfs(p, p->work);
	mount_tmp(p);
	if (mount("proc", "/proc", "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC, NULL)) die("/proc");
}

#if defined(__x86_64__)
#define THIS_ARCH AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define THIS_ARCH AUDIT_ARCH_AARCH64
#else
#error "runner: no system call filter for this architecture"
#endif

#define LOAD(field) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, field))
#define RETURN(action) BPF_STMT(BPF_RET | BPF_K, action)
#define REFUSE(nr) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, nr, 0, 1), RETURN(SECCOMP_RET_ERRNO | EPERM)
// REFUSE_IF refuses a call if one of its arguments has that value.
#define REFUSE_IF(call, i, value) \
	BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, call, 0, 4), LOAD(args[i]), \
	BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, 0, 1), RETURN(SECCOMP_RET_ERRNO | EPERM), LOAD(nr)

// filter_syscalls refuses what no test of a library needs and what would get round the
// other limits: new namespaces (a tmpfs of one's own), mounts, memory that is charged to
// nobody, keyrings (they outlive a
// program), the large attack surfaces of the kernel, what would change the limits or the
// priority of pid 1, which supervises and may be of the same user, and the families of sockets
// that network namespaces do not confine (vsock) or nobody needs.
static void filter_syscalls(void) {
	static const unsigned new_ns = CLONE_NEWUSER | CLONE_NEWNS | CLONE_NEWPID | CLONE_NEWNET | CLONE_NEWIPC |
	                               CLONE_NEWUTS | CLONE_NEWCGROUP;
	struct sock_filter code[] = {
		LOAD(arch),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, THIS_ARCH, 1, 0),
		RETURN(SECCOMP_RET_KILL_PROCESS),
		LOAD(nr),
		BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, 0x40000000, 0, 1), // the x32 numbers of x86-64
		RETURN(SECCOMP_RET_ERRNO | ENOSYS),
		// The flags of clone3 are in memory, out of a filter's sight; glibc falls back to clone.
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_clone3, 0, 1),
		RETURN(SECCOMP_RET_ERRNO | ENOSYS),
		REFUSE(SYS_unshare), REFUSE(SYS_setns), REFUSE(SYS_mount), REFUSE(SYS_umount2), REFUSE(SYS_pivot_root),
		REFUSE(SYS_open_tree), REFUSE(SYS_move_mount), REFUSE(SYS_fsopen), REFUSE(SYS_fsmount),
		REFUSE(SYS_mount_setattr), REFUSE(SYS_keyctl), REFUSE(SYS_add_key), REFUSE(SYS_request_key),
		REFUSE(SYS_bpf), REFUSE(SYS_perf_event_open), REFUSE(SYS_userfaultfd), REFUSE(SYS_io_uring_setup),
		REFUSE(SYS_memfd_create), REFUSE(SYS_memfd_secret),
		REFUSE(no_ipc ? SYS_shmget : ~0U), REFUSE(no_ipc ? SYS_msgget : ~0U), REFUSE(no_ipc ? SYS_semget : ~0U),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_socket, 0, 7),
		LOAD(args[0]),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, AF_UNIX, 4, 0), BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, AF_INET, 3, 0),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, AF_INET6, 2, 0), BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, AF_NETLINK, 1, 0),
		RETURN(SECCOMP_RET_ERRNO | EAFNOSUPPORT),
		LOAD(nr),
		REFUSE_IF(SYS_prlimit64, 0, 1), REFUSE_IF(SYS_sched_setaffinity, 0, 1), REFUSE_IF(SYS_sched_setparam, 0, 1),
		REFUSE_IF(SYS_sched_setscheduler, 0, 1), REFUSE_IF(SYS_sched_setattr, 0, 1),
		REFUSE_IF(SYS_setpriority, 0, PRIO_USER), REFUSE_IF(SYS_setpriority, 1, 1), REFUSE(SYS_ioprio_set),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_clone, 0, 3),
		LOAD(args[0]), // the low half: both architectures are little-endian
		BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, new_ns, 0, 1),
		RETURN(SECCOMP_RET_ERRNO | EPERM),
		RETURN(SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = {sizeof code / sizeof *code, code};
	if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program)) die("seccomp");
}

static void limit(int resource, uint64_t soft, uint64_t hard) {
	struct rlimit now, r = {soft, hard};
	if (getrlimit(resource, &now)) die("getrlimit");
	if (r.rlim_max > now.rlim_max) r.rlim_max = now.rlim_max;
	if (r.rlim_cur > r.rlim_max) r.rlim_cur = r.rlim_max;
	if (setrlimit(resource, &r)) die("setrlimit");
}

static void limit_resources(const struct place *p, const struct job *j) {
	limit(RLIMIT_CORE, 0, 0);
	limit(RLIMIT_STACK, 8 << 20, 8 << 20);
	limit(RLIMIT_NOFILE, 256, 256);
	if (j->cpu_s) limit(RLIMIT_CPU, j->cpu_s, j->cpu_s + 1);
	if (j->file_bytes) limit(RLIMIT_FSIZE, j->file_bytes, j->file_bytes);
	// The limit counts every process of the user. Ours alone are counted where the user is
	// the program's own, or in bubblewrap's user namespace, which has four more.
	if (j->processes && (p->uid >= 0 || p->namespaces)) limit(RLIMIT_NPROC, j->processes + 4, j->processes + 4);
#ifdef SANITIZED
	// ASan reserves terabytes of address space; what it makes writable later is counted.
	if (j->memory) limit(RLIMIT_DATA, p->base_data + j->memory, p->base_data + j->memory);
#else
	if (j->memory) limit(RLIMIT_AS, j->memory, j->memory);
#endif
}

// volunteer makes the caller the first to be killed when memory runs out.
static void volunteer(void) {
	int fd = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
	if (fd < 0) return;
	if (write(fd, "1000", 4) < 0) die("oom_score_adj");
	close(fd);
}

void confine(const struct place *p, const struct job *j) {
	limit_resources(p, j);
	if (p->uid >= 0 && !p->alone) {
		gid_t gid = (gid_t)p->uid;
		uid_t uid = (uid_t)p->uid;
		if (setgroups(0, NULL) || setresgid(gid, gid, gid) || setresuid(uid, uid, uid)) die("setuid");
	}
	struct __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
	struct __user_cap_data_struct none[2] = {{0}};
	if (syscall(SYS_capset, &header, none)) die("capset");
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)) die("no_new_privs");
	prctl(PR_SET_PDEATHSIG, SIGKILL); // a change of user clears it
	prctl(PR_SET_DUMPABLE, 1);        // and makes /proc/self root's, which sanitizers read
	volunteer();
	filter_syscalls();
}

// kill_children kills the children of this process: without a PID namespace orphans
// come back to it one generation at a time.
static void kill_children(void) {
	static struct listing proc;
	proc.n = 0;
	if ((proc.fd = open("/proc", O_RDONLY | O_DIRECTORY | O_CLOEXEC)) < 0) return;
	for (const char *name; (name = next_entry(&proc));) {
		char path[300], line[512];
		int pid = atoi(name), parent = 0;
		if (pid <= 0) continue;
		snprintf(path, sizeof path, "/proc/%d/stat", pid);
		int fd = open(path, O_RDONLY | O_CLOEXEC);
		if (fd < 0) continue;
		ssize_t n = read(fd, line, sizeof line - 1);
		close(fd);
		line[n > 0 ? n : 0] = 0;
		char *end = strrchr(line, ')'); // names may hold blanks
		if (end && sscanf(end, ") %*c %d", &parent) == 1 && parent == getpid()) kill(pid, SIGKILL);
	}
	close(proc.fd);
}

static uint64_t cpu_us; // of what was waited for since the last burial

static void charge(const struct rusage *ru) {
	cpu_us += (uint64_t)(ru->ru_utime.tv_sec + ru->ru_stime.tv_sec) * 1000000 +
	          (uint64_t)(ru->ru_utime.tv_usec + ru->ru_stime.tv_usec);
}

int reap(pid_t pid, int *status) {
	struct rusage ru;
	int s, found = 0;
	for (pid_t got; (got = wait4(-1, &s, WNOHANG, &ru)) > 0;) {
		charge(&ru);
		if (got == pid) *status = s, found = 1;
	}
	return found;
}

uint64_t bury(const struct place *p, pid_t init) {
	struct rusage ru;
	pid_t got;
	if (!p->alone) kill(init, SIGKILL); // the kernel kills the rest of its namespace, and waits for it
	do {
		if (p->alone) kill(-1, SIGKILL); // one sweep that no fork escapes; it spares the caller
		else if (!p->namespaces) kill_children();
		got = wait4(-1, NULL, 0, &ru);
		if (got > 0) charge(&ru);
	} while (got > 0 || errno == EINTR);
	uint64_t total = cpu_us;
	cpu_us = 0;
	if (p->alone) remove_ipc();
	if (p->namespaces) return total;
	char room[4096];
	snprintf(room, sizeof room, "%s", p->work);
	if (p->alone) *strrchr(room, '/') = 0; // the work directory goes too: a program owns it
	if (empty_directory(room) | empty_directory(p->tmp)) die("remove what a program has left");
	return total;
}
