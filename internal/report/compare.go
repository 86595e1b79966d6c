package report

import (
	"errors"
	"fmt"

	"github.com/lisa-bench/lisa-bench/stats"
)

var pairColumns = []Column{
	{Key: "library", Name: "Library", Kind: Words},
	{Key: "tool_a", Name: "Tool A", Kind: Words},
	{Key: "tool_b", Name: "Tool B", Kind: Words},
}

// comparison tests each pair of contenders against each other, library by library.
func (a *analysis) comparison() (Section, error) {
	if len(a.contenders) < 2 {
		return Section{}, nil
	}
	s := Section{ID: "comparison", Title: "Comparison of tools", Definitions: []Definition{
		{"Fisher's exact test", "Two-sided p for the bugs detected in any trial, over the bugs that both tools were checked on; the odds ratio is the sample's.", "OR = (a · (n−b)) / (b · (n−a)) for a and b of n bugs"},
		{"Mann–Whitney U", "Exact two-sided p for coverage over trials, conditional on ties.", ""},
		{"A12", "Vargha–Delaney effect size: the probability that a trial of tool A covers more than one of tool B; 0.5 means no difference.", "A12 = U / (trials of A · trials of B)"},
	}}
	if len(a.run.Bugs) > 0 {
		t, err := a.fisherTable()
		if err != nil {
			return Section{}, err
		}
		s.Tables = append(s.Tables, t)
	}
	t, err := a.coverageComparison()
	if err != nil {
		return Section{}, err
	}
	s.Tables = append(s.Tables, t)
	return s, nil
}

// pairs calls do for every unordered pair of contenders.
func (a *analysis) pairs(do func(x, y contender) error) error {
	for i, x := range a.contenders {
		for _, y := range a.contenders[i+1:] {
			if err := do(x, y); err != nil {
				return fmt.Errorf("%s against %s: %w", x, y, err)
			}
		}
	}
	return nil
}

func (a *analysis) fisherTable() (Table, error) {
	t := Table{ID: "fisher", Title: "Bugs detected, tool against tool", Columns: append(pairColumns[:3:3],
		Column{Key: "a_detected", Name: "A detects", Kind: Count},
		Column{Key: "b_detected", Name: "B detects", Kind: Count},
		Column{Key: "odds_ratio", Name: "Odds ratio", Kind: Number, Decimals: 2},
		Column{Key: "p", Name: "Fisher p", Kind: PValue},
	)}
	tests := 0
	err := a.pairs(func(x, y contender) error {
		var pooled sharedBugs
		libraries := 0
		for _, s := range a.subjects {
			shared := a.sharedBugs(s, x, y)
			row, err := fisherRow(shared)
			if err != nil {
				return err
			}
			t.Rows = append(t.Rows, append([]Cell{words(a.label(s)), words(x.String()), words(y.String())}, row...))
			if shared.n > 0 {
				tests++
				libraries++
				pooled.a, pooled.b, pooled.n = pooled.a+shared.a, pooled.b+shared.b, pooled.n+shared.n
			}
		}
		if libraries < 2 {
			return nil
		}
		row, err := fisherRow(pooled)
		tests++
		t.Rows = append(t.Rows, append([]Cell{words(fmt.Sprintf("all %d libraries", libraries)), words(x.String()), words(y.String())}, row...))
		return err
	})
	t.Warnings = []string{"Both tools face the same bugs, so the two groups of a row are not independent, as Fisher's test assumes."}
	if tests > 1 {
		t.Warnings = append(t.Warnings, fmt.Sprintf("The p-values are not corrected for the %d comparisons of this table.", tests))
	}
	return t, err
}

// sharedBugs counts, among the n bugs on which both contenders were checked, those that a
// and b detected in any trial.
type sharedBugs struct {
	a, b, n int
	reason  string // why n is 0
}

func (a *analysis) sharedBugs(s subject, x, y contender) sharedBugs {
	gx, gy := a.group(s, x), a.group(s, y)
	if gx == nil || gy == nil {
		return sharedBugs{reason: "one of the tools was not planned for this library"}
	}
	vx, vy := a.verdicts(gx), a.verdicts(gy)
	shared := sharedBugs{reason: "no bug was checked for both tools"}
	for i := range vx {
		if vx[i].checked == 0 || vy[i].checked == 0 {
			continue
		}
		shared.n++
		if vx[i].detected > 0 {
			shared.a++
		}
		if vy[i].detected > 0 {
			shared.b++
		}
	}
	return shared
}

func fisherRow(s sharedBugs) ([]Cell, error) {
	if s.n == 0 {
		c := incomplete("no_pair", s.reason)
		return []Cell{c, c, c, c}, nil
	}
	r, err := stats.FisherExact(s.a, s.n, s.b, s.n)
	if err != nil {
		return nil, err
	}
	odds := notApplicable("undefined: a count of the odds ratio's divisor is 0")
	if r.OddsRatio != nil {
		odds = number(*r.OddsRatio)
	}
	p := number(r.P)
	if r.MinP >= stats.Alpha {
		p = p.with(fmt.Sprintf("no power: with %d bugs no outcome can give p < %g", s.n, stats.Alpha))
	}
	return []Cell{count(s.a, s.n), count(s.b, s.n), odds, p}, nil
}

func (a *analysis) coverageComparison() (Table, error) {
	t := Table{ID: "coverage_comparison", Title: "Coverage, tool against tool", Columns: append(pairColumns[:3:3],
		Column{Key: "metric", Name: "Metric", Kind: Words},
		Column{Key: "difference", Name: "A − B, points", Kind: Number, Unit: "points", Decimals: 2},
		Column{Key: "a12", Name: "A12", Kind: Number, Decimals: 2},
		Column{Key: "p", Name: "Mann–Whitney p", Kind: PValue},
	)}
	err := a.pairs(func(x, y contender) error {
		for _, s := range a.subjects {
			for _, m := range coverageMetrics {
				row, err := rankRow(a.group(s, x), a.group(s, y), m)
				if err != nil {
					return err
				}
				t.Rows = append(t.Rows, append([]Cell{words(a.label(s)), words(x.String()), words(y.String()), words(m.key)}, row...))
			}
		}
		return nil
	})
	return t, err
}

func rankRow(x, y *group, m coverageMetric) ([]Cell, error) {
	var xs, ys []float64
	if x != nil && y != nil {
		xs, ys = x.sample(m.pct), y.sample(m.pct)
	}
	if len(xs) == 0 || len(ys) == 0 {
		c := incomplete("no_pair", "coverage was not measured for both tools")
		return []Cell{c, c, c}, nil
	}
	sx, err := stats.Summarize(xs)
	if err != nil {
		return nil, err
	}
	sy, err := stats.Summarize(ys)
	if err != nil {
		return nil, err
	}
	a12, err := stats.VarghaDelaneyA12(xs, ys)
	if err != nil {
		return nil, err
	}
	p := notApplicable("too many trials for the exact test")
	u, err := stats.MannWhitneyU(xs, ys)
	if err == nil {
		p = number(u.P).with(u.Warnings...)
	} else if !errors.Is(err, stats.ErrTooLarge) {
		return nil, err
	}
	return []Cell{number(sx.Mean - sy.Mean), number(a12), p}, nil
}
