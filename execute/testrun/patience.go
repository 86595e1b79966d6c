package testrun

import "time"

// A Patience says when a program that passes on the reference build counts as hanging on another build:
// by its processor time, which no load of the machine makes longer. What sleeps uses none; the engine's
// wall limit ends it.
type Patience struct {
	Floor  time.Duration // what any program has
	Factor int           // how much more than on the reference build it may use
}

// PatienceWithBugs is for builds with a bug. Nearly every test takes less than 100 ms, so the limit is
// nearly always the floor, and the same in every evaluation. PatienceWithMutants is for mutants, of which
// there are thousands: a wrong verdict there costs the score one of them.
var (
	PatienceWithBugs    = Patience{Floor: 2 * time.Second, Factor: 20}
	PatienceWithMutants = Patience{Floor: 100 * time.Millisecond, Factor: 10}
)

// Limit returns the limit of a program that took so long on the reference build: the first of Floor and
// its doublings that is Factor times that or more. Doublings, because a measurement never comes out the
// same twice, and what was found out under another limit is not used again.
func (p Patience) Limit(took time.Duration) time.Duration {
	limit := p.Floor
	for limit < time.Duration(p.Factor)*took {
		limit *= 2
	}
	return limit
}
