package invariant

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/lisa-bench/lisa-bench/internal/trial"
	"github.com/lisa-bench/lisa-bench/pipeline/straightline"
)

func TestChunkOf(t *testing.T) {
	c := chunk{raw: "    // STEP2\n    b();\n", marker: "// STEP2"}
	const want = "    // STEP2\n    b();\n    assert(x);\n"
	for name, answer := range map[string]string{
		"the step":           want,
		"without the end":    strings.TrimRight(want, "\n"),
		"the whole program":  "#include <a.h>\nvoid test(void)\n{\n    // STEP1\n    a();\n" + want + "    // step 3: more\n    c();\n}\n",
		"to the closing one": want + "}\n\nvoid other(void) {}\n",
	} {
		if got := chunkOf(answer, c); got != want {
			t.Errorf("%s: %q", name, got)
		}
	}
	if got := chunkOf("b();\nassert(\"// STEP2 }\"[0]);\n", c); got != "// STEP2\nb();\nassert(\"// STEP2 }\"[0]);\n" {
		t.Errorf("without a marker: %q", got)
	}
	if got := chunkOf("anything", chunk{raw: "whole"}); got != "anything" {
		t.Errorf("whole program: %q", got)
	}
}

func TestAssertionAt(t *testing.T) {
	for _, c := range []struct {
		source, condition, remark, without string
		last                               int
	}{
		{"assert(a == 1); // value range [f.1]: x\nb();", "a == 1", "value range [f.1]: x", "b();", 1},
		{"assert(a\n  == f(\")\")) ; c();", `a == f(")")`, "", "; c();", 2},
		{"assert(a /* ) */);/* relational: y */\n", "a", "relational: y", "", 1},
	} {
		a, ok := assertionAt(c.source, 0)
		if !ok || a.condition != c.condition || a.remark != c.remark || a.first != 1 || a.last != c.last {
			t.Errorf("%q: %+v", c.source, a)
		}
		if got := without(c.source, a); got != c.without {
			t.Errorf("%q without it: %q", c.source, got)
		}
	}
	if _, ok := assertionAt("assert((a;", 0); ok {
		t.Error("an assertion without an end was read")
	}
}

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

func TestWithIncludes(t *testing.T) {
	got := withIncludes("#define A\n#include <assert.h>\n#ifdef A\n#include <b.h>\n#endif\n#include \"c.h\"\nint x;\n")
	want := "#define A\n#include <assert.h>\n#ifdef A\n#include <b.h>\n#endif\n#include \"c.h\"\n#include <limits.h>\n#include <math.h>\n#include <stdint.h>\n#include <string.h>\nint x;\n"
	if got != want {
		t.Errorf("got\n%s", got)
	}
}

func TestSplitProgram(t *testing.T) {
	const source = "#include <a.h>\nvoid test(void)\n{\n    // STEP1\n    a();\n    // STEP2\n    b();\n}\nint x;\n"
	r := straightline.Report{Tests: []straightline.Test{{Name: "test", FirstLine: 2, LastLine: 8,
		Steps: []straightline.Step{{Number: 1, FirstLine: 4, LastLine: 5}, {Number: 2, FirstLine: 6, LastLine: 8}},
		Calls: []straightline.Call{{API: "a", Line: 5, Step: 1}, {API: "b", Line: 7, Step: 2}, {API: "b", Line: 7, Step: 2}}}}}
	s := splitProgram(source, r, false)
	if len(s.chunks) != 2 || s.head+s.chunks[0].raw+s.chunks[1].raw+s.tail != source || s.tail != "}\nint x;\n" || strings.Join(s.chunks[1].apis, " ") != "b" {
		t.Errorf("%+v", s)
	}
	for name, spoil := range map[string]func(*straightline.Test){
		"a problem with the steps": func(t *straightline.Test) { t.StepProblem = "x" },
		"code on the last line":    func(t *straightline.Test) { t.LastLine = 7 },
	} {
		bad := r
		bad.Tests = append([]straightline.Test(nil), r.Tests...)
		spoil(&bad.Tests[0])
		if s := splitProgram(source, bad, false); !s.whole() || len(s.chunks) != 1 || s.chunks[0].raw != source || strings.Join(s.chunks[0].apis, " ") != "a b" {
			t.Errorf("%s: %+v", name, s)
		}
	}
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

func TestParseRemark(t *testing.T) {
	for remark, want := range map[string][2]string{
		"value range [cJSON_Parse.12]: not NULL": {"value range", "cJSON_Parse.12"},
		"Relational: conserved":                  {"relational", ""},
		"documentation [not one]: x":             {"documentation", ""},
		"":                                       {"unnamed", ""},
	} {
		if kind, contract := parseRemark(remark); kind != want[0] || contract != want[1] {
			t.Errorf("%q: %q %q", remark, kind, contract)
		}
	}
}

func TestInputs(t *testing.T) {
	seeds, contracts := writeSeeds(t, []string{sums, sums}), "knowledge"
	if err := os.WriteFile(filepath.Join(seeds, "suite.json"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
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
		if !slices.Equal(got, tc.want) {
			t.Errorf("%s: %v, want %v", name, got, tc.want)
		}
	}
}
