package auvc

import (
	"fmt"
	"io"
	"math"
	"slices"
)

// An Agreement compares two raters over the same pairs.
type Agreement struct {
	Pairs  int
	Equal  int
	Matrix map[[2]Label]int // first rater's label, second rater's label
}

// Compare counts how two raters agree on the pairs that both have labelled.
func Compare(a, b map[string]Label) Agreement {
	g := Agreement{Matrix: map[[2]Label]int{}}
	for id, x := range a {
		y, ok := b[id]
		if !ok {
			continue
		}
		g.Pairs++
		g.Matrix[[2]Label{x, y}]++
		if x == y {
			g.Equal++
		}
	}
	return g
}

// uses returns how often each rater gave a label.
func (g Agreement) uses(l Label) (first, second int) {
	for _, other := range labels {
		first += g.Matrix[[2]Label{l, other}]
		second += g.Matrix[[2]Label{other, l}]
	}
	return first, second
}

// precision is the share of the second rater's uses of a label with which the first agrees; ok
// is false if there are none.
func (g Agreement) precision(l Label) (share float64, ok bool) {
	_, said := g.uses(l)
	return ratio(g.Matrix[[2]Label{l, l}], said)
}

// recall is the share of the first rater's uses of a label that the second one made too.
func (g Agreement) recall(l Label) (share float64, ok bool) {
	meant, _ := g.uses(l)
	return ratio(g.Matrix[[2]Label{l, l}], meant)
}

func ratio(k, n int) (float64, bool) {
	if n == 0 {
		return 0, false
	}
	return float64(k) / float64(n), true
}

// kappa is Cohen's κ = (p₀ − pₑ) ÷ (1 − pₑ). p₀ is the observed agreement, pₑ the one expected from each
// rater's frequencies (Cohen, Educ. Psychol. Meas. 20, 1960). ok is false where it is undefined: no pairs, or
// both raters always give one same label.
func (g Agreement) kappa() (kappa float64, ok bool) {
	observed, expected, ok := g.shares()
	if !ok {
		return 0, false
	}
	return (observed - expected) / (1 - expected), true
}

// kappaError is κ's standard error √(p₀ (1 − p₀) ÷ n) ÷ (1 − pₑ), from the same source; ok as of
// Kappa.
func (g Agreement) kappaError() (se float64, ok bool) {
	observed, expected, ok := g.shares()
	if !ok {
		return 0, false
	}
	return math.Sqrt(observed*(1-observed)/float64(g.Pairs)) / (1 - expected), true
}

// shares returns p₀ and pₑ.
func (g Agreement) shares() (observed, expected float64, ok bool) {
	if g.Pairs == 0 {
		return 0, 0, false
	}
	n := float64(g.Pairs)
	for _, l := range labels {
		first, second := g.uses(l)
		expected += float64(first) / n * float64(second) / n
	}
	return float64(g.Equal) / n, expected, expected != 1
}

// Write prints the agreement as a table: rows are the first rater's labels, and ± is half of κ's
// 95 % interval.
func (g Agreement) Write(w io.Writer, first, second string) error {
	kappa := "undefined"
	if k, ok := g.kappa(); ok {
		se, _ := g.kappaError()
		kappa = fmt.Sprintf("%.3f ± %.3f", k, 1.96*se)
	}
	_, err := fmt.Fprintf(w, "%s (rows) and %s (columns): %d of %d pairs alike, Cohen's kappa %s\n", first, second, g.Equal, g.Pairs, kappa)
	if err != nil {
		return err
	}
	if _, err = fmt.Fprintf(w, "%-10s %9s %9s %9s %9s %9s\n", "", labels[0], labels[1], labels[2], "precision", "recall"); err != nil {
		return err
	}
	for _, l := range labels {
		_, err = fmt.Fprintf(w, "%-10s %9d %9d %9d %9s %9s\n", l, g.Matrix[[2]Label{l, labels[0]}], g.Matrix[[2]Label{l, labels[1]}],
			g.Matrix[[2]Label{l, labels[2]}], share(g.precision(l)), share(g.recall(l)))
		if err != nil {
			return err
		}
	}
	return nil
}

func share(x float64, ok bool) string {
	if !ok {
		return "n/a"
	}
	return fmt.Sprintf("%.3f", x)
}

// Labels returns the labels of a set's own pairs.
func (s *Labelled) Labels() map[string]Label {
	all := map[string]Label{}
	for _, p := range s.Pairs {
		all[p.ID] = p.Label
	}
	return all
}

// Disagreements returns the ids of the pairs that two raters label otherwise, sorted.
func Disagreements(a, b map[string]Label) []string {
	var ids []string
	for id, x := range a {
		if y, ok := b[id]; ok && x != y {
			ids = append(ids, id)
		}
	}
	slices.Sort(ids)
	return ids
}
