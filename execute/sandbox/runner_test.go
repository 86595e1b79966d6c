package sandbox

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"gotest.tools/v3/assert"

	"github.com/lisa-bench/lisa-bench/internal/toolchain"
	"github.com/lisa-bench/lisa-bench/internal/trial"
)

const good = `int main(void) { return twice(2) - 4; }`

func TestCountersSurviveEveryEnd(t *testing.T) {
	w := newWorkshop(t)
	w.each(t, func(t *testing.T, name string, e Executor) {
		runner := start(t, e, Plain)
		const endless = "for (;;) pause()"
		sum := func(end string) (total uint64) {
			j := w.job(t, `int main(void) { twice(3); `+end+`; }`)
			j.CountersAt, j.Counters = w.countersAt, w.counters
			if end == endless {
				j.Limits.Wall = 3 * time.Second // the calls before it have been made by then
			}
			v := run(t, runner, j)
			assert.Assert(t, len(v.Counters) == w.counters,
				"%s: %d counters, want %d; %s", end, len(v.Counters), w.counters, v.Stderr)
			for _, n := range v.Counters {
				total += n
			}
			return total
		}
		want := sum("return 0")
		if want != 2 { // the constructor and one call; the branch for n < 0 is not taken
			t.Errorf("%s: the counters sum up to %d", name, want)
		}
		for _, end := range []string{"abort()", "_exit(0)", "kill(getpid(), SIGKILL)", "*(volatile int *)8 = 1", endless,
			"if (!fork()) _exit(0); wait(0); return 1", "assert(0)"} {
			if got := sum(end); got != want {
				t.Errorf("%s: %s: the counters sum up to %d, want %d", name, end, got, want)
			}
		}
		if got := sum("for (int i = 0; i < 9; i++) twice(-1); return 0"); got != want+18 {
			t.Errorf("%s: the counters sum up to %d, want %d", name, got, want+18)
		}
	})
}

func TestCountersRefused(t *testing.T) {
	w := newWorkshop(t)
	w.each(t, func(t *testing.T, _ string, e Executor) {
		runner := start(t, e, Plain)
		j := w.job(t, good)
		j.Library, j.CountersAt, j.Counters = w.cxx, w.countersAt, w.counters
		if _, err := runner.Run(t.Context(), j); err == nil || !strings.Contains(err.Error(), "coverage counters") {
			t.Errorf("a library without counters: %v", err)
		}
		if v := run(t, runner, w.job(t, `int no_such(void); int main(void) { return no_such(); }`)); v.Counters != nil {
			t.Error("counters that nobody asked for")
		}
	})
}

func TestLibraryIsSwitched(t *testing.T) {
	w := newWorkshop(t)
	w.each(t, func(t *testing.T, _ string, e Executor) {
		runner := start(t, e, Plain)
		dir := w.openDir(t)
		object, err := w.compile(t.Context(), filepath.Join(dir, "lib.c"), strings.Replace(librarySource, "2 * n", "3 * n", 1))
		assert.NilError(t, err)
		buggy := filepath.Join(dir, "libtoy.so")
		assert.NilError(t, w.tools.LinkLibrary(t.Context(), toolchain.LibraryLink{Lang: trial.C, Objects: []string{object}, SONAME: "libtoy.so.1", Out: buggy}, nil))
		j := w.job(t, `int main(void) { return twice(2); }`)
		for _, c := range []struct {
			library string
			want    int
		}{{w.plain, 4}, {buggy, 6}, {w.plain, 4}} {
			j.Library = c.library
			if v := run(t, runner, j); v.ExitCode != c.want {
				t.Errorf("%s: exit %d, want %d; %s", c.library, v.ExitCode, c.want, v.LoadError)
			}
		}
	})
}

