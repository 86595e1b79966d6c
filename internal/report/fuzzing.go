package report

import (
	"slices"

	"github.com/lisa-bench/lisa-bench/internal/trial"
)

// fuzzing reports what fuzzers executed, and what each bug had of their budget: no row where no suite
// is a corpus.
func (a *analysis) fuzzing() (Table, error) {
	t := Table{ID: "fuzzing", Title: "What fuzzers executed (mean ± standard deviation over trials; of bugs, over bugs and trials)", Columns: append(groupColumns[:3:3],
		Column{Key: "inputs", Name: "Inputs kept", Kind: Estimate, Decimals: 0},
		Column{Key: "execs", Name: "Executed", Kind: Estimate, Decimals: 0},
		Column{Key: "bug_execs", Name: "Executed\nfor a bug", Kind: Estimate, Decimals: 0},
	)}
	if a.run.Timed { // otherwise nothing in a report depends on the clock
		t.Columns = append(t.Columns,
			Column{Key: "rate", Name: "Executed\nper second", Kind: Estimate, Decimals: 0},
			Column{Key: "bug_time", Name: "Seconds\nfor a bug", Kind: Estimate, Unit: "s", Decimals: 1})
	}
	for _, g := range a.groups {
		if g.kind() != trial.KindCorpus {
			continue
		}
		parts := []func() (Cell, error){
			func() (Cell, error) {
				return g.sampled("", func(r trial.Record) (float64, bool) { return float64(r.Inputs), true })
			},
			func() (Cell, error) {
				return g.sampled("", func(r trial.Record) (float64, bool) { return float64(r.Usage.Execs), r.Usage.Execs > 0 })
			},
			func() (Cell, error) { return g.overBugs(func(f trial.Fuzzed) float64 { return float64(f.Execs) }) },
		}
		if a.run.Timed {
			parts = append(parts,
				func() (Cell, error) {
					return g.sampled("", func(r trial.Record) (float64, bool) {
						wall := r.Usage.Wall.Seconds()
						return float64(r.Usage.Execs) / wall, r.Usage.Execs > 0 && wall > 0
					})
				},
				func() (Cell, error) { return g.overBugs(func(f trial.Fuzzed) float64 { return f.Wall.Seconds() }) })
		}
		row, err := cells(parts...)
		if err != nil {
			return t, err
		}
		t.Rows = append(t.Rows, slices.Concat(a.groupCells(g), row))
	}
	return t, nil
}

// overBugs is an estimate over the bugs, of all trials, on whose buggy builds the group fuzzed.
func (g *group) overBugs(value func(trial.Fuzzed) float64) (Cell, error) {
	var xs []float64
	for _, r := range g.records {
		for _, b := range r.Bugs {
			if b.Fuzzed != nil {
				xs = append(xs, value(*b.Fuzzed))
			}
		}
	}
	if len(xs) == 0 {
		return notApplicable("no buggy build was fuzzed"), nil
	}
	return estimate(xs)
}
