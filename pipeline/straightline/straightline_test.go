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
		return !slices.Contains([]string{"calls", "guards", "steps", "explode"}, u.ID)
	})
	for i, together := range check(t, c, units...) {
		alone := check(t, c, units[i])[0]
		assert.Check(t, reflect.DeepEqual(together, alone), "%s: together %+v, alone %+v", units[i].ID, together, alone)
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
	for kind := range explanations {
		if text := (Violation{Kind: kind, What: "it"}).String(); strings.Contains(text, "%!") || !strings.Contains(text, "it") {
			t.Errorf("%s is explained as %q", kind, text)
		}
	}
}

func TestMarkers(t *testing.T) {
	for _, tc := range []struct {
		name, source string
		want         []marker
	}{
		{"plain", "// STEP1\nx;\n// STEP2\n", []marker{{1, 1}, {2, 3}}},
		{"words after it", "  // STEP1: open it\n", []marker{{1, 1}}},
		{"lower case and a blank", "//step 12 go\n", []marker{{12, 1}}},
		{"after code", "x; // STEP1\n", nil},
		{"in a string", "\"\n// STEP1\n\"", []marker{{1, 2}}}, // a string cannot span lines
		{"in a raw string", "auto s = R\"x(\n// STEP1\n)x\";\n// STEP2\n", []marker{{2, 4}}},
		{"in a block comment", "/*\n// STEP1\n*/\n", nil},
		{"after a block comment", "/* a */ // STEP1\n", nil},
		{"in a continued comment", "// a \\\n// STEP1\n// STEP2\n", []marker{{2, 3}}},
		{"no number", "// STEP\n// STEPS1\n// STEP1x\n", nil},
		{"after a quote character", "char c = '\"';\n// STEP1\n", []marker{{1, 2}}},
		{"no newline at the end", "// STEP3", []marker{{3, 1}}},
		{"unterminated", "/* // STEP1\n", nil},
		{"huge number", "// STEP99999\n", nil},
	} {
		t.Run(tc.name, func(t *testing.T) {
			assert.Check(t, slices.Equal(markers(tc.source), tc.want), "markers %v", markers(tc.source))
		})
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
	var apis []*resolver
	all, err := specs()
	assert.NilError(f, err)
	for _, lang := range []trial.Language{trial.C, trial.CXX} {
		apis = append(apis, newResolver(all[lang]))
	}
	f.Fuzz(func(t *testing.T, reading []byte, source string) {
		p, err := cprog.Decode(reading)
		if err != nil {
			return
		}
		for _, api := range apis {
			r := analyze(p, toolchain.Unit{ID: "a", Lang: trial.C, Source: source}, api)
			for _, test := range r.Tests {
				for _, call := range test.Calls {
					if !slices.ContainsFunc(api.spec.Functions, func(f *apispec.Function) bool { return f.Canonical() == call.API }) {
						t.Errorf("call of %s, which is no API", call.API)
					}
				}
			}
		}
	})
}
