package report_test

import (
	"bytes"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"

	"gotest.tools/v3/assert"

	"github.com/lisa-bench/lisa-bench/internal/trial"
	. "github.com/lisa-bench/lisa-bench/report/doc"
	. "github.com/lisa-bench/lisa-bench/report/measured"
	"github.com/lisa-bench/lisa-bench/report/render"
)

func TestAnswer(t *testing.T) {
	m := func(tool, library, bugs string) measured {
		return measured{tool: tool, variant: "default", library: library, trial: 1, lines: 40, bugs: bugs}
	}
	for _, tt := range []struct {
		name string
		ms   []measured
		want string
	}{
		{"two libraries", []measured{m("a", "l", "dddddd-"), m("b", "l", "-------"), m("a", "k", "d-"), m("b", "k", "-d")},
			"a detects 7, b 1 of 9 bugs; a against b: p = 0.0703, which may be chance."},
		{"chance", []measured{m("a", "l", "d-"), m("b", "l", "--")}, "a detects 1, b 0 of 2 bugs; a against b: p = 1.0000, which may be chance."},
		{"the subject is named, the test corrected", []measured{m("a", "l", "ddddddd"), m("b", "l", "d------"), m("lisa", "l", "-------")},
			"a detects 7, b 1, lisa 0 of 7 bugs; a against b: p = 0.0625 after correction for 3 comparisons, which may be chance; " +
				"a against lisa: p = 0.0469 after correction for 3 comparisons."},
		{"the subject faced other bugs", []measured{m("a", "l", "d-"), m("lisa", "k", "d")}, "a detects 1 of 2 bugs; lisa 1 of 1 others."},
		{"nothing", []measured{m("a", "l", "--"), m("b", "l", "--")}, "a detects 0, b 0 of 2 bugs."},
		{"alone", []measured{m("a", "l", "d-")}, "a detects 1 of 2 bugs."},
		{"no bugs", []measured{m("a", "l", ""), m("b", "l", "")}, "a covers most lines (40.0 % on average); no bug was checked."},
	} {
		s := build(t, runOf(tt.ms...)).Sections[0]
		assert.Check(t, s.ID == "answer" && s.Lead == tt.want, "%s: %s: %q, want %q", tt.name, s.ID, s.Lead, tt.want)
	}
	run := fixture()
	run.Cells = nil
	if s := build(t, run).Sections[0]; s.Lead != "No cell is complete: there is no result yet." {
		t.Errorf("without a record: %q", s.Lead)
	}
	// Tools without a figure come last, and bugs that nobody tried are counted.
	rows := rowsOf(t, build(t, fixture()), "answer")
	if last := rows[len(rows)-1]; len(rows) != 3 || !strings.HasPrefix(last, "n/a|ossfuzz|1 of 5|1–72|46.7 ± 0.0|2 of 4|5|") { // of other bugs
		t.Errorf("ranked %q", rows)
	}
}

// The headline fits 80 columns and, with all its parts, 36 lines; it leaves the document as it is.
func TestHeadline(t *testing.T) {
	var ms []measured
	for i := range 20 {
		ms = append(ms, measured{tool: "tool-with-a-long-name", variant: fmt.Sprint("variant-", i), library: "l", trial: 1, lines: 40, bugs: "d-"})
	}
	many := runOf(ms...)
	for i := range many.Cells {
		many.Cells[i].Programs.Outcomes = map[trial.Outcome]int{trial.CompileError: 3}
		many.Cells[i].Failures = []trial.TestReference{{ID: "p1", Outcome: trial.CompileError, Detail: strings.Repeat("error: x ", 50)}}
	}
	for name, run := range map[string]Run{"randoop detects 6 of 8 bugs": fixture(), "tool-with-a-long-name/variant-0 detects 1,": many} {
		d := build(t, run)
		for _, colour := range []bool{false, true} {
			var out bytes.Buffer
			assert.NilError(t, render.Headline(&out, d, 80, colour))
			text := strings.NewReplacer("\x1b[1m", "", "\x1b[32m", "", "\x1b[0m", "").Replace(out.String())
			assert.Check(t, colour == (text != out.String()) && strings.HasPrefix(text, name) && strings.Count(text, "\n") <= 36,
				"colour %v: %q", colour, out.String())
			for line := range strings.Lines(text) {
				n := utf8.RuneCountInString(strings.TrimRight(line, " \n"))
				assert.Check(t, n <= 80, "a line of %d: %q", n, line)
			}
		}
		if name := table(t, d, "answer").Rows[0][1].Text; run.Cells[0].Cell.Tool != name && strings.Contains(name, "…") {
			t.Errorf("a name in the document is cut: %q", name)
		}
	}
}

