package doc

import (
	"fmt"
	"math"
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

// MeanOf is the mean and spread of a sample over trials.
func MeanOf(xs []float64) Cell {
	s := stats.Summarize(xs)
	if math.IsInf(s.Mean, 0) || math.IsNaN(s.Mean) {
		return NA("the values are too large")
	}
	c := Cell{Values: []float64{s.Mean, float64(s.N)}}
	if s.StdDev == nil {
		return c.With("one trial: no spread can be given")
	}
	c.Values = append(c.Values, *s.StdDev)
	if len(xs) >= fewestForInterval {
		first := func(samples [][]float64) float64 { return Mean(samples[0]) }
		c.Values = append(c.Values, intervalOf("mean", first, xs).Values...)
	}
	return c
}

// Mean is the arithmetic mean.
func Mean(xs []float64) float64 {
	sum := 0.0
	for _, x := range xs {
		sum += x
	}
	return sum / float64(len(xs))
}

// DifferenceInterval is the bootstrap interval of the difference of two means.
func DifferenceInterval(xs, ys []float64) Cell {
	return intervalOf("difference", func(s [][]float64) float64 { return Mean(s[0]) - Mean(s[1]) }, xs, ys)
}

// intervalOf is the bootstrap interval of a statistic of samples that are long enough. Equal names give the same
// stream of random numbers, so that equal runs have equal reports.
func intervalOf(name string, statistic func([][]float64) float64, samples ...[]float64) Cell {
	if slices.ContainsFunc(samples, func(xs []float64) bool { return len(xs) < fewestForInterval }) {
		return NA(fmt.Sprintf("an interval needs %d trials", fewestForInterval))
	}
	random := trial.Seed(1).Stream("report/bootstrap/" + name)
	r := stats.BCa(samples, statistic, stats.Bootstrap{Resamples: resamples, Level: 1 - stats.Alpha, Rand: random})
	if r.Few {
		return Span(r.Low, r.High).With("a bootstrap interval of so few trials is too narrow")
	}
	return Span(r.Low, r.High)
}

// ShareInterval is the Clopper–Pearson interval of a share, in percent.
func ShareInterval(k, n int) Cell {
	ends := stats.ClopperPearson(k, n, 1-stats.Alpha)
	return Span(100*ends.Low, 100*ends.High)
}

// PValue is a p with a caution where no outcome could have been significant: least is the smallest p that
// the test can give, and which says what makes it so.
func PValue(p, least float64, which string) Cell {
	c := Num(p)
	if least >= stats.Alpha {
		c = c.With(fmt.Sprintf("no power: %s can give p < %g", which, stats.Alpha))
	}
	return c
}

// Significant reports whether a p is below the level of all tests.
func (c Cell) Significant() bool { return c.Missing == "" && c.Values[0] < stats.Alpha }

// McNemar is the p of McNemar's exact test of two tools on the same bugs.
func McNemar(onlyA, onlyB int) Cell {
	r := stats.McNemarExact(onlyA, onlyB)
	if onlyA+onlyB == 0 {
		return Num(r.P).With("no power: the tools agree on every bug")
	}
	return PValue(r.P, r.MinP, fmt.Sprintf("where the tools differ on %s, no outcome", trial.Count(onlyA+onlyB, "bug")))
}

// Holm fills a column with the p-values of another, corrected over the table. Rows without a p have none.
func (t *Table) Holm(from, to string) {
	key := func(k string) int { return slices.IndexFunc(t.Columns, func(c Column) bool { return c.Key == k }) }
	f, c := key(from), key(to)
	var ps []float64
	var with []int // rows
	for i, row := range t.Rows {
		if row[c] = (Cell{Missing: row[f].Missing}); row[f].Missing == "" {
			ps, with = append(ps, row[f].Values[0]), append(with, i)
		}
	}
	for i, p := range stats.Holm(ps) {
		t.Rows[with[i]][c] = Num(p)
	}
}
