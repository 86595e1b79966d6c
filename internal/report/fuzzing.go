package report

import (
	"github.com/lisa-bench/lisa-bench/internal/trial"
)

// fuzzing reports what fuzzers executed, and what each bug had of their budget: no row where no suite
// is a corpus.
func (a *analysis) fuzzing() Table {
	figures := []figure{
		trialsFigure,
		{Column{Key: "inputs", Name: "Inputs kept", Kind: Estimate, Decimals: 0}, func(g *group) Cell {
			return g.sampled("", func(r trial.Record) (float64, bool) { return float64(r.Inputs), true })
		}},
		{Column{Key: "execs", Name: "Executed", Kind: Estimate, Decimals: 0}, func(g *group) Cell {
			return g.sampled("", func(r trial.Record) (float64, bool) { return float64(r.Usage.Execs), r.Usage.Execs > 0 })
		}},
		{Column{Key: "bug_execs", Name: "Executed\nfor a bug", Kind: Estimate, Decimals: 0}, func(g *group) Cell {
			return g.overBugs(func(f trial.Fuzzed) float64 { return float64(f.Execs) })
		}},
	}
	if a.run.Timed { // otherwise nothing in a report depends on the clock
		figures = append(figures,
			figure{Column{Key: "rate", Name: "Executed\nper second", Kind: Estimate, Decimals: 0}, func(g *group) Cell {
				return g.sampled("", func(r trial.Record) (float64, bool) {
					wall := r.Usage.Wall.Seconds()
					return float64(r.Usage.Execs) / wall, r.Usage.Execs > 0 && wall > 0
				})
			}},
			figure{Column{Key: "bug_time", Name: "Seconds\nfor a bug", Kind: Estimate, Unit: "s", Decimals: 1}, func(g *group) Cell {
				return g.overBugs(func(f trial.Fuzzed) float64 { return f.Wall.Seconds() })
			}})
	}
	fuzzers := a.those(func(g *group) bool { return g.kind() == trial.KindCorpus })
	return a.table("fuzzing", "What fuzzers executed (mean ± standard deviation over trials; of bugs, over bugs and trials)", fuzzers, figures)
}

// overBugs is an estimate over the bugs, of all trials, on whose buggy builds the group fuzzed.
func (g *group) overBugs(value func(trial.Fuzzed) float64) Cell {
	var xs []float64
	for _, r := range g.records {
		for _, b := range r.Bugs {
			if b.Fuzzed != nil {
				xs = append(xs, value(*b.Fuzzed))
			}
		}
	}
	if len(xs) == 0 {
		return notApplicable("no buggy build was fuzzed")
	}
	return estimate(xs)
}
