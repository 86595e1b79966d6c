package ngram

import "slices"

// A round is the state of the feedback at one moment, for the trace of a run.
type round struct {
	Programs int     `json:"programs"` // observed so far
	Distinct int     `json:"distinct"` // N-grams seen so far
	Skew     float64 `json:"skew"`     // s_t: coefficient of variation of the normalised energies; 0 while all are equal
	Alpha    float64 `json:"alpha"`    // alpha_t, in [alpha_min, 1]; 1 while all energies are equal
	Gini     float64 `json:"gini"`     // of the raw energies, in [0, 1)
	Idle     int     `json:"idle"`     // choices that no N-gram holds yet: their energy is the baseline
}

// Round returns the present state. In the uniform ablation it describes the energies as if
// they were used, so that variants can be compared.
func (s *Scheduler) Round() round {
	r := round{Programs: s.programs, Distinct: len(s.seen), Alpha: 1}
	energies := s.raw()
	if normalized, ok := normalize(energies, s.config.Epsilon); ok {
		r.Skew = skew(normalized)
		r.Alpha = alpha(r.Skew, s.config.AlphaMin)
	}
	slices.Sort(energies)
	r.Gini = gini(energies)
	for _, e := range s.energies {
		if e == baseline {
			r.Idle++
		}
	}
	return r
}
