package sandbox

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"time"

	"gotest.tools/v3/assert"

	"github.com/lisa-bench/lisa-bench/internal/toolchain"
	"github.com/lisa-bench/lisa-bench/internal/trial"
)

// outcomes are programs whose outcome is the same loaded by a runner and stand-alone.
var outcomes = []struct {
	name, source string
	want         trial.Outcome
	signal, code int
}{
	{name: "ok", source: `int main(void) { return twice(2) - 4; }`, want: trial.OK},
	{name: "return 3", source: `int main(void) { return 3; }`, want: trial.NonzeroExit, code: 3},
	{name: "return 1", source: `int main(void) { return 1; }`, want: trial.NonzeroExit, code: 1},
	{name: "exit in a function", source: `static void f(void) { exit(7); } int main(void) { f(); return 0; }`, want: trial.NonzeroExit, code: 7},
	{name: "_exit 0 early", source: `int main(void) { _exit(0); abort(); }`, want: trial.OK},
	{name: "status of atexit", source: `static void f(void) { _exit(9); } int main(void) { atexit(f); return 0; }`, want: trial.NonzeroExit, code: 9},
	{name: "segfault", source: `int main(void) { *(volatile int *)8 = 1; return 0; }`, want: trial.Crash, signal: 11},
	{name: "abort", source: `int main(void) { abort(); }`, want: trial.Crash, signal: 6},
	{name: "assert", source: `int main(void) { assert(twice(2) == 5); }`, want: trial.Assertion, signal: 6},
	{name: "double free", source: `int main(void) { char *p = malloc(40); free(p); free(p); return 0; }`, want: trial.Crash, signal: 6},
	{name: "stack overflow", source: `int f(int n) { volatile char a[4096]; a[0] = n; return n < 0 ? 0 : f(n + 1) + a[0]; } int main(void) { return f(1); }`, want: trial.Crash, signal: 11},
	{name: "divide by zero", source: `int main(void) { volatile int z = 0; return 1 / z; }`, want: trial.Crash, signal: 8},
	{name: "SIGTERM to itself", source: `int main(void) { raise(SIGTERM); return 0; }`, want: trial.Crash, signal: 15},
	{name: "SIGKILL to itself", source: `int main(void) { kill(getpid(), SIGKILL); return 0; }`, want: trial.Crash, signal: 9},
	{name: "sleeps for ever", source: `int main(void) { for (;;) sleep(100); }`, want: trial.Timeout, signal: 9},
	{name: "spins", source: `int main(void) { for (volatile int i = 0;; i++); }`, want: trial.Timeout},
	{name: "ignores SIGTERM and SIGXCPU", source: `int main(void) { signal(SIGTERM, SIG_IGN); signal(SIGXCPU, SIG_IGN); for (;;) pause(); }`, want: trial.Timeout, signal: 9},
	{name: "closed stdio", source: `int main(void) { fclose(stdin); fclose(stdout); fclose(stderr); close(0); close(1); close(2); return twice(1) - 2; }`, want: trial.OK},
	{name: "assert with closed stderr", source: `int main(void) { close(2); assert(0); }`, want: trial.Crash, signal: 6},
	{name: "broken pipe", source: `int main(void) { int p[2]; pipe(p); close(p[0]); write(p[1], "x", 1); return 0; }`, want: trial.Crash, signal: 13},
	{name: "huge file", source: `int main(void) { int f = open("f", O_CREAT|O_WRONLY, 0600); char b[65536] = {1}; for (;;) if (write(f, b, sizeof b) < 0) return 1; }`, want: trial.Crash, signal: 25},
	{name: "memory", source: `int main(void) { for (;;) { char *p = malloc(1 << 20); if (!p) return 5; memset(p, 1, 1 << 20); } }`, want: trial.NonzeroExit, code: 5},
	{name: "a thread", source: `#include <pthread.h>
		static void *f(void *p) { *(int *)p = twice(21); return 0; }
		int main(void) { pthread_t t; int n = 0; return pthread_create(&t, 0, f, &n) || pthread_join(t, 0) || n != 42; }`, want: trial.OK},
	{name: "standard input is empty", source: `int main(void) { return getchar() == EOF ? 0 : 1; }`, want: trial.OK},
}

