package paper

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"time"

	"gonum.org/v1/gonum/stat/distuv"

	"github.com/lisa-bench/lisa-bench/internal/trial"
	"github.com/lisa-bench/lisa-bench/stats"
)

// A Metric names what of a run's records corresponds to a column.
type Metric string

// The metrics of tables.yaml.
const (
	CSR         Metric = "csr"          // percent of generated programs that compile
	ESR         Metric = "esr"          // percent that run
	Line        Metric = "line"         // percent of the library's lines
	Branch      Metric = "branch"       // percent of its branches
	Bugs        Metric = "bugs"         // detected
	BugsChecked Metric = "bugs_checked" // that the trial was checked for
	Valid       Metric = "valid"        // programs that run
	AUVC        Metric = "auvc"         // average count of unique verifications
)

// The edition that the paper's libraries are of; a run that has none is taken as it is.
const paperEdition = "upstream"

// A Sample is what a run measured for one cell.
type Sample struct {
	Values  map[int]float64 // by trial
	Checked int             // bugs that a count is of, 0 for other metrics
	Unlike  string          // how the conditions differ from the paper's, so that nothing is tested by it
	Reason  string          // why Values is empty, or why a trial is not among them
}

// List returns the values in the order of trials.
func (s Sample) List() []float64 {
	var xs []float64
	for _, t := range slices.Sorted(maps.Keys(s.Values)) {
		xs = append(xs, s.Values[t])
	}
	return xs
}

// A Measured is a run whose records are looked up by the paper's cells.
type Measured struct {
	records    []trial.Record
	incomplete []trial.Incomplete
	budgets    map[string]trial.Budget
	trials     []int
}

// Measure takes the records of a run and the reasons for its incomplete cells. The budgets, by cell ID, show which
// records were made under the paper's conditions. Those of a cell that is not among them are taken for its.
func Measure(records []trial.Record, incomplete []trial.Incomplete, budgets map[string]trial.Budget) *Measured {
	seen := map[int]bool{}
	for _, r := range records {
		seen[r.Cell.Trial] = true
	}
	return &Measured{records, incomplete, budgets, slices.Sorted(maps.Keys(seen))}
}

// sample collects the values of the first of the cell's variants that the run has.
func (m *Measured) sample(t *Table, c Column, row int) Sample {
	if c.Metric == "" {
		return Sample{Reason: "no run measures it"}
	}
	library := cmp.Or(t.Library, t.Rows[row][0].Text)
	key := cmp.Or(c.Variant, trial.DefaultVariant)
	if c.From != "" {
		key = t.Rows[row][t.Keys-1].Text
	}
	variants := t.Variants[key]
	if variants == nil {
		variants = []string{key}
	}
	for _, v := range variants {
		is := func(c2 trial.Cell) bool { return c2.Tool == c.Tool && c2.Variant == v && c2.Library == library }
		if s := m.collect(c, is); len(s.Values) > 0 || s.Reason != "" {
			return s
		}
		for _, i := range m.incomplete {
			if is(i.Cell) {
				message, _, _ := strings.Cut(i.Message, "\n")
				return Sample{Reason: fmt.Sprintf("incomplete: %s: %s", i.Kind, message)}
			}
		}
	}
	name := c.Tool
	if key != trial.DefaultVariant {
		name += "/" + variants[0]
	}
	return Sample{Reason: fmt.Sprintf("the run has no %s on %s", name, library)}
}

// collect has the values of a column in the records of some cells, of the paper's edition if there is one.
func (m *Measured) collect(c Column, is func(trial.Cell) bool) Sample {
	s := Sample{Values: map[int]float64{}}
	edition := ""
	for _, r := range m.records {
		if is(r.Cell) && (edition == "" || r.Cell.Edition == paperEdition) {
			edition = r.Cell.Edition
		}
	}
	for _, r := range m.records {
		if !is(r.Cell) || r.Cell.Edition != edition || c.Trial != 0 && r.Cell.Trial != c.Trial {
			continue
		}
		x, why := value(r, c.Metric)
		if why != "" {
			s.Reason = why
			continue
		}
		s.Values[r.Cell.Trial] = x
		if c.Metric == Bugs {
			s.Checked = len(r.Bugs)
		}
		if b, known := m.budgets[r.Cell.ID()]; known && s.Unlike == "" {
			s.Unlike = c.unlike(r, b)
		}
	}
	if n := len(s.Values); n > 0 && n < c.Spread {
		s.Unlike = fmt.Sprintf("over %d trials; the paper's is over %d", n, c.Spread)
	}
	return s
}

