package report_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"gotest.tools/v3/assert"
	is "gotest.tools/v3/assert/cmp"

	"github.com/lisa-bench/lisa-bench/internal/trial"
	. "github.com/lisa-bench/lisa-bench/report/doc"
	. "github.com/lisa-bench/lisa-bench/report/measured"
)

// A measured says what one trial of a tool did on a library: percent of 1000 lines, the bugs it
// detected of those that it was checked on, and when the first was found.
type measured struct {
	tool, variant, library string
	trial                  int
	lines                  float64
	bugs                   string // one letter a bug: d detected, - not, ? could not be checked
	at                     time.Duration
}

// on is a trial of a tool's default that covers nothing.
func on(tool, library string, trial int, bugs string) measured {
	return measured{tool: tool, variant: "default", library: library, trial: trial, bugs: bugs}
}

// runOf is a run of such trials, with ten seconds for each.
func runOf(ms ...measured) Run {
	run := Run{Experiment: "t", Timed: true, Budgets: map[string]trial.Budget{}, Sources: func(string, string) (string, error) { return "", nil }}
	known := map[string]int{}
	for _, m := range ms {
		c := trial.Cell{Tool: m.tool, Variant: m.variant, Library: m.library, Edition: "debian", Trial: m.trial}
		r := trial.Record{Schema: trial.RecordSchema, Cell: c, Kind: trial.KindPrograms, Programs: &trial.ProgramCounts{Generated: 10, Compiled: 10, Executed: 10},
			Coverage: &trial.Coverage{LinesTotal: 1000, LinesCovered: int(10 * m.lines), BranchesTotal: 1000, BranchesCovered: int(5 * m.lines)}}
		for i, letter := range m.bugs {
			b := trial.BugResult{Bug: fmt.Sprintf("%s-%d", m.library, i+1)}
			switch letter {
			case 'd':
				b.Detected, b.Tests, b.Oracles = true, 1, []trial.OracleClass{trial.OracleReference}
				b.First = []trial.TestReference{{ID: "p1", File: "suite/p1.c", Outcome: trial.Assertion, Oracle: trial.OracleReference, Elapsed: m.at}}
			case '?':
				b.Missing = &trial.Reason{Kind: trial.ReasonBuild, Message: "no build"}
			}
			r.Bugs = append(r.Bugs, b)
			if i >= known[m.library] {
				known[m.library] = i + 1
				run.Bugs = append(run.Bugs, BugInfo{Library: m.library, ID: b.Bug, Title: "t"})
			}
		}
		run.Budgets[c.ID()] = trial.Budget{Wall: 10 * time.Second}
		run.Cells = append(run.Cells, r)
	}
	return run
}

// rowsOf formats the rows of a table.
func rowsOf(t *testing.T, d *Document, id string) []string {
	t.Helper()
	tab := table(t, d, id)
	var rows []string
	for _, row := range tab.Rows {
		var cells []string
		for i, c := range row {
			cells = append(cells, tab.Columns[i].Format(c))
		}
		rows = append(rows, strings.Join(cells, "|"))
	}
	return rows
}

func TestPairs(t *testing.T) {
	for _, tt := range []struct {
		name, contenders, want string
	}{
		{"tools", "a b", "a:b"},
		{"variants with their default", "a a/x b a/y", "a:a/x a:a/y a:b"},
		{"the default is first", "a/0 a", "a:a/0"},
		{"a sweep has none", "a/n=2 a/n=3 b", "a/n=2:a/n=3 a/n=2:b a/n=3:b"},
		{"alone", "a", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var ms []measured
			for _, c := range strings.Fields(tt.contenders) {
				tool, variant, _ := strings.Cut(c, "/")
				if variant == "" {
					variant = "default"
				}
				ms = append(ms, measured{tool: tool, variant: variant, library: "l", trial: 1, lines: 5})
			}
			var got []string
			for _, s := range build(t, runOf(ms...)).Sections {
				for _, tab := range s.Tables {
					if tab.ID != "coverage_pairs_line" {
						continue
					}
					for _, row := range tab.Rows {
						got = append(got, row[1].Text+":"+row[2].Text)
					}
				}
			}
			slices.Sort(got)
			assert.Check(t, strings.Join(got, " ") == tt.want, "got %v, want %s", got, tt.want)
		})
	}
}

