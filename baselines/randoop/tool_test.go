package randoop

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"gotest.tools/v3/assert"

	"github.com/lisa-bench/lisa-bench/internal/llm"
	"github.com/lisa-bench/lisa-bench/internal/testcache"
	"github.com/lisa-bench/lisa-bench/internal/toolchain"
	"github.com/lisa-bench/lisa-bench/internal/trial"
	"github.com/lisa-bench/lisa-bench/tools/tooltest"
)

// shared is a directory for all tests.
var shared string

func TestMain(m *testing.M) { tooltest.Main(m, &shared) }

// ringBox builds the small library under testdata, with one of its bugs or none.
func ringBox(t testing.TB, bug int) *tooltest.Box {
	t.Helper()
	tools, err := toolchain.Find(t.Context(), nil)
	assert.NilError(t, err)
	dir := filepath.Join(shared, fmt.Sprint(bug))
	assert.NilError(t, os.MkdirAll(dir, 0o755))
	return &tooltest.Box{Clang: tools.Clang.Path, Dir: dir, Name: "ring", Sources: []string{filepath.Join(ringDir(t), "ring.c")},
		IncludeDirs: []string{ringDir(t)}, Flags: []string{fmt.Sprintf("-DBUG=%d", bug)}}
}

var correct *tooltest.Box // without a bug; it runs each program once for all tests

// ring returns an executor of the library without a bug.
func ring(t testing.TB) trial.Executor {
	t.Helper()
	if correct == nil {
		correct = ringBox(t, 0)
	}
	return correct.Executor(t)
}

// compiler reads headers.
func compiler(t testing.TB) *toolchain.Compiler {
	t.Helper()
	tools, err := toolchain.Find(t.Context(), nil)
	assert.NilError(t, err)
	c, err := toolchain.NewCompiler(tools, testcache.Dir("preambles"), testcache.Dir("plugins"), 2, nil)
	assert.NilError(t, err)
	return c
}

func ringDir(t testing.TB) string {
	t.Helper()
	dir, err := filepath.Abs("testdata/ring")
	assert.NilError(t, err)
	return dir
}

func ringTarget(t testing.TB) trial.Target {
	dir := ringDir(t)
	return trial.Target{Library: "ring", Language: trial.C, Headers: []string{"ring.h"}, IncludeDirs: []string{dir}, SourceDir: dir}
}

// generate runs the tool on the ring library and returns its suite.
func generate(t testing.TB, x trial.Executor, seed trial.Seed, programs int64, params map[string]any) ([]trial.Program, trial.StopReason) {
	t.Helper()
	ledger := trial.NewLedger(trial.Budget{Programs: programs}, trial.Usage{}, time.Now)
	suite := &tooltest.Suite{Ledger: ledger}
	stop, err := Tool{Compiler: compiler(t)}.Generate(context.Background(), trial.Job{
		Target: ringTarget(t), Params: params, Seed: seed, Dir: t.TempDir(),
		Exec: x, Suite: suite, Ledger: ledger, Log: slog.New(slog.NewTextHandler(io.Discard, nil))})
	assert.NilError(t, err)
	return suite.Programs, stop
}

// TestFindsPlantedBugs generates a suite on the correct library and runs it on five
// buggy ones.
func TestFindsPlantedBugs(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles hundreds of programs twice")
	}
	suite, stop := generate(t, ring(t), 7, 100, nil)
	assert.Assert(t, stop == trial.StopPrograms && len(suite) == 100,
		"stopped with %s after %d programs, want %s after 100", stop, len(suite), trial.StopPrograms)
	found := 0
	for bug := 1; bug <= 5; bug++ {
		results, err := ringBox(t, bug).Executor(t).Run(t.Context(), suite, trial.ExecOptions{})
		assert.NilError(t, err)
		failing := 0
		for _, r := range results {
			if r.Outcome != trial.OK {
				failing++
			}
		}
		if failing > 0 {
			found++
		}
		t.Logf("bug %d: %d of %d tests detect it", bug, failing, len(suite))
	}
	assert.Check(t, found >= 3, "%d of 5 bugs detected, want at least 3 with so few programs", found)
}

// TestWaitingProgramsAreDropped makes every run that calls one function look as if it had slept.
func TestWaitingProgramsAreDropped(t *testing.T) {
	x := ring(t)
	const sleeps = "ring_push("
	asleep := scriptedExec(func(ctx context.Context, programs []trial.Program, o trial.ExecOptions) ([]trial.Result, error) {
		results, err := x.Run(ctx, programs, o)
		for i := range results {
			results[i].WallMs, results[i].CPUMs = 900, 30 // slow, but that may be the machine
			if strings.Contains(programs[i].Source, sleeps) {
				results[i].WallMs = 2700
			}
		}
		return results, err
	})
	programs, _ := generate(t, asleep, 3, 12, map[string]any{"batch": 10, "max_length": 6})
	assert.Check(t, len(programs) != 0, "no program: those that do not wait are dropped as well")
	for _, p := range programs {
		assert.Check(t, !strings.Contains(p.Source, sleeps), "%s waits:\n%s", p.ID, p.Source)
	}
}

