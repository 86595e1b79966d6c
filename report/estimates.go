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

// undefined is a figure that cannot be computed, such as one of an infinite cost.
func undefined(err error) Cell { return notApplicable(err.Error()) }

// estimate is the mean and spread of a sample over trials.
func estimate(xs []float64) Cell {
	s, err := stats.Summarize(xs)
	if err != nil {
		return undefined(err)
	}
	c := Cell{Values: []float64{s.Mean, float64(s.N)}, Notes: s.Warnings}
	if s.StdDev != nil {
		c.Values = append(c.Values, *s.StdDev)
	}
	if len(xs) < fewestForInterval {
		return c
	}
	c.Values = append(c.Values, intervalOf("mean", firstMean, xs).Values...)
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

// intervalOf is the bootstrap interval of a statistic of samples that are long enough. Equal names give the same
// stream of random numbers, so that equal runs have equal reports.
func intervalOf(name string, statistic func([][]float64) float64, samples ...[]float64) Cell {
	if slices.ContainsFunc(samples, func(xs []float64) bool { return len(xs) < fewestForInterval }) {
		return notApplicable(fmt.Sprintf("an interval needs %d trials", fewestForInterval))
	}
	random := trial.Seed(1).Stream("report/bootstrap/" + name)
	r, err := stats.BCa(samples, statistic, stats.Bootstrap{Resamples: resamples, Level: 1 - stats.Alpha, Rand: random})
	if err != nil {
		return undefined(err)
	}
	c := span(r.Low, r.High)
	if len(r.Warnings) > 0 {
		c = c.with("a bootstrap interval of so few trials is too narrow")
	}
	return c
}

// shareInterval is the Clopper–Pearson interval of a share, in percent.
func shareInterval(k, n int) Cell {
	ends, err := stats.ClopperPearson(k, n, 1-stats.Alpha)
	if err != nil {
		return undefined(err)
	}
	return span(100*ends.Low, 100*ends.High)
}

// pValue is a p with a caution where no outcome could have been significant: least is the smallest p that
// the test can give, and which says what makes it so.
func pValue(p, least float64, which string) Cell {
	c := number(p)
	if least >= stats.Alpha {
		c = c.with(fmt.Sprintf("no power: %s can give p < %g", which, stats.Alpha))
	}
	return c
}

// mcnemar is the p of McNemar's exact test.
func mcnemar(onlyA, onlyB int) Cell {
	r, err := stats.McNemarExact(onlyA, onlyB)
	switch {
	case err != nil:
		return undefined(err)
	case onlyA+onlyB == 0:
		return number(r.P).with("no power: the tools agree on every bug")
	}
	return pValue(r.P, r.MinP, fmt.Sprintf("where the tools differ on %s, no outcome", trial.Count(onlyA+onlyB, "bug")))
}

// fisher are the p and the odds ratio of Fisher's exact test of two shares.
func fisher(k1, n1, k2, n2 int, which string) (p, odds Cell) {
	r, err := stats.FisherExact(k1, n1, k2, n2)
	if err != nil {
		return undefined(err), undefined(err)
	}
	return pValue(r.P, r.MinP, which), maybe(r.OddsRatio, "undefined: the odds ratio would divide by 0")
}

// randomization is the p of the paired randomisation test, and whether any outcome could have been significant.
func randomization(differences []int, which string) (p Cell, power bool) {
	r, err := stats.PairedRandomization(differences)
	if err != nil {
		return undefined(err), false
	}
	return pValue(r.P, r.MinP, which), r.MinP < stats.Alpha
}

// askedPower is the power for which a comparison says how many trials it needs: Cohen's convention.
const askedPower = 0.8

// trialsNeeded is how many trials would tell two tools apart that detect bugs at these rates.
func trialsNeeded(first, second []float64) Cell {
	n, err := stats.TrialsNeeded(first, second, askedPower, trial.Seed(1).Stream("report/trials"))
	switch {
	case err != nil:
		return undefined(err)
	case n == 0:
		return notApplicable(fmt.Sprintf("%d trials would not show a significant difference", stats.MostTrials))
	}
	return whole(n)
}

// mannWhitney are the effect size A12 and the exact p of two samples.
func mannWhitney(xs, ys []float64) (a12, p Cell) {
	effect, err := stats.VarghaDelaneyA12(xs, ys)
	if err != nil {
		return undefined(err), undefined(err)
	}
	u, err := stats.MannWhitneyU(xs, ys)
	switch {
	case errors.Is(err, stats.ErrTooLarge):
		return number(effect), notApplicable("too many trials for the exact test")
	case err != nil:
		return number(effect), undefined(err)
	}
	return number(effect), pValue(u.P, u.MinP, fmt.Sprintf("with %d and %d trials no outcome", len(xs), len(ys)))
}

// correct fills a column with the p-values of another, Holm-corrected over the table. Rows
// without a p have none.
func (t *Table) correct(from, to string) {
	key := func(k string) int { return slices.IndexFunc(t.Columns, func(c Column) bool { return c.Key == k }) }
	f, c := key(from), key(to)
	var ps []float64
	for _, row := range t.Rows {
		if row[f].Missing == "" {
			ps = append(ps, row[f].Values[0])
		}
	}
	if len(ps) == 0 { // there is nothing to correct
		ps = []float64{1}
	}
	adjusted, err := stats.Holm(ps)
	for _, row := range t.Rows {
		switch {
		case row[f].Missing != "":
			row[c] = Cell{Missing: row[f].Missing}
		case err != nil:
			row[c] = undefined(err)
		default:
			row[c], adjusted = number(adjusted[0]), adjusted[1:]
		}
	}
}

// significant reports whether a p is below the level of all tests.
func (c Cell) significant() bool { return c.Missing == "" && c.Values[0] < stats.Alpha }