// By hand: McNemar's p of 6 against 0 is 2/2⁶ = 0.03125, of 0 against 1 is 1, and of 6 against 1 is 2 · 8/2⁷ = 0.125.
// Fisher's of 7 and 1 of 8: of the C(16,8) = 12870 tables, 2 · (64 + 1) are as improbable, so p = 0.0101.
// Over trials, pooled: six bugs differ by half for A and one by 1 for B, in sum 2. Six halves of either sign give
// 3, 2, 1, … with 1, 6, 15, … of 64; with 1 added, 15 + 6 + 1 + 1 of 64 are 2 or more from 0: p = 0.3594.
func TestBugPairs(t *testing.T) {
	d := build(t, runOf(
		on("a", "l", 1, "dddd----"),
		on("a", "l", 2, "----ddd-"),
		on("b", "l", 1, "d-------"),
		on("b", "l", 2, "--------"),
		on("a", "m", 1, "dddd--?"),
		on("b", "m", 1, "ddddd-d"),
	))
	want := []string{
		"l|a|b|7 of 8|1 of 8|6|0|0.0313|0.0625|0.0312|0.0625|7|49.00|0.0101|0.0202",
		"m|a|b|4 of 6|5 of 6|0|1|1.0000|1.0000|1.0000|1.0000|n/a|0.40|1.0000|1.0000",
	}
	assert.Check(t, is.DeepEqual(rowsOf(t, d, "bug_pairs_by_library"), want))
	got := rowsOf(t, d, "bug_pairs")
	if len(got) != 1 || !strings.HasPrefix(got[0], "a|b|2 of 2|11 of 14|6 of 14|6|1|0.1250|0.1250|0.3594|0.3594|n/a|4.89|") {
		t.Errorf("pooled: %q", got)
	}
}

// Three trials detect more in any of them than one does: two tools that are equal in each trial are
// compared in the one that both have, and the table says so.
func TestBugPairsOfUnequalTrials(t *testing.T) {
	d := build(t, runOf(
		on("a", "l", 1, "ddd-------"),
		on("a", "l", 2, "---ddd----"),
		on("a", "l", 3, "------ddd-"),
		on("b", "l", 1, "-------ddd"),
	))
	want := []string{"l|a|b|3 of 10|3 of 10|3|3|1.0000|1.0000|1.0000|1.0000|n/a|1.00|1.0000|1.0000"}
	assert.Check(t, is.DeepEqual(rowsOf(t, d, "bug_pairs_by_library"), want))
	cell := table(t, d, "bug_pairs_by_library").Rows[0][3]
	assert.Check(t, slices.Contains(cell.Notes, "only trials that both tools have count; left out of one tool: 2"),
		"the table does not say which trials are compared: %q", cell.Notes)
}

// What does not fit on a screen is in CSV alone.
func TestManyPairsAreInCSV(t *testing.T) {
	var ms []measured
	for _, lib := range []string{"l", "m", "n"} {
		for i := range 5 {
			ms = append(ms, measured{tool: fmt.Sprint("t", i), variant: "default", library: lib, trial: 1, bugs: "d"})
		}
	}
	d := build(t, runOf(ms...))
	got := rowsOf(t, d, "bug_pairs")
	assert.Check(t, len(got) == 10, "%d pairs", len(got))
	i := slices.IndexFunc(d.Data, func(t Table) bool { return t.ID == "bug_pairs_by_library" })
	assert.Check(t, i >= 0 && len(d.Data[i].Rows) == 30, "the comparisons by library are lost")
	if w := table(t, d, "bug_pairs").Warnings; len(w) != 2 || !strings.Contains(w[1], "The 30 comparisons by library are in csv/bug_pairs_by_library.csv") {
		t.Errorf("warnings %q", w)
	}
}

