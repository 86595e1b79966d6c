package randoop

import "math"

// A tally counts what came of something that was tried.
type tally struct {
	tried float64
	novel float64 // showed what was not seen before
	fine  float64 // did not return NULL or a negative number
	bad   float64 // crashed, hung, or was undefined behaviour
}

// An ending is how one step of a run ended.
type ending int

const (
	endedFine ending = iota
	endedError
	endedBad
	endedHung
)

// learn records how a step ended under all that it teaches about.
func (g *grower) learn(s *step, e ending, novel bool) {
	for _, key := range s.keys {
		t := g.tallies[key]
		if t == nil {
			t = &tally{}
			g.tallies[key] = t
		}
		t.tried++
		switch e {
		case endedHung: // costs as much time as hundreds of calls
			t.tried += 2
			t.bad += 3
		case endedBad:
			t.bad++
		case endedFine:
			t.fine++
		}
		if novel {
			t.novel++
		}
	}
}

// safety is the share of tries that did not end badly, optimistic at first.
func (g *grower) safety(key string) float64 {
	if t := g.tallies[key]; t != nil {
		return (t.tried - t.bad + 1) / (t.tried + 1)
	}
	return 1
}

// success is the share of tries that returned no error, optimistic at first.
func (g *grower) success(key string) float64 {
	if t := g.tallies[key]; t != nil {
		return (t.fine + 1) / (t.tried + 1)
	}
	return 1
}

// eagerness is how much a callable should be tried again.
func (g *grower) eagerness(c *callable) float64 {
	t := g.tallies[c.name]
	switch {
	case c.banned:
		return 0
	case t == nil:
		return 2
	}
	fresh := math.Max(0.2, (t.novel+3)/(t.tried+3))
	return fresh * math.Pow(g.safety(c.name), 2) / math.Sqrt(1+0.05*t.tried)
}

// blocked reports whether giving v to the use tends to crash after what was done to it.
func (g *grower) blocked(v *variable, next use) bool {
	for _, u := range v.uses {
		if key := pairKey(u, next); g.safety(key) < 0.6 && g.tallies[key].bad >= 2 {
			return true
		}
	}
	return false
}
