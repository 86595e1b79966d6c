package mutation

import (
	"log/slog"
	"os"
	"strings"
	"testing"

	"gotest.tools/v3/assert"

	"github.com/lisa-bench/lisa-bench/bench/libbuild"
	"github.com/lisa-bench/lisa-bench/bench/lisabench"
	"github.com/lisa-bench/lisa-bench/bench/source"
	"github.com/lisa-bench/lisa-bench/execute/testrun"
	"github.com/lisa-bench/lisa-bench/internal/testcache"
	"github.com/lisa-bench/lisa-bench/internal/trial"
)

// TestRealLibraries is long. LISA_BENCH_MUTATION names libraries of the benchmark. With no mutant selected, the build
// with all of them passes every witness that the reference passes; and what mutants do that are drawn, builds of the
// source with only that change do.
func TestRealLibraries(t *testing.T) {
	names := strings.Fields(os.Getenv("LISA_BENCH_MUTATION"))
	if len(names) == 0 {
		t.Skip("LISA_BENCH_MUTATION names no libraries")
	}
	bench, err := lisabench.Load(lisabench.Embedded())
	assert.NilError(t, err)
	for _, name := range names {
		spec, err := bench.Library(name)
		assert.NilError(t, err)
		t.Run(name, func(t *testing.T) { testReal(t, spec) })
	}
}

func testReal(t *testing.T, spec *lisabench.Library) {
	w := newWorkbench(t)
	w.maker.Builder = libbuild.New(w.tools, testcache.Dir(""), 2, slog.New(slog.DiscardHandler))
	w.maker.Dir = testcache.Dir("mutants")
	tree, err := source.New(testcache.Dir("sources"), os.Environ(), slog.New(slog.DiscardHandler)).Reference(t.Context(), spec, lisabench.Debian)
	assert.NilError(t, err)
	r := libbuild.Request{Library: spec, Edition: lisabench.Debian, Tree: tree, Variant: libbuild.Plain}
	reference, err := w.maker.Builder.Build(t.Context(), r)
	assert.NilError(t, err)
	lib, err := w.maker.Make(t.Context(), r)
	assert.NilError(t, err)
	evaluator, engine := w.evaluator(t)
	var witnesses, passing []trial.Program
	for _, b := range spec.Bugs {
		witnesses = append(witnesses, trial.Program{ID: b.ID, Lang: spec.Language, Source: b.Witness.Source, Oracle: trial.OracleSpecification})
	}
	good, err := engine.Run(t.Context(), reference, witnesses, testrun.Options{})
	assert.NilError(t, err)
	with, err := engine.Run(t.Context(), lib.Build, witnesses, testrun.Options{})
	assert.NilError(t, err)
	for i, p := range witnesses {
		if good[i].Outcome == trial.OK {
			passing = append(passing, p)
		}
		if with[i].Outcome != good[i].Outcome {
			t.Errorf("%s: %s on the reference, %s with no mutant selected: %s", p.ID, good[i].Outcome, with[i].Outcome, with[i].Stderr)
		}
	}
	for _, d := range compare(t, w.maker, lib, evaluator, engine, draw(lib.Mutants, 20, trial.Seed(1).Stream("compared")), passing) {
		t.Error(d)
	}
	t.Logf("%d mutants, %d witnesses that pass", len(lib.Mutants), len(passing))
}
