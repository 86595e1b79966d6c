package report_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"gotest.tools/v3/assert"
	is "gotest.tools/v3/assert/cmp"

	"github.com/lisa-bench/lisa-bench/internal/trial"
	. "github.com/lisa-bench/lisa-bench/report/measured"
)

// costly is a run of two models: small finds b1 after $1 of the $4 that it spends, large finds b1 and b2 after
// $2 and $6 of $8. Of a second trial nothing was measured but its programs, and a tool without a model takes part.
func costly() Run {
	run := Run{Experiment: "cost", Command: "bench run cost", Models: map[string]string{"lisa/model=small": "small", "lisa/model=large": "large"},
		Sources: func(string, string) (string, error) { return "", nil }}
	for _, id := range []string{"b1", "b2", "b3"} {
		run.Bugs = append(run.Bugs, BugInfo{Library: "zlib", ID: id})
	}
	add := func(tool, variant string, dollars float64, found ...float64) {
		c := trial.Cell{Tool: tool, Variant: variant, Library: "zlib", Edition: "debian", Trial: 1}
		r := trial.Record{Schema: trial.RecordSchema, Cell: c, Kind: trial.KindPrograms,
			Usage:    trial.Usage{Wall: time.Minute, LLMCalls: int64(dollars), Tokens: int64(1000 * dollars), Dollars: dollars},
			Programs: &trial.ProgramCounts{Generated: 10, Compiled: 9, Executed: 8}}
		for i, b := range run.Bugs {
			res := trial.BugResult{Bug: b.ID}
			if i < len(found) {
				res.Detected, res.Tests = true, 1
				res.First = []trial.TestReference{{ID: fmt.Sprintf("p%05d", i+1), Dollars: found[i], Tokens: int64(1000 * found[i])}}
			}
			r.Bugs = append(r.Bugs, res)
		}
		run.Planned, run.Cells = append(run.Planned, c), append(run.Cells, r)
	}
	add("lisa", "model=small", 4, 1)
	add("lisa", "model=large", 8, 2, 6)
	add("randoop", "default", 0, 0)
	return run
}

func TestCostOfResults(t *testing.T) {
	run := costly()
	run.Cells[0].Mutation = &trial.Mutation{MutantCount: trial.MutantCount{Mutants: 40, Killed: 16}}
	d := build(t, run)
	for id, want := range map[string][]string{
		"cost": {"zlib|lisa/model=large|1 of 1|large|8|8000|8.0000", "zlib|lisa/model=small|1 of 1|small|4|4000|4.0000"},
		"cost_per_result": {"zlib|lisa/model=large|1.0000|1000|n/a|n/a|4.0000|4000",
			"zlib|lisa/model=small|0.5000|500|0.2500|250|4.0000|4000"},
		"equal_cost_pairs": {"lisa/model=large|lisa/model=small|4.0000|1 of 3|1 of 3|0|0|1.0000|1.0000"},
	} {
		if got := rowsOf(t, d, id); !slices.Equal(got, want) {
			t.Errorf("%s:\ngot  %s\nwant %s", id, strings.Join(got, "\n     "), strings.Join(want, "\n     "))
		}
	}
	for _, s := range d.Sections {
		for _, c := range s.Charts {
			if s.ID != "cost" {
				continue
			}
			var names []string
			for _, series := range c.Series {
				names = append(names, fmt.Sprint(series.Name, " ends at ", series.Points[len(series.Points)-1].X))
			}
			assert.Check(t, is.Equal(strings.Join(names, ", "), "lisa/model=large ends at 8, lisa/model=small ends at 4"))
		}
	}
}

// Models that cost nothing are compared by their tokens, and the cost of seeds
// is part of the cost.
func TestCostWithoutPrices(t *testing.T) {
	run := costly()
	for i := range run.Cells {
		run.Cells[i].Usage.Dollars = 0
	}
	equal := func(run Run, want string) {
		t.Helper()
		if got := rowsOf(t, build(t, run), "equal_cost_pairs"); len(got) != 1 || !strings.HasPrefix(got[0], "lisa/model=large|lisa/model=small|"+want) {
			t.Errorf("got %q, want %s", got, want)
		}
	}
	equal(run, "4000|1 of 3|1 of 3|")
	run = costly()
	run.Cells[1].Before = &trial.Usage{LLMCalls: 1, Tokens: 2500, Dollars: 2.5}
	equal(run, "4.0000|0 of 3|1 of 3|")
	run = costly() // what the last test finds is found, whatever 0.1 + 0.2 is
	run.Cells[0].Before = &trial.Usage{LLMCalls: 1, Tokens: 100, Dollars: 0.1}
	run.Cells[0].Usage.Dollars, run.Cells[0].Bugs[0].First[0].Dollars = 0.2, 0.2
	equal(run, "0.3000|0 of 3|1 of 3|")
	run.Cells = run.Cells[2:]
	run.Planned = run.Planned[2:]
	assert.Check(t, !hasSection(build(t, run), "cost"), "tools without a model have a section on what models cost")
}

// TestCostOfAllLibraries: the same run on a second library. Each cell of large has found both bugs of a library after
// $6, and at what small spent as many as that has.
func TestCostOfAllLibraries(t *testing.T) {
	run := costly()
	for _, b := range costly().Bugs {
		run.Bugs = append(run.Bugs, BugInfo{Library: "cJSON", ID: b.ID})
	}
	for i, r := range costly().Cells {
		r.Cell.Library = "cJSON"
		run.Planned, run.Cells = append(run.Planned, r.Cell), append(run.Cells, r)
		if i == 1 {
			r.Bugs[0].First[0].Dollars = 5
		}
	}
	d := build(t, run)
	for id, want := range map[string][]string{
		"cost_by_tool":     {"lisa/model=large|2|16|16000|16.00|4 of 6", "lisa/model=small|2|8|8000|8.00|2 of 6"},
		"equal_cost_pairs": {"lisa/model=large|lisa/model=small|8.0000|1 of 6|2 of 6|0|1|1.0000|1.0000"},
	} {
		if got := rowsOf(t, d, id); !slices.Equal(got, want) {
			t.Errorf("%s:\ngot  %s\nwant %s", id, strings.Join(got, "\n     "), strings.Join(want, "\n     "))
		}
	}
	var points []string
	for _, s := range d.Sections {
		for _, c := range s.Charts {
			for _, series := range c.Series {
				if c.ID == "bugs-over-cost" {
					points = append(points, fmt.Sprintf("%s %+v", series.Name, series.Points[len(series.Points)-1]), fmt.Sprint(len(series.Points)))
				}
			}
		}
	}
	if got, want := strings.Join(points, "; "), "lisa/model=large {Label: X:8 Mean:4 Min:4 Max:4}; 6; lisa/model=small {Label: X:4 Mean:2 Min:2 Max:2}; 4"; got != want {
		t.Errorf("the curves end at %s", got)
	}
}
