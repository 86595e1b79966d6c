package ngram

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// A Round is the state of the feedback at one moment, for the trace of a run.
type Round struct {
	Programs int     `json:"programs"` // observed so far
	Distinct int     `json:"distinct"` // N-grams seen so far
	Skew     float64 `json:"skew"`     // s_t: coefficient of variation of the normalised energies; 0 while all are equal
	Alpha    float64 `json:"alpha"`    // alpha_t, in [alpha_min, 1]; 1 while all energies are equal
	Gini     float64 `json:"gini"`     // of the raw energies, in [0, 1)
	Idle     int     `json:"idle"`     // APIs that no N-gram holds yet: their energy is the baseline
}

// Round returns the present state. In the uniform ablation it describes the energies as if
// they were used, so that variants can be compared.
func (s *Scheduler) Round() Round {
	r := Round{Programs: s.programs, Distinct: len(s.seen), Alpha: 1}
	energies := s.raw()
	if normalized, ok := Normalize(energies, s.config.Epsilon); ok {
		r.Skew = Skew(normalized)
		r.Alpha = Alpha(r.Skew, s.config.AlphaMin)
	}
	slices.Sort(energies)
	r.Gini = Gini(energies)
	for _, e := range s.energies {
		if e == baseline {
			r.Idle++
		}
	}
	return r
}

// A state is the JSON form of a Scheduler.
type state struct {
	Config   Config     `json:"config"`
	Programs int        `json:"programs"`
	APIs     []string   `json:"apis"`
	Energies []int64    `json:"energies"` // by index of APIs
	Seen     [][]string `json:"seen"`     // distinct N-grams, sorted
}

// MarshalJSON writes the whole state; equal states give equal bytes.
func (s *Scheduler) MarshalJSON() ([]byte, error) {
	st := state{Config: s.config, Programs: s.programs, APIs: s.apis, Energies: s.energies, Seen: [][]string{}}
	for key := range s.seen {
		st.Seen = append(st.Seen, strings.Split(key, "\n"))
	}
	slices.SortFunc(st.Seen, slices.Compare)
	return json.Marshal(st)
}

// UnmarshalJSON replaces s by the state that MarshalJSON wrote, and refuses one that no
// sequence of observations can lead to.
func (s *Scheduler) UnmarshalJSON(text []byte) error {
	var st state
	if err := json.Unmarshal(text, &st); err != nil {
		return fmt.Errorf("n-gram state: %w", err)
	}
	fresh, err := New(st.APIs, st.Config)
	if err != nil {
		return fmt.Errorf("n-gram state: %w", err)
	}
	for _, gram := range st.Seen {
		if len(gram) != st.Config.Order {
			return fmt.Errorf("n-gram state: %q has %d calls, not %d", gram, len(gram), st.Config.Order)
		}
		if fresh.seen[key(gram)] {
			return fmt.Errorf("n-gram state: %q is listed twice", gram)
		}
		for _, name := range gram {
			if _, ok := fresh.index[name]; !ok {
				return fmt.Errorf("n-gram state: %q is no API of the list", name)
			}
		}
		fresh.learn(gram)
	}
	if !slices.Equal(fresh.energies, st.Energies) {
		return fmt.Errorf("n-gram state: the energies are not those of its %d n-grams", len(st.Seen))
	}
	if st.Programs < 0 {
		return fmt.Errorf("n-gram state: %d programs", st.Programs)
	}
	fresh.programs = st.Programs
	*s = *fresh
	return nil
}
