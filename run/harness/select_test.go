package harness

import (
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"testing"
	"time"

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
	if err != nil {
		t.Fatal(err)
	}
	scratch := t.TempDir()
	if err := os.Chmod(filepath.Dir(scratch), 0o755); err != nil {
		t.Fatal(err)
	}
	shop, err := env.Workshop(t.Context(), bench, Workplace{Sandbox: "bwrap", Scratch: scratch, Jobs: 1, Limits: workshop.TestLimits(5 * time.Second)})
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := shop.Close(); err != nil {
			t.Error(err)
		}
	}()
	for _, name := range []string{"cJSON", "zlib"} {
		spec, err := bench.Library(name)
		if err != nil {
			t.Fatal(err)
		}
		t.Run(name, func(t *testing.T) { compareSelection(t, shop, spec) })
	}
}

// A counted is what tests did on the coverage build.
type counted struct {
	results []trial.Result
	traces  []touched.Trace // nil of those that do not pass
}

func count(t *testing.T, l *workshop.OpenLibrary, selector *touched.Selector, build *libbuild.Build, tests []trial.Program) counted {
	results, err := l.Engine.Run(t.Context(), build, tests, testrun.Options{Counters: true})
	if err != nil {
		t.Fatal(err)
	}
	c := counted{results, make([]touched.Trace, len(tests))}
	for i, r := range results {
		if r.Outcome == trial.OK {
			if c.traces[i], err = selector.Trace(build, r.Counters); err != nil {
				t.Fatal(err)
			}
		}
	}
	return c
}

func compareSelection(t *testing.T, shop *workshop.Workshop, spec *lisabench.Library) {
	l, err := shop.Open(t.Context(), spec.Name, lisabench.Debian)
	if err != nil {
		t.Fatal(err)
	}
	cov, err := l.Coverage(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var passing []trial.Program
	results, err := l.Engine.Run(t.Context(), l.Plain, testsOf(spec), testrun.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for i, p := range testsOf(spec) {
		if results[i].Outcome == trial.OK {
			passing = append(passing, p)
		}
	}
	selector := new(touched.Selector)
	counted := count(t, l, selector, cov, passing)
	pairs, selected, failing := 0, 0, 0
	for _, bug := range spec.Bugs {
		_, buggy, err := l.Bug(t.Context(), bug)
		if err != nil {
			t.Logf("%s is not compared: %v", bug.ID, err)
			continue
		}
		reach, err := selector.Reach(l.Plain, buggy, cov)
		if err != nil {
			t.Fatal(err)
		}
		results, err := l.Engine.Run(t.Context(), buggy, passing, testrun.Options{})
		if err != nil {
			t.Fatal(err)
		}
		before := selected
		for i, p := range passing {
			pairs++
			fails := results[i].Outcome != trial.OK
			if fails {
				failing++
			}
			unselected := func(why string) {
				if fails {
					t.Errorf("%s %s %s, and there: %s %s", p.ID, why, bug.ID, results[i].Outcome, results[i].Diagnostic)
				}
			}
			if reach.By(counted.traces[i]) {
				selected++
			} else {
				unselected("executes no function that is changed by")
			}
		}
		t.Logf("%s touches %d functions %.100q %s: %d tests execute what it changes", bug.ID,
			len(reach.Functions), reach.Functions, reach.Everything, selected-before)
	}
	if failing == 0 {
		t.Error("no test fails on a bug's build")
	}
	t.Logf("%s: %d tests, %d pairs of a test and a bug, %d execute a function that differs, %d fail",
		spec.Name, len(passing), pairs, selected, failing)
}

// testsOf are the witnesses of the library's bugs.
func testsOf(spec *lisabench.Library) (tests []trial.Program) {
	for _, bug := range spec.Bugs {
		tests = append(tests, trial.Program{ID: bug.ID, Lang: spec.Language, Source: bug.Witness.Source})
	}
	return tests
}
