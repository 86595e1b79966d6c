package auvc

import (
	"fmt"
	"math/big"
	"slices"
	"strings"
)

// A cond is a condition on values: a decision diagram (Bryant, IEEE Trans. Computers 35, 1986)
// over regions of numbers. Each inner node asks in which region a value lies; values are asked in
// the order in which they came up. Two conditions of one table are the same pointer if and only
// if they hold for the same values of their nodes.
type cond struct {
	id   int
	on   *node // nil for the two ends
	cuts []*big.Int
	kids []*cond // one more than cuts
}

// Bounds of the work on one program and on one of its assertions, in visited pairs of conditions.
// What is beyond them is given up: such a condition is taken to differ from all others. An ordinary
// program takes less than 20,000.
const (
	maxSteps          = 500_000
	maxAssertionSteps = 50_000
)

// refill allows for the work on another assertion.
func (t *table) refill() {
	t.most, t.exhausted = min(t.steps+maxAssertionSteps, maxSteps), false
}

func (t *table) always(holds bool) *cond {
	if holds {
		return t.yes
	}
	return t.no
}

// branch makes the condition that goes on with a kid by the region of a value.
func (t *table) branch(on *node, cuts []*big.Int, kids []*cond) *cond {
	var outCuts []*big.Int
	outKids := []*cond{kids[0]}
	for i, c := range cuts {
		if kids[i+1] != outKids[len(outKids)-1] {
			outCuts = append(outCuts, c)
			outKids = append(outKids, kids[i+1])
		}
	}
	if len(outCuts) == 0 {
		return outKids[0]
	}
	var key strings.Builder
	fmt.Fprint(&key, on.id)
	for i, k := range outKids {
		if i > 0 {
			key.WriteByte(' ')
			key.WriteString(outCuts[i-1].Text(32))
		}
		fmt.Fprintf(&key, ",%d", k.id)
	}
	if c, ok := t.conds[key.String()]; ok {
		return c
	}
	c := &cond{id: len(t.conds) + 2, on: on, cuts: outCuts, kids: outKids}
	t.conds[key.String()] = c
	return c
}

type applied struct {
	or   bool
	a, b int
}

// and and or combine conditions.
func (t *table) and(a, b *cond) *cond { return t.apply(false, a, b) }

func (t *table) or(a, b *cond) *cond { return t.apply(true, a, b) }

func (t *table) apply(or bool, a, b *cond) *cond {
	stop, neutral := t.always(or), t.always(!or)
	switch {
	case a == stop || b == stop:
		return stop
	case a == neutral || a == b:
		return b
	case b == neutral:
		return a
	}
	if a.id > b.id {
		a, b = b, a
	}
	key := applied{or, a.id, b.id}
	if c, ok := t.done[key]; ok {
		return c
	}
	if t.steps++; t.steps > t.most {
		return t.unknown()
	}
	on := a.on
	if b.on.id < on.id {
		on = b.on
	}
	var cuts []*big.Int
	for _, c := range []*cond{a, b} {
		if c.on == on {
			cuts = append(cuts, c.cuts...)
		}
	}
	slices.SortFunc(cuts, (*big.Int).Cmp)
	cuts = slices.CompactFunc(cuts, func(x, y *big.Int) bool { return x.Cmp(y) == 0 })
	kids := make([]*cond, len(cuts)+1)
	for i := range kids {
		var from *big.Int
		if i > 0 {
			from = cuts[i-1]
		}
		kids[i] = t.apply(or, a.at(on, from), b.at(on, from))
	}
	c := t.branch(on, cuts, kids)
	t.done[key] = c
	return c
}

// at returns how a condition goes on where a value's region begins with from; nil is the lowest.
func (c *cond) at(on *node, from *big.Int) *cond {
	if c.on != on {
		return c
	}
	i := 0
	for from != nil && i < len(c.cuts) && c.cuts[i].Cmp(from) <= 0 {
		i++
	}
	return c.kids[i]
}

func (t *table) not(c *cond) *cond {
	if c.on == nil {
		return t.always(c == t.no)
	}
	if n, ok := t.nots[c.id]; ok {
		return n
	}
	if t.steps++; t.steps > t.most {
		return t.unknown()
	}
	kids := make([]*cond, len(c.kids))
	for i, k := range c.kids {
		kids[i] = t.not(k)
	}
	n := t.branch(c.on, c.cuts, kids)
	t.nots[c.id], t.nots[n.id] = n, c
	return n
}

// choose is the condition a where c holds and b where it does not.
func (t *table) choose(c, a, b *cond) *cond { return t.or(t.and(c, a), t.and(t.not(c), b)) }

// unknown is a condition like no other.
func (t *table) unknown() *cond {
	t.exhausted = true
	t.serial++
	n := t.symbol(fmt.Sprintf("unknown#%d", t.serial), number(0), number(1))
	return t.branch(n, []*big.Int{one}, []*cond{t.no, t.yes})
}
