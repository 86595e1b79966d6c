package paper

import (
	"fmt"
	"math"
	"strings"
)

// A Claim is a statement of the paper's text that follows from its tables.
type Claim struct {
	ID        string `yaml:"id"`
	Section   string `yaml:"section"`
	Statement string `yaml:"statement"`
	Value     string `yaml:"value"`
	Published *Value `yaml:"published"` // nil if the text gives no number of its own
	Holds     string `yaml:"holds"`
	Winner    bool   `yaml:"winner"`
	Paper     bool   `yaml:"paper"`
	Note      string `yaml:"note"`

	value, holds *formula // nil if there is none
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

func (c *Claim) check(p *Paper) (err error) {
	if c.Statement == "" || c.Section == "" || c.Value == "" {
		return fmt.Errorf("a claim needs a statement, a section and a value")
	}
	if c.value, err = parseFormula(c.Value); err != nil {
		return err
	}
	if c.Holds != "" {
		if c.holds, err = parseFormula(c.Holds); err != nil {
			return err
		}
	}
	if c.Published != nil {
		if err := c.Published.number(false); err != nil {
			return err
		}
	}
	if c.Published == nil && c.holds == nil || c.Winner && c.holds == nil {
		return fmt.Errorf("nothing to check: give published or holds")
	}
	_, err = c.Check(p)
	return err
}

// Check recomputes the claim from the published cells.
func (c *Claim) Check(p *Paper) (Check, error) {
	x, err := c.value.eval(p, printed)
	if err != nil {
		return Check{}, err
	}
	out := Check{Claim: c, Value: x, Mark: HoldsTrue}
	if c.Published != nil {
		out.Mark = out.compare(c.Published)
	}
	if c.holds != nil && out.Mark != Differs {
		h, err := c.holds.eval(p, printed)
		if err != nil {
			return Check{}, err
		}
		if h == 0 {
			out.Mark = DoesNotHold
		}
	}
	return out, nil
}

// slack is for the last digits of binary fractions.
const slack = 1e-9

func (c *Check) compare(published *Value) Mark {
	d := c.Value - published.Number
	switch {
	case math.Abs(d) <= slack*max(1, math.Abs(published.Number)):
		return Matches
	case math.Abs(d) <= halfUnit(published.Text)+slack:
		return RoundsTo
	}
	c.By = d
	return Differs
}

// halfUnit is half of the last printed digit: what rounding may have changed.
func halfUnit(text string) float64 { return 0.5 * math.Pow10(-decimals(text)) }

// decimals counts the digits after the point.
func decimals(text string) int {
	_, fraction, _ := strings.Cut(text, ".")
	return len(fraction)
}
