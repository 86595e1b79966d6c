package touched

import (
	"fmt"
	"os"
	"slices"

	"github.com/lisa-bench/lisa-bench/bench/libbuild"
	"github.com/lisa-bench/lisa-bench/internal/toolchain"
)

// A counterMap says which functions of a library the counters of its coverage build are about.
type counterMap struct {
	entries   []int // by counter: that of the entries of its function; -1 for one of no function
	functions []toolchain.ProfiledFunction
	index     map[string][]int // into functions: files may have functions of the same name
}

// newMap returns the map of a coverage build.
func newMap(cov *libbuild.Build) (*counterMap, error) {
	text, err := os.ReadFile(cov.Profile)
	if err != nil {
		return nil, err
	}
	profile, err := toolchain.ParseProfile(text)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", cov.Profile, err)
	}
	m := &counterMap{entries: slices.Repeat([]int{-1}, cov.Counters), functions: profile.Functions, index: map[string][]int{}}
	for i, f := range m.functions {
		m.index[f.Name] = append(m.index[f.Name], i)
		if f.Entry+f.Counters > len(m.entries) {
			return nil, fmt.Errorf("%s has more counters than %s", cov.Profile, cov.SharedLib)
		}
		for k := range f.Counters {
			m.entries[f.Entry+k] = f.Entry
		}
	}
	return m, nil
}

// forged reports whether counters are such that no execution counts so: those of no function stay 0, and
// a function counts its entry before anything else.
func (m *counterMap) forged(counters []uint64) bool {
	for i, n := range counters {
		if n != 0 && i < len(m.entries) && (m.entries[i] < 0 || counters[m.entries[i]] == 0) {
			return true
		}
	}
	return false
}

// A Trace is a set of numbers from 0, a bit for each: most often of the functions of a coverage build that a
// test executed. A nil Trace is of a test of which that is not known.
type Trace []byte

// newTrace returns an empty set of numbers under n.
func newTrace(n int) Trace { return make(Trace, (n+7)/8) }

// Add puts i, which must be under the n of newTrace, into the set.
func (t Trace) Add(i int) { t[i/8] |= 1 << (i % 8) }

// Has reports whether i is in the set.
func (t Trace) Has(i int) bool { return i/8 < len(t) && t[i/8]&(1<<(i%8)) != 0 }

// trace returns what a test with these counters executed; nil counters are not known.
func (m *counterMap) trace(counters []uint64) Trace {
	if len(counters) != len(m.entries) {
		return nil
	}
	t := newTrace(len(m.functions))
	for i, f := range m.functions {
		if counters[f.Entry] != 0 {
			t.Add(i)
		}
	}
	return t
}

// A Reach decides which tests can tell the two builds of a change apart.
type Reach struct {
	Change
	Touched Trace // the touched functions
}

// reach returns what tests must execute to be touched by a change. A touched function without a counter touches
// everything.
func (m *counterMap) reach(c Change) Reach {
	r := Reach{Change: c, Touched: newTrace(len(m.functions))}
	for _, name := range c.Functions {
		found := m.index[name]
		if len(found) == 0 && r.Everything == "" {
			r.Everything = "function " + name + " has no counter"
		}
		for _, i := range found {
			r.Touched.Add(i)
		}
	}
	return r
}

// By reports whether a test with this trace executes something that the change touches, or may do so.
func (r Reach) By(t Trace) bool {
	if r.Everything != "" || len(t) != len(r.Touched) {
		return true
	}
	return t.meets(r.Touched)
}

// meets reports whether two sets have a number in common.
func (t Trace) meets(u Trace) bool {
	for i, b := range t {
		if b&u[i] != 0 {
			return true
		}
	}
	return false
}
