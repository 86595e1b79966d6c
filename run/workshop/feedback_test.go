package workshop

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"gotest.tools/v3/assert"

	"github.com/lisa-bench/lisa-bench/bench/libbuild"
	"github.com/lisa-bench/lisa-bench/bench/lisabench"
	"github.com/lisa-bench/lisa-bench/execute/sandbox"
	"github.com/lisa-bench/lisa-bench/execute/testrun"
	"github.com/lisa-bench/lisa-bench/internal/store"
	"github.com/lisa-bench/lisa-bench/internal/testcache"
	"github.com/lisa-bench/lisa-bench/internal/toolchain"
	"github.com/lisa-bench/lisa-bench/internal/trial"
	"github.com/lisa-bench/lisa-bench/metrics/mutation"
	"github.com/lisa-bench/lisa-bench/pipeline/recorded"
)

// TestMutantsForTools: what tools are told of mutants is in the reference's sources, has nothing of the bugs, and is
// none of what a score is made of; and a program kills what it should.
func TestMutantsForTools(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a library with all its mutants")
	}
	bench, err := lisabench.Load(lisabench.Embedded())
	assert.NilError(t, err)
	lib, _ := openTarget(t, bench, "cJSON")
	lib.shop.Mutants = testcache.Dir("mutants")
	equip(t, lib)
	mutants, err := lib.mutants()
	assert.NilError(t, err)
	assert.Check(t, len(mutants) >= 200, "only %d mutants", len(mutants))
	text, err := json.Marshal(mutants)
	assert.NilError(t, err)
	for _, l := range leaks(string(text), "the mutants", lib.Spec.Bugs) {
		t.Error(l)
	}
	all, err := lib.mutable()
	assert.NilError(t, err)
	res, err := all.Evaluate(t.Context(), all.MutableLibrary, nil, mutation.Options{})
	assert.NilError(t, err)
	scored := map[int]bool{}
	for _, v := range res.Mutants {
		scored[v.ID] = true
	}
	var ids []int
	compares := map[int]bool{}
	for _, m := range mutants {
		ids = append(ids, m.ID)
		if scored[m.ID] {
			t.Errorf("mutant %d is of the score and is told of", m.ID)
		}
		if first, _, _ := strings.Cut(m.Original, " "); !strings.Contains(m.Source, first) {
			t.Errorf("%s:%d: %q is not in %q", m.File, m.Line, m.Original, m.Source)
		}
		compares[m.ID] = slices.Contains(m.APIs, "cJSON_Compare")
	}
	program := trial.Program{ID: "p", Lang: trial.C, Source: `#include <assert.h>
#include <cJSON.h>
int main(void) {
	cJSON *a = cJSON_CreateNumber(1), *b = cJSON_CreateNumber(2);
	assert(cJSON_Compare(a, a, 1));
	assert(!cJSON_Compare(a, b, 1));
	cJSON_Delete(a);
	cJSON_Delete(b);
	return 0;
}
`}
	lib.shop.Store = store.New(t.TempDir())
	idle := trial.Program{ID: "q", Lang: trial.C, Source: "int main(void) { return 0; }\n"}
	runs, err := feedback{lib}.RunMutants(t.Context(), []trial.Program{idle, program}, ids)
	assert.NilError(t, err)
	killed := 0
	for _, r := range runs.Reached {
		assert.Check(t, slices.Equal(r.Programs, []int{1}), "mutant %d is reached by %v", r.ID, r.Programs)
		if r.Killed && compares[r.ID] {
			killed++
		}
	}
	if killed == 0 || len(runs.Reached) == len(ids) || runs.CPU == 0 {
		t.Errorf("%d of %d mutants reached, %d killed that cJSON_Compare leads to, CPU %s", len(runs.Reached), len(ids), killed, runs.CPU)
	}
	all.Evaluator = nil // nothing can be run
	again, err := feedback{lib}.RunMutants(t.Context(), []trial.Program{idle, program}, ids)
	assert.Check(t, err == nil && reflect.DeepEqual(again, runs),
		"the same programs are told %+v, %v, and not %+v", again, err, runs)
}

