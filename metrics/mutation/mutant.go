package mutation

import (
	"cmp"
	"slices"

	"github.com/lisa-bench/lisa-bench/internal/trial"
)

// An Operator is a kind of change. The names in brackets are those of PIT and of Mull.
type Operator string

// The operators. They are those that mutation testing has settled on: Offutt et al. ("An
// experimental determination of sufficient mutant operators", 1996) for expressions, Deng,
// Offutt and Li ("Empirical evaluation of the statement deletion mutation operator", 2013) for
// statements, and PIT's for conditions and returned values.
const (
	// Relational replaces a comparison by the three that subsume all seven others (Kaminski,
	// Ammann, Offutt, "Improving logic-based testing", 2013): < by <=, != and false.
	// [CONDITIONALS_BOUNDARY, NEGATE_CONDITIONALS, ROR; cxx_lt_to_le, …]
	Relational Operator = "relational"
	// Arithmetic replaces + by -, * by /, % by *, << by >>, & by |, ^ by &, back, and the same
	// of the assignments. [MATH; cxx_add_to_sub, …]
	Arithmetic Operator = "arithmetic"
	// Increment replaces ++ by -- and back. [INCREMENTS; cxx_pre_inc_to_pre_dec, …]
	Increment Operator = "increment"
	// Logical replaces && by || and back, and both by either operand. [COR; cxx_logical_and_to_or, …]
	Logical Operator = "logical"
	// Constant adds 1 to a number, takes 1 from it, and makes it 0; true and false change
	// places. [INLINE_CONSTS, CRCR1 to CRCR6; scalar_value, …]
	Constant Operator = "constant"
	// Unary drops the sign or ~ in front of a value. [INVERT_NEGS; cxx_minus_to_noop, …]
	Unary Operator = "unary"
	// NegatedCondition negates what decides a branch and is no comparison, and drops a !.
	// [NEGATE_CONDITIONALS; negate_mutator, cxx_remove_negation]
	NegatedCondition Operator = "negated_condition"
	// DeletedStatement takes a call, an assignment, break, continue or goto away.
	// [VOID_METHOD_CALLS, REMOVE_INCREMENTS, SDL; cxx_remove_void_call, …]
	DeletedStatement Operator = "deleted_statement"
	// ReturnedValue returns 0, null or one more, and the other truth.
	// [PRIMITIVE_RETURNS, NULL_RETURNS, TRUE_RETURNS; cxx_replace_scalar_call]
	ReturnedValue Operator = "return_value"
)

// allOperators lists the operators in the order in which tables print them.
var allOperators = []Operator{Relational, Arithmetic, Increment, Logical, Constant, Unary, NegatedCondition, DeletedStatement, ReturnedValue}

// A Form says what stands in the source where a mutant is.
type Form string

// The forms (internal/plugin/native/mutants.cc).
const (
	value  Form = "value"  // an expression whose type the mutant has too
	truth  Form = "truth"  // an expression of which only the truth is wanted
	effect Form = "effect" // an expression whose value is discarded
	jump   Form = "jump"   // a statement
)

// A Mutant is one small change to a library.
type Mutant struct {
	ID       int      `json:"id"`   // the selector's value, from 1
	File     string   `json:"file"` // relative to the library's tree
	Line     int      `json:"line"` // 1-based
	Last     int      `json:"last"` // line of its end
	Function string   `json:"function"`
	Operator Operator `json:"operator"`
	Original string   `json:"original"` // source text, on one line and without comments
	Mutated  string   `json:"mutated"`
	Begin    int      `json:"begin"` // byte offsets in the file
	End      int      `json:"end"`
	Form     Form     `json:"form"`
	Site     int      `json:"site"` // the place where it is, from 0: mutants of one place are reached together
}

// sameSite reports whether two mutants are of one place.
func sameSite(a, b Mutant) bool {
	return a.File == b.File && a.Begin == b.Begin && a.End == b.End && a.Form == b.Form
}

// nesting orders forms that have the same range, from the outside in.
var nesting = map[Form]int{effect: 0, jump: 0, truth: 1, value: 2}

// order compares mutants by file and place: what is around another place comes before it.
func order(a, b Mutant) int {
	return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Begin, b.Begin), cmp.Compare(b.End, a.End),
		cmp.Compare(nesting[a.Form], nesting[b.Form]), cmp.Compare(a.Form, b.Form),
		cmp.Compare(slices.Index(allOperators, a.Operator), slices.Index(allOperators, b.Operator)), cmp.Compare(a.Mutated, b.Mutated))
}

// number sorts mutants, drops those that are there twice, and gives each its ID and its site.
// It returns how many sites there are.
func number(mutants []Mutant) ([]Mutant, int) {
	slices.SortStableFunc(mutants, order)
	mutants = slices.CompactFunc(mutants, func(a, b Mutant) bool { return sameSite(a, b) && a.Mutated == b.Mutated })
	site := -1
	for i := range mutants {
		if i == 0 || !sameSite(mutants[i-1], mutants[i]) {
			site++
		}
		mutants[i].ID, mutants[i].Site = i+1, site
	}
	return mutants, site + 1
}

// sampleOf draws n of the mutants; DefaultSample if n is 0, all of them if it is negative.
func sampleOf(mutants []Mutant, n int) []Mutant {
	switch {
	case n < 0:
		return mutants
	case n == 0:
		n = DefaultSample
	}
	return draw(mutants, n, trial.Seed(0).Stream("sample of mutants"))
}

// feedbackSample is how many mutants a generator may be told of at most. It is told of some dozens, and each of its
// programs runs on all that none has killed: with 2,000 of libpng and tests of 0.3 s that is hours.
const feedbackSample = 400

// ForFeedback returns the mutants that a generator may be told of. They are those of at most feedbackSample that a score
// does not draw by default, each with the same chance. So the score of what it makes is that of mutants it
// was not shown. A library with so few mutants that a score draws all has none.
func (l *MutableLibrary) ForFeedback() []Mutant {
	scored := map[int]bool{}
	for _, m := range sampleOf(l.Mutants, DefaultSample) {
		scored[m.ID] = true
	}
	rest := slices.DeleteFunc(slices.Clone(l.Mutants), func(m Mutant) bool { return scored[m.ID] })
	return draw(rest, feedbackSample, trial.Seed(0).Stream("mutants for feedback"))
}
