package harness

import (
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"testing"
	"time"

	"gotest.tools/v3/assert"

	"github.com/lisa-bench/lisa-bench/bench/libbuild"
	"github.com/lisa-bench/lisa-bench/bench/lisabench"
	"github.com/lisa-bench/lisa-bench/bench/touched"
	"github.com/lisa-bench/lisa-bench/execute/testrun"
	"github.com/lisa-bench/lisa-bench/internal/testcache"
	"github.com/lisa-bench/lisa-bench/internal/trial"
	"github.com/lisa-bench/lisa-bench/run/workshop"
)

// TestSelectionChangesNoDetection runs each test on each bug's build, whether it can tell that from the
// reference or not: a test that passes on the reference and is not selected for a bug passes on the
// bug's build too. The tests are the witnesses of the library's bugs.
func TestSelectionChangesNoDetection(t *testing.T) {
	if testing.Short() {
		t.Skip("runs every test on every bug's build")
	}
	env := &Env{Cache: testcache.Dir(""), Getenv: os.Getenv, Environ: os.Environ(),
		Now: time.Now, Log: slog.New(slog.DiscardHandler), Stderr: io.Discard}
	bench, err := env.LoadBench()
	assert.NilError(t, err)
	scratch := t.TempDir()
	assert.NilError(t, os.Chmod(filepath.Dir(scratch), 0o755))
	shop, err := env.workshop(t.Context(), bench, Workplace{Sandbox: "bwrap", Scratch: scratch, Jobs: 1, Limits: workshop.TestLimits(5 * time.Second)})
	assert.NilError(t, err)
	defer func() {
		if err := shop.Close(); err != nil {
			t.Error(err)
		}
	}()
	spec, err := bench.Library("cJSON")
	assert.NilError(t, err)
	l, err := shop.Open(t.Context(), spec.Name, lisabench.Debian)
	assert.NilError(t, err)
	cov, err := l.Coverage(t.Context())
	assert.NilError(t, err)
	run := func(build *libbuild.Build, tests []trial.Program, o testrun.Options) []trial.Result {
		results, err := l.Engine.Run(t.Context(), build, tests, o)
		assert.NilError(t, err)
		return results
	}
	var witnesses, passing []trial.Program
	for _, bug := range spec.Bugs {
		witnesses = append(witnesses, trial.Program{ID: bug.ID, Lang: spec.Language, Source: bug.Witness.Source})
	}
	for i, r := range run(l.Plain, witnesses, testrun.Options{}) {
		if r.Outcome == trial.OK {
			passing = append(passing, witnesses[i])
		}
	}
	selector, traces := new(touched.Selector), make([]touched.Trace, len(passing)) // nil of those that do not pass there
	for i, r := range run(cov, passing, testrun.Options{Counters: true}) {
		if r.Outcome == trial.OK {
			if traces[i], _, err = selector.Trace(cov, r.Counters); err != nil {
				t.Fatal(err)
			}
		}
	}
	selected, failing := 0, 0
	for _, bug := range spec.Bugs {
		_, buggy, err := l.Bug(t.Context(), bug)
		if err != nil {
			t.Logf("%s is not compared: %v", bug.ID, err)
			continue
		}
		reach, err := selector.Reach(l.Plain, buggy, cov)
		assert.NilError(t, err)
		for i, r := range run(buggy, passing, testrun.Options{}) {
			fails := r.Outcome != trial.OK
			if fails {
				failing++
			}
			if reach.By(traces[i]) {
				selected++
			} else if fails {
				t.Errorf("%s executes no function that is changed by %s, and there: %s %s", passing[i].ID, bug.ID, r.Outcome, r.Diagnostic)
			}
		}
	}
	t.Logf("%d tests on each of %d bugs' builds: %d execute a function that differs, %d fail", len(passing), len(spec.Bugs), selected, failing)
	assert.Check(t, failing != 0, "no test fails on a bug's build")
}
