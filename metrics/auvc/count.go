package auvc

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/lisa-bench/lisa-bench/internal/smt"
)

// A Status says what an assertion adds to a program's verifications.
type Status string

// The statuses. Only a Unique assertion counts.
const (
	Unique        Status = "unique"
	Repeated      Status = "repeated"      // equivalent to an earlier one in the same state
	Tautology     Status = "tautology"     // it cannot fail
	Contradiction Status = "contradiction" // it cannot pass
)

// A Verdict is what is known of one assertion.
type Verdict struct {
	Line       int    `json:"line"` // in the test function, 1-based
	Status     Status `json:"status"`
	Same       int    `json:"same,omitempty"` // of a Repeated one: line of the first like it
	Structural bool   `json:"structural,omitempty"`
	Formula    string `json:"formula"`
}

// A Count is the verifications of one program.
type Count struct {
	Unique         int `json:"unique"` // U(t) of the paper
	Assertions     int `json:"assertions"`
	Repeated       int `json:"repeated"`
	Tautologies    int `json:"tautologies"`
	Contradictions int `json:"contradictions"`
	// Structural assertions have parts that could not be translated and were compared by their
	// text, Translated ones have none. Timeouts are comparisons that the solver gave up, in
	// which two assertions were taken to differ.
	Translated int `json:"translated"`
	Structural int `json:"structural"`
	Timeouts   int `json:"timeouts"`
	// Refused are questions that the solver could not read; the two assertions are taken to differ.
	Refused int `json:"refused,omitempty"`
	// Truncated: the program goes beyond what is read of one, and only its beginning counts.
	Truncated bool `json:"truncated,omitempty"`
}

// A Checker decides whether formulas can hold together (smt.Solver).
type Checker interface {
	Check(ctx context.Context, declarations, formulas []string) (smt.Answer, error)
}

// maxQueries bounds the solver's work on one program. Beyond it assertions are compared by
// their text.
const maxQueries = 4_000

// A judge counts the assertions of one program.
type judge struct {
	solver  Checker
	queries int
	count   Count
}

// judge decides on every assertion, in their order.
func (j *judge) judge(ctx context.Context, all []assertion) ([]Verdict, error) {
	var verdicts []Verdict
	var unique []assertion
	seen := map[string]int{} // line of the first assertion with that text
	for _, a := range all {
		a = bounded(a)
		v := Verdict{Line: a.line, Structural: a.formula.opaque || a.path.opaque, Formula: a.formula.text}
		text := a.formula.text
		line, repeated := seen[a.path.text+"\x00"+text]
		switch {
		case repeated:
			v.Status, v.Same = Repeated, line
		default:
			status, same, err := j.decide(ctx, a, unique)
			if err != nil {
				return nil, fmt.Errorf("assertion in line %d: %w", a.line, err)
			}
			v.Status, v.Same = status, same
			if status == Unique {
				unique = append(unique, a)
			}
			if status == Unique || status == Repeated {
				first := a.line
				if same > 0 {
					first = same
				}
				seen[a.path.text+"\x00"+text] = first
			}
		}
		j.add(v)
		verdicts = append(verdicts, v)
	}
	return verdicts, nil
}

func (j *judge) add(v Verdict) {
	c := &j.count
	c.Assertions++
	if v.Structural {
		c.Structural++
	} else {
		c.Translated++
	}
	switch v.Status {
	case Unique:
		c.Unique++
	case Repeated:
		c.Repeated++
	case Tautology:
		c.Tautologies++
	case Contradiction:
		c.Contradictions++
	}
}

// bounded replaces a formula that is too long for the solver by a symbol named after it.
func bounded(a assertion) assertion {
	if len(a.formula.text)+len(strings.Join(a.formula.given, "")) > maxFormula {
		a.formula = term{text: smt.Symbol("whole " + short(a.formula.text) + ":>Bool"), sort: boolSort, typ: boolType, opaque: true}
	}
	if len(a.path.text)+len(strings.Join(a.path.given, "")) > maxFormula {
		a.path = truth("true")
	}
	return a
}

// decide asks the solver about an assertion: whether it can fail where it is executed, whether
// it can pass, and whether an earlier one is equivalent to it there.
func (j *judge) decide(ctx context.Context, a assertion, unique []assertion) (Status, int, error) {
	can, err := j.satisfiable(ctx, a, not(a.formula).text)
	if err != nil {
		return "", 0, err
	}
	if !can {
		return Tautology, 0, nil
	}
	if can, err = j.satisfiable(ctx, a, a.formula.text); err != nil {
		return "", 0, err
	}
	if !can {
		return Contradiction, 0, nil
	}
	symbols, related := symbolsOf(a.formula.text), symbolsOf(a.formula.text, a.formula.given...)
	// The nearest earlier ones are the likeliest.
	for _, u := range slices.Backward(unique) {
		if !subset(symbols, symbolsOf(u.formula.text, u.formula.given...)) && !subset(symbolsOf(u.formula.text), related) {
			continue // one speaks of what the other does not know
		}
		checked := u.formula.text
		if u.path.text != "true" {
			checked = fmt.Sprintf("(=> %s %s)", u.path.text, u.formula.text)
		}
		both := a
		both.formula = both.formula.with(u.formula, u.path)
		differ, err := j.satisfiable(ctx, both, fmt.Sprintf("(not (= %s %s))", a.formula.text, checked))
		if err != nil {
			return "", 0, err
		}
		if !differ {
			return Repeated, u.line, nil
		}
	}
	return Unique, 0, nil
}

// satisfiable reports whether a formula can hold where an assertion is executed. What the
// solver gives up can.
func (j *judge) satisfiable(ctx context.Context, at assertion, formula string) (bool, error) {
	if j.queries >= maxQueries {
		j.count.Timeouts++
		return true, nil
	}
	j.queries++
	formulas := slices.Concat(at.formula.given, at.path.given, []string{at.path.text, formula})
	if strings.Contains(formula, "FloatingPoint") || strings.Contains(formula, "fp.") {
		if flat, ok := flatten(formulas); ok {
			formulas = flat
		}
	}
	answer, err := j.solver.Check(ctx, declarations(formulas), formulas)
	if errors.Is(err, smt.ErrRefused) {
		j.count.Refused++
		return true, nil // its structure decides
	}
	if err != nil {
		return false, err
	}
	if answer == smt.Unknown {
		j.count.Timeouts++
	}
	return answer != smt.Unsat, nil
}

// declarations declares all symbols of formulas.
func declarations(formulas []string) []string {
	seen := map[string]bool{}
	// Values without structure are only compared: 16 bits have more of them than a query names.
	list := []string{"(define-sort " + string(objectSort) + " () (_ BitVec 16))", "(define-sort " + string(textSort) + " () (_ BitVec 16))"}
	for _, f := range formulas {
		smt.Symbols(f, func(s string) {
			if !seen[s] {
				seen[s] = true
				list = append(list, declaration(s))
			}
		})
	}
	return list
}

func symbolsOf(text string, more ...string) map[string]bool {
	set := map[string]bool{}
	for _, t := range append(more[:len(more):len(more)], text) {
		smt.Symbols(t, func(s string) { set[s] = true })
	}
	return set
}

func subset(a, b map[string]bool) bool {
	for s := range a {
		if !b[s] {
			return false
		}
	}
	return true
}
