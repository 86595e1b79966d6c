package invariant

import (
	"context"
	"fmt"
	"strings"

	"github.com/lisa-bench/lisa-bench/internal/llm"
	"github.com/lisa-bench/lisa-bench/internal/trial"
	"github.com/lisa-bench/lisa-bench/pipeline/genloop"
)

type (
	item     = genloop.Item[*program]
	question = genloop.Question[*program]
	round    = genloop.Round[*program]
)

// Ask asks one question for each program that has a chunk left: for that chunk, or for a repair of
// it; and for second opinions.
func (s *stage) Ask(ctx context.Context, r *round) ([]question, error) {
	var list []question
	for _, it := range r.Waiting {
		p := it.Data
		stageName := stageInvariant
		if p.last != nil {
			stageName = stageRepair
		}
		_, number, _ := strings.Cut(p.unit, "-")
		list = append(list, question{
			ID: fmt.Sprintf("r%04d-d%03d-%s", s.wave, r.N, number), Stage: stageName, Prompt: stageName,
			Page: s.page(it), Item: it, Read: func(a llm.Answer) (llm.Outcome, bool) { return s.read(p, a), true },
		})
	}
	more, err := s.opinions(ctx, r)
	return append(list, more...), err
}

// read makes a version of a chunk of an answer. One without code stands for the version before it.
func (s *stage) read(p *program, a llm.Answer) llm.Outcome {
	code, outcome := llm.Program(a)
	text := p.chunk().raw
	if p.last != nil {
		text = p.last.text
		p.shown = p.shown || len(s.shownValues(p.last.failure)) > 0
	} else {
		s.how.Chunks++
	}
	if code != "" {
		p.last = p.attempt(chunkOf(code, p.chunk()))
		p.argue(p.last.text)
	} else {
		p.last = p.attempt(text)
		p.last.failure = &failure{kind: failNoCode, text: "the answer was no code: " + string(outcome)}
	}
	return outcome
}

// Mend takes failing assertions out of a version that the last repair has not mended, one by one; without
// repairs, out of the first version. Every one that failed is kept as a suspicion.
func (s *stage) Mend(it *item) (changed bool, err error) {
	p, a := it.Data, it.Data.last
	if a.failure == nil {
		return false, nil
	}
	if !a.shortened {
		s.counts.Add("failures", a.failure.kind)
	}
	shorter := a.withoutFailing()
	if shorter != nil || !s.options.Keep {
		s.suspect(p) // of a kept assertion once, not again for each later step
	}
	if shorter == nil || s.options.Keep || s.options.Repair && it.Repairs < s.options.Attempts {
		return false, nil
	}
	if known := p.suspects[a.failure.assertion.condition]; known != nil {
		known.Fate = trial.FateRemoved
	}
	p.last = shorter
	return true, nil
}

// withoutFailing is the version without the assertion that fails; nil if none does, or if it is not
// in this chunk.
func (a *attempt) withoutFailing() *attempt {
	if a.failure.assertion == nil {
		return nil
	}
	d, from := *a.failure.assertion, len(a.program.prefix())
	d.begin, d.end = d.begin-from, d.end-from
	if d.begin < 0 || d.end > len(a.text) {
		return nil
	}
	shorter := a.program.attempt(without(a.text, d))
	shorter.shortened = true
	return shorter
}

// Settle accepts a version that passes and goes on with the next chunk. What no repair mends goes
// back to what it was. At the end of the budget a program stays as far as it is accepted.
func (s *stage) Settle(r *round, it *item) error {
	p := it.Data
	switch {
	case r.Last:
		p.decide(trial.FateRemoved)
		s.unfinished = true
		return nil
	case p.last.failure == nil:
		if len(p.last.assertions) == len(p.assertions()) {
			s.how.Unchanged++
		}
		for len(s.how.Repaired) <= it.Repairs {
			s.how.Repaired = append(s.how.Repaired, 0)
		}
		s.how.Repaired[it.Repairs]++
		p.accept(p.last.text, p.last)
	case s.options.Keep && p.last.failure.kind == failAssertion:
		p.decide(trial.FateKept)
		p.accept(p.last.text, p.last)
	case r.Again(it):
		return nil
	default:
		s.how.Restored++
		p.decide(trial.FateRemoved)
		p.accept(p.chunk().raw, p.final)
	}
	it.Repairs = 0
	if p.active() {
		r.Wait(it)
	}
	return nil
}

// End logs the round.
func (s *stage) End(_ context.Context, r *round) error {
	s.job.Log.Info("invariants", "wave", s.wave, "round", r.N, "programs", len(r.Waiting), "seeds", s.how.Seeds)
	return nil
}