// unlike says how the conditions of a record differ from the column's, "" if they do not. A limit in money
// that nothing ran into is no difference.
func (c Column) unlike(r trial.Record, b trial.Budget) string {
	want := time.Duration(c.Hours) * time.Hour
	of := fmt.Sprintf("%s on %s", r.Cell.Tool, r.Cell.Library)
	switch {
	case c.Hours == 0:
		return ""
	case b.Limit() != want || b.Programs > 0 || b.Execs > 0:
		return fmt.Sprintf("%s had a budget of %s; the paper's is %d hours", of, b, c.Hours)
	case Stopped(r):
		return fmt.Sprintf("%s was stopped by its limit in %s after %s of %d hours: the figure is of less work than the "+
			"paper's, "+
			"as a rule too low; raise the limit and run it again, and it goes on", of, LimitOf(r.Stop),
			r.Usage.On(b).Round(time.Minute), c.Hours)
	}
	return ""
}

// Stopped reports whether something other than time, or the end of its work, ended a cell.
func Stopped(r trial.Record) bool {
	return !slices.Contains([]trial.StopReason{trial.StopTime, trial.StopWall, trial.StopExhausted, trial.StopRecorded},
		r.Stop)
}

// LimitOf returns the limit that a reason to stop names, as it is called in an experiment's budget.
func LimitOf(stop trial.StopReason) string { return strings.TrimPrefix(string(stop), "budget:") }

// figures are the metrics of one part of a record, with what is said of a part that has no value of them.
var figures = map[Metric]struct {
	part trial.Part
	of   func(trial.Record) (x float64, ok bool)
	none string
}{
	CSR: {trial.PartSuccess, func(r trial.Record) (float64, bool) { return r.Programs.CSR() }, "no program was generated"},
	ESR: {trial.PartSuccess, func(r trial.Record) (float64, bool) { return r.Programs.ESR() }, "no program was generated"},
	Valid: {trial.PartSuccess,
		func(r trial.Record) (float64, bool) { return float64(r.Programs.Executed), true }, ""},
	Line: {trial.PartCoverage,
		func(r trial.Record) (float64, bool) { return r.Coverage.LineCovPct() }, "the library has nothing to cover"},
	Branch: {trial.PartCoverage,
		func(r trial.Record) (float64, bool) { return r.Coverage.BranchCovPct() }, "the library has nothing to cover"},
	AUVC: {trial.PartVerifications,
		func(r trial.Record) (float64, bool) { return r.Verifications.AUVC() }, "the record holds no verifications"},
}

// value is one record's figure, or a reason why it has none.
func value(r trial.Record, m Metric) (x float64, reason string) {
	f, known := figures[m]
	why, missing := r.Missing[f.part]
	switch {
	case !known:
		return bugs(r, m)
	case missing:
		return 0, why.String()
	case f.part == trial.PartSuccess && r.Programs == nil:
		return 0, "a fuzzing corpus holds no programs"
	case f.part == trial.PartCoverage && r.Coverage == nil:
		return 0, "the record holds no coverage"
	}
	x, ok := f.of(r)
	if !ok {
		return 0, f.none
	}
	return x, ""
}

// bugs counts only where every bug could be checked: one that could not is no failure.
func bugs(r trial.Record, m Metric) (x float64, reason string) {
	if len(r.Bugs) == 0 {
		return 0, "the run checks no bugs of this library"
	}
	for _, b := range r.Bugs {
		if b.Missing != nil {
			return 0, fmt.Sprintf("bug %s could not be checked: %s", b.Bug, b.Missing)
		}
		if b.Detected || m == BugsChecked {
			x++
		}
	}
	return x, ""
}

// mean is a cellSource: the mean over trials and, where the column has one, the spread.
func (m *Measured) mean(t *Table, c Column, row int) (v Value, missing string) {
	s := m.sample(t, c, row)
	if len(s.Values) == 0 {
		return v, s.Reason
	}
	sum := stats.Summarize(s.List())
	switch {
	case c.Spread > 0 && sum.StdDev == nil:
		return v, "one trial has no spread"
	case c.Spread > 0:
		v.Std = *sum.StdDev
	}
	v.Number = sum.Mean
	return v, ""
}

// of gives the cells of one trial.
func (m *Measured) of(trial int) cellSource {
	return func(t *Table, c Column, row int) (v Value, missing string) {
		if c.Spread > 0 || c.Trial != 0 {
			return v, c.Key + " is over all trials"
		}
		s := m.sample(t, c, row)
		x, ok := s.Values[trial]
		if !ok {
			return v, cmp.Or(s.Reason, fmt.Sprintf("trial %d is missing", trial))
		}
		return Value{Number: x}, ""
	}
}

// A Range is an interval in a cell's unit.
type Range struct{ Low, High float64 }

// predict is the interval, at 1-stats.Alpha, for one more value of a normal sample: mean ±
// t(n-1) s √(1+1/n) (Hahn and Meeker, Statistical Intervals, 1991, chapter 4). The paper
// prints one run, so this is where it should lie; nil for less than two values.
func predict(xs []float64) *Range {
	if len(xs) < 2 {
		return nil
	}
	s := stats.Summarize(xs)
	t := distuv.StudentsT{Mu: 0, Sigma: 1, Nu: float64(len(xs) - 1)}
	half := t.Quantile(1-stats.Alpha/2) * *s.StdDev * math.Sqrt(1+1/float64(len(xs)))
	return &Range{s.Mean - half, s.Mean + half}
}
