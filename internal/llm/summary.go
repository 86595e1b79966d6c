package llm

import (
	"maps"
	"slices"
)

// A StageSummary adds up a transcript's entries of one stage.
type StageSummary struct {
	Stage    string          `json:"stage"`
	Requests int             `json:"requests"` // with an answer
	Errors   int             `json:"errors"`   // requests that ended with a fault
	Outcomes map[Outcome]int `json:"outcomes"` // of the answers, as recorded
	Programs map[Outcome]int `json:"programs"` // of the answers, by what Program finds in them; embeddings left out
	Faults   map[Fault]int   `json:"faults"`   // of all tries that failed
	Usage    Usage           `json:"usage"`    // Estimated if any answer's was
	Dollars  float64         `json:"dollars"`
	WallMs   float64         `json:"wall_ms"` // sum over the answers, which may have come at the same time
}

// Summarize counts the entries of each stage, in the order of the stages' names.
func Summarize(entries []Entry) []StageSummary {
	stages := map[string]*StageSummary{}
	for _, e := range entries {
		s := stages[e.Request.Stage]
		if s == nil {
			s = &StageSummary{Stage: e.Request.Stage, Outcomes: map[Outcome]int{}, Programs: map[Outcome]int{}, Faults: map[Fault]int{}}
			stages[s.Stage] = s
		}
		s.add(e)
	}
	out := make([]StageSummary, 0, len(stages))
	for _, name := range slices.Sorted(maps.Keys(stages)) {
		out = append(out, *stages[name])
	}
	return out
}

func (s *StageSummary) add(e Entry) {
	for _, f := range e.Failures {
		s.Faults[f.Fault]++
	}
	if e.Error != nil {
		s.Errors++
		s.Faults[e.Error.Fault]++
		return
	}
	s.Requests++
	s.Outcomes[e.Answer.Outcome]++
	if len(e.Request.Texts) == 0 {
		_, o := Program(*e.Answer)
		s.Programs[o]++
	}
	u := e.Answer.Usage
	s.Usage.InputTokens += u.InputTokens
	s.Usage.CachedTokens += u.CachedTokens
	s.Usage.OutputTokens += u.OutputTokens
	s.Usage.ReasoningTokens += u.ReasoningTokens
	s.Usage.Estimated = s.Usage.Estimated || u.Estimated
	s.Dollars += e.Dollars
	s.WallMs += e.WallMs
}