// A detecting test comes with the command that runs it against its bug, and with what the bug changes.
func TestDetailSaysHowToRunIt(t *testing.T) {
	run := runOf(on("a", "l", 1, "d"))
	run.Evaluate = "--sandbox none --timeout 5s --repeats 3"
	run.Bugs[0].Diff = map[string]string{"debian": "-good\n+bad\n", "upstream": "other"}
	d := build(t, run).Details[0]
	if want := "bench evaluate --library l --edition debian --test cells/a.default.l.debian.1/suite/p1.c --bugs l-1 --oracle reference --sandbox none --timeout 5s --repeats 3"; d.Command != want {
		t.Errorf("command %q, want %q", d.Command, want)
	}
	assert.Check(t, d.Diff == "-good\n+bad\n", "diff %q", d.Diff)
	run.Cells[0].Bugs[0].First[0].File = "evaluation/l-1/t/crash-0"
	if d := build(t, run).Details[0]; d.Command != "" {
		t.Errorf("an input of a fuzzer has the command %q", d.Command)
	}
}

// A bug that a tool missed has a page for all tools: what it changes, what detects it, and how near their tests came.
func TestMissedBugHasAPage(t *testing.T) {
	run := runOf(on("a", "l", 1, "-"), on("b", "l", 1, "d"), on("c", "l", 1, "-"))
	run.Bugs[0].Witness, run.Bugs[0].Diff = "int main(void)", map[string]string{"debian": "-good\n+bad\n"}
	run.Cells[0].Bugs[0].Nearest = []trial.TestReference{{ID: "p7", File: "suite/p7.c"}}
	d := build(t, run)
	row := table(t, d, "matrix_l").Rows[0]
	assert.Assert(t, len(d.Details) == 2 && row[2].Detail == row[4].Detail && row[2].Detail == d.Details[0].ID,
		"row %+v, details %+v", row, d.Details)
	want := Detail{ID: "missed-l_l_1", Title: "l: l-1, t", File: "l-1", Source: "int main(void)", Diff: "-good\n+bad\n",
		Caption: "A witness, which passes without the bug and fails with it", Facts: []KeyValue{
			{Key: "a", Value: "detected in 0 of 1 trial; nearest, for they execute what the bug changes: cells/a.default.l.debian.1/suite/p7.c"},
			{Key: "b", Value: "detected in 1 of 1 trial"},
			{Key: "c", Value: "detected in 0 of 1 trial; no test is known to execute what the bug changes"}}}
	assert.Check(t, reflect.DeepEqual(d.Details[0], want), "got  %+v\nwant %+v", d.Details[0], want)
}

// A page marks the line that failed where "#line" gives several lines its number, and shows a long source whole.
func TestDetailMarksTheLine(t *testing.T) {
	long := strings.Repeat("// a long program\n", 10000)
	run := runOf(on("a", "l", 1, "d"))
	run.Cells[0].Bugs[0].First[0].Assertion = &trial.AssertionFailure{File: "p1.c", Line: 2, Expr: "x == 1"}
	run.Sources = func(string, string) (string, error) {
		return "// top\n#line 1\nint x;\nint y;\n#line 1 \"p1.c\"\nvoid f(void) {\n  assert(x == 1);\n}\n" + long, nil
	}
	d := build(t, run).Details[0]
	assert.Check(t, d.Line == 7 && strings.HasSuffix(d.Source, long), "line %d of %d bytes", d.Line, len(d.Source))
}
