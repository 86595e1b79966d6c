package harness

import (
	"cmp"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"regexp"
	"testing"
	"time"

	"golang.org/x/sys/unix"
	"gotest.tools/v3/assert"

	"github.com/lisa-bench/lisa-bench/experiments"
	"github.com/lisa-bench/lisa-bench/internal/testcache"
	"github.com/lisa-bench/lisa-bench/internal/trial"
)

// BenchmarkSuites evaluates 818 programs made of those in LISA_BENCH_SUITES/zlib, all metrics and all bugs, with the
// builds at hand: first with nothing known of the programs, then again. LISA_BENCH_CACHE is a cache that has the builds
// already; LISA_BENCH_SELECT=off runs every test on every bug's build.
func BenchmarkSuites(b *testing.B) {
	root := os.Getenv("LISA_BENCH_SUITES")
	if root == "" {
		b.Skip("LISA_BENCH_SUITES names no directory of suites")
	}
	benchmarkSuite(b, "zlib", varied(b, filepath.Join(root, "zlib"), 818))
}

// varied returns n distinct programs: those of a directory, then the same with other digits in their
// texts, which keep their lengths.
func varied(b *testing.B, dir string, n int) map[string]string {
	b.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*.c"))
	if err != nil || len(files) == 0 {
		b.Fatalf("%s: %d programs, %v", dir, len(files), err)
	}
	text := regexp.MustCompile(`"(?:[^"\\\n]|\\.)*"`)
	digit := regexp.MustCompile(`(^|[^\\0-9a-fx%])([1-8])([^0-9]|$)`)
	programs := map[string]string{}
	for variation := 0; len(programs) < n; variation++ {
		for _, file := range files[:min(len(files), n-len(programs))] {
			source, err := os.ReadFile(file)
			assert.NilError(b, err)
			changed := text.ReplaceAllStringFunc(string(source), func(s string) string {
				return digit.ReplaceAllString(s, fmt.Sprintf("${1}%d${3}", variation%9+1))
			})
			if variation == 0 {
				changed = string(source)
			}
			programs[fmt.Sprintf("%02d-%s", variation, filepath.Base(file))] = fmt.Sprintf("// variation %d\n%s", variation, changed)
		}
	}
	return programs
}

func benchmarkSuite(b *testing.B, library string, programs map[string]string) {
	env := &Env{Cache: cmp.Or(os.Getenv("LISA_BENCH_CACHE"), testcache.Dir("")), Getenv: os.Getenv, Environ: os.Environ(),
		Now: time.Now, Log: slog.New(slog.DiscardHandler), Stderr: io.Discard, Select: os.Getenv("LISA_BENCH_SELECT"), Remember: true}
	// A runner's parent ends before it: what it used is told to whoever takes its place.
	assert.NilError(b, unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0))
	evaluate := func(tests string) (m measured) {
		began, used := time.Now(), usedCPU(b)
		x, err := env.SuiteExecution(Suite{Library: library, Edition: "debian", Tests: tests, Oracle: string(trial.OracleSpecification),
			Bugs: experiments.BugsAvailable, Sandbox: "bwrap", Timeout: 30 * time.Second, Repeats: 3})
		assert.NilError(b, err)
		defer os.RemoveAll(x.Dir)
		s, err := env.Execute(b.Context(), x)
		if err != nil || s.Complete != 1 || len(s.Gaps) > 0 {
			b.Fatalf("%+v, %v", s, err)
		}
		return measured{wall: time.Since(began), cpu: usedCPU(b) - used}
	}
	write := func(programs map[string]string) string { // nothing is known of programs that never were before
		dir := b.TempDir()
		for name, source := range programs {
			assert.NilError(b, os.WriteFile(filepath.Join(dir, name), fmt.Appendf(nil, "// %d\n%s", time.Now().UnixNano(), source), 0o644))
		}
		return dir
	}
	// What a machine pays once: builds, the runner, the compiler.
	evaluate(write(map[string]string{"empty.c": "int main(void) { return 0; }\n"}))
	var first, again measured
	for b.Loop() {
		dir := write(programs)
		first.add(evaluate(dir))
		again.add(evaluate(dir))
	}
	n := float64(b.N)
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(first.wall.Seconds()/n, "wall-s")
	b.ReportMetric(first.cpu.Seconds()/n, "cpu-s")
	b.ReportMetric(again.wall.Seconds()/n, "again-wall-s")
	b.ReportMetric(again.cpu.Seconds()/n, "again-cpu-s")
}

// measured is what an evaluation took.
type measured struct{ wall, cpu time.Duration }

func (m *measured) add(o measured) {
	m.wall, m.cpu = m.wall+o.wall, m.cpu+o.cpu
}

// usedCPU is what this process and its ended children used, orphans included.
func usedCPU(b *testing.B) time.Duration {
	b.Helper()
	for pid := 1; pid > 0; {
		pid, _ = unix.Wait4(-1, nil, unix.WNOHANG, nil) // no child is left, or none has ended
	}
	var total time.Duration
	for _, who := range []int{unix.RUSAGE_SELF, unix.RUSAGE_CHILDREN} {
		var u unix.Rusage
		assert.NilError(b, unix.Getrusage(who, &u))
		total += time.Duration(u.Utime.Nano() + u.Stime.Nano())
	}
	return total
}
