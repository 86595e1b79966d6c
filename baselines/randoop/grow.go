package randoop

import "math/rand/v2"

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
	contents  *pool
	archive   []*sequence // that ran well, without the calls that end their objects
}

// keep archives a sequence; the oldest gives way when the archive is full.
func (g *grower) keep(q *sequence) {
	g.archive = append(g.archive, q)
	g.archive = g.archive[max(len(g.archive)-archiveSize, 0):]
}

// earlier draws a sequence of at most so many steps, or returns nil. With an object it is one that leaves such
// an object to its caller.
func (g *grower) earlier(steps int, object string) *sequence {
	var fit []*sequence
	for _, q := range g.archive {
		if len(q.steps) <= steps && (object == "" || len(q.live(object)) > 0) {
			fit = append(fit, q)
		}
	}
	if len(fit) == 0 {
		return nil
	}
	return pick(g.rng, fit)
}

// chance is true with probability p.
func (g *grower) chance(p float64) bool { return g.rng.Float64() < p }

// draw returns one of the callables by weight, or nil.
func (g *grower) draw(from []*callable) *callable {
	total := 0.0
	for _, c := range from {
		total += c.weight()
	}
	x := g.rng.Float64() * total
	for _, c := range from {
		if x -= c.weight(); x < 0 {
			return c
		}
	}
	return nil
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
	return &candidate{grown: b.sequence, seq: g.ended(b.sequence), base: have}
}

// extend adds one call and whatever must come before it. Now and then it repeats the call with other
// arguments, which is the paper's own heuristic: queues fill and tables grow that way.
func (b *builder) extend() bool {
	for range callTries {
		c := b.grower.draw(b.api.callables)
		if c == nil || !b.call(c, 0) {
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

// call appends a call of c with arguments, making objects as needed.
func (b *builder) call(c *callable, nested int) bool {
	if nested > maxNested || len(b.steps) >= b.maxLength {
		return false
	}
	undo := b.clone()
	s := newStep(c)
	for i := range c.params {
		if !b.argument(s, i, nested) {
			b.sequence = undo
			return false
		}
	}
	b.append(*s)
	return true
}

// ended returns the sequence with calls that end what is still alive, so that destructors are tested too.
func (g *grower) ended(q *sequence) *sequence {
	q = q.clone()
	for v := len(q.vars) - 1; v >= 0; v-- {
		for _, c := range g.api.callables {
			if va := &q.vars[v]; c.destroys && len(c.params) == 1 && c.object == va.object && va.canEnd() {
				s := newStep(c)
				s.pass(0, v, q.address(v))
				q.append(*s)
			}
		}
	}
	return q
}
