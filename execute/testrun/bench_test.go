package testrun

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"golang.org/x/sync/errgroup"
	"golang.org/x/sys/unix"
	"gotest.tools/v3/assert"

	"github.com/lisa-bench/lisa-bench/execute/sandbox"
	"github.com/lisa-bench/lisa-bench/internal/toolchain"
	"github.com/lisa-bench/lisa-bench/internal/trial"
)

// BenchmarkInnerLoop compares, side by side in one run, what compile, link, run, classify and coverage cost per test
// the plain way and ours. plain: for each test one compiler driver call with the static coverage library, one process,
// llvm-profdata and llvm-cov. ours: Engine.Run on the coverage build from a cold engine, with its runner's start, and
// one llvm-cov export at the end.
func BenchmarkInnerLoop(b *testing.B) {
	for name, variations := range map[string]int{"cJSON": 40, "zlib": 40, "sqlite3": 40, "re2": 13} {
		b.Run("library="+name, func(b *testing.B) {
			all := kinds(b, "bench-"+name+".txtar", variations) // some 400 programs, half a suite of the paper
			compareWays(b, openLibrary(b, name), all[:60], all) // of each kind as many
		})
	}
}

// madeOnce makes what a machine pays once and no suite again: the runner, the linker's stubs
// and the compiler.
func madeOnce(b *testing.B, lib *testLibrary, lang trial.Language) {
	b.Helper()
	e := newEngine(b, lib, sandbox.DefaultLimits)
	var nothing []trial.Program
	for i := range 3 { // as many as it takes for a batch
		nothing = append(nothing, trial.Program{ID: fmt.Sprint("nothing", i), Lang: lang,
			Source: fmt.Sprintf("#include <stddef.h>\nint main() { return 0 * %d; }\n", i)})
	}
	if _, err := e.Run(b.Context(), lib.coverage, nothing, Options{}); err != nil {
		b.Fatal(err)
	}
	assert.NilError(b, e.closeRunners())
}

// compareWays reports both ways' costs per program and their ratio, without what a machine pays
// once; precompiled preambles are made anew for every suite and count. The plain way's programs are
// some of all, of each kind as many: what one costs there does not depend on the others.
func compareWays(b *testing.B, lib *testLibrary, some, programs []trial.Program) {
	madeOnce(b, lib, programs[0].Lang)
	var plain, ours cost
	alone := withMain(b, lib, some)
	for b.Loop() {
		plain.add(b, func() { plainWay(b, lib, alone) })
		ours.add(b, func() { ourWay(b, newEngine(b, lib, sandbox.DefaultLimits), lib, programs) })
	}
	perTest := func(d time.Duration, n int) float64 { return d.Seconds() * 1000 / float64(b.N*n) }
	pc, oc := perTest(plain.cpu, len(some)), perTest(ours.cpu, len(programs))
	pw, ow := perTest(plain.wall, len(some)), perTest(ours.wall, len(programs))
	b.ReportMetric(0, "ns/op") // both ways together: says nothing
	b.ReportMetric(pc, "plain-cpu-ms/test")
	b.ReportMetric(oc, "ours-cpu-ms/test")
	b.ReportMetric(pc/oc, "x-cpu")
	b.ReportMetric(pw, "plain-wall-ms/test")
	b.ReportMetric(ow, "ours-wall-ms/test")
	b.ReportMetric(pw/ow, "x-wall")
}

// A cost is what this process and the children that it waited for used, orphans included.
type cost struct{ cpu, wall time.Duration }

// add adds the cost of f.
func (c *cost) add(b *testing.B, f func()) {
	b.Helper()
	cpu, start := usedCPU(b), time.Now()
	f()
	c.wall += time.Since(start)
	c.cpu += usedCPU(b) - cpu
}

// usedCPU waits for all children. A runner's parent ends before it: it becomes this process' own.
func usedCPU(b *testing.B) time.Duration {
	b.Helper()
	assert.NilError(b, unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0))
	for err := error(nil); err == nil || err == unix.EINTR; {
		_, err = unix.Wait4(-1, nil, 0, nil) // ECHILD: none is left
	}
	var total time.Duration
	for _, who := range []int{unix.RUSAGE_SELF, unix.RUSAGE_CHILDREN} {
		var u unix.Rusage
		assert.NilError(b, unix.Getrusage(who, &u))
		total += time.Duration(u.Utime.Nano() + u.Stime.Nano())
	}
	return total
}