// Friedman's p is exact: three tools in the same order on three libraries is one of 6 orders of 6³, so p = 6/216.
// Nemenyi's CD is 2.343 √(3·4/(6·3)) = 1.913 (Demšar 2006, table 5a), so only the first and the last are apart.
func TestRanks(t *testing.T) {
	var ms []measured
	for _, lib := range []string{"l", "m", "n"} {
		for i, tool := range []string{"a", "b", "c"} {
			for n := 1; n <= 3; n++ {
				ms = append(ms, measured{tool: tool, variant: "default", library: lib, trial: n, lines: float64(20*i + n), bugs: "d-"})
			}
		}
	}
	ms = append(ms, measured{tool: "a", variant: "x", library: "l", trial: 1, lines: 99})
	d := build(t, runOf(ms...))
	want := []string{
		"Lines covered|c|1.00|3|0.0498|1.91|b", "Lines covered|b|2.00|3|0.0498|1.91|a, c", "Lines covered|a|3.00|3|0.0498|1.91|b",
		"Branches covered|c|1.00|3|0.0498|1.91|b", "Branches covered|b|2.00|3|0.0498|1.91|a, c", "Branches covered|a|3.00|3|0.0498|1.91|b",
		"Bugs detected|a|2.00|3|1.0000|1.91|b, c", "Bugs detected|b|2.00|3|1.0000|1.91|a, c", "Bugs detected|c|2.00|3|1.0000|1.91|a, b",
	}
	assert.Check(t, is.DeepEqual(rowsOf(t, d, "ranks"), want))
}

// With three trials each, in which every one of a is above every one of b: A12 = 1, and p = 2/20.
func TestCoveragePairsHaveIntervals(t *testing.T) {
	var ms []measured
	for n := 1; n <= 3; n++ {
		ms = append(ms, measured{tool: "a", variant: "default", library: "l", trial: n, lines: 50 + float64(n)},
			measured{tool: "b", variant: "default", library: "l", trial: n, lines: 40 + 2*float64(n)})
	}
	d := build(t, runOf(ms...))
	tab := table(t, d, "coverage_pairs_line")
	row := rowsOf(t, d, "coverage_pairs_line")[0]
	assert.Check(t, strings.HasPrefix(row, "l|a|b|3 and 3|8.00|") && strings.HasSuffix(row, "|1.00|0.1000|0.1000"),
		"got %s", row)
	low, high := tab.Rows[0][5].Values[0], tab.Rows[0][5].Values[1]
	assert.Check(t, low < 8 && 8 < high && low > 5 && high < 11, "interval %v to %v", low, high)
	got := rowsOf(t, d, "coverage")[0]
	assert.Check(t, strings.HasPrefix(got, "l|a|3 of 3|52.00 ± 1.00 [51.00, 5"), "coverage %s", got)
}

// Budgets, models and trials that differ are told once, before all tables, in every format.
func TestUnequalConditionsAreTold(t *testing.T) {
	ms := []measured{
		{tool: "a", variant: "default", library: "l", trial: 1, lines: 5, bugs: "d-"}, {tool: "a", variant: "default", library: "l", trial: 2, lines: 6, bugs: "--"},
		{tool: "b", variant: "default", library: "l", trial: 1, lines: 7, bugs: "dd"},
	}
	equal := build(t, runOf(ms[1], measured{tool: "b", variant: "default", library: "l", trial: 2, lines: 7, bugs: "dd"}))
	assert.Check(t, !strings.Contains(rendered(t, equal)["report.txt"], "Unequal"), "equal tools are marked")
	run := runOf(ms...)
	run.Budgets[run.Cells[2].Cell.ID()] = trial.Budget{Wall: time.Hour}
	run.Models = map[string]string{"a": "small", "b": "big"}
	files := rendered(t, build(t, run))
	for _, name := range []string{"report.txt", "report.md", "index.html", "report.json"} {
		want := "Unequal: the tools had wall 1h0m0s, big; wall 10s, small; 1 or 2 complete trials."
		assert.Check(t, strings.Contains(strings.ReplaceAll(files[name], "\n", " "), want), "%s does not say it", name)
	}
}

