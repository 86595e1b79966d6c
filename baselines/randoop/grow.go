package randoop

import (
	"math"
	"math/rand/v2"
	"slices"
)

// Limits of one growth.
const (
	maxNested   = 3   // constructors of constructors
	callTries   = 6   // callables tried before a sequence is left as it is
	growthCalls = 6   // most calls added at once
	archiveSize = 400 // sequences that are kept for growing
)

// A grower makes new sequences of the ones that ran well.
type grower struct {
	api       *api
	rng       *rand.Rand
	maxLength int
	tallies   map[string]*tally
	texts     *pool            // strings of the headers, and those that calls returned
	blobs     *pool            // bytes that calls wrote
	accepted  map[string]*pool // by parameter: strings and bytes of calls that returned no error
	archive   []*entry
}

// An entry is a sequence that ran well, without the calls that end its objects.
type entry struct {
	*sequence
	weight float64 // by what it showed that was new
}

// keep archives a sequence; the oldest gives way when the archive is full.
func (g *grower) keep(q *sequence, weight float64) {
	// States that take many calls to reach are not reached again by chance.
	g.archive = append(g.archive, &entry{q, weight * math.Sqrt(float64(1+len(q.steps)))})
	g.archive = g.archive[max(len(g.archive)-archiveSize, 0):]
}

// earlier draws a sequence of at most so many steps, less often the more often it was drawn; with an object, one
// that leaves such an object to its caller. It returns nil if there is none.
func (g *grower) earlier(steps int, object string) *sequence {
	weights := make([]float64, len(g.archive))
	for i, e := range g.archive {
		free := func(v int) bool { return !e.vars[v].owned }
		if len(e.steps) <= steps && (object == "" || slices.ContainsFunc(e.live(object), free)) {
			weights[i] = e.weight
		}
	}
	i := g.weighted(weights)
	if i < 0 {
		return nil
	}
	g.archive[i].weight *= 0.7
	return g.archive[i].sequence
}

// chance is true with probability p.
func (g *grower) chance(p float64) bool { return g.rng.Float64() < p }

// weighted returns an index drawn by weight, or -1 when all are 0.
func (g *grower) weighted(weights []float64) int {
	total := 0.0
	for _, w := range weights {
		total += w
	}
	x := g.rng.Float64() * total
	for i, w := range weights {
		if x -= w; x < 0 {
			return i
		}
	}
	return -1
}

// A builder grows one sequence.
type builder struct {
	*grower
	*sequence
}

// candidate grows a sequence; it returns nil when no call can be added.
func (g *grower) candidate() *candidate {
	b := &builder{g, &sequence{}}
	if g.chance(0.85) {
		if from := g.earlier(g.maxLength-1, ""); from != nil {
			b.sequence = from.clone()
		}
	}
	have := len(b.steps)
	want := min(have+1+g.rng.IntN(growthCalls), g.maxLength)
	for len(b.steps) < want && b.extend() {
	}
	if len(b.steps) == have {
		return nil
	}
	b.observe(have)
	return &candidate{grown: b.sequence, seq: g.ended(b.sequence), base: have}
}

// extend adds one call and whatever must come before it. Now and then it repeats the call with other
// arguments, which is the paper's own heuristic: queues fill and tables grow that way.
func (b *builder) extend() bool {
	for range callTries {
		weights := make([]float64, len(b.api.callables))
		for i, c := range b.api.callables {
			weights[i] = b.eagerness(c) * b.fit(c)
		}
		i := b.weighted(weights)
		if i < 0 {
			return false
		}
		c := b.api.callables[i]
		if !b.call(c, 0) {
			continue
		}
		if !c.destroys && !c.init && b.chance(0.15) {
			for n := b.rng.IntN(7); n >= 0 && b.call(c, 0); n-- {
			}
		}
		return true
	}
	return false
}

// observe ends a growth with a call that reads each object that the new steps may have changed. What a call
// broke inside an object shows in no result of its own.
func (b *builder) observe(from int) {
	var changed []int
	for _, s := range b.steps[from:] {
		for _, v := range s.watch {
			if !slices.Contains(changed, v) {
				changed = append(changed, v)
			}
		}
	}
	for _, v := range changed {
		va := &b.vars[v]
		if va.object == "" || va.dead || va.null || va.kind == varStruct && !va.ready {
			continue
		}
		weights := make([]float64, len(b.api.callables))
		for i, c := range b.api.callables {
			if c.observes && c.object == va.object && !b.blocked(va, use{c, 0}) {
				weights[i] = b.eagerness(c) * b.success(c.name)
			}
		}
		if i := b.weighted(weights); i >= 0 {
			c := b.api.callables[i]
			s := step{call: c, args: make([]arg, len(c.params))}
			s.args[0] = b.passObject(v)
			b.complete(s, 0)
		}
	}
}

// fit weighs a callable by what the sequence has: calls on its objects reach deeper than calls on new ones.
func (b *builder) fit(c *callable) float64 {
	w := 1.0
	switch {
	case c.destroys:
		w = 0.25
	case c.creates != "" || c.init:
		w = 1 / (1 + 0.5*float64(len(b.live(c.creates))+len(b.live(c.object))))
	}
	for i := range c.params {
		if usable := b.usable(c, i, nil); len(usable) > 0 {
			w *= 4
			if uses := b.vars[usable[len(usable)-1]].uses; len(uses) > 0 {
				w *= b.success(pairKey(uses[0], use{c, i})) // the first use made it
			}
		}
	}
	return w
}

// call appends a call of c with arguments, creating objects as needed. A call whose pattern of arguments
// tends to crash is usually dropped.
func (b *builder) call(c *callable, nested int) bool {
	return b.complete(step{call: c, args: make([]arg, len(c.params))}, nested)
}

// complete appends a call of which some arguments may be chosen already.
func (b *builder) complete(s step, nested int) bool {
	if nested > maxNested || len(b.steps) >= b.maxLength {
		return false
	}
	undo := b.clone()
	for i := range s.call.params {
		if s.args[i].class == "" && !b.argument(&s, i, nested) {
			b.sequence = undo
			return false
		}
	}
	if safety := b.safety(patternOf(&s)); !b.chance(safety * safety) {
		b.sequence = undo
		return false
	}
	b.append(s)
	return true
}

// ended returns the sequence with calls that end what is still alive, so that destructors are tested too.
func (g *grower) ended(q *sequence) *sequence {
	q = q.clone()
	for v := len(q.vars) - 1; v >= 0; v-- {
		for _, c := range g.api.callables {
			if !c.destroys || len(c.params) != 1 || !g.ends(q, c, v) {
				continue
			}
			s := step{call: c, args: []arg{q.pass(v, "end")}}
			if g.safety(patternOf(&s)) >= 0.5 {
				q.append(s)
			}
		}
	}
	return q
}

// ends reports whether c is how the life of v should end now.
func (g *grower) ends(q *sequence, c *callable, v int) bool {
	va, p := &q.vars[v], &c.params[0]
	switch {
	case va.object == "" || va.dead || va.null || va.owned || g.blocked(va, use{c, 0}):
		return false
	case va.kind == varStruct:
		return va.ready && p.object == va.object && g.success(pairKey(va.uses[0], use{c, 0})) >= 0.5
	case va.object == memory:
		return p.role == roleAny
	}
	return p.role == roleObject && p.object == va.object
}
