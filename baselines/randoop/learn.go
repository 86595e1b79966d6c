package randoop

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// A memory is what earlier runs taught: which calls and arguments crash, which return
// errors, which still show something new. Rates are smoothed counts.
type memory struct {
	calls    map[string]*tally     // by callable
	patterns map[string]*tally     // by callable and classes of its arguments
	values   map[string]*tally     // by callable, parameter and value
	pairs    map[string]*tally     // by two uses of one object, in order
	features map[string]bool       // behaviour seen
	results  map[string]bool       // observations of a call seen
	worked   map[string][][]string // by callable: numbers of calls that returned no error
	replaced int                   // templates overwritten
	needed   map[string][]int      // by callable: bytes that calls wrote, newest last
	reads    map[string]*tally     // by observation: those that crash by themselves are dropped
}

// A tally counts what came of something that was tried.
type tally struct {
	tried float64
	novel float64 // showed behaviour not seen before
	fine  float64 // did not return NULL or a negative number
	bad   float64 // crashed, hung, or was undefined behaviour
}

func newMemory() *memory {
	return &memory{calls: map[string]*tally{}, patterns: map[string]*tally{}, values: map[string]*tally{},
		pairs: map[string]*tally{}, features: map[string]bool{}, results: map[string]bool{}, reads: map[string]*tally{}, needed: map[string][]int{}, worked: map[string][][]string{}}
}

func at(m map[string]*tally, key string) *tally {
	t := m[key]
	if t == nil {
		t = &tally{}
		m[key] = t
	}
	return t
}

// safety is the share of tries that did not end badly, 0..1, optimistic at first.
func (t *tally) safety() float64 {
	if t == nil {
		return 1
	}
	return (t.tried - t.bad + 1) / (t.tried + 1)
}

// success is the share of tries that returned no error, 0..1, optimistic at first.
func (t *tally) success() float64 {
	if t == nil {
		return 1
	}
	return (t.fine + 1) / (t.tried + 1)
}

// patternOf describes a call by its arguments' classes. Numbers and texts count as one
// class each: their values are judged one by one.
func patternOf(s *step) string {
	var sb strings.Builder
	sb.WriteString(s.call.name)
	for i, a := range s.args {
		class := a.class
		if i < len(s.call.params) && class != "null" {
			switch s.call.params[i].role {
			case roleScalar, roleText:
				class = "value"
			}
		}
		sb.WriteString("," + class)
	}
	return sb.String()
}

func valueKey(c *callable, param int, text string) string {
	return fmt.Sprintf("%s/%d/%s", c.name, param, text)
}

func pairKey(first, second use) string {
	return fmt.Sprintf("%s#%d>%s#%d", first.call.name, first.param, second.call.name, second.param)
}

// weight is how eagerly a callable should be tried again.
func (m *memory) weight(c *callable) float64 {
	t := m.calls[c.name]
	if t == nil {
		return c.weight * 2
	}
	fresh := math.Max(0.2, (t.novel+3)/(t.tried+3))
	return c.weight * fresh * math.Pow(t.safety(), 2) / math.Sqrt(1+0.05*t.tried)
}

// blocked reports whether giving v to the use tends to crash after what was done to it.
func (m *memory) blocked(vs *status, next use) bool {
	for _, u := range vs.uses {
		if t := m.pairs[pairKey(u, next)]; t != nil && t.bad >= 2 && t.safety() < 0.6 {
			return true
		}
	}
	return false
}

// muted reports whether reading what an observation reads tends to crash by itself.
func (m *memory) muted(key string) bool {
	t := m.reads[key]
	return t != nil && t.bad >= 3 && t.safety() < 0.8
}

// A verdict is how one step of a run ended.
type verdict int

const (
	stepOK verdict = iota
	stepError
	stepBad
	stepHung
)

// learn records the verdict on step i of s; st is the state before it.
func (m *memory) learn(s *sequence, i int, v verdict, novel bool, st *state) {
	step := &s.steps[i]
	keys := []*tally{at(m.calls, step.call.name), at(m.patterns, patternOf(step))}
	for k, a := range step.args {
		if a.class != "" {
			keys = append(keys, at(m.values, valueKey(step.call, k, a.class)))
			if k < len(step.call.params) && step.call.params[k].role == roleBytes {
				keys = append(keys, at(m.values, feedKey(step.call.name, a.class)))
			}
		}
		if a.kind == argLiteral {
			continue
		}
		for _, u := range st.vars[a.v].uses {
			keys = append(keys, at(m.pairs, pairKey(u, use{step.call, k})))
		}
	}
	for _, a := range step.sets {
		if a.class != "" {
			keys = append(keys, at(m.values, feedKey(step.call.name, a.class)))
		}
	}
	for _, t := range keys {
		t.tried++
		switch {
		case v == stepHung:
			t.bad += 3 // a hang costs as much time as hundreds of calls
			t.tried += 2
		case v == stepBad:
			t.bad++
		case v == stepOK:
			t.fine++
		}
		if novel {
			t.novel++
		}
	}
	if v == stepOK {
		m.remember(step)
	}
}

// templates is how many calls that returned no error are remembered for each callable.
const templates = 24

// need remembers how many bytes a call wrote.
func (m *memory) need(call string, n int) {
	list := m.needed[call]
	if slices.Contains(list, n) {
		return
	}
	if list = append(list, n); len(list) > templates {
		list = list[1:]
	}
	m.needed[call] = list
}

// remember keeps the numbers of a call that worked: most calls have few combinations that
// do, and no number alone explains them.
func (m *memory) remember(s *step) {
	numbers := make([]string, len(s.call.params))
	some := false
	for i, a := range s.args {
		if i < len(numbers) && s.call.params[i].role == roleScalar && a.kind == argLiteral {
			numbers[i], some = a.text, true
		}
	}
	if !some {
		return
	}
	list := m.worked[s.call.name]
	if len(list) < templates {
		m.worked[s.call.name] = append(list, numbers)
		return
	}
	list[m.replaced%templates] = numbers
	m.replaced++
}
