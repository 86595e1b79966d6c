package sandbox

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"gotest.tools/v3/assert"
	is "gotest.tools/v3/assert/cmp"

	"github.com/lisa-bench/lisa-bench/internal/trial"
)

// A hostile program exits 0 if what it tries is refused or harmless, and otherwise if it
// works. Its first lines say what it tries, and in "key: value" what is to come of it.
type hostileProgram struct {
	name, source string
	outcome      trial.Outcome
	wall         time.Duration
	counters     bool
}

//go:embed testdata/hostile
var hostileFiles embed.FS

var hostileLine = regexp.MustCompile(`^// (outcome|wall|counters|note): (.*)$`)

// hostilePrograms reads testdata/hostile.
func hostilePrograms(t *testing.T) (list []hostileProgram) {
	t.Helper()
	files, err := fs.Glob(hostileFiles, "testdata/hostile/*.c")
	assert.NilError(t, err)
	for _, file := range files {
		text, err := hostileFiles.ReadFile(file)
		assert.NilError(t, err)
		p := hostileProgram{name: strings.TrimSuffix(filepath.Base(file), ".c"), source: string(text)}
		for line := range strings.SplitSeq(p.source, "\n") {
			m := hostileLine.FindStringSubmatch(line)
			switch {
			case m == nil:
			case m[1] == "outcome":
				p.outcome = trial.Outcome(m[2])
			case m[1] == "wall":
				if p.wall, err = time.ParseDuration(m[2]); err != nil {
					t.Fatalf("%s: %v", file, err)
				}
			case m[1] == "counters":
				p.counters = true
			}
		}
		if p.wall == 0 && p.outcome == trial.Timeout {
			p.wall = 300 * time.Millisecond
		}
		list = append(list, p)
	}
	assert.Assert(t, len(list) >= 25, "only %d hostile programs", len(list))
	return list
}

// hostileLimits are small: 16 programs at their limit at a time do the machine no harm.
var hostileLimits = Limits{Wall: 5 * time.Minute, CPU: 2 * time.Minute, MemoryBytes: 64 << 20, FileBytes: 16 << 20, Processes: 32}

// TestHostilePrograms runs each program and looks at its outcome, at what it has left behind
// on the host, and at how the next program fares.
func TestHostilePrograms(t *testing.T) {
	w := newWorkshop(t)
	t.Setenv("SECRET_KEY", "do not show")
	host := newHost(t, w)
	w.each(t, func(t *testing.T, name string, e Executor) {
		if name == "none" {
			t.Skip("promises no containment, and the programs would harm this machine")
		}
		runner := start(t, e, Plain)
		uid := strings.TrimSpace(string(run(t, runner, w.job(t, `int main(void) { printf("%d\n", getuid()); return 0; }`)).Stdout))
		host := *host
		host.processes = processesOf(t, uid)
		for _, p := range hostilePrograms(t) {
			t.Run(p.name, func(t *testing.T) {
				j := w.job(t, p.source, host.defines...)
				j.Limits = hostileLimits
				if p.wall > 0 {
					j.Limits.Wall = p.wall
				}
				if p.counters {
					j.CountersAt, j.Counters = w.countersAt, w.counters
				}
				if r := Classify(run(t, runner, j)); r.Outcome != p.outcome {
					t.Errorf("%s: got %s, exit %d, signal %d; want %s\n%.1000s%.1000s", p.name, r.Outcome, r.ExitCode, r.Signal, p.outcome, r.Stdout, r.Stderr)
				}
				host.checkUnchanged(t, uid)
				w.checkHealthy(t, runner)
			})
		}
	})
}

// A host is what programs are not to reach or change.
type host struct {
	defines   []string // compiler's arguments that tell programs where things are
	files     []string
	hash      string
	processes []string // of the programs' user
}

func newHost(t *testing.T, w *workshop) *host {
	t.Helper()
	dir, err := os.MkdirTemp("", "sandbox-secret-")
	assert.NilError(t, errors.Join(err, os.Chmod(dir, 0o755), os.WriteFile(filepath.Join(dir, "secret"), []byte("do not show"), 0o644)))
	abstract := fmt.Sprintf("sandbox-test-%d", os.Getpid())
	tcp, err1 := net.Listen("tcp4", "127.0.0.1:0")
	unnamed, err2 := net.Listen("unix", "@"+abstract)
	named, err3 := net.Listen("unix", filepath.Join(dir, "socket"))
	assert.NilError(t, errors.Join(err1, err2, err3, os.Chmod(filepath.Join(dir, "socket"), 0o666)))
	t.Cleanup(func() {
		if err := errors.Join(tcp.Close(), unnamed.Close(), named.Close(), os.RemoveAll(dir)); err != nil {
			t.Error(err)
		}
	})
	_, other := w.program(t, "test.c", good)
	h := &host{files: []string{w.plain, other, filepath.Join(dir, "secret")}}
	for name, value := range map[string]string{"LIBRARY": w.plain, "OTHER": other, "SECRET": filepath.Join(dir, "secret"),
		"SOCKET": filepath.Join(dir, "socket"), "ABSTRACT": abstract} {
		h.defines = append(h.defines, fmt.Sprintf("-D%s=%q", name, value))
	}
	h.defines = append(h.defines, fmt.Sprintf("-DPORT=%d", tcp.Addr().(*net.TCPAddr).Port), fmt.Sprintf("-DMEMORY_MB=%d", hostileLimits.MemoryBytes>>20))
	slices.Sort(h.defines)
	h.hash = h.sum(t)
	return h
}

