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

// A sampling is what an assertion does in the samples: a bit each.
type sampling struct{ defined, reached, holds [samples / 64]uint64 }

// sampled evaluates the assertions of a program in all samples.
func (t *table) sampled(all []assertion) []sampling {
	out := make([]sampling, len(all))
	s := newSampler(t)
	for i := range learning + samples {
		s.begin(i)
		for k, a := range all {
			holds, path := s.eval(a.holds), s.eval(a.path)
			if i < learning || holds.undefined {
				continue
			}
			word, bit := (i-learning)/64, uint64(1)<<(i%64)
			at := &out[k]
			at.defined[word] |= bit
			if path.n != 0 && !path.undefined {
				at.reached[word] |= bit
			}
			if holds.n != 0 {
				at.holds[word] |= bit
			}
		}
	}
	for k := range out {
		if set(out[k].reached) < fewest {
			out[k].reached = out[k].defined
		}
	}
	return out
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
func (t *table) judge(all []assertion) (c Count, verdicts []Assessment) {
	of := t.sampled(all)
	var unique []int
	for k, a := range all {
		v := Assessment{Line: a.line, Status: of[k].status(), Structural: a.opaque}
		if v.Status != Unique && a.holds.isHard(v.Status == Contradiction) {
			v.Status = Unique
			c.GivenUp++
		}
		for _, u := range unique {
			if v.Status == Unique && (all[u].holds == a.holds && all[u].path == a.path || of[u].implies(of[k])) {
				v.Status, v.Same = Repeated, all[u].line
			}
		}
		if v.Status == Unique {
			unique = append(unique, k)
		}
		c.Assertions++
		c.add(v)
		verdicts = append(verdicts, v)
	}
	return c, verdicts
}

// status is what an assertion is by itself.
func (x sampling) status() Status {
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
func (u sampling) implies(x sampling) bool {
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

// isHard reports whether a condition is on so much that samples of one kind prove nothing. It is easier to meet none in
// which a condition on several unknowns, or on the characters of a text, holds than none in which it fails.
func (n *term) isHard(never bool) bool {
	most, mostTerms := 2, 50
	if never {
		most = 1
	}
	unknowns, characters := 0, false
	seen := map[*term]bool{}
	var look func(n *term)
	look = func(n *term) {
		if seen[n] {
			return
		}
		seen[n] = true
		switch n.op {
		case unknown, content:
			unknowns++
			return
		case read:
			unknowns++
			characters = characters || n.shape.bits == 8
		case textAt, slice:
			characters = true
		}
		for _, a := range n.args {
			look(a)
		}
	}
	look(n)
	return unknowns > most || len(seen) > mostTerms || never && characters
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
