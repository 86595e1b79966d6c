package randoop

import (
	"math/rand/v2"
	"slices"
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
// returns nil if there is none.
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
	return pick(g.rng, fit)
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
	for tries := 0; len(b.steps) < want && tries < callTries; tries++ {
		b.call(pick(g.rng, g.api.callables))
	}
	if len(b.steps) == have {
		return nil
	}
	b.read(have)
	ended := builder{g, b.clone()}
	ended.end()
	return &candidate{grown: b.sequence, seq: ended.sequence, base: have}
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

// read ends a growth with a call that reads each object that the new steps may have changed. What a call broke inside
// an object shows in no result of its own.
func (b builder) read(from int) {
	var changed []int
	for _, s := range b.steps[from:] {
		changed = append(changed, s.watch...)
	}
	slices.Sort(changed)
	for _, v := range slices.Compact(changed) {
		va := &b.vars[v]
		var readers []*callable
		for _, c := range b.api.callables {
			if c.reads && c.params[0].object == va.object && !va.dead && !va.null && !b.blocked(va, use{c, 0}) {
				readers = append(readers, c)
			}
		}
		if len(readers) > 0 {
			b.call(pick(b.rng, readers), b.object(v))
		}
	}
}

// end appends calls that end what is still alive, so that destructors are tested too.
func (b builder) end() {
	for v := len(b.vars) - 1; v >= 0; v-- {
		for _, c := range b.api.callables {
			va := b.vars[v]
			if c.destroys && c.params[0].object == va.object && va.object != "" && c.params[0].accepts(&va) &&
				!va.dead && !va.null && !va.owned && !b.blocked(&va, use{c, 0}) {
				b.call(c, b.object(v))
			}
		}
	}
}