// Kaplan and Meier by hand: of six, two are found after 2 s and one after 6; restricted mean
// (2·2 + 6 + 3·10)/6 = 6.67, as nothing is censored before the end.
func TestDetectionTime(t *testing.T) {
	d := build(t, runOf(
		measured{tool: "a", variant: "default", library: "l", trial: 1, bugs: "dd-?", at: 2 * time.Second},
		measured{tool: "a", variant: "default", library: "l", trial: 2, bugs: "d--?", at: 6 * time.Second},
		measured{tool: "b", variant: "default", library: "l", trial: 1, bugs: "---d", at: time.Hour},
	))
	got := rowsOf(t, d, "detection_time")
	if len(got) != 2 || !strings.HasPrefix(got[0], "l|a|3 of 6|10.0|6.0|6.7|") || !strings.HasPrefix(got[1], "l|b|1 of 4|10.0|n/a|10.0|") {
		t.Errorf("got %q", got)
	}
	run := runOf(on("a", "l", 1, "d"))
	run.Budgets = nil
	assert.Check(t, !hasSection(build(t, run), "detection_time"), "times without a budget in seconds")
}

// What a fuzzer finds on a buggy build, it finds after its generation: of four bugs one is found at 3 s
// and one at 11 s, which is after the budget.
func TestDetectionTimeOfFuzzers(t *testing.T) {
	run := runOf(measured{tool: "f", variant: "default", library: "l", trial: 1, bugs: "dd--", at: 3 * time.Second})
	r := &run.Cells[0]
	r.Kind, r.Programs, r.Usage = trial.KindCorpus, nil, trial.Usage{Wall: 10 * time.Second, Execs: 1000}
	for i := range r.Bugs {
		r.Bugs[i].Fuzzed = &trial.Fuzzed{Execs: 100, Wall: time.Second}
	}
	r.Bugs[1].First[0].Elapsed = 11 * time.Second
	d := build(t, run)
	if got := rowsOf(t, d, "detection_time"); len(got) != 1 || !strings.HasPrefix(got[0], "l|f|1 of 4|10.0|n/a|8.2|") {
		t.Errorf("got %q, want one of four within the budget and a mean of (3 + 3·10)/4", got)
	}
}

// A tool that is not to be checked for bugs is in no comparison of them.
func TestPairsWithoutBugs(t *testing.T) {
	ms := []measured{{tool: "a", variant: "default", library: "l", trial: 1, bugs: "d"}, {tool: "b", variant: "default", library: "l", trial: 1}}
	for _, s := range build(t, runOf(ms...)).Sections {
		assert.Check(t, !slices.ContainsFunc(s.Tables, func(t Table) bool { return strings.HasPrefix(t.ID, "bug_pairs") }),
			"bugs are compared that only one tool was checked on")
	}
	d := build(t, runOf(append(ms, on("c", "l", 1, "-"))...))
	got := rowsOf(t, d, "bug_pairs_by_library")
	assert.Check(t, len(got) == 1 && strings.HasPrefix(got[0], "l|a|c|1 of 1|0 of 1|1|0|"), "got %q", got)
}

func TestSuitesWithoutProgramsAreNamed(t *testing.T) {
	run := runOf(measured{tool: "a", variant: "default", library: "l", trial: 1, lines: 5}, on("a", "l", 2, ""))
	run.Cells[1].Programs = &trial.ProgramCounts{}
	if w := table(t, build(t, run), "coverage").Warnings; !slices.Contains(w, "a on l made no program in 1 of 2 trials and covers nothing there.") {
		t.Errorf("warnings %q", w)
	}
}

// Not one number of any table is undefined, whatever a run lacks.
func TestNothingIsUndefined(t *testing.T) {
	runs := []Run{fixture(), runOf(on("a", "l", 1, "")), {Experiment: "empty"},
		runOf(on("a", "l", 1, "?"), on("b", "m", 1, "d"),
			on("c", "m", 1, "-"), on("b", "l", 1, "?"))}
	for _, run := range runs {
		d := build(t, run)
		for _, s := range d.Sections {
			for _, tab := range s.Tables {
				for _, row := range tab.Rows {
					for i, c := range row {
						for _, v := range c.Values {
							assert.Check(t, !math.IsNaN(v) && !math.IsInf(v, 0),
								"%s.%s is %v", tab.ID, tab.Columns[i].Key, v)
						}
						if c.Missing == "" && len(c.Values) == 0 && tab.Columns[i].Kind != IsText {
							t.Errorf("%s.%s is empty", tab.ID, tab.Columns[i].Key)
						}
					}
				}
			}
		}
	}
}