// TestPerturb runs a program that prints what it should not look at.
func TestPerturb(t *testing.T) {
	w := newWorkshop(t)
	w.each(t, func(t *testing.T, name string, e Executor) {
		runner := start(t, e, Plain)
		j := w.job(t, `#include <time.h>
	int main(void) {
		volatile unsigned char on_stack[64];
		unsigned char *p = malloc(64);
		printf("%02x %p %p %p ", on_stack[3], p, (void *)on_stack, (void *)&twice);
		free(p);
		p = malloc(64);
		printf("%02x %ld\n", p[40], (long)time(0));
		return 0;
	}`)
		first := run(t, runner, j).Stdout
		run(t, runner, w.job(t, `int main(void) { char b[9999]; memset(b, 1, 9999); for (int i = 0; i < 99; i++) free(malloc(i)); return 0; }`))
		if again := run(t, runner, j).Stdout; !bytes.Equal(first, again) {
			t.Errorf("a run depends on the one before: %q, %q", first, again)
		}
		// Docker's system call filter does not let the runner have fixed addresses, and
		// without a sandbox the names of its directories move the stack.
		if other := run(t, start(t, e, Plain), j).Stdout; name == "bwrap" && !bytes.Equal(first, other) {
			t.Errorf("another runner gives %q instead of %q: address space randomisation is on", other, first)
		}
		j.Perturb = true
		perturbed := run(t, runner, j).Stdout
		if again := run(t, runner, j).Stdout; !bytes.Equal(perturbed, again) {
			t.Errorf("perturbed runs differ: %q, %q", perturbed, again)
		}
		was, is := strings.Fields(string(first)), strings.Fields(string(perturbed))
		for i, what := range []string{"stack contents", "heap address", "stack address", "library address", "reused heap contents", "date"} {
			assert.Check(t, len(was) == 6 && len(is) == 6 && was[i] != is[i],
				"%s not perturbed: %q, %q", what, first, perturbed)
		}
	})
}

// TestDate: programs see a date that does not depend on the machine, in which it never goes back or stands still, and
// no date that a library or test compares lies on two sides of a second by accident. It goes on by what they sleep, and
// clocks that measure go on by themselves.
func TestDate(t *testing.T) {
	w := newWorkshop(t)
	const program = `#define _GNU_SOURCE
	#include <sys/time.h>
	#include <time.h>
	#include <unistd.h>
	int main(void) {
		struct timeval tv;
		struct timespec ts, from, to;
		time_t t, first = time(&t);
		if (first != t || gettimeofday(&tv, 0) || clock_gettime(CLOCK_REALTIME, &ts) || tv.tv_usec * 1000 >= ts.tv_nsec) return 1;
		if (!timespec_get(&ts, TIME_UTC) || clock_gettime(CLOCK_MONOTONIC, &from)) return 2;
		do clock_gettime(CLOCK_MONOTONIC, &to); while (to.tv_sec - from.tv_sec < 2);
		printf("%ld %s", (long)(time(0) - first), ctime(&t));
		if (sleep(1) || usleep(400000) || nanosleep(&(struct timespec){0, 700000000}, 0)) return 3;
		printf("slept %ld\n", (long)(time(0) - first));
		while (time(0) == first);
		return 0;
	}`
	w.each(t, func(t *testing.T, name string, e Executor) {
		job := w.job(t, program)
		for _, flavour := range []Flavour{Plain, Sanitized} {
			t.Run(string(flavour), func(t *testing.T) {
				t.Parallel() // it waits for the clock
				got := string(run(t, start(t, e, flavour), job).Stdout)
				assert.Equal(t, got, "0 Mon Jan  1 00:00:00 2024\nslept 2\n")
			})
		}
	})
}

// runnerPID returns the process that was started for r: bubblewrap, or the runner itself.
// In a container only the latter, by the host's number.
func runnerPID(t *testing.T, r Runner) int {
	t.Helper()
	switch b := r.(*warmRunner).plain.body.(type) {
	case child:
		return b.Process.Pid
	case *box:
		info, err := b.api.ContainerInspect(t.Context(), b.id)
		assert.NilError(t, err)
		return info.State.Pid
	}
	panic("a new kind of body")
}

