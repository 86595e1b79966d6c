package ngram

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/lisa-bench/lisa-bench/internal/trial"
)

// A Config is what an experiment can vary.
type Config struct {
	Order    int     // N: calls in an N-gram, at least 2
	Epsilon  float64 // floor of a normalised energy, in (0, 1]
	AlphaMin float64 // least exponent, in (0, 1]; 1 switches condensation off
	Uniform  bool    // ablation: ignore the energies when sampling
}

// baseline is E0, the energy of every API before anything was observed (paper,
// sec:api-scheduling).
const baseline = 1

// sizes are those of a combination, equally likely.
var sizes = []int{4, 5}

// A Scheduler learns from successful programs which APIs lead to new N-grams, and draws
// combinations of APIs accordingly. It is not safe for concurrent use.
type Scheduler struct {
	config   Config
	apis     []string       // in the order given; its indexes are used below
	index    map[string]int // of apis
	energies []float64
	seen     map[string]bool // N-grams, by key
}

// New returns a scheduler for the APIs of a library, of which there is at least one, each once.
func New(apis []string, c Config) *Scheduler {
	s := &Scheduler{
		config: c, apis: apis, index: map[string]int{}, seen: map[string]bool{},
		energies: slices.Repeat([]float64{baseline}, len(apis)),
	}
	for i, name := range apis {
		s.index[name] = i
	}
	return s
}

// Observe takes the calls of a program that ran successfully, in execution order, and returns how
// many N-grams it was the first to have. For each of them it raises the energy of its APIs by 1 for
// each position (paper, eqn:energy-update). Calls of names that the scheduler does not know are left
// out before N-grams are made.
func (s *Scheduler) Observe(calls []string) (fresh int) {
	var known []string
	for _, name := range calls {
		if _, ok := s.index[name]; ok {
			known = append(known, name)
		}
	}
	for _, gram := range gramsOf(known, s.config.Order) {
		key := strings.Join(gram, "\n")
		if s.seen[key] {
			continue
		}
		s.seen[key] = true
		fresh++
		for _, name := range gram {
			s.energies[s.index[name]]++
		}
	}
	return fresh
}

// Distinct returns how many N-grams were seen so far.
func (s *Scheduler) Distinct() int { return len(s.seen) }

// Alpha returns alpha_t, in [alpha_min, 1]; 1 while all energies are equal. In the uniform ablation it describes
// the energies as if they were used, so that variants can be compared.
func (s *Scheduler) Alpha() float64 {
	normalized, ok := normalize(s.energies, s.config.Epsilon)
	if !ok {
		return 1
	}
	return alpha(skew(normalized), s.config.AlphaMin)
}

// weights returns C_t of each API; equal ones while all energies are equal, or always in
// the uniform ablation.
func (s *Scheduler) weights() []float64 {
	normalized, ok := normalize(s.energies, s.config.Epsilon)
	if !ok || s.config.Uniform {
		return slices.Repeat([]float64{1}, len(s.apis))
	}
	return condense(normalized, s.Alpha())
}

// Combination draws the APIs of one prompt, in the order of drawing. It changes nothing: the
// same seed, round and observations always give the same combination, so that a resumed run
// needs no state of a random generator. Rounds draw from streams of their own.
func (s *Scheduler) Combination(seed trial.Seed, round int) []string {
	r := seed.Stream(fmt.Sprintf("ngram/combination/%d", round))
	size := sizes[r.IntN(len(sizes))]
	var names []string
	for _, i := range draw(s.weights(), size, r) {
		names = append(names, s.apis[i])
	}
	return names
}

// draw samples up to size indexes of weights, which are positive, without replacement: one after the
// other, each with probability proportional to its weight among those that are left.
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
