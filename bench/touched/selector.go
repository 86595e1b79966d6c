// Package touched says which functions of a library differ between two of its builds, and which functions a test
// executes. A test that executes none of those that differ cannot tell the builds apart.
//
// Builds are compared by their object code, section by section: in a plain build each function and each variable has a
// section of its own. A function is touched if its section differs, which includes whatever was inlined into it, or if
// it refers to data that differ. Some differences touch everything: headers, exported variables, symbols that only one
// build exports, functions without a counter, and what runs when the library is loaded. Left out is what no argument
// about code can cover: a test that reads the library's code, its addresses or its file.
//
// What a test executes is read from the counters of the coverage build. It counts each function of the sources that is
// entered, wherever it was inlined.
package touched

import (
	"sync"

	"github.com/lisa-bench/lisa-bench/bench/libbuild"
)

// A Selector says which tests can tell two builds of a library apart. It remembers what it has read
// of the reference and of its coverage build. Safe for concurrent use; the zero value is ready.
type Selector struct {
	mu        sync.Mutex
	maps      map[string]*counterMap // by directory of the coverage build
	libraries map[string]*library    // by directory of the reference build
}

// Trace returns what a test with these counters executed on the coverage build cov. Counters that
// are nil are not known.
func (s *Selector) Trace(cov *libbuild.Build, counters []uint64) (Trace, error) {
	m, err := s.mapOf(cov)
	if err != nil {
		return nil, err
	}
	return m.trace(counters), nil
}

// Forged reports whether a test with these counters on the coverage build cov has written to them itself.
func (s *Selector) Forged(cov *libbuild.Build, counters []uint64) (bool, error) {
	m, err := s.mapOf(cov)
	if err != nil {
		return false, err
	}
	return m.forged(counters), nil
}

// Reach compares the plain builds of a library without and with a change; cov is the coverage build
// of the first.
func (s *Selector) Reach(ref, changed, cov *libbuild.Build) (Reach, error) {
	m, err := s.mapOf(cov)
	if err != nil {
		return Reach{}, err
	}
	c, err := s.Diff(ref, changed)
	if err != nil {
		return Reach{}, err
	}
	return m.reach(c), nil
}

func (s *Selector) mapOf(cov *libbuild.Build) (*counterMap, error) {
	return once(&s.mu, &s.maps, cov.Dir, func() (*counterMap, error) { return newMap(cov) })
}

func (s *Selector) reference(ref *libbuild.Build) (*library, error) {
	return once(&s.mu, &s.libraries, ref.Dir, func() (*library, error) { return open(ref.StaticLib) })
}

// once returns what is known under a key, or reads it.
func once[T any](mu *sync.Mutex, known *map[string]T, key string, read func() (T, error)) (v T, err error) {
	mu.Lock()
	defer mu.Unlock()
	if v, ok := (*known)[key]; ok {
		return v, nil
	}
	if v, err = read(); err != nil {
		return v, err
	}
	if *known == nil {
		*known = map[string]T{}
	}
	(*known)[key] = v
	return v, nil
}