func TestKilledRunnerIsReplaced(t *testing.T) {
	w := newWorkshop(t)
	w.each(t, func(t *testing.T, _ string, e Executor) {
		runner := start(t, e, Plain)
		j := w.job(t, good)
		run(t, runner, j)
		assert.NilError(t, syscall.Kill(runnerPID(t, runner), syscall.SIGKILL))
		if r := Classify(run(t, runner, j)); r.Outcome != trial.OK {
			t.Errorf("after the runner was killed between jobs: %s", r.Outcome)
		}
		// In the middle of a job, which is then run again from its start.
		slow := w.job(t, `int main(void) { sleep(2); return 5; }`)
		pid := runnerPID(t, runner)
		time.AfterFunc(100*time.Millisecond, func() { _ = syscall.Kill(pid, syscall.SIGKILL) })
		if v := run(t, runner, slow); v.ExitCode != 5 || pid == runnerPID(t, runner) {
			t.Errorf("after the runner was killed during a job: exit %d", v.ExitCode)
		}
	})
}

// TestBadRunners replaces the runner by programs that misbehave.
func TestBadRunners(t *testing.T) {
	w := newWorkshop(t)
	greeting := `head -c 56 /dev/zero | { printf 'asil'; tail -c 52; } >&4; `
	cases := []struct{ name, script, want string }{
		{"dies at once", `echo no luck >&2; exit 3`, "no luck"},
		{"says garbage", `head -c 1000 /dev/zero >&4; exec sleep 9`, "garbage"},
		{"answers garbage", greeting + `head -c 20 <&3 >/dev/null; head -c 1000 /dev/zero >&4; exec sleep 1`, "two runners in a row failed"},
		{"dies with each job", greeting + `head -c 20 <&3 >/dev/null; echo ouch >&2; exit 1`, "ouch"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			starts := 0
			runner := &warmRunner{flavour: Plain, start: func(ctx context.Context, _ bool) (*process, error) {
				starts++
				return startProcess(ctx, []string{"/bin/sh", "-c", c.script}, nil, func() error { return nil })
			}}
			defer runner.Close()
			_, err := runner.Run(t.Context(), w.job(t, good))
			assert.Check(t, err != nil && strings.Contains(err.Error(), c.want) && starts == 2,
				"%d starts, error %v", starts, err)
		})
	}
}

func TestHungRunnerIsKilled(t *testing.T) {
	greeting := `head -c 56 /dev/zero | { printf 'asil'; tail -c 52; } >&4; `
	p, err := startProcess(t.Context(), []string{"/bin/sh", "-c", greeting + "exec sleep 100"}, nil, func() error { return nil })
	assert.NilError(t, err)
	defer p.close()
	err = p.within(t.Context(), 50*time.Millisecond, func() error {
		_, err := readHeader(p.replies, 1)
		return err
	})
	assert.Check(t, errors.Is(err, errNoAnswer), "error %v", err)
}

func TestCancelIsPrompt(t *testing.T) {
	w := newWorkshop(t)
	w.each(t, func(t *testing.T, name string, e Executor) {
		runner := start(t, e, Plain)
		cause := errors.New("enough")
		ctx, cancel := context.WithCancelCause(t.Context())
		j := w.job(t, `int main(void) { for (;;) pause(); }`)
		time.AfterFunc(200*time.Millisecond, func() { cancel(cause) })
		began := time.Now()
		_, err := runner.Run(ctx, j)
		if took := time.Since(began); !errors.Is(err, cause) || took > grace {
			t.Errorf("%s: %v after %s", name, err, took)
		}
		if r := Classify(run(t, runner, w.job(t, good))); r.Outcome != trial.OK {
			t.Errorf("%s: afterwards %s", name, r.Outcome)
		}
	})
}

func TestTwoRunnersAtOnce(t *testing.T) {
	w := newWorkshop(t)
	w.each(t, func(t *testing.T, _ string, e Executor) {
		write := w.job(t, `int main(void) { close(open("mine", O_CREAT, 0600)); usleep(200000); return access("other", F_OK) == 0; }`)
		look := w.job(t, `int main(void) { close(open("other", O_CREAT, 0600)); usleep(200000); return access("mine", F_OK) == 0; }`)
		done := make(chan trial.Outcome, 2)
		for _, j := range []Job{write, look} {
			r := start(t, e, Plain)
			go func() {
				v, err := r.Run(t.Context(), j)
				if err != nil {
					t.Error(err)
				}
				done <- Classify(v).Outcome
			}()
		}
		for range 2 {
			if got := <-done; got != trial.OK {
				t.Errorf("got %s", got)
			}
		}
	})
}