// ourWay runs the programs as a cell's evaluation does, with two workers, and waits for its runners.
func ourWay(b *testing.B, e *Engine, lib *testLibrary, programs []trial.Program) {
	results, err := e.Run(b.Context(), lib.coverage, programs, Options{Counters: true})
	assert.NilError(b, err)
	sum := make([]uint64, lib.coverage.Counters)
	for _, r := range results {
		if r.Counters != nil {
			assert.NilError(b, toolchain.AddCounters(sum, r.Counters))
		}
	}
	if _, err := e.Coverage(b.Context(), lib.coverage, sum); err != nil {
		b.Fatal(err)
	}
	assert.NilError(b, e.closeRunners())
}

// plainWay does for each program what a script would do, two programs at a time as ours.
func plainWay(b *testing.B, lib *testLibrary, programs []trial.Program) {
	dir := b.TempDir()
	var g errgroup.Group
	g.SetLimit(2)
	for _, p := range programs {
		g.Go(func() error { plainTest(b, lib, dir, p); return nil })
	}
	_ = g.Wait() // plainTest tells what fails
}

// withMain gives programs that have only test functions a main of their own: one compiler call
// then does for each.
func withMain(b *testing.B, lib *testLibrary, programs []trial.Program) []trial.Program {
	b.Helper()
	compiler := newEngine(b, lib, sandbox.DefaultLimits).cfg.Compiler
	units := make([]toolchain.Unit, len(programs))
	for i, p := range programs {
		units[i] = toolchain.Unit{ID: p.ID, Lang: p.Lang, Source: p.Source}
	}
	read, err := compiler.Read(b.Context(), b.TempDir(), toolchain.Flags{IncludeDirs: []string{lib.coverage.IncludeDir}}, units)
	assert.NilError(b, err)
	programs = slices.Clone(programs)
	for i, r := range read {
		p, err := r.Program()
		assert.NilError(b, err)
		if !r.OK || p.Main() != nil {
			continue
		}
		calls := ""
		for _, f := range p.Entries() {
			if f.ReturnsInt {
				calls += fmt.Sprintf("    if ((status = %s()) != 0) return status;\n", f.Decl.Name)
			} else {
				calls += fmt.Sprintf("    %s();\n", f.Decl.Name)
			}
		}
		programs[i].Source += "\nint main(void)\n{\n    int status = 0;\n" + calls + "    return status;\n}\n"
	}
	return programs
}

func plainTest(b *testing.B, lib *testLibrary, dir string, p trial.Program) {
	ctx := context.Background()
	path := func(ext string) string { return filepath.Join(dir, p.ID+ext) }
	if err := os.WriteFile(path(p.Lang.Ext()), []byte(p.Source), 0o644); err != nil {
		b.Error(err)
		return
	}
	clang := lib.tools.Clang.Path
	if p.Lang == trial.CXX {
		clang = lib.tools.ClangXX.Path
	}
	run := func(env []string, args ...string) error {
		_, err := toolchain.Run(ctx, toolchain.Command{Args: args, Env: env, Dir: dir})
		return err
	}
	args := []string{clang, "-O0", "-fprofile-instr-generate", "-fcoverage-mapping", "-I" + lib.coverage.IncludeDir, path(p.Lang.Ext()), lib.coverage.StaticLib}
	args = append(append(args, lib.coverage.LinkLibs...), "-lm", "-o", path(""))
	if run(nil, args...) != nil {
		return // does not compile or link
	}
	profile := "LLVM_PROFILE_FILE=" + path(".profraw")
	if run([]string{profile}, path("")) != nil {
		return // fails; its profile may be lost
	}
	if err := run(nil, lib.tools.Profdata.Path, "merge", "-sparse", path(".profraw"), "-o", path(".profdata")); err != nil {
		b.Error(err)
		return
	}
	if err := run(nil, lib.tools.Cov.Path, "export", "--summary-only", "-instr-profile="+path(".profdata"), path("")); err != nil {
		b.Error(err)
	}
}
