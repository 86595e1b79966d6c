package report_test

import (
	"slices"
	"strings"
	"testing"

	"gotest.tools/v3/assert"

	"github.com/lisa-bench/lisa-bench/internal/trial"
	. "github.com/lisa-bench/lisa-bench/report/doc"
	. "github.com/lisa-bench/lisa-bench/report/measured"
	"github.com/lisa-bench/lisa-bench/report/render"
)

var gone = trial.Reason{Kind: trial.ReasonSandbox, Message: "bwrap | was <killed>\nand more"}

// The reason as a footnote has it.
const goneNote = "sandbox: bwrap | was <killed> … and more"

// strip takes a part out of a record.
func strip(r *trial.Record, p trial.Part) {
	switch p {
	case trial.PartSuccess:
		r.Programs, r.Alarms, r.Failures = nil, nil, nil
	case trial.PartCoverage: // and what is a share of its totals
		r.Coverage = nil
		strip(r, trial.PartGrowth)
	case trial.PartGrowth:
		r.Growth = nil
	case trial.PartVerifications:
		r.Verifications = nil
	case trial.PartMutation:
		r.Mutation = nil
	case trial.PartDetections:
		for i := range r.Bugs {
			r.Bugs[i] = trial.BugResult{Bug: r.Bugs[i].Bug, Missing: &gone}
		}
		return
	}
	r.Lack(p, gone)
}

// withGaps is the fixture with AUVC, in which randoop's trials on zlib lack a part.
func withGaps(p trial.Part, trials ...int) Run {
	run := fixture()
	for i := range run.Cells {
		r := &run.Cells[i]
		if r.Kind == trial.KindPrograms {
			r.Verifications = &trial.Verifications{Programs: 200, Seeds: 200, Passing: 150, Unique: 400 * r.Cell.Trial, Assertions: 1000}
			r.Mutation = &trial.Mutation{
				MutantCount: trial.MutantCount{Mutants: 1900, Reached: 800, Killed: 380 + r.Cell.Trial}, Score: 0.2, Low: 0.18, High: 0.22, Tests: 200, Usable: 150,
				ByOracle:   []trial.MutantOracle{{Oracle: trial.OracleCrash, Killed: 80 + r.Cell.Trial}, {Oracle: trial.OracleReference, Killed: 300}},
				ByOperator: []trial.MutantGroup{{Name: "relational", MutantCount: trial.MutantCount{Mutants: 700, Reached: 300, Killed: 100}}},
			}
		}
		if c := r.Cell; c.Library == "zlib" && c.Tool == "randoop" && c.Variant == "default" && slices.Contains(trials, c.Trial) {
			strip(r, p)
		}
	}
	return run
}

