package workshop

import (
	"slices"
	"testing"
	"time"

	"gotest.tools/v3/assert"

	"github.com/lisa-bench/lisa-bench/bench/libbuild"
	"github.com/lisa-bench/lisa-bench/bench/lisabench"
	"github.com/lisa-bench/lisa-bench/execute/testrun"
	"github.com/lisa-bench/lisa-bench/internal/trial"
	"github.com/lisa-bench/lisa-bench/pipeline/recorded"
)

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
