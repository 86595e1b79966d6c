package workshop

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"testing"

	"gotest.tools/v3/assert"

	"github.com/lisa-bench/lisa-bench/bench/lisabench"
	"github.com/lisa-bench/lisa-bench/execute/sandbox"
	"github.com/lisa-bench/lisa-bench/internal/store"
	"github.com/lisa-bench/lisa-bench/internal/testcache"
	"github.com/lisa-bench/lisa-bench/internal/toolchain"
	"github.com/lisa-bench/lisa-bench/internal/trial"
	"github.com/lisa-bench/lisa-bench/metrics/mutation"
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