func TestOutcomes(t *testing.T) {
	w := newWorkshop(t)
	w.each(t, func(t *testing.T, _ string, e Executor) {
		runner := start(t, e, Plain)
		for _, c := range outcomes {
			t.Run(c.name, func(t *testing.T) {
				object, test := w.program(t, "test.c", c.source)
				limits := testLimits
				limits.MemoryBytes = 64 << 20
				if c.want == trial.Timeout {
					limits.Wall = 300 * time.Millisecond
				}
				j := Job{ID: c.name, Library: w.plain, Test: test, Entries: []Entry{{Symbol: "main", ReturnsInt: true}}, Limits: limits}
				v := run(t, runner, j)
				check := func(way string, v Ending) {
					r := Classify(v)
					if r.Outcome != c.want || r.ExitCode != c.code || c.signal != 0 && r.Signal != c.signal {
						t.Errorf("%s: %s, signal %d, exit %d; want %s, signal %d, exit %d\n%s", way,
							r.Outcome, r.Signal, r.ExitCode, c.want, c.signal, c.code, r.Stderr)
					}
				}
				check("loaded", v)

				exe := w.executable(t, object)
				v, err := e.Exec(t.Context(), Command{Args: []string{exe}, Limits: limits})
				assert.NilError(t, err)
				check("stand-alone", v)
			})
		}
	})
}

func TestEntries(t *testing.T) {
	w := newWorkshop(t)
	w.each(t, func(t *testing.T, _ string, e Executor) {
		runner := start(t, e, Plain)
		const source = `
#include <cstdio>
#include <stdexcept>
void one() { std::puts("one"); }
int two() { std::puts("two"); return 0; }
int three() { std::puts("three"); return 256; }
void throws() { throw std::runtime_error("no"); }
extern "C" void four(void) { std::puts("four"); }
`
		_, test := w.program(t, "test.cc", source)
		entry := func(spec string) (list []Entry) {
			for _, s := range strings.Fields(spec) {
				name, returnsInt := strings.CutSuffix(s, "!")
				list = append(list, Entry{Symbol: name, ReturnsInt: returnsInt})
			}
			return list
		}
		cases := []struct {
			entries, stdout string
			want            trial.Outcome
			code            int
		}{
			{"one two! four", "one\ntwo\nfour\n", trial.OK, 0},
			{"_Z3onev", "one\n", trial.OK, 0},
			{"one three! two!", "one\nthree\n", trial.NonzeroExit, 1},
			{"one throws two!", "", trial.Crash, 0},
			{"nowhere", "", trial.LinkError, 0},
		}
		for _, c := range cases {
			t.Run(c.entries, func(t *testing.T) {
				v := run(t, runner, Job{ID: "entries", Library: w.cxx, Test: test, Entries: entry(c.entries), Stdout: true, Limits: testLimits})
				r := Classify(v)
				if r.Outcome != c.want || r.ExitCode != c.code || r.Stdout != c.stdout {
					t.Errorf("got %s, exit %d, stdout %q; want %s, %d, %q\n%s%s", r.Outcome, r.ExitCode, r.Stdout, c.want, c.code, c.stdout, r.Stderr, r.Diagnostic)
				}
			})
		}
	})
}

func TestLinkError(t *testing.T) {
	w := newWorkshop(t)
	w.each(t, func(t *testing.T, _ string, e Executor) {
		runner := start(t, e, Plain)
		r := Classify(run(t, runner, w.job(t, `void no_such_function(void); int main(void) { no_such_function(); return 0; }`)))
		if r.Outcome != trial.LinkError || !strings.Contains(r.Diagnostic, "undefined symbol: no_such_function") {
			t.Errorf("got %s: %s", r.Outcome, r.Diagnostic)
		}
		// A constructor is the program's code: its crash is not a link error.
		r = Classify(run(t, runner, w.job(t, `__attribute__((constructor)) static void f(void) { abort(); } int main(void) { return 0; }`)))
		assert.Check(t, r.Outcome == trial.Crash, "crash in a constructor: %s: %s", r.Outcome, r.Diagnostic)
	})
}

