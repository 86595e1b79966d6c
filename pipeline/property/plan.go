package property

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/lisa-bench/lisa-bench/pipeline/apispec"
)

// Numbers of the plan.
const (
	defaultCalls = 240  // answers for a library if the budget has no limit of them
	firstShare   = 0.6  // of the answers are for new programs, the rest for repairs and second opinions
	familySize   = 12.0 // functions, where the budget allows
)

// A task is one program to ask for: one aspect of one family.
type task struct {
	family *family
	aspect aspect
	again  int // times that the same was asked for before
}

func (t task) String() string { return t.family.name + ": " + t.aspect.name }

// A plan is what a cell asks for, in its order.
type plan struct {
	families []family
	tasks    []task
}

// newPlan spreads the answers of a budget over families and aspects. Larger families get more, by
// the square root of their size: their functions share much. A family's aspects come in turn, and
// the first of each family differ, so that a small budget sees all aspects.
func newPlan(spec *apispec.Spec, excluded []string, calls int) *plan {
	apis := spec.APIs(excluded)
	first := max(1, int(math.Round(firstShare*float64(calls))))
	n := min(max(1, int(math.Round(float64(len(apis))/familySize))), first)
	p := &plan{families: families(spec, apis, n)}
	asked := make([]int, len(p.families))
	for range first {
		next, least := -1, math.Inf(1) // the family that has had the least for its size
		for i, f := range p.families {
			if got := float64(asked[i]+1) / math.Sqrt(float64(len(f.apis))); got < least {
				next, least = i, got
			}
		}
		k := asked[next]
		p.tasks = append(p.tasks, task{&p.families[next], aspects[(next+k)%len(aspects)], k / len(aspects)})
		asked[next]++
	}
	return p
}

// String is the plan to be read: the families with their functions, and the tasks.
func (p *plan) String() string {
	var b strings.Builder
	for _, f := range p.families {
		var names []string
		for _, a := range f.apis {
			names = append(names, a.Canonical())
		}
		fmt.Fprintf(&b, "%s (%d): %s\n", f.name, len(names), strings.Join(names, " "))
	}
	for i, t := range p.tasks {
		fmt.Fprintf(&b, "%3d %s\n", i+1, t)
	}
	return b.String()
}

// others returns the functions that are in none of a family's: those that share a type with it
// first.
func (p *plan) others(f *family, apis []*apispec.Function) []*apispec.Function {
	types := map[string]bool{} // of the family
	for _, a := range f.apis {
		for _, t := range a.NamedTypes() {
			types[t.Name] = true
		}
	}
	var near, far []*apispec.Function
	for _, a := range apis {
		switch {
		case slices.Contains(f.apis, a):
		case slices.ContainsFunc(a.NamedTypes(), func(t *apispec.Type) bool { return types[t.Name] }):
			near = append(near, a)
		default:
			far = append(far, a)
		}
	}
	return append(near, far...)
}
