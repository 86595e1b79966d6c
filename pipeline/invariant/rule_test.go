package invariant

import (
	"strings"
	"testing"

	"gotest.tools/v3/assert"
	is "gotest.tools/v3/assert/cmp"

	"github.com/lisa-bench/lisa-bench/internal/trial"
	"github.com/lisa-bench/lisa-bench/pipeline/apispec"
	"github.com/lisa-bench/lisa-bench/pipeline/sequence"
)

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
	assert.Check(t, is.DeepEqual(p.observables(), want))
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
		assert.Check(t, is.Equal(gets(s, f), c.want), c.name)
	}
}

// read returns the tree of a program of the tally library.
func read(t *testing.T, source string) *reading {
	t.Helper()
	_, c := compiler(t)
	p := &program{seed: sequence.Seed{Program: trial.Program{Lang: trial.C}}, unit: "p"}
	checker := newChecker(c, trial.Job{Target: target(t), Dir: t.TempDir()}, spec(t))
	a := &attempt{program: p, source: source}
	if err := checker.look(t.Context(), []*attempt{a}); err != nil || p.base == nil {
		t.Fatalf("%v: %+v", err, a.failure)
	}
	return p.base
}
