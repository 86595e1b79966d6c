package report

import (
	"errors"
	"fmt"
	"slices"

	"github.com/lisa-bench/lisa-bench/internal/trial"
	"github.com/lisa-bench/lisa-bench/stats"
)

// fewestForInterval is how many trials a bootstrap interval needs here: of two, a resample is
// one of three values.
const fewestForInterval = 3

// resamples of a bootstrap: the ends of a 95 % interval then vary by about a hundredth of its
// width between seeds (Efron and Tibshirani 1993, chapter 14, advise 2000).
const resamples = 10000

// bootstrap resamples with the same stream for equal names, so that equal runs have equal reports.
func bootstrap(name string) stats.Bootstrap {
	return stats.Bootstrap{Resamples: resamples, Level: 1 - stats.Alpha, Rand: trial.Seed(1).Stream("report/bootstrap/" + name)}
}

// fewTrials is the caution of stats.BCa for the samples of a report.
const fewTrials = "a bootstrap interval of so few trials is too narrow"

// intervalOf is the bootstrap interval of a statistic of samples that are long enough.
func intervalOf(name string, samples [][]float64, statistic func([][]float64) float64) Cell {
	short := slices.ContainsFunc(samples, func(xs []float64) bool { return len(xs) < fewestForInterval })
	if short {
		return notApplicable(fmt.Sprintf("an interval needs %d trials", fewestForInterval))
	}
	r := sure(stats.BCa(samples, statistic, bootstrap(name)))
	c := span(r.Low, r.High)
	if len(r.Warnings) > 0 {
		c = c.with(fewTrials)
	}
	return c
}

func meanOf(xs []float64) float64 {
	sum := 0.0
	for _, x := range xs {
		sum += x
	}
	return sum / float64(len(xs))
}

func firstMean(samples [][]float64) float64 { return meanOf(samples[0]) }

func differenceOfMeans(samples [][]float64) float64 { return meanOf(samples[0]) - meanOf(samples[1]) }

// coverageComparison compares one kind of coverage, trial against trial.
func (a *analysis) coverageComparison(m coverageMetric) Table {
	t := Table{ID: "coverage_pairs_" + m.key, Title: m.name + " covered, tool against tool", Columns: append(pairColumns[:3:3],
		Column{Key: "trials", Name: "Trials", Kind: Words},
		Column{Key: "difference", Name: "A − B, points", Kind: Number, Unit: "points", Decimals: 2},
		Column{Key: "interval", Name: "95% interval", Kind: Range, Unit: "points", Decimals: 2},
		Column{Key: "a12", Name: "A12", Kind: Number, Decimals: 2},
		Column{Key: "p", Name: "Mann–Whitney\np", Kind: PValue},
		Column{Key: "holm", Name: "Mann–Whitney\nHolm", Kind: PValue},
	)}
	for _, p := range a.pairs() {
		for _, s := range a.subjects {
			gx, gy := a.group(s, p.a), a.group(s, p.b)
			if gx == nil || gy == nil {
				continue
			}
			row := coverageRow(gx.sample(m.pct), gy.sample(m.pct), unpaired(trial.PartCoverage, "coverage was not measured for both tools", gx, gy))
			t.Rows = append(t.Rows, append([]Cell{words(a.label(s)), words(p.a.String()), words(p.b.String())}, row...))
		}
	}
	t.correct("p", "holm")
	return t
}

// unpaired is a comparison of which a side has no figure: the reason of the first group whose records
// all lack the part, or else.
func unpaired(p trial.Part, otherwise string, groups ...*group) Cell {
	for _, g := range groups {
		if n, why := g.lacks(p); n > 0 && n == len(g.records) {
			return lacking(why)
		}
	}
	return incomplete("no_pair", otherwise)
}

// coverageRow compares two samples; none is the cell of a comparison without one of them.
func coverageRow(xs, ys []float64, none Cell) []Cell {
	trials := words(fmt.Sprintf("%d and %d", len(xs), len(ys)))
	if len(xs) == 0 || len(ys) == 0 {
		return []Cell{trials, none, none, none, none, none}
	}
	interval := intervalOf("difference", [][]float64{xs, ys}, differenceOfMeans)
	a12 := sure(stats.VarghaDelaneyA12(xs, ys))
	p := notApplicable("too many trials for the exact test")
	if u, err := stats.MannWhitneyU(xs, ys); !errors.Is(err, stats.ErrTooLarge) {
		p = pValue(sure(u, err).P, u.MinP, fmt.Sprintf("with %d and %d trials no outcome", len(xs), len(ys)))
	}
	return []Cell{trials, number(meanOf(xs) - meanOf(ys)), interval, number(a12), p, {}}
}
