package auvc

import "github.com/lisa-bench/lisa-bench/internal/trial"

// A status says what an assertion adds to a program's verifications.
type status string

// The statuses. Only a unique assertion counts.
const (
	unique        status = "unique"
	repeated      status = "repeated"      // equivalent to an earlier one in the same state
	tautology     status = "tautology"     // it cannot fail
	contradiction status = "contradiction" // it cannot pass
)

// An assessment is what is known of one assertion.
type assessment struct {
	line   int // in the test function, 1-based
	status status
	same   int // of a repeated one: line of the first like it
}

// A sampling is what an assertion does in the samples.
type sampling struct {
	line                    int
	structural              bool
	form                    uint64 // equal for assertions that are written alike
	always, never           bool   // the samples do not prove that it always, or never, holds
	defined, reached, holds [samples]bool
}

// observe notes what an assertion does in a sample.
func (x *sampling) observe(sample int, a assertion) {
	x.line, x.structural = a.line, a.structural
	if sample < learning || a.holds.undefined {
		return
	}
	i := sample - learning
	x.form = mix(x.form, a.holds.form)
	x.always, x.never = x.always || a.holds.unknowns.many(false), x.never || a.holds.unknowns.many(true)
	x.defined[i], x.reached[i], x.holds[i] = true, a.reached, a.holds.isTrue()
}

// fewest is in how many samples an assertion must be executed, so that what holds there can be told.
// With fewer, where it is executed does not matter.
const fewest = 8

// judge decides on every assertion, in their order.
func judge(all []sampling) (c trial.Verifications, verdicts []assessment) {
	var kept []*sampling
	for k := range all {
		a := &all[k]
		reached := 0
		for _, r := range a.reached {
			if r {
				reached++
			}
		}
		if reached < fewest {
			a.reached = a.defined
		}
		v := assessment{line: a.line, status: a.status()}
		if v.status == tautology && a.always || v.status == contradiction && a.never {
			v.status = unique
			c.GivenUp++
		}
		for _, u := range kept {
			if v.status == unique && (u.form == a.form && u.reached == a.reached || u.implies(a)) {
				v.status, v.same = repeated, u.line
			}
		}
		c.Assertions++
		if a.structural {
			c.Structural++
		} else {
			c.Translated++
		}
		switch v.status {
		case unique:
			kept = append(kept, a)
			c.Unique++
		case repeated:
			c.Repeated++
		case tautology:
			c.Tautologies++
		case contradiction:
			c.Contradictions++
		}
		verdicts = append(verdicts, v)
	}
	return c, verdicts
}

// status is what an assertion is by itself.
func (x *sampling) status() status {
	holds, fails := false, false
	for i, reached := range x.reached {
		holds, fails = holds || reached && x.holds[i], fails || reached && !x.holds[i]
	}
	switch {
	case holds && !fails:
		return tautology
	case fails && !holds:
		return contradiction
	}
	return unique
}

// implies reports whether an earlier assertion leaves nothing to a later one: where the later one is executed, it
// holds if and only if the earlier one held or was not executed. Samples must show both.
func (u *sampling) implies(x *sampling) bool {
	holds, fails := false, false
	for i, reached := range x.reached {
		if !reached || !u.defined[i] {
			continue
		}
		if (!u.reached[i] || u.holds[i]) != x.holds[i] {
			return false
		}
		holds, fails = holds || x.holds[i], fails || !x.holds[i]
	}
	return holds && fails
}
