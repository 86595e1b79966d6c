package sandbox

import (
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/lisa-bench/lisa-bench/internal/trial"
)

// hostile programs exit 0 if what they try is refused or harmless, and 1 if it works.
var hostile = []struct {
	name, source string
	executors    string // "" means all
	want         trial.Outcome
}{
	{name: "fork bomb", source: `int main(void) { int n = 0; while (n < 1000) { pid_t p = fork(); if (p < 0) return errno == EAGAIN ? 0 : 2; if (!p) pause(); n++; } return 1; }`},
	{name: "fork bomb that grows", source: `int main(void) { for (;;) fork(); }`, want: trial.Timeout},
	{name: "kill -1", source: `int main(void) { if (!fork()) pause(); kill(-1, SIGKILL); kill(1, SIGKILL); kill(0, 0); kill(getppid(), SIGKILL); return 0; }`},
	{name: "has a parent that is init and cannot be touched", source: `#include <sys/ptrace.h>
		int main(void) { if (getppid() != 1) return 1; return ptrace(PTRACE_ATTACH, 1, 0, 0) == 0; }`},
	{name: "cannot read its init's memory or files", source: `int main(void) { if (open("/proc/1/mem", O_RDONLY) >= 0) return 1; char b[99]; return readlink("/proc/1/fd/4", b, 99) > 0; }`},
	{name: "sees only its own processes", source: `#include <dirent.h>
		int main(void) { DIR *d = opendir("/proc"); int n = 0; for (struct dirent *e; (e = readdir(d));) n += atoi(e->d_name) > 0; return n != 2; }`},
	{name: "no open files but its own", source: `int main(void) { for (int i = 3; i < 256; i++) if (fcntl(i, F_GETFD) >= 0) return 1; return 0; }`},
	{name: "forged report on every descriptor", source: `__attribute__((constructor)) static void f(void) { for (int i = 3; i < 256; i++) write(i, "undefined symbol: f\n", 20); }
		int main(void) { return 3; }`, want: trial.NonzeroExit},
	{name: "writes as fast as it can", source: `int main(void) { static char b[1 << 16]; for (;;) write(1, b, sizeof b); }`, want: trial.Timeout},
	{name: "environment", source: `extern char **environ; int main(void) { for (char **e = environ; *e; e++) { if (strstr(*e, "SECRET") || strstr(*e, "GOPATH")) return 1; puts(*e); } return strcmp(getenv("TZ"), "UTC") || strcmp(getenv("LANG"), "C"); }`},
	{name: "privileges", source: `int main(void) { if (!setuid(0) && !access("/root", R_OK)) return 1; return chroot("/") == 0 || mknod("d", S_IFBLK | 0600, 0x0800) == 0; }`},
	{name: "namespaces and mounts", source: `#define _GNU_SOURCE
		#include <sched.h>
		#include <sys/mount.h>
		#include <sys/syscall.h>
		int unshare(int);
		int main(void) { return unshare(0x10000000) == 0 || mount("t", "/", "tmpfs", 0, 0) == 0 || syscall(SYS_clone, 0x10000000 | SIGCHLD, 0, 0, 0, 0) > 0 || syscall(SYS_bpf, 0, 0, 0) == 0; }`},
	{name: "threads work all the same", source: `#include <pthread.h>
		static void *f(void *p) { *(int *)p = twice(21); return 0; }
		int main(void) { pthread_t t; int n = 0; if (pthread_create(&t, 0, f, &n)) return 1; pthread_join(t, 0); return n != 42; }`},
	{name: "writes to the library", source: `int main(void) { char b[] = LIBRARY; return open(b, O_WRONLY) >= 0 || unlink(b) == 0 || rename(b, "x") == 0; }`},
	{name: "writes elsewhere", executors: "bwrap", source: `int main(void) { const char *p[] = {"/x", "/dev/x", "/dev/shm/x", "/usr/x", "/sandbox/../x", "/proc/sys/kernel/core_pattern"};
		for (int i = 0; i < 6; i++) if (open(p[i], O_CREAT | O_WRONLY, 0600) >= 0) return 1; return 0; }`},
	{name: "reads the host's files", executors: "bwrap", source: `int main(void) { const char *p[] = {"/etc/shadow", "/etc/passwd", "/root", "/home", "/var", "/proc/1/root/etc/passwd", "/sys"};
		for (int i = 0; i < 7; i++) if (open(p[i], O_RDONLY) >= 0) { puts(p[i]); return 1; } return 0; }`},
	{name: "fills the disk", source: `int main(void) { char b[65536] = {1}, n[20]; long t = 0;
		for (int i = 0; i < 100; i++) { sprintf(n, "f%d", i); int f = open(n, O_CREAT | O_WRONLY, 0600); for (int k = 0; k < 128; k++) { long w = write(f, b, sizeof b); if (w <= 0) return t > (256L << 20); t += w; } close(f); }
		return 1; }`},
	{name: "raises its limits", source: `#include <sys/resource.h>
		int main(void) { struct rlimit r = {1L << 40, 1L << 40}; return !setrlimit(RLIMIT_AS, &r) || !setrlimit(RLIMIT_CPU, &r) || !setrlimit(RLIMIT_NPROC, &r) || !setrlimit(RLIMIT_CORE, &r); }`},
	{name: "no core dump", source: `int main(void) { abort(); }`, want: trial.Crash},
	{name: "System V objects", source: `#include <sys/shm.h>
		int main(void) { int id = shmget(4711, 4096, IPC_CREAT | IPC_EXCL | 0600); return id < 0 && errno == EEXIST; }`},
	{name: "System V objects again", source: `#include <sys/shm.h>
		int main(void) { return shmget(4711, 4096, 0) >= 0; }`},
	{name: "deep directories and long names", source: `int main(void) { char n[256]; memset(n, 'd', 255); n[255] = 0; for (int i = 0; i < 500; i++) if (mkdir(n, 0700) || chdir(n)) return 1; return 0; }`},
	{name: "files without permissions", source: `int main(void) { mkdir("locked", 0700); close(open("locked/f", O_CREAT, 0)); symlink("/", "root"); return chmod("locked", 0); }`},
	{name: "finds empty directories", source: `#include <dirent.h>
		static int count(const char *d) { DIR *p = opendir(d); int n = 0; for (struct dirent *e; (e = readdir(p));) n += e->d_name[0] != '.'; return n; }
		int main(void) { char d[999]; if (strcmp(getcwd(d, sizeof d), getenv("HOME"))) return 1; return count("."); }`},
	{name: "temporary files", source: `int main(void) { char n[] = "/tmp/XXXXXX"; int f = mkstemp(n); return f < 0 || write(f, "x", 1) != 1 || unlink(n) || !tmpfile(); }`},
	{name: "a 2 GiB allocation", source: `int main(void) { return malloc(2u << 30) != NULL; }`},
}