func TestHarnessFaultIsAnError(t *testing.T) {
	w := newWorkshop(t)
	w.each(t, func(t *testing.T, _ string, e Executor) {
		runner := start(t, e, Plain)
		j := w.job(t, good)
		faults := map[string]func(*Job){
			"no such library": func(j *Job) { j.Library += "x" },
			"no such test":    func(j *Job) { j.Test += "x" },
			"no entries":      func(j *Job) { j.Entries = nil },
			"NUL in a path":   func(j *Job) { j.Test = "a\x00b" },
		}
		for name, spoil := range faults {
			bad := j
			spoil(&bad)
			if v, err := runner.Run(t.Context(), bad); err == nil {
				t.Errorf("%s: %+v", name, v)
			}
		}
		if r := Classify(run(t, runner, j)); r.Outcome != trial.OK {
			t.Errorf("afterwards %s", r.Outcome)
		}
	})
}

func TestExec(t *testing.T) {
	w := newWorkshop(t)
	w.each(t, func(t *testing.T, name string, e Executor) {
		dir, in := w.openDir(t), w.openDir(t)
		assert.NilError(t, os.WriteFile(filepath.Join(in, "input"), []byte("from a file "), 0o644))
		lone := filepath.Join(t.TempDir(), "lone") // a file is shown like a directory
		assert.NilError(t, os.WriteFile(lone, []byte("alone"), 0o644))
		assert.NilError(t, os.Chmod(filepath.Dir(filepath.Dir(lone)), 0o755))
		v, err := e.Exec(t.Context(), Command{
			Args: []string{"/bin/sh", "-c", `cat "$1/input" - >"$2/out"; echo "$NAME $TZ $(cat "$3")"; touch "$1/x" && echo wrote; exit 4`, "sh", in, dir, lone},
			Env:  []string{"NAME=value", "TZ=CET"}, ReadOnly: []string{in, lone}, Writable: []string{dir},
			Stdin: []byte("and from standard input"), Stdout: true, Limits: testLimits,
		})
		assert.NilError(t, err)
		got, err := os.ReadFile(filepath.Join(dir, "out"))
		assert.Check(t, err == nil && string(got) == "from a file and from standard input",
			"wrote %q, %v\n%s", got, err, v.Stderr)
		want := "value CET alone\n"
		if name == "none" && os.Geteuid() != 0 {
			want += "wrote\n" // as the user that the directory belongs to
		}
		assert.Check(t, v.ExitCode == 4 && string(v.Stdout) == want,
			"exit %d, stdout %q, stderr %q", v.ExitCode, v.Stdout, v.Stderr)
		if _, err := e.Exec(t.Context(), Command{Args: []string{"/no/such"}}); err == nil || !strings.Contains(err.Error(), "No such file") {
			t.Errorf("no such executable: %v", err)
		}
	})
}

// TestOrdinaryUser runs the tests of containment again as a user without privileges, for
// whom bubblewrap needs a user namespace.
func TestOrdinaryUser(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("the tests run as an ordinary user already")
	}
	if testing.Short() {
		t.Skip("runs other tests again")
	}
	self, err := os.ReadFile("/proc/self/exe")
	assert.NilError(t, err)
	dir := newWorkshop(t).openDir(t)
	exe := filepath.Join(dir, "sandbox.test")
	assert.NilError(t, errors.Join(os.WriteFile(exe, self, 0o755), os.Chmod(dir, 0o777)))
	cmd := exec.CommandContext(t.Context(), exe, "-test.count=1",
		"-test.run=TestOutcomes/bwrap/(ok|abort|spins|memory|huge)|TestHostilePrograms/bwrap|TestCounters|TestPerturb|TestCancel|TestKilled|TestExec|TestDockerPermissionDenied")
	cmd.Dir, cmd.Env = dir, []string{"TMPDIR=" + dir, "PATH=" + os.Getenv("PATH")}
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}