// TestAPartThatIsMissing takes one part after the other out of a tool's records on a library: its
// columns say so, with the reason, and everything else is as before.
func TestAPartThatIsMissing(t *testing.T) {
	whole := build(t, withGaps(""))
	for _, tt := range []struct {
		part  trial.Part
		cells []string // the columns that lose their value, by table
		one   []string // of these, those that keep it with a caution where one trial of two has the part
	}{
		{trial.PartSuccess,
			[]string{"overview csr", "overview esr", "success generated", "success compiled", "success executed", "success csr", "success esr",
				"outcomes ok", "outcomes flaky", "bugs false_alarms"},
			[]string{"overview csr", "success generated", "success esr", "outcomes ok", "bugs false_alarms"}},
		{trial.PartCoverage, []string{"overview line_coverage", "overview branch_coverage", "coverage line_coverage", "coverage branch_total"},
			[]string{"overview line_coverage", "coverage branch_coverage"}},
		{trial.PartVerifications, []string{"verifications auvc", "verifications assertions"}, []string{"verifications auvc"}},
		{trial.PartMutation, []string{"mutation mutation_score", "mutation interval", "mutation killed", "mutation killed_hang"}, []string{"mutation mutation_score"}},
		{trial.PartDetections, []string{"overview bugs_detected", "bugs hbdr", "bugs detected", "bugs interval", "oracles crash"}, []string{"bugs hbdr"}},
	} {
		t.Run(string(tt.part), func(t *testing.T) {
			all := build(t, withGaps(tt.part, 1, 2))
			for _, place := range tt.cells {
				id, key, _ := strings.Cut(place, " ")
				c, shown := cellOf(t, all, id, key)
				assert.Check(t, shown == "missing" && slices.Contains(c.Notes, "missing: "+goneNote),
					"%s shows %q with the notes %q", place, shown, c.Notes)
			}
			some := build(t, withGaps(tt.part, 2))
			for _, place := range tt.one {
				id, key, _ := strings.Cut(place, " ")
				c, shown := cellOf(t, some, id, key)
				if want := "over 1 of 2 trials; 1 without it: " + goneNote; shown == "missing" || len(c.Values) == 0 ||
					!slices.Contains(c.Notes, want) && tt.part != trial.PartDetections {
					t.Errorf("with one trial %s shows %q with the notes %q", place, shown, c.Notes)
				}
			}
			for _, place := range []string{"overview csr", "overview line_coverage", "overview bugs_detected", "verifications auvc", "success generated", "bugs hbdr"} {
				id, key, _ := strings.Cut(place, " ")
				if _, was := cellOf(t, whole, id, key); !slices.ContainsFunc(tt.cells, func(c string) bool { return c == place }) {
					_, now := cellOf(t, all, id, key)
					assert.Check(t, now == was, "%s shows %q, want %q as before", place, now, was)
				}
			}
			if text := rendered(t, all)["report.txt"]; !strings.Contains(text, "The records of 5 lack a part") {
				t.Errorf("the report does not tell of the gap:\n%s", text)
			}
		})
	}
}

// cellOf returns a cell of randoop on zlib, and how it is shown.
func cellOf(t *testing.T, d *Document, id, key string) (Cell, string) {
	t.Helper()
	tab := table(t, d, id)
	col := columnOf(tab, key)
	for _, row := range tab.Rows {
		if row[0].Text == "zlib" && row[1].Text == "randoop" {
			return row[col], tab.Columns[col].Format(row[col])
		}
	}
	t.Fatalf("%s has no row of randoop on zlib", id)
	return Cell{}, ""
}

// TestUnnoticed: the report of one suite shows what its tests leave unnoticed, that of several does not.
func TestUnnoticed(t *testing.T) {
	run := withGaps(trial.PartMutation)
	at := trial.Uncalled{File: "a.c", Line: 7, Function: "idle"}
	for i := range run.Cells {
		if m := run.Cells[i].Mutation; m != nil {
			m.Survivors = slices.Repeat([]trial.Survivor{{ID: 3, File: "b.c", Line: 9, Function: "f", Original: "n | m", Tests: []string{"p1", "p2"}}}, 30)
			run.Cells[i].Uncovered = &trial.Uncovered{Functions: []trial.Uncalled{at}, Branches: []trial.Untaken{{Uncalled: at}, {Uncalled: at, Never: true}}}
		}
	}
	if text := mutationText(t, run); strings.Contains(text, "b.c:9") {
		t.Error("several suites have the table of one")
	}
	run.Cells, run.Planned, run.Incomplete = run.Cells[:1], run.Planned[:1], nil
	text := mutationText(t, run)
	for want, n := range map[string]int{"b.c:9": 20, "20 mutants of 30": 1, "never called": 1, "2 of its branches": 1} {
		got := strings.Count(text, want)
		assert.Check(t, got == n || n != 20 && got != 0, "%q is there %d times, not %d:\n%s", want, got, n, text)
	}
}

func mutationText(t *testing.T, run Run) string {
	t.Helper()
	var text strings.Builder
	assert.NilError(t, render.Text(&text, only(build(t, run), "mutation")))
	return text.String()
}
