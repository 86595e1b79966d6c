package invariant

import (
	"context"
	"fmt"
	"regexp"
	"strings"

	"github.com/lisa-bench/lisa-bench/internal/llm"
	"github.com/lisa-bench/lisa-bench/internal/trial"
	"github.com/lisa-bench/lisa-bench/pipeline/suspicion"
)

// A suspect is a suspicion with the functions that its program calls before it fails.
type suspect struct {
	*trial.Suspicion
	apis []string
}

// suspect keeps the assertion that fails in a version of a chunk, or notes that the model wrote it
// again.
func (s *stage) suspect(p *program) {
	a := p.last
	if a.failure.kind != failAssertion || a.failure.assertion == nil {
		return
	}
	failed := a.failure.assertion
	if known := p.suspects[failed.condition]; known != nil {
		if !a.shortened {
			known.Insisted++
		}
		return
	}
	kind, contract := parseRemark(failed.remark)
	found := trial.Suspicion{
		Place: fmt.Sprintf("%s, step %d", p.seed.ID, len(p.done)+1), Assertion: failed.condition, Kind: kind,
		Values: a.failure.values, Argument: failed.remark, Line: failed.first,
	}
	if k := s.lib.base.Contract(contract); k != nil {
		found.Contract, found.Sentence, found.Document = contract, k.Passage, k.Place
	}
	kept := s.keeper.Keep(found, trial.Program{Lang: p.seed.Lang, Source: instrumented(a)})
	if kept == nil {
		return
	}
	if p.suspects == nil {
		p.suspects = map[string]*trial.Suspicion{}
	}
	p.suspects[failed.condition] = kept
	var apis []string
	for _, c := range p.parts.chunks[:len(p.done)+1] {
		apis = append(apis, c.apis...)
	}
	s.unjudged = append(s.unjudged, suspect{kept, distinct(apis)})
}

// decide notes what became of the chunk's suspicions of which that is not known.
func (p *program) decide(fate trial.Fate) {
	for _, known := range p.suspects {
		if known.Fate == "" {
			known.Fate = fate
		}
	}
}

// opinions asks for a second opinion on each suspicion that has none, once its program is short.
func (s *stage) opinions(ctx context.Context, r *round) ([]question, error) {
	if !s.options.SecondOpinion || len(s.unjudged) == 0 {
		return nil, nil
	}
	if err := s.keeper.Shorten(ctx); err != nil {
		return nil, err
	}
	var list []question
	for _, found := range s.unjudged {
		messages, err := s.keeper.Messages(found.Suspicion, s.lib.documented(found.apis))
		if err != nil {
			return nil, err
		}
		found.Opinion.Why = "the budget or the recording ended first"
		list = append(list, question{
			ID: fmt.Sprintf("r%04d-d%03d-%s", s.wave, r.N, found.ID), Stage: suspicion.Stage, Messages: messages,
			Read: func(a llm.Answer) (o llm.Outcome, check bool) {
				found.Opinion, o = suspicion.ReadOpinion(a)
				return o, false
			},
		})
	}
	s.unjudged = nil
	return list, nil
}

var citation = regexp.MustCompile(`\[([^\[\]\s]+\.\d+)\]`)

// kinds are those of invariants, by what the model's word for them begins with.
var kinds = map[string]string{
	"structural": "structural", "value": "value range", "relation": "relational", "conserv": "relational", "document": "documentation",
}

// parseRemark reads the kind of an invariant and the contract it cites from the comment that
// the prompt asks for: "kind [API.n]: reason".
func parseRemark(remark string) (kind, contract string) {
	kind = "unnamed"
	for word, k := range kinds {
		if strings.HasPrefix(strings.ToLower(strings.TrimSpace(remark)), word) {
			kind = k
		}
	}
	if m := citation.FindStringSubmatch(remark); m != nil {
		contract = m[1]
	}
	return kind, contract
}
