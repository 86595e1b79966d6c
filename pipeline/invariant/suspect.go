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
		Place: fmt.Sprintf("%s, step %d", p.seed.ID, len(p.done)+1), Assertion: failed.condition, Kind: kind, Values: a.failure.values, Argument: failed.remark, Line: failed.first,
	}
	if k := s.lib.contract(contract); k != nil {
		found.Contract, found.Sentence, found.Document = contract, k.Passage, k.Place
	}
	if kept := s.keeper.Keep(found, trial.Program{Lang: p.seed.Lang, Source: instrumented(a)}); kept != nil {
		if p.suspects == nil {
			p.suspects = map[string]*trial.Suspicion{}
		}
		p.suspects[failed.condition] = kept
		s.suspects = append(s.suspects, suspect{kept, p.apis()})
	}
}

// A suspect is a suspicion with the functions that its program calls before it fails.
type suspect struct {
	*trial.Suspicion
	apis []string
}

// remove notes that the failing assertion of a version is taken out.
func (p *program) remove(a *attempt) {
	if known := p.suspects[a.failure.assertion.condition]; known != nil {
		known.Fate = trial.FateRemoved
	}
}

// decide notes what became of the chunk's other suspicions.
func (p *program) decide(fate trial.Fate) {
	for _, known := range p.suspects {
		if known.Fate == "" {
			known.Fate = fate
		}
	}
}

// apis are the functions that the program calls, up to and with the next chunk.
func (p *program) apis() []string {
	var list []string
	for _, c := range p.parts.chunks[:len(p.done)+1] {
		list = append(list, c.apis...)
	}
	return distinct(list)
}

// opinions asks for a second opinion on each suspicion that has none, once its program is short.
func (s *stage) opinions(ctx context.Context, r *round) ([]question, error) {
	if !s.options.SecondOpinion || len(s.suspects) == s.judged {
		return nil, nil
	}
	if err := s.keeper.Shorten(ctx); err != nil {
		return nil, err
	}
	var list []question
	for _, found := range s.suspects[s.judged:] {
		messages, err := s.keeper.Messages(found.Suspicion, s.lib.documented(found.apis))
		if err != nil {
			return nil, err
		}
		found.Opinion.Why = "the budget or the recording ended first"
		list = append(list, question{ID: fmt.Sprintf("r%04d-d%03d-%s", s.wave, r.N, found.ID), Stage: suspicion.Stage, Messages: messages,
			Read: func(a llm.Answer) (o llm.Outcome, check bool) {
				found.Opinion, o = suspicion.ReadOpinion(a)
				return o, false
			}})
	}
	s.judged = len(s.suspects)
	return list, nil
}

// documented is what the library's documents say of APIs, whatever the variant's knowledge.
func (l *library) documented(names []string) []suspicion.API {
	var list []suspicion.API
	for _, f := range l.spec.Functions {
		for _, name := range names {
			if f.Canonical() == name {
				list = append(list, suspicion.API{Name: name, Declaration: f.Declaration(f.Name), Doc: llm.ShortenSentence(l.spec.DocOf(f), maxDocBytes)})
			}
		}
	}
	return list
}

var citation = regexp.MustCompile(`\[([^\[\]\s]+\.\d+)\]`)

// parseRemark reads the kind of an invariant and the contract it cites from the comment that
// the prompt asks for: "kind [API.n]: reason".
func parseRemark(remark string) (kind, contract string) {
	text := strings.ToLower(strings.TrimSpace(remark))
	kind = "unnamed"
	for _, k := range []struct{ word, kind string }{
		{"structural", "structural"}, {"value", "value range"}, {"relation", "relational"}, {"conserv", "relational"}, {"document", "documentation"},
	} {
		if strings.HasPrefix(text, k.word) {
			kind = k.kind
			break
		}
	}
	if m := citation.FindStringSubmatch(remark); m != nil {
		contract = m[1]
	}
	return kind, contract
}
