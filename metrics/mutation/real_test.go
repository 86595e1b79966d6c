package mutation

import (
	"log/slog"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/lisa-bench/lisa-bench/bench/libbuild"
	"github.com/lisa-bench/lisa-bench/bench/lisabench"
	"github.com/lisa-bench/lisa-bench/bench/source"
	"github.com/lisa-bench/lisa-bench/execute/testrun"
	"github.com/lisa-bench/lisa-bench/internal/testcache"
	"github.com/lisa-bench/lisa-bench/internal/trial"
)

// TestRealLibraries is long. LISA_BENCH_MUTATION names libraries of the benchmark, or "all"; with no
// mutant selected their build with all must pass every program that the reference passes: the
// witnesses of its bugs and what is in LISA_BENCH_SUITES/<library>. LISA_BENCH_MUTATION_DRAWN is how
// many mutants are also built alone, from the source, and compared.
func TestRealLibraries(t *testing.T) {
	names := strings.Fields(os.Getenv("LISA_BENCH_MUTATION"))
	if len(names) == 0 {
		t.Skip("LISA_BENCH_MUTATION names no libraries")
	}
	bench, err := lisabench.Load(lisabench.Embedded())
	if err != nil {
		t.Fatal(err)
	}
	if names[0] == "all" {
		names = nil
		for _, l := range bench.Libraries {
			names = append(names, l.Name)
		}
	}
	for _, name := range names {
		t.Run(name, func(t *testing.T) { testReal(t, bench, name) })
	}
}

func testReal(t *testing.T, bench *lisabench.Bench, name string) {
	spec, err := bench.Library(name)
	if err != nil {
		t.Fatal(err)
	}
	w := newWorkbench(t)
	w.maker.Builder = libbuild.New(w.tools, testcache.Dir(""), 2, slog.New(slog.DiscardHandler))
	w.maker.Dir = testcache.Dir("mutants")
	tree, err := source.New(testcache.Dir("sources"), os.Environ(), slog.New(slog.DiscardHandler)).Reference(t.Context(), spec, lisabench.Debian)
	if err != nil {
		t.Fatal(err)
	}
	r := libbuild.Request{Library: spec, Edition: lisabench.Debian, Tree: tree, Variant: libbuild.Plain}
	reference, err := w.maker.Builder.Build(t.Context(), r)
	if err != nil {
		t.Fatal(err)
	}
	start := time.Now()
	lib, err := w.maker.Make(t.Context(), r)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d mutants of %d, %d refused, at %d places, in %s", len(lib.Mutants), lib.Found, lib.Refused, lib.Sites, time.Since(start).Round(time.Second))

	evaluator, engine := w.evaluator(t)
	programs := append(witnesses(spec), suite(t, name)...)
	good, err := engine.Run(t.Context(), reference, programs, testrun.Options{})
	if err != nil {
		t.Fatal(err)
	}
	with, err := engine.Run(t.Context(), lib.Build, programs, testrun.Options{})
	if err != nil {
		t.Fatal(err)
	}
	passing := programs[:0:0]
	for i, p := range programs {
		if good[i].Outcome == trial.OK {
			passing = append(passing, p)
		}
		if with[i].Outcome != good[i].Outcome {
			t.Errorf("%s: %s on the reference, %s with no mutant selected: %s", p.ID, good[i].Outcome, with[i].Outcome, with[i].Stderr)
		}
	}
	t.Logf("%d programs, of which %d pass on the reference", len(programs), len(passing))

	start = time.Now()
	res, err := evaluator.Evaluate(t.Context(), lib, passing, Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range res.Tests {
		if !v.Usable {
			t.Logf("test %s: %s", v.ID, v.Reason)
		}
	}
	s := res.Score
	t.Logf("killed %d of %d mutants (reached %d): %.3f [%.3f, %.3f]; by oracle %v; %d tests, %d usable; wall %s, CPU %s",
		s.Killed, s.Mutants, s.Reached, s.Score, s.Low, s.High, s.ByOracle, s.Tests, s.Usable, time.Since(start).Round(time.Second/10), s.CPU.Round(time.Second/10))

	n, _ := strconv.Atoi(os.Getenv("LISA_BENCH_MUTATION_DRAWN"))
	if n == 0 {
		return
	}
	differences := compare(t, w.maker, lib, evaluator, engine, draw(lib.Mutants, n, trial.Seed(1).Stream("compared")), passing)
	for _, d := range differences {
		t.Error(d)
	}
	t.Logf("%d mutants × %d programs compared with builds of the source, %d differ", n, len(passing), len(differences))
}

func witnesses(spec *lisabench.Library) []trial.Program {
	var all []trial.Program
	for _, b := range spec.Bugs {
		all = append(all, trial.Program{ID: b.ID, Lang: spec.Language, Source: b.Witness.Source, Oracle: trial.OracleSpecification})
	}
	return all
}

func suite(t *testing.T, library string) []trial.Program {
	t.Helper()
	dir := os.Getenv("LISA_BENCH_SUITES")
	if dir == "" {
		return nil
	}
	files, err := filepath.Glob(filepath.Join(dir, library, "*.c*"))
	if err != nil {
		t.Fatal(err)
	}
	var all []trial.Program
	for _, f := range files {
		ext := filepath.Ext(f)
		lang := trial.CXX
		if ext == trial.C.Ext() {
			lang = trial.C
		}
		all = append(all, trial.Program{ID: strings.TrimSuffix(filepath.Base(f), ext), Lang: lang, Source: readFile(t, f), Oracle: trial.OracleSpecification})
	}
	return all
}
