package randoop

import (
	"math"
	"math/rand/v2"
)

// archiveSize bounds the sequences that are kept for growing.
const archiveSize = 400

// An entry is a sequence that ran well.
type entry struct {
	seq    *sequence // without its cleanup
	facts  map[int]fact
	keys   map[string]bool // objects that are alive at its end
	weight float64         // by what it showed that was new
	picks  int
}

// An archive holds the sequences that later ones start from.
type archive struct {
	entries   []*entry
	maxLength int
}

// add keeps a sequence; the least interesting one gives way when the archive is full.
func (a *archive) add(s *sequence, facts map[int]fact, weight float64) {
	e := &entry{seq: s, facts: facts, keys: map[string]bool{}, weight: weight}
	st := newState(s, facts)
	for v := range st.vars {
		vs := &st.vars[v]
		if key := s.vars[v].key; key != "" && vs.declared && !vs.dead && !vs.null && vs.owner < 0 && (s.vars[v].kind != varStruct || vs.inited) {
			e.keys[key] = true
		}
	}
	if len(a.entries) < archiveSize {
		a.entries = append(a.entries, e)
		return
	}
	worst := 0
	for i := range a.entries {
		if a.entries[i].interest() < a.entries[worst].interest() {
			worst = i
		}
	}
	a.entries[worst] = e
}

// interest favours what showed something new, was seldom grown, and is long: states that
// take many calls to reach are not reached again by chance.
func (e *entry) interest() float64 {
	return e.weight * math.Sqrt(float64(1+len(e.seq.steps))) / float64(1+e.picks)
}

// pick draws a sequence that can still grow, by interest, or returns nil.
func (a *archive) pick(r *rand.Rand) *entry {
	return a.draw(r, func(e *entry) bool { return len(e.seq.steps) < a.maxLength })
}

// with draws a short sequence that leaves a live object of key, or returns nil.
func (a *archive) with(r *rand.Rand, key string) *entry {
	return a.draw(r, func(e *entry) bool { return e.keys[key] && len(e.seq.steps) <= a.maxLength/2 })
}

func (a *archive) draw(r *rand.Rand, ok func(*entry) bool) *entry {
	total := 0.0
	for _, e := range a.entries {
		if ok(e) {
			total += e.interest()
		}
	}
	x := r.Float64() * total
	for _, e := range a.entries {
		if !ok(e) {
			continue
		}
		if x -= e.interest(); x < 0 {
			e.picks++
			return e
		}
	}
	return nil
}
