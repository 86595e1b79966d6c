package invariant

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gotest.tools/v3/assert"

	"github.com/lisa-bench/lisa-bench/internal/trial"
)

func FuzzSource(f *testing.F) {
	f.Add("assert(a == \")\"); // x\n// STEP2\n}")
	f.Add("/* */ '\\'' \"")
	f.Fuzz(func(t *testing.T, s string) {
		if a, ok := assertionAt(s, 0); ok && (a.begin > a.end || a.end > len(s)) {
			t.Errorf("%q: %+v", s, a)
		}
		if got := chunkOf(s, chunk{raw: "x\n", marker: "// STEP2"}); !strings.HasSuffix(got, "\n") {
			t.Errorf("%q: chunk %q", s, got)
		}
		squeezed(plain(s))
		withIncludes(s)
	})
}

func TestOptions(t *testing.T) {
	o, first, err := parseOptions(map[string]any{"knowledge": "daikon", "inv_attempts": 3.0, "samples": 4, "wave": 100})
	if err != nil || o.Knowledge != "daikon" || o.Attempts != 3 || o.Wave != 100 || first.Samples != 4 {
		t.Errorf("%+v %+v %v", o, first, err)
	}
	for want, params := range map[string]map[string]any{
		`lisa: unknown parameter "chunk"; known are alpha_min, angles, chunks, contracts,`: {"chunk": true},
		`lisa: keep_failing needs inv_repair: false`:                                       {"keep_failing": true},
		"lisa: knowledge is docs, want one of all, none, daikon, daikon_judged, documents": {"knowledge": "docs"},
		"lisa: inv_attempts is 0, want a whole number from 1 to 20":                        {"inv_attempts": 0},
		"lisa: samples is 0, want a whole number":                                          {"samples": 0},
		"lisa: samples is a parameter of the first stage, for which seeds stands":          {"samples": 2, "seeds": "x"},
		"lisa: chunks is 1, want true or false":                                            {"chunks": 1},
	} {
		if _, _, err := parseOptions(params); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%v: %v, want %s", params, err, want)
		}
	}
}

func TestReadSeeds(t *testing.T) {
	if _, err := readSeeds("testdata/nowhere", trial.C); err == nil || !strings.Contains(err.Error(), "nowhere") {
		t.Errorf("a directory that is not there: %v", err)
	}
	if _, err := readSeeds(t.TempDir(), trial.CXX); err == nil || !strings.Contains(err.Error(), "has no .cc or .cpp or .cxx file") {
		t.Errorf("an empty directory: %v", err)
	}
}

func TestInputs(t *testing.T) {
	seeds, contracts := writeSeeds(t, []string{sums, sums}), "knowledge"
	assert.NilError(t, os.WriteFile(filepath.Join(seeds, "suite.json"), nil, 0o644))
	defer os.Remove(filepath.Join(seeds, "suite.json"))
	for name, tc := range map[string]struct {
		params map[string]any
		want   []string
	}{
		"nothing":             {nil, nil},
		"programs only":       {map[string]any{"seeds": seeds}, []string{filepath.Join(seeds, "p00001.c"), filepath.Join(seeds, "p00002.c")}},
		"contracts":           {map[string]any{"contracts": contracts}, []string{"knowledge/tally.yaml"}},
		"contracts not shown": {map[string]any{"contracts": contracts, "knowledge": "none"}, nil},
		"no such directory":   {map[string]any{"seeds": "nowhere"}, nil},
	} {
		var got []string
		for _, in := range (&Tool{}).Inputs("tally", tc.params) {
			got = append(got, in.Path)
			if dir := filepath.Dir(in.Path); dir != tc.params[in.Param] {
				t.Errorf("%s: %s is of %s", name, in.Path, in.Param)
			}
		}
		assert.Check(t, slices.Equal(got, tc.want), "%s: %v, want %v", name, got, tc.want)
	}
}
