package touched

import (
	"fmt"
	"os"
	"slices"
	"sync"

	"github.com/lisa-bench/lisa-bench/bench/libbuild"
	"github.com/lisa-bench/lisa-bench/internal/toolchain"
)

// A Selector says which tests can tell two builds of a library apart. It remembers what the counters of coverage builds
// are about. Safe for concurrent use; the zero value is ready.
type Selector struct {
	mu   sync.Mutex
	maps map[string]*counterMap // by directory of the coverage build
}

// A counterMap says which functions of a library the counters of its coverage build are about.
type counterMap struct {
	entries   []int // by counter: that of the entries of its function; -1 for one of no function
	functions []toolchain.ProfiledFunction
}

func (s *Selector) mapOf(cov *libbuild.Build) (*counterMap, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if m := s.maps[cov.Dir]; m != nil {
		return m, nil
	}
	text, err := os.ReadFile(cov.Profile)
	if err != nil {
		return nil, err
	}
	profile, err := toolchain.ParseProfile(text)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", cov.Profile, err)
	}
	m := &counterMap{entries: slices.Repeat([]int{-1}, cov.Counters), functions: profile.Functions}
	for _, f := range m.functions {
		if f.Entry+f.Counters > len(m.entries) {
			return nil, fmt.Errorf("%s has more counters than %s", cov.Profile, cov.SharedLib)
		}
		for k := range f.Counters {
			m.entries[f.Entry+k] = f.Entry
		}
	}
	if s.maps == nil {
		s.maps = map[string]*counterMap{}
	}
	s.maps[cov.Dir] = m
	return m, nil
}

// A Trace says of each function of a coverage build whether a test executed it. A nil Trace is of a test of which that
// is not known.
type Trace []bool

// Trace returns what a test with these counters executed on the coverage build cov. Counters that are nil are not
// known. They are forged, that is, the test has written to them itself, where no execution counts so: those of no
// function stay 0, and a function counts its entry before anything else.
func (s *Selector) Trace(cov *libbuild.Build, counters []uint64) (t Trace, forged bool, err error) {
	m, err := s.mapOf(cov)
	if err != nil || len(counters) != len(m.entries) {
		return nil, false, err
	}
	for i, n := range counters {
		if n != 0 && (m.entries[i] < 0 || counters[m.entries[i]] == 0) {
			return nil, true, nil
		}
	}
	for _, f := range m.functions {
		t = append(t, counters[f.Entry] != 0)
	}
	return t, false, nil
}

// A Reach decides which tests can tell the two builds of a change apart.
type Reach struct {
	Change
	Touched Trace // the touched functions
}

// Reach compares the plain builds of a library without and with a change; cov is the coverage build
// of the first. A touched function without a counter touches everything.
func (s *Selector) Reach(ref, changed, cov *libbuild.Build) (Reach, error) {
	m, err := s.mapOf(cov)
	if err != nil {
		return Reach{}, err
	}
	change, err := Diff(ref, changed)
	return m.reach(change), err
}

func (m *counterMap) reach(c Change) Reach {
	r := Reach{Change: c}
	counted := map[string]bool{}
	for _, f := range m.functions { // files may have functions of the same name
		r.Touched = append(r.Touched, slices.Contains(c.Functions, f.Name))
		counted[f.Name] = true
	}
	for _, name := range c.Functions {
		if !counted[name] && r.Everything == "" {
			r.Everything = "function " + name + " has no counter"
		}
	}
	return r
}

// By reports whether a test with this trace executes something that the change touches, or may do so.
func (r Reach) By(t Trace) bool {
	if r.Everything != "" || len(t) != len(r.Touched) {
		return true
	}
	for i, executed := range t {
		if executed && r.Touched[i] {
			return true
		}
	}
	return false
}
