package sandbox

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/lisa-bench/lisa-bench/internal/toolchain"
)

// BenchmarkRunner runs a program that does next to nothing, so that what it measures is the
// sandbox. program-cpu-ms/op is what the verdicts say; cpu-ms/op is everything: the program,
// the runner with its start, and this process. bubblewrap does not wait for its runner, whose
// time is thus known only without it.
func BenchmarkRunner(b *testing.B) {
	w := newWorkshop(b)
	const source = `int main(void) { return twice(1) - 2; }`
	for _, c := range []struct {
		name     string
		executor string
		flavour  Flavour
		counters int
		perturb  bool
	}{
		{"executor=bwrap", "bwrap", Plain, 0, false},
		{"executor=bwrap,counters=yes", "bwrap", Plain, w.counters, false},
		{"executor=bwrap,perturb=yes", "bwrap", Plain, 0, true},
		{"executor=bwrap,flavour=sanitized", "bwrap", Sanitized, 0, false},
		{"executor=docker", "docker", Plain, 0, false},
		{"executor=none", "none", Plain, 0, false},
	} {
		b.Run(c.name, func(b *testing.B) {
			j := Job{ID: c.name, Library: w.plain, Entries: []Entry{{Symbol: "main", ReturnsInt: true}},
				Limits: DefaultLimits, CountersAt: w.countersAt, Counters: c.counters, Perturb: c.perturb}
			var flags []string
			if c.flavour == Sanitized {
				j.Library, flags = w.asan, toolchain.SanitizeFlags
			}
			_, j.Test = w.program(b, "test.c", source, flags...)
			e := w.executor(b, c.executor)
			if r, err := e.Start(b.Context(), c.flavour); err != nil || r.Close() != nil { // compiles it
				b.Fatal(err)
			}
			before := usedCPU(b)
			r, err := e.Start(b.Context(), c.flavour)
			if err != nil {
				b.Fatal(err)
			}
			var cpu time.Duration
			for b.Loop() {
				cpu += run(b, r, j).CPU
			}
			if err := r.Close(); err != nil {
				b.Fatal(err)
			}
			perOp := func(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 / float64(b.N) }
			b.ReportMetric(perOp(cpu), "program-cpu-ms/op")
			if c.executor == "none" {
				b.ReportMetric(perOp(usedCPU(b)-before), "cpu-ms/op")
			}
		})
	}
}

// usedCPU is the CPU time of this process and of its children that have ended.
func usedCPU(b *testing.B) time.Duration {
	var total time.Duration
	for _, who := range []int{syscall.RUSAGE_SELF, syscall.RUSAGE_CHILDREN} {
		var u syscall.Rusage
		if err := syscall.Getrusage(who, &u); err != nil {
			b.Fatal(err)
		}
		total += time.Duration(u.Utime.Nano() + u.Stime.Nano())
	}
	return total
}

// BenchmarkExec is a stand-alone executable in a sandbox of its own.
func BenchmarkExec(b *testing.B) {
	w := newWorkshop(b)
	object, _ := w.program(b, "test.c", `int main(void) { return 0; }`)
	exe := filepath.Join(filepath.Dir(object), "exe")
	if _, err := toolchain.Run(b.Context(), toolchain.Command{Args: []string{w.tools.Clang.Path, object, "-o", exe}}); err != nil {
		b.Fatal(err)
	}
	for _, name := range executors {
		b.Run("executor="+name, func(b *testing.B) {
			e := w.executor(b, name)
			for b.Loop() {
				if _, err := e.Exec(b.Context(), Command{Args: []string{exe}, Limits: DefaultLimits}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
	if err := os.Remove(exe); err != nil {
		b.Fatal(err)
	}
}