func TestSanitizers(t *testing.T) {
	w := newWorkshop(t)
	w.each(t, func(t *testing.T, _ string, e Executor) {
		runner := start(t, e, Sanitized)
		limits := testLimits
		limits.MemoryBytes = 64 << 20
		cases := []struct {
			name, source, diagnostic string
			want                     trial.Outcome
		}{
			{"ok", `int main(void) { char *p = malloc(8); overrun(p, 8); free(p); return 0; }`, "", trial.OK},
			{"overrun in the library", `int main(void) { char *p = malloc(8); overrun(p, 9); return 0; }`, "heap-buffer-overflow", trial.Crash},
			{"undefined behaviour in the library", `int main(void) { return twice(0x7fffffff) == 0; }`, "signed integer overflow", trial.Crash},
			{"use after free in the test", `int main(void) { char *p = malloc(8); free(p); return *(volatile char *)p; }`, "heap-use-after-free", trial.Crash},
			{"segfault", `int main(void) { *(volatile int *)8 = 1; return 0; }`, "SEGV", trial.Crash},
			{"assert", `int main(void) { assert(twice(2) == 5); }`, "", trial.Assertion},
			{"returns 1", `int main(void) { return 1; }`, "", trial.NonzeroExit},
			{"a huge allocation fails", `int main(void) { return malloc((size_t)1 << 45) != NULL; }`, "", trial.OK},
			{"memory", `int main(void) { for (;;) { char *p = malloc(1 << 20); if (!p) return 0; memset(p, 1, 1 << 20); } }`, "", trial.OK},
			{"leak", `int main(void) { malloc(8); return 0; }`, "", trial.OK},
		}
		for _, c := range cases {
			t.Run(c.name, func(t *testing.T) {
				_, test := w.program(t, "test.c", c.source, toolchain.SanitizeFlags...)
				v := run(t, runner, Job{ID: c.name, Library: w.asan, Test: test, Entries: []Entry{{Symbol: "main", ReturnsInt: true}}, Limits: limits})
				r := Classify(v)
				assert.Check(t, r.Outcome == c.want && strings.Contains(r.Diagnostic, c.diagnostic),
					"got %s, exit %d, signal %d: %s\n%s", r.Outcome, r.ExitCode, r.Signal, r.Diagnostic, r.Stderr)
			})
		}
	})
}

func TestOutputIsCapped(t *testing.T) {
	w := newWorkshop(t)
	w.each(t, func(t *testing.T, _ string, e Executor) {
		runner := start(t, e, Plain)
		v := run(t, runner, w.job(t, `int main(void) {
		static char line[1 << 20];
		memset(line, 'x', sizeof line);
		for (int i = 0; i < 100; i++) fwrite(line, 1, sizeof line, stdout);
		fprintf(stderr, "first\n");
		for (int i = 0; i < 3; i++) fwrite(line, 1, sizeof line, stderr);
		fprintf(stderr, "last\n");
		return 0;
	}`))
		assert.Check(t, len(v.Stdout) == 64<<10 && Classify(v).Outcome == trial.OK,
			"%d bytes of stdout kept, %+v", len(v.Stdout), Classify(v).Outcome)
		left := 3<<20 + len("first\nlast\n") - 64<<10
		gap := fmt.Sprintf("x\n[… %d bytes left out …]\nx", left)
		if !bytes.HasPrefix(v.Stderr, []byte("first\nx")) || !bytes.HasSuffix(v.Stderr, []byte("xlast\n")) || !bytes.Contains(v.Stderr, []byte(gap)) {
			t.Errorf("stderr of %d bytes has no %q: %q … %q", len(v.Stderr), gap, v.Stderr[:20], v.Stderr[len(v.Stderr)-20:])
		}
	})
}

// TestShortStderrIsWhole tries lengths around the places where the runner splits a stream.
func TestShortStderrIsWhole(t *testing.T) {
	w := newWorkshop(t)
	w.each(t, func(t *testing.T, _ string, e Executor) {
		runner := start(t, e, Plain)
		j := w.job(t, `int main(void) { int c; while ((c = getchar()) != EOF) putc(c, stderr); return 0; }`)
		for _, n := range []int{0, 1, 32<<10 - 1, 32 << 10, 32<<10 + 1, 64<<10 - 1, 64 << 10} {
			want := make([]byte, n)
			for i := range want {
				want[i] = byte('a' + i%23)
			}
			j.Stdin = want
			if v := run(t, runner, j); !bytes.Equal(v.Stderr, want) {
				t.Errorf("stderr of %d bytes comes back as %d", n, len(v.Stderr))
			}
		}
	})
}
