package auvc

import "math/bits"

// A Status says what an assertion adds to a program's verifications.
type Status string

// The statuses. Only a Unique assertion counts.
const (
	Unique        Status = "unique"
	Repeated      Status = "repeated"      // equivalent to an earlier one in the same state
	Tautology     Status = "tautology"     // it cannot fail
	Contradiction Status = "contradiction" // it cannot pass
)

// An Assessment is what is known of one assertion.
type Assessment struct {
	Line       int // in the test function, 1-based
	Status     Status
	Same       int // of a Repeated one: line of the first like it
	Structural bool
}

// A Count is the verifications of one program.
type Count struct {
	Unique         int `json:"unique"` // U(t) of the paper
	Assertions     int `json:"assertions"`
	Repeated       int `json:"repeated"`
	Tautologies    int `json:"tautologies"`
	Contradictions int `json:"contradictions"`
	// Structural assertions have parts without a meaning here, which were compared by their text;
	// Translated ones have none.
	Translated int `json:"translated"`
	Structural int `json:"structural"`
	// GivenUp assertions are on so many unknowns that no sample shows what would tell them from others; they are
	// taken to differ from all that are not written alike.
	GivenUp int `json:"given_up"`
	// Truncated: the program goes beyond what is read of one, and only its beginning counts.
	Truncated bool `json:"truncated,omitempty"`
}

// A sampling is what an assertion does in the samples, one bit for each.
type sampling struct {
	line                    int
	opaque                  bool
	form                    uint64 // equal for assertions that are written alike
	always, never           bool   // the samples do not prove that it always, or never, holds
	defined, reached, holds [samples / 64]uint64
}

// observe notes what an assertion does in a sample.
func (x *sampling) observe(sample int, a assertion) {
	x.line, x.opaque = a.line, x.opaque || a.holds.opaque
	if sample < learning || a.holds.undefined {
		return
	}
	x.form = mix(x.form, a.holds.form)
	x.always, x.never = x.always || a.holds.basis.isHard(false), x.never || a.holds.basis.isHard(true)
	word, bit := (sample-learning)/64, uint64(1)<<(sample%64)
	x.defined[word] |= bit
	if a.reached {
		x.reached[word] |= bit
	}
	if a.holds.isTrue() {
		x.holds[word] |= bit
	}
}

// fewest is in how many samples an assertion must be executed, so that what holds there can be told.
// With fewer, where it is executed does not matter.
const fewest = 8

// set is how many bits are set.
func set(words [samples / 64]uint64) (n int) {
	for _, w := range words {
		n += bits.OnesCount64(w)
	}
	return n
}

// judge decides on every assertion, in their order.
func judge(all []sampling) (c Count, verdicts []Assessment) {
	var unique []*sampling
	for k := range all {
		a := &all[k]
		if set(a.reached) < fewest {
			a.reached = a.defined
		}
		v := Assessment{Line: a.line, Status: a.status(), Structural: a.opaque}
		if v.Status == Tautology && a.always || v.Status == Contradiction && a.never {
			v.Status = Unique
			c.GivenUp++
		}
		for _, u := range unique {
			if v.Status == Unique && (u.form == a.form && u.reached == a.reached || u.implies(a)) {
				v.Status, v.Same = Repeated, u.line
			}
		}
		if v.Status == Unique {
			unique = append(unique, a)
		}
		c.Assertions++
		c.add(v)
		verdicts = append(verdicts, v)
	}
	return c, verdicts
}

// status is what an assertion is by itself.
func (x *sampling) status() Status {
	holds, fails := false, false
	for i := range x.reached {
		holds = holds || x.reached[i]&x.holds[i] != 0
		fails = fails || x.reached[i]&^x.holds[i] != 0
	}
	switch {
	case holds && !fails:
		return Tautology
	case fails && !holds:
		return Contradiction
	}
	return Unique
}

// implies reports whether an earlier assertion leaves nothing to a later one: where the later one is executed, it
// holds if and only if the earlier one held or was not executed. Samples must show both.
func (u *sampling) implies(x *sampling) bool {
	holds, fails := false, false
	for i := range x.reached {
		compared := x.reached[i] & u.defined[i]
		if (^u.reached[i]|u.holds[i])&compared != x.holds[i]&compared {
			return false
		}
		holds = holds || compared&x.holds[i] != 0
		fails = fails || compared&^x.holds[i] != 0
	}
	return holds && fails
}

func (c *Count) add(v Assessment) {
	if v.Structural {
		c.Structural++
	} else {
		c.Translated++
	}
	switch v.Status {
	case Unique:
		c.Unique++
	case Repeated:
		c.Repeated++
	case Tautology:
		c.Tautologies++
	case Contradiction:
		c.Contradictions++
	}
}
