package ngram

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/lisa-bench/lisa-bench/internal/trial"
)

// baseline is E0, the energy of every API before anything was observed (paper,
// sec:api-scheduling).
const baseline = 1

// A Scheduler learns from successful programs which choices lead to new N-grams, and draws
// combinations of choices accordingly. It is not safe for concurrent use.
type Scheduler struct {
	config   Config
	apis     []string       // in the order given; its indexes are used below
	index    map[string]int // of apis
	energies []int64
	seen     map[string]bool // N-grams, by key
	programs int
}

// New returns a scheduler for the choices of a library, of which there is at least one. Names
// may be any text without line breaks, but no name may come twice.
func New(apis []string, c Config) (*Scheduler, error) {
	if err := c.Validate(); err != nil {
		return nil, err
	}
	if len(apis) == 0 {
		return nil, errors.New("n-gram feedback needs at least one API to choose from")
	}
	s := &Scheduler{
		config:   c,
		apis:     slices.Clone(apis),
		index:    make(map[string]int, len(apis)),
		energies: make([]int64, len(apis)),
		seen:     map[string]bool{},
	}
	for i, name := range apis {
		if _, twice := s.index[name]; twice {
			return nil, fmt.Errorf("API %s is listed twice", name)
		}
		if name == "" || strings.Contains(name, "\n") {
			return nil, fmt.Errorf("%q is no name of an API", name)
		}
		s.index[name] = i
		s.energies[i] = baseline
	}
	return s, nil
}

// A Discovery is what one program taught.
type Discovery struct {
	Calls int `json:"calls"` // of choices that the scheduler knows
	Grams int `json:"grams"` // N-grams among them, repetitions included
	New   int `json:"new"`   // of those, distinct ones that no earlier program had
}

// Observe takes the calls of a program that ran successfully, in execution order. For each new N-gram it raises
// the energy of its choices by 1 for each position (paper, eqn:energy-update). Calls of names that the
// scheduler does not know are left out before N-grams are made.
func (s *Scheduler) Observe(calls []string) Discovery {
	known := make([]string, 0, len(calls))
	for _, name := range calls {
		if _, ok := s.index[name]; ok {
			known = append(known, name)
		}
	}
	grams := gramsOf(known, s.config.Order)
	d := Discovery{Calls: len(known), Grams: len(grams)}
	for _, g := range grams {
		if !s.seen[key(g)] {
			s.learn(g)
			d.New++
		}
	}
	s.programs++
	return d
}

// learn takes a new N-gram of known choices.
func (s *Scheduler) learn(gram []string) {
	s.seen[key(gram)] = true
	for _, name := range gram {
		s.energies[s.index[name]]++
	}
}

func key(gram []string) string { return strings.Join(gram, "\n") }

// weights returns C_t of each API; equal ones while all energies are equal, or always in
// the uniform ablation.
func (s *Scheduler) weights() []float64 {
	normalized, ok := normalize(s.raw(), s.config.Epsilon)
	if !ok || s.config.Uniform {
		return slices.Repeat([]float64{1}, len(s.apis))
	}
	return condense(normalized, alpha(skew(normalized), s.config.AlphaMin))
}

func (s *Scheduler) raw() []float64 {
	out := make([]float64, len(s.energies))
	for i, e := range s.energies {
		out[i] = float64(e)
	}
	return out
}

// Combination draws the choices of one prompt, in the order of drawing. It changes nothing: the
// same seed, round and observations always give the same combination, so that a resumed run
// needs no state of a random generator. Rounds draw from streams of their own.
func (s *Scheduler) Combination(seed trial.Seed, round int) []string {
	r := seed.Stream(fmt.Sprintf("ngram/combination/%d", round))
	size := s.config.Sizes[r.IntN(len(s.config.Sizes))]
	var names []string
	for _, i := range draw(s.weights(), size, r) {
		names = append(names, s.apis[i])
	}
	return names
}

// draw samples up to size indexes of weights without replacement: one after the other, each
// with probability proportional to its weight among those that are left. Weights are
// positive.
func draw(weights []float64, size int, r *rand.Rand) []int {
	left := make([]int, len(weights))
	for i := range left {
		left[i] = i
	}
	var drawn []int
	for len(drawn) < size && len(left) > 0 {
		total := 0.0
		for _, i := range left {
			total += weights[i]
		}
		at, x := 0, r.Float64()*total
		for ; at < len(left)-1 && x >= weights[left[at]]; at++ {
			x -= weights[left[at]]
		}
		drawn = append(drawn, left[at])
		left = slices.Delete(left, at, at+1)
	}
	return drawn
}
