package apispec

import (
	"bytes"
	"context"
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"gotest.tools/v3/assert"
	"gotest.tools/v3/golden"

	"github.com/lisa-bench/lisa-bench/internal/trial"
)

// readThings describes things.hh once for all tests: the headers that it includes are large.
var readThings = sync.OnceValues(func() (*Spec, error) {
	dir, err := filepath.Abs("testdata")
	if err != nil {
		return nil, err
	}
	compiler, err := newCompiler()
	if err != nil {
		return nil, err
	}
	return Load(context.Background(), compiler, trial.Target{
		Library: "things", Language: trial.CXX, Headers: []string{"things.hh"}, IncludeDirs: []string{dir}})
})

func loadThings(t *testing.T) *Spec {
	t.Helper()
	spec, err := readThings()
	assert.NilError(t, err)
	return spec
}

// TestGoldenCXX pins everything extracted from a C++ header with each construct once.
func TestGoldenCXX(t *testing.T) {
	got, err := json.MarshalIndent(loadThings(t), "", "  ")
	assert.NilError(t, err)
	dir, err := filepath.Abs("testdata")
	assert.NilError(t, err)
	got = append(bytes.ReplaceAll(got, []byte(dir+"/"), nil), '\n')
	golden.AssertBytes(t, got, "things.golden.json")
}

func TestPublicCXXFunctions(t *testing.T) {
	spec := loadThings(t)
	var got []string
	for _, f := range spec.APIs(nil) {
		got = append(got, strings.TrimSpace(string(f.Kind)+" "+f.Canonical()))
	}
	want := []string{
		"things::count",
		"things::open(int)",
		"things::open(const std::string &, bool)",
		"method things::Base::weigh",
		"constructor things::Thing::Options::Options",
		"constructor things::Thing::Thing(const char *)",
		"constructor things::Thing::Thing(const std::string &, const Options &)",
		"method things::Thing::operatorname",
		"static things::Thing::Same",
		"static things::Thing::Fill",
		"method things::Thing::as",
		"method things::Thing::weigh",
		"method things::Thing::options",
		"method things::Thing::read(char (&)[8], unsigned char *, int *const *, void (*)(Handle)) const",
		"method things::Thing::read(char *)",
		"method things::Thing::Part::of",
		"things::twice",
		"things::boxed",
		"things_move",
	}
	assert.Check(t, slices.Equal(got, want),
		"functions:\n got %s\nwant %s", strings.Join(got, "\n     "), strings.Join(want, "\n     "))
}

func TestCXXTypes(t *testing.T) {
	spec := loadThings(t)
	for _, tc := range []struct{ function, want string }{
		{"things::count", "size_t f(const things::Names &)"},
		{"things::Thing::Same", "bool f(const things::Thing &, things::Thing &&, things::Thing::Mode)"},
		{"things::Thing::options", "const things::Thing::Options &f(void)"},
		{"things::Thing::as", "T f(void)"},
		{"things::boxed", "things::Box<int> f(things::Box<Thing> *, int things::Thing:: *)"},
		{"things_move", "things_point *f(things_point *, enum things_flag)"},
	} {
		f := spec.function(tc.function)
		if f == nil {
			t.Errorf("%s is missing", tc.function)
			continue
		}
		typ := &Type{Kind: Func, Elem: f.Result}
		for _, p := range f.Params {
			typ.Params = append(typ.Params, p.Type)
		}
		if got := typ.Declare("f"); got != tc.want {
			t.Errorf("%s: %s, want %s", tc.function, got, tc.want)
		}
	}
}

func TestExcludedAPIs(t *testing.T) {
	spec := loadThings(t)
	all := len(spec.APIs(nil))
	for _, tc := range []struct {
		excluded []string
		fewer    int
	}{
		{[]string{"things::count"}, 1},
		{[]string{"things::open"}, 2},
		{[]string{"things::open(int)"}, 1},
		{[]string{"things::absent"}, 0},
	} {
		if got := all - len(spec.APIs(tc.excluded)); got != tc.fewer {
			t.Errorf("excluding %v leaves out %d, want %d", tc.excluded, got, tc.fewer)
		}
	}
}

// function returns the function of that name, or nil.
func (s *Spec) function(name string) *Function {
	for _, f := range s.Functions {
		if f.Name == name {
			return f
		}
	}
	return nil
}