var pointerValue = regexp.MustCompile(`0x[0-9a-f]{10,}[^0-9a-fu]`)

func TestProgramsAreSelfContained(t *testing.T) {
	programs, _ := generate(t, ring(t), 3, 12, map[string]any{"batch": 10, "max_length": 6})
	silent, _ := generate(t, ring(t), 3, 5, map[string]any{"batch": 10, "max_length": 6, "assertions": false})
	for _, p := range silent {
		assert.Check(t, !strings.Contains(p.Source, "    assert(") && p.Oracle == "", "%s asserts (oracle %q):\n%s", p.ID, p.Oracle, p.Source)
	}
	for _, p := range append(programs, silent...) {
		for _, want := range []string{"#include <assert.h>", "#include <ring.h>", "int main(void) {"} {
			assert.Check(t, strings.Contains(p.Source, want), "%s lacks %q:\n%s", p.ID, want, p.Source)
		}
		for _, banned := range []string{"printf(", "mark(", "obs_"} {
			assert.Check(t, !strings.Contains(p.Source, banned), "%s still prints: it has %q", p.ID, banned)
		}
		if m := pointerValue.FindString(p.Source); m != "" {
			t.Errorf("%s has what looks like an address: %s", p.ID, m)
		}
		assert.Check(t, (p.Oracle == trial.OracleReference) == strings.Contains(p.Source, "    assert("),
			"%s: oracle %q does not fit its source", p.ID, p.Oracle)
	}
}

// A scriptedExec answers without running anything.
type scriptedExec func(ctx context.Context, programs []trial.Program, o trial.ExecOptions) ([]trial.Result, error)

func (f scriptedExec) Run(ctx context.Context, programs []trial.Program, o trial.ExecOptions) ([]trial.Result, error) {
	return f(ctx, programs, o)
}

func job(t *testing.T, x trial.Executor, b trial.Budget) (trial.Job, *tooltest.Suite) {
	ledger := trial.NewLedger(b, trial.Usage{}, time.Now)
	suite := &tooltest.Suite{Ledger: ledger}
	return trial.Job{Target: ringTarget(t), Seed: 1, Exec: x, Suite: suite, Ledger: ledger,
		Params: map[string]any{"batch": 5}, Log: slog.New(slog.NewTextHandler(io.Discard, nil))}, suite
}

// crashAll lets every program crash before its first call.
func crashAll(_ context.Context, programs []trial.Program, _ trial.ExecOptions) ([]trial.Result, error) {
	results := make([]trial.Result, len(programs))
	for i, p := range programs {
		results[i] = trial.Result{ID: p.ID, Outcome: trial.Crash, Stdout: "\n#0\n"}
	}
	return results, nil
}

func TestExhaustedWhenNothingWorks(t *testing.T) {
	j, suite := job(t, scriptedExec(crashAll), trial.Budget{Programs: 10})
	stop, err := Tool{Compiler: compiler(t)}.Generate(context.Background(), j)
	assert.Check(t, err == nil && stop == trial.StopExhausted && len(suite.Programs) == 0,
		"= %q, %v with %d programs; want %q and none", stop, err, len(suite.Programs), trial.StopExhausted)
}

func TestHarnessErrorIsAnError(t *testing.T) {
	broken := errors.New("no sandbox")
	for name, x := range map[string]scriptedExec{
		"error":       func(context.Context, []trial.Program, trial.ExecOptions) ([]trial.Result, error) { return nil, broken },
		"lost result": func(context.Context, []trial.Program, trial.ExecOptions) ([]trial.Result, error) { return nil, nil },
	} {
		t.Run(name, func(t *testing.T) {
			j, _ := job(t, x, trial.Budget{Programs: 10})
			if stop, err := (Tool{Compiler: compiler(t)}).Generate(context.Background(), j); err == nil {
				t.Errorf("= %q without an error", stop)
			}
		})
	}
}

func TestConformance(t *testing.T) {
	if testing.Short() {
		t.Skip("runs several hundred programs")
	}
	c := compiler(t)
	tooltest.Run(t, tooltest.Subject{
		Source: ringDir(t),
		Target: func(dir string) trial.Target {
			to := ringTarget(t)
			to.SourceDir, to.IncludeDirs = dir, []string{dir}
			return to
		},
		New:  func(tooltest.T, *llm.Models) tooltest.Generator { return Tool{Compiler: c} },
		Exec: ring(t),
	})
}

func TestRefusesCXX(t *testing.T) {
	j, _ := job(t, scriptedExec(crashAll), trial.Budget{Programs: 1})
	j.Target.Language = trial.CXX
	if _, err := (Tool{Compiler: compiler(t)}).Generate(context.Background(), j); err == nil || !strings.Contains(err.Error(), "c++") {
		t.Errorf("error = %v, want one that names c++", err)
	}
}
