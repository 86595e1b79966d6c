package auvc

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
	// GivenUp assertions are beyond the work that is done for one program; they are taken to
	// differ from all others.
	GivenUp int `json:"given_up"`
	// Truncated: the program goes beyond what is read of one, and only its beginning counts.
	Truncated bool `json:"truncated,omitempty"`
}

// judge decides on every assertion, in their order.
func (t *table) judge(all []assertion) (c Count, verdicts []Assessment) {
	type check struct {
		holds, path *cond
		line        int
	}
	var unique []check
	plain := map[*cond]int{} // lines of those that are always executed
	for _, a := range all {
		v := Assessment{Line: a.line, Status: Unique, Structural: a.opaque}
		t.refill()
		c.Assertions++
		passes := t.and(a.path, a.holds)
		line, repeated := plain[a.holds]
		switch {
		case t.and(a.path, t.not(a.holds)) == t.no:
			v.Status = Tautology
		case passes == t.no:
			v.Status = Contradiction
		case repeated && a.path == t.yes:
			v.Status, v.Same = Repeated, line
		default:
			for _, u := range unique {
				if a.path == t.yes && u.path == t.yes {
					continue
				}
				if t.and(a.path, t.or(t.not(u.path), u.holds)) == passes {
					v.Status, v.Same = Repeated, u.line
					break
				}
			}
		}
		if v.Status == Unique {
			unique = append(unique, check{a.holds, a.path, a.line})
			if a.path == t.yes {
				plain[a.holds] = a.line
			}
		}
		if a.givenUp || t.exhausted {
			c.GivenUp++
		}
		c.add(v)
		verdicts = append(verdicts, v)
	}
	return c, verdicts
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