// equip gives a library's workshop what runs programs, and opens the library again.
func equip(t *testing.T, lib *OpenLibrary) {
	t.Helper()
	shop := lib.shop
	var err error
	if shop.Compiler, err = toolchain.NewCompiler(shop.Tools, testcache.Dir("preambles"), testcache.Dir("plugins"), 2, nil); err != nil {
		t.Fatal(err)
	}
	if shop.Linker, err = toolchain.NewLinker(t.Context(), shop.Tools, testcache.Dir("stubs"), nil); err != nil {
		t.Fatal(err)
	}
	if shop.Sandbox, err = sandbox.NewBwrap(sandbox.Config{Tools: shop.Tools, Dir: testcache.Dir("runners"), ReadOnly: []string{testcache.Dir(""), shop.Scratch}}); err != nil {
		t.Fatal(err)
	}
	opened, err := shop.open(t.Context(), lib.Spec.Name, lib.Edition, "equipped")
	assert.NilError(t, err)
	t.Cleanup(func() { opened.Engine.Close() })
	lib.Engine = opened.Engine
}

// TestDisguisedBuildsPropagateNothing compares the reference with builds of the same source that differ in what no
// document promises. They have other code, addresses, order and padding of functions and data (the fixed side
// of a bug, disguised, for each bug), or other stack frames with other junk in them. No test may be
// said to get another value there. The tests are the witnesses of the library's bugs.
func TestDisguisedBuildsPropagateNothing(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a library in several ways")
	}
	bench, err := lisabench.Load(lisabench.Embedded())
	assert.NilError(t, err)
	lib, _ := openTarget(t, bench, "cJSON")
	equip(t, lib)
	all := []trial.Program{{ID: "the time", Lang: trial.C, Source: clock}}
	for _, bug := range lib.Spec.Bugs {
		all = append(all, trial.Program{ID: bug.ID, Lang: lib.Spec.Language, Source: bug.Witness.Source})
	}
	results, err := lib.Engine.Run(t.Context(), lib.Plain, all, testrun.Options{})
	assert.NilError(t, err)
	var passing []trial.Program
	for i, p := range all {
		if results[i].Outcome == trial.OK {
			passing = append(passing, p)
		}
	}
	o := &observer{l: lib, printed: map[string]recorded.Printed{}}
	pairs, unseen, disguised := 0, 0, 0
	compare := func(what string, fixed, disguise *libbuild.Build) {
		seen, why, err := o.Observe(t.Context(), fixed, disguise, passing, make([]time.Duration, len(passing)), 1) // one run: stricter than a report
		assert.NilError(t, err)
		assert.Assert(t, why == "", "nothing is observed: %s", why)
		disguised++
		for i, p := range passing {
			pairs++
			if seen[i].Unobserved {
				unseen++
			}
			if seen[i].Differs {
				t.Errorf("%s gets another value on the reference, %s", p.ID, what)
			}
		}
	}
	other := *lib.Spec
	other.Recipe.CFlags = append(slices.Clone(other.Recipe.CFlags), "-O1", "-fno-inline", "-ftrivial-auto-var-init=pattern")
	r := lib.request(lib.Tree, libbuild.Plain)
	r.Library = &other
	recompiled, err := lib.shop.Builder.Build(t.Context(), r)
	assert.NilError(t, err)
	compare("compiled otherwise", lib.Plain, recompiled)
	for n, bug := range lib.Spec.Bugs {
		fixed, _, err := lib.Bug(t.Context(), bug)
		if err != nil {
			t.Logf("%s has no builds: %v", bug.ID, err)
			continue
		}
		d, err := lib.disguise(t.Context(), bug, trial.Cell{Seed: trial.Seed(n)})
		assert.NilError(t, err)
		disguise, err := d.Build(t.Context(), libbuild.AsReference)
		assert.NilError(t, err)
		compare("disguised for "+bug.ID, fixed, disguise)
		buggy, err := d.Build(t.Context(), libbuild.AsBuggy) // what the bug does is not hidden with the rest
		assert.NilError(t, err)
		witness := slices.IndexFunc(passing, func(p trial.Program) bool { return p.ID == bug.ID })
		if witness < 0 {
			t.Errorf("the witness of %s does not pass on the reference", bug.ID)
		} else if seen, _, err := o.Observe(t.Context(), fixed, buggy, passing[witness:witness+1], make([]time.Duration, 1), 1); err != nil || !seen[0].Differs {
			t.Errorf("the witness of %s gets what it gets without the bug, %v", bug.ID, err)
		}
		assert.NilError(t, d.Close())
	}
	t.Logf("%d programs, %d disguised builds, %d pairs, of which %d are judged by how they end", len(passing), disguised, pairs, unseen)
	assert.Check(t, pairs != unseen, "no value was observed")
}

// clock gets a value that is the same in runs within one second only.
const clock = `#include <cJSON.h>
#include <time.h>
int main(void) {
	cJSON *now = cJSON_CreateNumber((double)time(NULL));
	cJSON_Delete(now);
	return 0;
}
`
