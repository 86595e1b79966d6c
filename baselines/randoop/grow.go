package randoop

import (
	"math/rand/v2"
	"slices"

	"github.com/lisa-bench/lisa-bench/pipeline/apispec"
)

// Limits of one growth.
const (
	growthCalls = 6   // most calls added at once
	callTries   = 100 // calls tried before a sequence is left as it is
)

// A grower makes new sequences of the ones that ran well.
type grower struct {
	api       *api
	rng       *rand.Rand
	maxLength int
	tallies   map[any]tally
	pool      []string    // strings of the headers, and what calls returned and wrote
	archive   []*sequence // that ran well, without the calls that end their objects
}

func newGrower(spec *apispec.Spec, excluded []string, maxLength int, rng *rand.Rand) *grower {
	g := &grower{api: newAPI(spec, excluded), rng: rng, maxLength: maxLength, tallies: map[any]tally{}}
	for _, c := range spec.Constants {
		if c.IsText {
			g.remember(c.String)
		}
	}
	return g
}

// A tally counts what came of something that was tried.
type tally struct {
	tried float64
	bad   float64 // crashed, hung, or was undefined behaviour
}

// learn records a run of a step under all that it teaches about.
func (g *grower) learn(s *step, bad float64) {
	for _, key := range s.keys {
		t := g.tallies[key]
		g.tallies[key] = tally{t.tried + max(1, bad), t.bad + bad}
	}
}

// safety is the share of tries that did not end badly, optimistic at first.
func (g *grower) safety(key any) float64 {
	t := g.tallies[key]
	return (t.tried - t.bad + 1) / (t.tried + 1)
}

// blocked reports whether giving v to the use tends to crash after what was done to it.
func (g *grower) blocked(v *variable, next use) bool {
	return slices.ContainsFunc(v.uses, func(u use) bool {
		key := pair{u, next}
		return g.tallies[key].bad >= 2 && g.safety(key) < 0.6
	})
}

// earlier draws a sequence of at most so many steps; with an object, one that leaves such an object to its caller. It
// returns nil if there is none. Those with more calls that did what they were asked are drawn more often: states that
// take many calls are not reached by chance.
func (g *grower) earlier(steps int, object string) *sequence {
	var fit []*sequence
	for _, q := range g.archive {
		free := func(v int) bool { return !q.vars[v].owned }
		if len(q.steps) <= steps && (object == "" || slices.ContainsFunc(q.live(object), free)) {
			fit = append(fit, q)
		}
	}
	if len(fit) == 0 {
		return nil
	}
	one, other := pick(g.rng, fit), pick(g.rng, fit)
	if other.merit > one.merit {
		return other
	}
	return one
}

// A builder grows one sequence.
type builder struct {
	*grower
	*sequence
}

// candidate grows a sequence; it returns nil when no call can be added.
func (g *grower) candidate() *candidate {
	b := builder{g, &sequence{}}
	if from := g.earlier(g.maxLength-1, ""); from != nil && g.chance(0.85) {
		b.sequence = from.clone()
	}
	have := len(b.steps)
	want := min(have+1+g.rng.IntN(growthCalls), g.maxLength)
	c := b.next()
	for tries := 0; len(b.steps) < want && tries < callTries; tries++ {
		// To repeat a call is the paper's own heuristic: queues fill and tables grow that way.
		if !b.call(c) || b.chance(0.8) {
			c = b.next()
		}
	}
	if len(b.steps) == have {
		return nil
	}
	b.read(have)
	ended := builder{g, b.clone()}
	ended.end()
	return &candidate{grown: b.sequence, seq: ended.sequence, base: have}
}

// next draws two functions and returns the one that fits the objects at hand better: calls on them reach deeper than
// calls on new ones.
func (b builder) next() *callable {
	fit := func(c *callable) (n int) {
		for i := range c.params {
			if len(b.usable(c, i, nil)) > 0 && !c.destroys {
				n++
			}
		}
		return n
	}
	one, other := b.draw(b.api.callables), b.draw(b.api.callables)
	if fit(other) > fit(one) {
		return other
	}
	return one
}

// draw returns one of some functions, less often one that seldom showed what was not seen before.
func (g *grower) draw(from []*callable) *callable {
	for {
		if c := pick(g.rng, from); g.chance(max(0.1, (c.novel+3)/(c.tried+3))) {
			return c
		}
	}
}

// read ends a growth with a call that reads each object that the new steps may have changed. What a call broke inside
// an object shows in no result of its own.
func (b builder) read(from int) {
	grown := b.steps[from:]
	for v := range b.vars {
		changed := func(s step) bool { return slices.Contains(s.watch, v) }
		unfit := func(c *callable) bool { return !c.reads || !slices.Contains(b.usable(c, 0, nil), v) }
		readers := slices.DeleteFunc(slices.Clone(b.api.callables), unfit)
		if len(readers) > 0 && slices.ContainsFunc(grown, changed) {
			b.call(b.draw(readers), b.object(v))
		}
	}
}

// call appends a call of c with arguments, of which the first may be given, and reports whether it could. A call
// whose pattern of arguments tends to crash is usually dropped.
func (b builder) call(c *callable, given ...arg) bool {
	undo := *b.clone()
	s := step{call: c, args: make([]arg, len(c.params))}
	copy(s.args, given)
	for i := range c.params {
		if s.args[i].class == "" && !b.argument(&s, i) {
			*b.sequence = undo
			return false
		}
	}
	if safety := b.safety(patternOf(&s)); !b.chance(safety * safety) {
		*b.sequence = undo
		return false
	}
	b.append(s)
	return true
}

// end appends calls that end what is still alive, so that destructors are tested too.
func (b builder) end() {
	for v := len(b.vars) - 1; v >= 0; v-- {
		for _, c := range b.api.callables {
			if c.destroys && slices.Contains(b.usable(c, 0, nil), v) {
				b.call(c, b.object(v))
			}
		}
	}
}
