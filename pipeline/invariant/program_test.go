package invariant

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gotest.tools/v3/assert"

	"github.com/lisa-bench/lisa-bench/internal/toolchain"
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

func TestMissingContractsSayHowToMakeThem(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "knowledge")
	_, err := loadBase(options{Contracts: dir, Knowledge: "all", Oracle: oracleInvariants}, "zlib")
	want := filepath.Join(dir, "zlib.yaml") + " does not exist; make it with `bench knowledge build EXPERIMENT --library zlib --dir " + dir + "`"
	assert.Check(t, err != nil && strings.Contains(err.Error(), want), "%v, want %s", err, want)
	if base, err := loadBase(options{Contracts: dir, Knowledge: "none", Oracle: oracleInvariants}, "zlib"); err != nil || len(base.APIs) != 0 {
		t.Errorf("a variant without knowledge reads contracts: %v, %v", base, err)
	}
}

// TestSplit: steps are line comments of their own between the statements of the one test, from 1 on.
func TestSplit(t *testing.T) {
	_, c := compiler(t)
	k := newChecker(c, trial.Job{Target: target(t)}, spec(t))
	var units []toolchain.Unit
	var chunks []int
	for _, e := range []struct {
		from, to string
		chunks   int
	}{
		{"", "", 3},
		{"// STEP2", "//step 2: lower case and a blank", 3},
		{"// STEP2", "/* // STEP7 */", 1},
		{"// STEP2", "/*\n// STEP2\n*/", 1},
		{"    // STEP2\n", "    ; // STEP2\n", 1},
		{"    // STEP3\n", "    { ;\n    // STEP3\n    }\n", 1},
		{"// STEP2", "// STEP3", 1},
		{"// STEP1", "// nothing", 1},
		{"(void)sum;\n", "(void)sum; ", 1},
		{"void test", "void test_other(void) {}\nvoid test", 1},
	} {
		units = append(units, toolchain.Unit{ID: fmt.Sprintf("p%d", len(units)), Lang: trial.C, Source: strings.Replace(sums, e.from, e.to, 1)})
		chunks = append(chunks, e.chunks)
	}
	reports, err := k.syntax.Check(t.Context(), t.TempDir(), units)
	assert.NilError(t, err)
	for i, u := range units {
		s := splitProgram(u.Source, reports[i], false)
		text := s.head
		for _, c := range s.chunks {
			text += c.raw
		}
		assert.Check(t, len(s.chunks) == chunks[i] && text+s.tail == u.Source, "%d chunks, want %d:\n%s", len(s.chunks), chunks[i], u.Source)
	}
}
