package invariant

import (
	"reflect"
	"strings"
	"testing"

	"github.com/lisa-bench/lisa-bench/internal/trial"
	"github.com/lisa-bench/lisa-bench/pipeline/apispec"
	"github.com/lisa-bench/lisa-bench/pipeline/sequence"
)

// TestRulesAreEnforced: each rule that a prompt tells refuses what breaks it and accepts what it
// allows; TestCompare has more of both. The rule of conditional calls is straightline's, whose
// tests hold it.
func TestRulesAreEnforced(t *testing.T) {
	const seed = `#include <time.h>
#include <tally.h>
void test_sequence(void)
{
    tally t = {0, 0, 0};
    int numbers[3] = {1, 2, 3};
    tally_open(&t, 2);
    (void)numbers;
}
`
	of := map[string][]edit{
		"keep":        {{"changed", "tally_open(&t, 2);", "tally_open(&t, 3);", "line"}, {"assertion", "(void)numbers;", "assert(t.count == 0); (void)numbers;", ""}},
		"results":     {{"kept", "tally_open(&t, 2);", "int rc = tally_open(&t, 2);", ""}, {"of another", "tally_open(&t, 2);", "int rc = tally_inc(&t);", "line"}},
		"copies":      {{"own", "(void)numbers;", "int c[4] = {0}; memcpy(c + 1, numbers, sizeof numbers); (void)numbers;", ""}, {"through a pointer", "(void)numbers;", "int *p = numbers; memset(p, 0, 4); (void)numbers;", "nor an addition"}},
		"temporaries": {{"no value", "(void)numbers;", "int n; (void)numbers;", "no initial value"}, {"static", "(void)numbers;", "static int n = 0; (void)numbers;", "storage class"}, {"value", "(void)numbers;", "int n = 2; assert(n == 2); (void)numbers;", ""}},
		"straight":    {{"loop", "(void)numbers;", "while (0) {} (void)numbers;", "nor an addition"}, {"branch", "(void)numbers;", "if (t.sum) assert(0); (void)numbers;", "nor an addition"}},
		"pure":        {{"assigns", "(void)numbers;", "assert((t.sum = 1)); (void)numbers;", "assigns"}, {"increments", "(void)numbers;", "assert(t.sum++ == 0); (void)numbers;", "++"}, {"observer", "(void)numbers;", "assert(tally_sum(&t) == 0); (void)numbers;", ""}, {"other call", "(void)numbers;", "assert(tally_add(&t, 1) == 0); (void)numbers;", "calls tally_add"}},
		"addresses":   {{"number", "(void)numbers;", "assert((uintptr_t)&t % 8 == 0); (void)numbers;", "address"}, {"time", "(void)numbers;", "assert(time(0) > 0); (void)numbers;", "calls time"}},
		"conditional": nil,
	}
	for _, r := range rules {
		edits, known := of[r.id]
		if !known {
			t.Errorf("nothing shows that the rule %s is enforced", r.id)
		}
		compareAll(t, seed, trial.C, append([]edit{{"nothing", "", "", ""}}, edits...))
	}
	// Every function that the prompt names may be called, and no other is told.
	for name := range told {
		if !pureFunctions[name] {
			t.Errorf("%s is told and refused", name)
		}
	}
}

// TestObservables: results, what calls wrote, and what a callback kept, up to the end of the step.
func TestObservables(t *testing.T) {
	const source = `#include <tally.h>
static int seen;
static void callback(int v) { seen = v; }
void test_sequence(void)
{
    // STEP1
    tally t;
    int numbers[2] = {1, 2};
    const int limit = 2;
    void (*f)(int) = callback;
    f(3);
    int rc = tally_open(&t, limit);
    // STEP2
    long later = tally_all(numbers, 2);
    (void)rc; (void)later; (void)seen;
}
`
	p := &program{}
	at := strings.Index(source, "    // STEP1")
	two := strings.Index(source, "    // STEP2")
	p.parts = split{head: source[:at], chunks: []chunk{{raw: source[at:two]}, {raw: source[two : len(source)-2]}}, tail: "}\n"}
	p.ready, p.base = true, read(t, source)
	want := []string{"`seen`, int: written by callback", "`t`, tally: written by tally_open", "`numbers`, int[2]", "`f`, void (*)(int)", "`rc`, int"}
	if got := p.observables(); !reflect.DeepEqual(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
	p.done = []string{p.parts.chunks[0].raw}
	if got := p.observables(); len(got) != len(want)+1 || got[len(want)] != "`later`, long" {
		t.Errorf("after the second step: %q", got)
	}
}

// TestGetters: of a library whose handles are never const, what asks a handle for a number may be called.
func TestGetters(t *testing.T) {
	handle := &apispec.Type{Kind: apispec.Pointer, Typedef: "h", Elem: &apispec.Type{Kind: apispec.Void}}
	opaque := &apispec.Type{Kind: apispec.Pointer, Elem: &apispec.Type{Kind: apispec.Record, Name: "db"}}
	visible := &apispec.Type{Kind: apispec.Pointer, Elem: &apispec.Type{Kind: apispec.Record, Name: "stream"}}
	bytes := &apispec.Type{Kind: apispec.Pointer, Elem: &apispec.Type{Kind: apispec.Int, Bits: 8}}
	memory := &apispec.Type{Kind: apispec.Pointer, Elem: &apispec.Type{Kind: apispec.Void}}
	number := &apispec.Type{Kind: apispec.Int, Bits: 32}
	s := &apispec.Spec{Structs: []*apispec.Struct{{Name: "db", Opaque: true}, {Name: "stream", Fields: []apispec.Field{{Name: "n"}}}}}
	for _, c := range []struct {
		name   string
		params []*apispec.Type
		want   bool
	}{
		{"cmsGetColorSpace", []*apispec.Type{handle}, true},
		{"cmsIsTag", []*apispec.Type{handle, number}, true},
		{"db_column_count", []*apispec.Type{opaque}, true},
		{"cmsSetFlags", []*apispec.Type{handle, number}, false},
		{"db_get_next", []*apispec.Type{opaque}, false},
		{"db_step", []*apispec.Type{opaque}, false},
		{"db_get_text", []*apispec.Type{opaque, bytes}, false},
		{"stream_get_size", []*apispec.Type{visible}, false},
		{"block_size", []*apispec.Type{memory}, false},
		{"get_version", nil, false},
		{"db_is_same", []*apispec.Type{opaque, opaque}, false},
	} {
		f := &apispec.Function{Name: c.name, Result: number}
		for _, p := range c.params {
			f.Params = append(f.Params, apispec.Param{Type: p})
		}
		if got := gets(s, f); got != c.want {
			t.Errorf("%s: %v", c.name, got)
		}
	}
}

// read returns the tree of a program of the tally library.
func read(t *testing.T, source string) *reading {
	t.Helper()
	_, c := compiler(t)
	p := &program{seed: sequence.Seed{Program: trial.Program{Lang: trial.C}}, unit: "p"}
	checker := newChecker(c, trial.Job{Target: target(t)}, spec(t), t.TempDir())
	a := &attempt{program: p, source: source}
	if err := checker.look(t.Context(), []*attempt{a}); err != nil || p.base == nil {
		t.Fatalf("%v: %+v", err, a.failure)
	}
	return p.base
}