// sum covers the files' contents and modes, and what lies next to them.
func (h *host) sum(t *testing.T) string {
	t.Helper()
	sum := sha256.New()
	for _, file := range h.files {
		data, err1 := os.ReadFile(file)
		info, err2 := os.Stat(file)
		beside, err3 := os.ReadDir(filepath.Dir(file))
		assert.NilError(t, errors.Join(err1, err2, err3))
		fmt.Fprintf(sum, "%s %x %s %s %d\n", file, sha256.Sum256(data), info.Mode(), info.ModTime(), len(beside))
	}
	return fmt.Sprintf("%x", sum.Sum(nil))
}

func (h *host) checkUnchanged(t *testing.T, uid string) {
	t.Helper()
	assert.Check(t, h.sum(t) == h.hash, "the host's files have changed: %q", h.files)
	assert.Check(t, is.DeepEqual(processesOf(t, uid), h.processes), "processes left behind before")
}

// processesOf lists the processes of a runner's own user. An ordinary user's programs run as
// that user, among whose processes only the daemon of daemon.c can be told apart.
func processesOf(t *testing.T, uid string) (list []string) {
	t.Helper()
	mark := "\nUid:\t" + uid + "\t"
	if os.Geteuid() != 0 {
		mark = "Name:\tlisadaemon\n"
	}
	files, err := filepath.Glob("/proc/[0-9]*/status")
	if err != nil || len(files) == 0 {
		t.Fatal(err, files)
	}
	for _, file := range files {
		if text, err := os.ReadFile(file); err == nil && bytes.Contains(text, []byte(mark)) {
			list = append(list, file)
		}
	}
	return list
}

// checkHealthy runs a harmless program that looks for remains of the one before: files,
// attributes, IPC objects, processes, counts in the library, lowered limits.
func (w *workshop) checkHealthy(t *testing.T, r Runner) {
	t.Helper()
	j := w.job(t, `#include <dirent.h>
		#include <sys/resource.h>
		#include <sys/shm.h>
		#include <sys/syscall.h>
		#include <sys/xattr.h>
		static int count(const char *d) { DIR *p = opendir(d); int n = 0; for (struct dirent *e; (e = readdir(p));) n += e->d_name[0] != '.'; return closedir(p), n; }
		static int lines(const char *f) { FILE *p = fopen(f, "r"); int n = 0, c; while ((c = getc(p)) != EOF) n += c == '\n'; return fclose(p), n; }
		int main(void) {
			struct stat st;
			struct rlimit files;
			char list[99];
			if (count(".") || stat(".", &st) || (st.st_mode & 0777) != 0700 || st.st_uid != getuid() || strcmp(getcwd(list, 99), getenv("HOME"))) return 1;
			if (twice(4) != 8 || lines("/proc/sysvipc/shm") + lines("/proc/sysvipc/sem") + lines("/proc/sysvipc/msg") != 3) return 2;
			if (syscall(SYS_mq_open, "queue", O_RDONLY, 0, 0) >= 0 || listxattr(".", list, sizeof list) != 0) return 3;
			if (getrlimit(RLIMIT_NOFILE, &files) || files.rlim_cur != 256) return 4;
			char name[] = "/tmp/XXXXXX";
			int f = mkstemp(name);
			return f < 0 || write(f, "x", 1) != 1 || unlink(name) || close(f) || access("/tmp/locked", F_OK) == 0 || access("/tmp/f0", F_OK) == 0 ? 5 : 0;
		}`)
	j.CountersAt, j.Counters = w.countersAt, w.counters
	v := run(t, r, j)
	var total uint64
	for _, n := range v.Counters {
		total += n
	}
	if got := Classify(v); got.Outcome != trial.OK || total != 2 {
		t.Errorf("the next program: %s, exit %d, counters' sum %d, %s%s", got.Outcome, got.ExitCode, total, got.Stderr, got.Diagnostic)
	}
}
