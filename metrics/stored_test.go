package metrics

import (
	"reflect"
	"testing"

	"gotest.tools/v3/assert"

	"github.com/lisa-bench/lisa-bench/bench/libbuild"
	"github.com/lisa-bench/lisa-bench/internal/store"
	"github.com/lisa-bench/lisa-bench/internal/trial"
)

// TestNothingIsRunTwice evaluates a suite, and then again with a change: what is run is what is new.
func TestNothingIsRunTwice(t *testing.T) {
	type change struct {
		name string
		make func(e *Programs, f *fakeTests, programs []trial.Program)
		runs int
	}
	for _, tt := range []change{
		{"nothing", func(*Programs, *fakeTests, []trial.Program) {}, 0},
		{"one program is another", func(_ *Programs, _ *fakeTests, programs []trial.Program) { programs[1].Source = "3" }, 3},
		{"one more bug", func(e *Programs, _ *fakeTests, _ []trial.Program) { e.Bugs = append(e.Bugs, bugOf("ref", "other")) }, 3},
		{"other settings", func(e *Programs, _ *fakeTests, _ []trial.Program) { e.Settings = "b" }, 34},
		{"more repeats", func(e *Programs, _ *fakeTests, _ []trial.Program) { e.Repeats = 4 }, 34},
		{"contents are not known", func(e *Programs, _ *fakeTests, _ []trial.Program) {
			e.Content = func(trial.Program) string { return "" }
		}, 34},
		{"nothing is stored", func(e *Programs, _ *fakeTests, _ []trial.Program) { e.Store = nil }, 34},
	} {
		t.Run(tt.name, func(t *testing.T) {
			stored := store.New(t.TempDir())
			var name string // of the file of the program that detects the bug
			evaluateOnce := func(change func(e *Programs, f *fakeTests, programs []trial.Program)) (*trial.Record, int) {
				f := &fakeTests{script: map[string][]trial.Outcome{}}
				e, entries, programs := newPrograms(f, "0", "1", "2")
				e.Coverage = made(&libbuild.Build{Key: "cov", SharedLib: "cov", Counters: 8})
				e.Store, e.Settings, e.Content = stored, "a", func(p trial.Program) string { return p.Source }
				change(e, f, programs)
				f.script["bug "+programs[2].ID] = []trial.Outcome{trial.Assertion} // run once on the fixed build, and on 24 disguised ones
				rec := evaluate(t, e, entries, programs)
				name = programs[2].ID + ".c"
				return rec, f.runs
			}
			first, runs := evaluateOnce(func(*Programs, *fakeTests, []trial.Program) {})
			assert.Assert(t, runs == 3+3+3+1+24, "%d runs at first", runs)
			again, runs := evaluateOnce(tt.make)
			assert.Check(t, runs == tt.runs, "%d runs, want %d", runs, tt.runs)
			if tt.runs == 0 && tt.name == "nothing" && !reflect.DeepEqual(first, again) {
				t.Errorf("first %+v\nagain %+v", first, again)
			}
			if b := again.Bugs[0]; b.Tests != 1 || b.First[0].Assertion.File != name {
				t.Errorf("bug %+v", b)
			}
		})
	}
}

func TestWhatMayEndOtherwiseIsNotStored(t *testing.T) {
	stored := store.New(t.TempDir())
	for n := range 2 {
		f := &fakeTests{script: map[string][]trial.Outcome{"ref a": {trial.Timeout}, "ref b": {trial.Crash, trial.OK}}}
		e, entries, programs := newPrograms(f, "0", "1")
		e.Bugs = nil
		e.Store, e.Content = stored, func(p trial.Program) string { return p.Source }
		rec := evaluate(t, e, entries, programs)
		if got := rec.Programs.Outcomes; got[trial.Timeout] != 1 || got[trial.Flaky] != 1 {
			t.Errorf("evaluation %d: %v", n, got)
		}
	}
}
