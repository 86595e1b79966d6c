package mutation

import (
	"cmp"
	"math/rand/v2"
	"slices"

	"github.com/lisa-bench/lisa-bench/internal/trial"
)

// operatorNames are the kinds of change, in the order in which tables print them. They are those that mutation testing
// has settled on: Offutt et al. ("An experimental determination of sufficient mutant operators", 1996) for expressions,
// Deng, Offutt and Li ("Empirical evaluation of the statement deletion mutation operator", 2013) for statements, and
// PIT's for conditions and returned values. internal/plugin/native/mutants.cc makes them.
var operatorNames = []string{
	"relational",        // a comparison by the three that subsume all seven others (Kaminski et al., 2013): < by <=, != and false
	"arithmetic",        // + by -, * by /, % by *, << by >>, & by |, ^ by &, back, and the same of the assignments
	"increment",         // ++ by -- and back
	"logical",           // && by || and back, and both by either operand
	"constant",          // a number by one more, one less and 0; true by false and back
	"unary",             // drops the sign or ~ in front of a value
	"negated_condition", // negates what decides a branch and is no comparison, and drops a !
	"deleted_statement", // takes a call, an assignment, break, continue or goto away
	"return_value",      // returns 0, null or one more, and the other truth
}

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
	ID       int    `json:"id"`   // the selector's value, from 1
	File     string `json:"file"` // relative to the library's tree
	Line     int    `json:"line"` // 1-based
	Last     int    `json:"last"` // line of its end
	Function string `json:"function"`
	Operator string `json:"operator"`
	Original string `json:"original"` // source text, on one line and without comments
	Mutated  string `json:"mutated"`
	Begin    int    `json:"begin"` // byte offsets in the file
	End      int    `json:"end"`
	Form     Form   `json:"form"`
	Site     int    `json:"site"` // the place where it is, from 0: mutants of one place are reached together
}

// sameSite reports whether two mutants are of one place.
func sameSite(a, b Mutant) bool {
	return a.File == b.File && a.Begin == b.Begin && a.End == b.End && a.Form == b.Form
}

// nesting orders forms that have the same range, from the outside in.
var nesting = map[Form]int{effect: 0, jump: 0, truth: 1, value: 2}

// number sorts mutants by file and place, what is around another place before it, drops those that are there twice, and
// gives each its ID and its site. It returns how many sites there are.
func number(mutants []Mutant) ([]Mutant, int) {
	slices.SortStableFunc(mutants, func(a, b Mutant) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Begin, b.Begin), cmp.Compare(b.End, a.End),
			cmp.Compare(nesting[a.Form], nesting[b.Form]), cmp.Compare(a.Form, b.Form),
			cmp.Compare(slices.Index(operatorNames, a.Operator), slices.Index(operatorNames, b.Operator)), cmp.Compare(a.Mutated, b.Mutated))
	})
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

// draw returns n of the mutants, or all if there are no more. They are a systematic sample of all of
// them in the order of file and function, at random within each function. So each has the same
// chance, and each function has its share (to one).
func draw(all []Mutant, n int, random *rand.Rand) []Mutant {
	if len(all) <= n {
		return all
	}
	rank := make(map[int]uint64, len(all))
	for _, m := range all {
		rank[m.ID] = random.Uint64()
	}
	sorted := slices.Clone(all)
	slices.SortFunc(sorted, func(a, b Mutant) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Function, b.Function), cmp.Compare(rank[a.ID], rank[b.ID]))
	})
	step := float64(len(sorted)) / float64(n)
	start := random.Float64() * step
	drawn := make([]Mutant, 0, n)
	for i := range n {
		drawn = append(drawn, sorted[min(int(start+float64(i)*step), len(sorted)-1)])
	}
	slices.SortFunc(drawn, func(a, b Mutant) int { return a.ID - b.ID })
	return drawn
}

// sampleOf draws n of the mutants; DefaultSample if n is 0, all of them if it is negative.
func sampleOf(mutants []Mutant, n int) []Mutant {
	if n < 0 {
		return mutants
	}
	return draw(mutants, cmp.Or(n, DefaultSample), trial.Seed(0).Stream("sample of mutants"))
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
