package mutation

import (
	"fmt"
	"os"
	"slices"
	"testing"

	"gotest.tools/v3/assert"

	"github.com/lisa-bench/lisa-bench/execute/testrun"
	"github.com/lisa-bench/lisa-bench/internal/trial"
)

const tallyHeader = `#ifndef TALLY_H
#define TALLY_H
int tally_sum(const int *all, int n);
int tally_find(const int *all, int n, int x);
const char *tally_sign(int n);
int tally_unused(int n);
int tally_wait(int n);
#endif
`

const tallySource = `#include "tally.h"
#include <unistd.h>

static int clamp(int n) { return n > 100 ? 100 : n; }

int tally_sum(const int *all, int n) {
	int sum = 0;
	for (int i = 0; i < n; i++)
		sum += clamp(all[i]);
	return sum;
}

int tally_find(const int *all, int n, int x) {
	for (int i = 0; i < n; i++) {
		if (all[i] == x)
			return i;
	}
	return -1;
}

const char *tally_sign(int n) {
	if (n < 0) return "negative";
	return n ? "positive" : "zero";
}

int tally_unused(int n) { return n * 3; }

int tally_wait(int n) {
	if (n > 0) return n;
	for (;;) pause();
}
`

func program(id, body string, oracle trial.OracleClass) trial.Program {
	return trial.Program{ID: id, Lang: trial.C, Oracle: oracle,
		Source: "#include <assert.h>\n#include <stdio.h>\n#include <string.h>\n#include <unistd.h>\n#include \"tally.h\"\nvoid test(void) {\n" + body + "\n}\n"}
}

var tallyPrograms = []trial.Program{
	program("sums", `int a[] = {1, 2, 300}; assert(tally_sum(a, 3) == 103);`, trial.OracleSpecification),
	program("finds", `int a[] = {4, 5, 6}; assert(tally_find(a, 3, 5) == 1); assert(tally_find(a, 3, 7) == -1);`, trial.OracleReference),
	program("signs", `assert(strcmp(tally_sign(-1), "negative") == 0); assert(strcmp(tally_sign(1), "positive") == 0);`, trial.OracleSpecification),
	program("waits", `assert(tally_wait(1) == 1);`, trial.OracleSpecification),
	program("wrong", `assert(tally_unused(1) == 4);`, trial.OracleSpecification),
	program("leaves", `FILE *f = fopen("left", "r"); assert(!f); f = fopen("left", "w"); fputs("x", f); fclose(f); assert(tally_sum(0, 0) == 0);`, trial.OracleSpecification),
	program("broken", `no_such_thing;`, trial.OracleSpecification),
}

func makeTally(t *testing.T) (*workbench, *MutableLibrary, *Evaluator, *testrun.Engine) {
	t.Helper()
	w := newWorkbench(t)
	lib := w.make(t, map[string]string{"tally.c": tallySource, "tally.h": tallyHeader}, "tally.h")
	evaluator, engine := w.evaluator(t)
	return w, lib, evaluator, engine
}

func TestEvaluate(t *testing.T) {
	_, lib, evaluator, _ := makeTally(t)
	res, err := evaluator.Evaluate(t.Context(), lib, tallyPrograms, Options{Sample: -1})
	assert.NilError(t, err)
	assert.Check(t, len(res.unused) == 2 && res.unused["wrong"] != "" && res.unused["broken"] != "", "unused: %q", res.unused)
	for _, tt := range []struct{ original, mutated, want string }{
		{"n > 100", "0", "sums assertion specification"},
		{"all[i] == x", "all[i] <= x", "finds assertion reference"},
		{"n * 3", "0", " unreached "}, // its only test is wrong
		{`n < 0`, "0", "signs assertion specification"},
		{`"negative"`, "(void *)0", "signs crash crash"},
		{"n > 0", "0", "waits hang hang"},
	} {
		i := slices.IndexFunc(res.Mutants, func(v MutantVerdict) bool { return v.Original == tt.original && v.Mutated == tt.mutated })
		assert.Assert(t, i >= 0, "there is no mutant of %s that is %s", tt.original, tt.mutated)
		v := res.Mutants[i]
		if got := fmt.Sprint(v.Killer, " ", v.Outcome, " ", v.Oracle); got != tt.want {
			t.Errorf("%s → %s: killed by %q, not %q", tt.original, tt.mutated, got, tt.want)
		}
	}
	s := res.Score
	if s.Mutants != len(lib.Mutants) || s.Killed == 0 || s.Killed >= s.Reached || s.Reached >= s.Mutants || s.Low != s.Score || s.High != s.Score {
		t.Errorf("score %+v of %d mutants", s, len(lib.Mutants))
	}
	assert.Check(t, len(s.Survivors) == s.Reached-s.Killed,
		"%d survivors of %d that are reached and %d that are killed", len(s.Survivors), s.Reached, s.Killed)
	functions := map[string]bool{}
	for i, m := range s.Survivors {
		if functions[m.Function] = true; len(functions) < min(3, i+1) || m.Line == 0 || m.Original == "" || len(m.Tests) == 0 {
			t.Errorf("survivor %d: %+v", i, m)
		}
	}
	sum := 0
	for _, ids := range s.KilledIn {
		sum += len(ids)
	}
	assert.Check(t, sum == s.Killed && s.Set != "",
		"%d are killed in some function, not %d; set %q", sum, s.Killed, s.Set)
	sum = 0
	for _, o := range s.ByOracle {
		sum += o.Killed
	}
	assert.Check(t, sum == s.Killed, "the oracles killed %d, not %d", sum, s.Killed)
}

// TestSchemaAgainstSource: a mutant of the build with all of them does what a build does that
// has just that one in its source.
func TestSchemaAgainstSource(t *testing.T) {
	w, lib, evaluator, engine := makeTally(t)
	drawn := draw(lib.Mutants, 25, trial.Seed(7).Stream(t.Name()))
	for _, d := range compare(t, w.maker, lib, evaluator, engine, drawn, tallyPrograms[:4]) {
		t.Error(d)
	}
}

// compare returns the programs that fail on a mutant of the build with all of them and pass on a
// build with just that one in the source, or the other way round. How they fail may differ
// where the mutant reads what is not its own.
func compare(t *testing.T, maker *Maker, lib *MutableLibrary, evaluator *Evaluator, engine *testrun.Engine, drawn []Mutant, programs []trial.Program) []string {
	t.Helper()
	part := *lib
	part.Mutants = drawn
	results := make([]*Result, len(programs))
	for i := range programs {
		var err error
		results[i], err = evaluator.Evaluate(t.Context(), &part, programs[i:i+1], Options{Sample: -1})
		assert.NilError(t, err)
	}
	var differences []string
	for k, m := range drawn {
		build, err := maker.single(t.Context(), lib, m)
		assert.NilError(t, err)
		linked, err := engine.Link(t.Context(), build, programs)
		assert.NilError(t, err)
		for i, p := range programs {
			if len(results[i].unused) > 0 {
				continue
			}
			source, err := evaluator.run(t.Context(), &MutableLibrary{Build: build}, linked[i], nil)
			assert.NilError(t, err)
			if schema := results[i].Mutants[k].Outcome; schema.Fails() == source.passes() {
				differences = append(differences, fmt.Sprintf("%s:%d %s → %s: %s: schema %s, source %s",
					m.File, m.Line, m.Original, m.Mutated, p.ID, schema, source.reason()))
			}
		}
		if err := os.RemoveAll(build.Dir); err != nil { // nobody asks for it again
			t.Fatal(err)
		}
	}
	return differences
}
