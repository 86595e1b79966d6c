package straightline

import (
	"context"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"gotest.tools/v3/assert"

	"github.com/lisa-bench/lisa-bench/internal/cprog"
	"github.com/lisa-bench/lisa-bench/internal/toolchain"
	"github.com/lisa-bench/lisa-bench/internal/trial"
	"github.com/lisa-bench/lisa-bench/pipeline/apispec"
)

// TestAloneAsInABatch: sharing a compiler process changes no report. The
// programs have equal includes, and all compile.
func TestAloneAsInABatch(t *testing.T) {
	c := newChecker(t, trial.C)
	units := slices.DeleteFunc(programs(t, trial.C), func(u toolchain.Unit) bool {
		return !slices.Contains([]string{"calls", "guards", "explode"}, u.ID)
	})
	for i, together := range check(t, c, units...) {
		alone := check(t, c, units[i])[0]
		assert.Check(t, reflect.DeepEqual(together.Calls, alone.Calls) && reflect.DeepEqual(together.Violations, alone.Violations),
			"%s: together %+v, alone %+v", units[i].ID, together, alone)
	}
}

func TestGuards(t *testing.T) {
	const source = `#include "kv.h"
int test_a(void) {
    kv_store s;
    if (kv_open(&s, 1) != KV_OK) { kv_close(&s); return 1; }
    if (s.have) { for (;;) kv_len("x"); return 2; }
    if (s.have) { kv_close(&s); }
    kv_close(&s);
    return 0;
}
`
	c := newChecker(t, trial.C)
	r := check(t, c, toolchain.Unit{ID: "a", Lang: trial.C, Source: source})[0]
	var kinds []Kind
	for _, v := range r.Violations {
		kinds = append(kinds, v.Kind)
	}
	assert.Check(t, slices.Equal(kinds, []Kind{Guard, Guard, Loop, Branch}),
		"violations = %v, want two guards, the loop in one and the branch that is none", r.Violations)
	if got := strings.Join(r.APIs(), " "); got != "kv_open_ kv_close kv_close" {
		t.Errorf("calls = %s, want the guards' bodies left out", got)
	}
}

func TestReason(t *testing.T) {
	got := Reason([]Violation{{Loop, 7, "for"}, {NoTest, 0, "no test function"}})
	want := "line 7: for: a loop in a straight-line program\n" +
		"no test function: define a function int NAME(void) or void NAME(void) whose name begins with test"
	assert.Check(t, got == want, "reason = %q, want %q", got, want)
	for kind := range kinds {
		if text := (Violation{Kind: kind, What: "it"}).String(); strings.Contains(text, "%!") || !strings.Contains(text, "it") {
			t.Errorf("%s is explained as %q", kind, text)
		}
	}
}

func TestCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	c := newChecker(t, trial.C)
	if _, err := c.Check(ctx, t.TempDir(), programs(t, trial.C)); err == nil {
		t.Error("no error")
	}
}

// FuzzAnalyze checks that no reading and no source make the checks panic.
func FuzzAnalyze(f *testing.F) {
	files, err := filepath.Glob("../../internal/cprog/testdata/*.cprog")
	if err != nil || len(files) == 0 {
		f.Fatalf("no readings: %v", err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		assert.NilError(f, err)
		f.Add(text, "int test_a(void) {\n// STEP1\n}\n")
	}
	apis, err := specs()
	assert.NilError(f, err)
	f.Fuzz(func(t *testing.T, reading []byte, source string) {
		p, err := cprog.Decode(reading)
		if err != nil {
			return
		}
		for _, api := range apis {
			for _, call := range analyze(p, source, newResolver(api)).Calls {
				if !slices.ContainsFunc(api.Functions, func(f *apispec.Function) bool { return f.Canonical() == call.API }) {
					t.Errorf("call of %s, which is no API", call.API)
				}
			}
		}
	})
}
