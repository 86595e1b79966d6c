package touched

import (
	"sync"

	"github.com/lisa-bench/lisa-bench/internal/build/libbuild"
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
	c, err := s.diff(ref, changed)
	if err != nil {
		return Reach{}, err
	}
	return m.reach(c), nil
}

func (s *Selector) mapOf(cov *libbuild.Build) (m *counterMap, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if m = s.maps[cov.Dir]; m != nil {
		return m, nil
	}
	if m, err = newMap(cov); err != nil {
		return nil, err
	}
	if s.maps == nil {
		s.maps = map[string]*counterMap{}
	}
	s.maps[cov.Dir] = m
	return m, nil
}

func (s *Selector) reference(ref *libbuild.Build) (lib *library, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if lib = s.libraries[ref.Dir]; lib != nil {
		return lib, nil
	}
	if lib, err = open(ref.StaticLib); err != nil {
		return nil, err
	}
	if s.libraries == nil {
		s.libraries = map[string]*library{}
	}
	s.libraries[ref.Dir] = lib
	return lib, nil
}
