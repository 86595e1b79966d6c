package paper

import (
	"math"
	"strings"
)

// A Claim is a statement of the paper's text that follows from its tables.
type Claim struct {
	ID        string `yaml:"id"`
	Section   string `yaml:"section"`
	Statement string `yaml:"statement"` // in our words
	Published *Value `yaml:"published"` // nil if the text gives no number of its own
	Winner    bool   `yaml:"winner"`    // a run is judged by what holds alone: the number has no simple interval
	Paper     bool   `yaml:"paper"`     // it is about the paper's own figures, so that a run cannot repeat it
	Note      string `yaml:"note"`

	computation
}

// A Mark says how a claim stands to the printed cells.
type Mark string

// The marks of a claim against the published cells.
const (
	Matches     Mark = "matches"       // the very number
	RoundsTo    Mark = "rounds to"     // the number at the printed precision
	Differs     Mark = "differs"       // another number
	HoldsTrue   Mark = "holds"         // no number is printed, and what is claimed is so
	DoesNotHold Mark = "does not hold" // the number may fit, but what is claimed about it is not so
)

// A Check is a claim recomputed from the published cells.
type Check struct {
	Claim *Claim
	Value float64
	Mark  Mark
	By    float64 // recomputed minus published, where Mark is Differs
}

// Check recomputes the claim from the published cells, all of which are there.
func (c *Claim) Check(p *Paper) Check {
	x, holds, _ := c.evaluate(p, printed)
	out := Check{Claim: c, Value: x, Mark: HoldsTrue}
	if c.Published != nil {
		out.compare(c.Published)
	}
	if holds != nil && !*holds && out.Mark != Differs {
		out.Mark = DoesNotHold
	}
	return out
}

// slack is for the last digits of binary fractions.
const slack = 1e-9

func (c *Check) compare(published *Value) {
	d := c.Value - published.Number
	switch {
	case math.Abs(d) <= slack*max(1, math.Abs(published.Number)):
		c.Mark = Matches
	case math.Abs(d) <= halfUnit(published.Text)+slack:
		c.Mark = RoundsTo
	default:
		c.Mark, c.By = Differs, d
	}
}

// halfUnit is half of the last printed digit: what rounding may have changed.
func halfUnit(text string) float64 {
	_, fraction, _ := strings.Cut(text, ".")
	return 0.5 * math.Pow10(-len(fraction))
}

// evaluate computes the claim over a source's cells. The number is NaN if it lacks a figure, holds is nil if nothing is
// claimed of the number or that lacks one; missing says why a figure is not there.
func (c *Claim) evaluate(p *Paper, source cellSource) (x float64, holds *bool, missing string) {
	cells := &cells{paper: p, source: source}
	x = c.value(cells)
	switch {
	case cells.missing != "":
		return math.NaN(), nil, cells.missing
	case math.IsNaN(x) || math.IsInf(x, 0):
		return math.NaN(), nil, "a division by 0"
	case c.holds == nil:
		return x, nil, ""
	}
	if h := c.holds(cells); cells.missing == "" {
		holds = &h
	}
	return x, holds, cells.missing
}