func TestHostilePrograms(t *testing.T) {
	w := newWorkshop(t)
	t.Setenv("SECRET_KEY", "do not show")
	w.each(t, func(t *testing.T, name string, e Executor) {
		runner := start(t, e, Plain)
		for _, c := range hostile {
			if c.executors != "" && c.executors != name {
				continue
			}
			t.Run(c.name, func(t *testing.T) {
				if c.want == "" {
					c.want = trial.OK
				}
				j := w.job(t, fmt.Sprintf("#define LIBRARY %q\n%s", w.plain, c.source))
				if c.want == trial.Timeout {
					j.Limits.Wall = 300 * time.Millisecond
				}
				if r := Classify(run(t, runner, j)); r.Outcome != c.want {
					t.Errorf("got %s, exit %d, signal %d; want %s\n%s%s", r.Outcome, r.ExitCode, r.Signal, c.want, r.Stdout, r.Stderr)
				}
				w.checkHealthy(t, runner)
			})
		}
	})
}

// checkHealthy runs a harmless program that looks for remains of the one before.
func (w *workshop) checkHealthy(t *testing.T, r Runner) {
	t.Helper()
	j := w.job(t, `#include <dirent.h>
		static int count(const char *d) { DIR *p = opendir(d); int n = 0; for (struct dirent *e; (e = readdir(p));) n += e->d_name[0] != '.'; return n; }
		int main(void) { return count(".") + 10 * (twice(4) != 8); }`)
	if got := Classify(run(t, r, j)); got.Outcome != trial.OK {
		t.Errorf("the next program: %s, exit %d, %s%s", got.Outcome, got.ExitCode, got.Stderr, got.Diagnostic)
	}
}

func TestDaemonsAreGone(t *testing.T) {
	w := newWorkshop(t)
	w.each(t, func(t *testing.T, _ string, e Executor) {
		runner := start(t, e, Plain)
		// The daemon keeps stdout open, ignores signals, and has a name to be found by.
		began := time.Now()
		v := run(t, runner, w.job(t, `#include <sys/prctl.h>
				int main(void) {
					if (fork()) { wait(0); usleep(20000); return 0; }
					setsid();
					if (fork()) _exit(0);
					signal(SIGTERM, SIG_IGN); signal(SIGHUP, SIG_IGN);
					prctl(PR_SET_NAME, "lisadaemon");
					for (;;) { putchar('.'); sleep(1); }
				}`))
		if r := Classify(v); r.Outcome != trial.OK || time.Since(began) > 3*time.Second {
			t.Errorf("%s after %s", r.Outcome, time.Since(began))
		}
		comms, err := filepath.Glob("/proc/[0-9]*/comm")
		if err != nil || len(comms) == 0 {
			t.Fatal(comms, err)
		}
		for _, c := range comms {
			if name, err := os.ReadFile(c); err == nil && strings.Contains(string(name), "lisadaemon") {
				t.Errorf("%s is still there", c)
			}
		}
		w.checkHealthy(t, runner)
	})
}

func TestNoNetwork(t *testing.T) {
	w := newWorkshop(t)
	l, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	abstract, err := net.Listen("unix", fmt.Sprintf("@sandbox-test-%d", os.Getpid()))
	if err != nil {
		t.Fatal(err)
	}
	defer abstract.Close()
	source := fmt.Sprintf(`#include <arpa/inet.h>
		#include <stddef.h>
		#include <sys/socket.h>
		#include <sys/un.h>
		int main(void) {
			struct sockaddr_in a = {.sin_family = AF_INET, .sin_port = htons(%d), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
			struct sockaddr_un u = {.sun_family = AF_UNIX};
			const char *name = "sandbox-test-%d";
			memcpy(u.sun_path + 1, name, strlen(name));
			int n = !connect(socket(AF_INET, SOCK_STREAM, 0), (void *)&a, sizeof a);
			return n + 2 * !connect(socket(AF_UNIX, SOCK_STREAM, 0), (void *)&u, offsetof(struct sockaddr_un, sun_path) + 1 + strlen(name));
		}`, l.Addr().(*net.TCPAddr).Port, os.Getpid())
	for name, want := range map[string]int{"bwrap": 0, "docker": 0, "none": 3} { // none shows that the program would get through
		if v := run(t, start(t, w.executor(t, name), Plain), w.job(t, source)); v.ExitCode != want || v.Signal != 0 {
			t.Errorf("%s: exit status %d, want %d; signal %v", name, v.ExitCode, want, v.Signal)
		}
	}
}
