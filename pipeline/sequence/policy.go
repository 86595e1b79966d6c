package sequence

import (
	"context"
	"fmt"

	"github.com/lisa-bench/lisa-bench/internal/llm"
	"github.com/lisa-bench/lisa-bench/internal/trial"
	"github.com/lisa-bench/lisa-bench/pipeline/genloop"
	"github.com/lisa-bench/lisa-bench/pipeline/ngram"
)

type (
	item     = genloop.Item[draft]
	question = genloop.Question[draft]
	round    = genloop.Round[draft]
)

// A draft is what is known of a program beside what the loop knows.
type draft struct {
	combination []string // of APIs that it was asked for
	calls       []string // of APIs, in the order of execution; nil unless the outcome is OK
	error       programError
	refused     string   // the policy that it breaks; "" for none
	broken      []string // with refused, the rules of a test that it breaks
}

// A policy is how LISA_API asks and what it learns. Each round asks for a combination of APIs, for repairs of
// what failed in the last round, and for rules about recurring errors.
type policy struct {
	job       trial.Job
	options   Options
	vanilla   bool
	lib       *library
	scheduler *ngram.Scheduler
	sink      Sink
	held      []Seed // of this round, for the sink

	errors      []*recurring // in order of first appearance
	mined       []trial.MinedRule
	examples    []string // the newest last
	combination []string // of this round
	gramsBefore int      // N-grams known before this round
	best        *item    // of this round, as an example for later ones: see Settle
	bestNew     int      // N-grams that it was the first to have
	quiet       int      // rounds in a row without a new N-gram
	rounds      []trial.GenerationRound
	lost        map[string]int // programs of the suite that a rule of a test refused, by the rule
}

// Ask asks for the repairs and rules that the last round left and for new programs.
func (p *policy) Ask(_ context.Context, r *round) ([]question, error) {
	if q := p.options.QuietRounds; p.options.Feedback && q > 0 && p.quiet >= q {
		return nil, nil
	}
	var list []question
	for i, it := range r.Waiting {
		list = append(list, question{ID: requestID(r.N, "a-repair", i), Stage: stageRepair, Prompt: "repair", Page: p.repairPage(it), Item: it})
	}
	due := 0
	for _, e := range p.errors {
		if p.options.Rules && !e.asked && len(e.programs) >= p.options.RuleThreshold {
			e.asked = true
			mine := func(a llm.Answer) (llm.Outcome, bool) {
				p.mine(r.N, e, a)
				return a.Outcome, false
			}
			list = append(list, question{ID: requestID(r.N, "b-rule", due), Stage: stageRule, Prompt: "rule", Page: p.rulePage(e), Read: mine})
			due++
		}
	}
	p.combination = p.scheduler.Combination(p.job.Seed, r.N)
	prompt, page := p.sequencePage()
	for i := range r.Room(p.options.Samples) {
		if p.options.Angles && p.options.Samples > 1 && !p.vanilla { // the model alone is asked the same each time
			page.Angle, page.Of = angles[i%len(angles)], p.options.Samples
		}
		list = append(list, question{ID: requestID(r.N, "c-sequence", i), Stage: stageSequence, Prompt: prompt, Page: page,
			Item: &item{Data: draft{combination: p.combination}}})
	}
	p.gramsBefore = p.scheduler.Distinct()
	return list, nil
}

// requestID names a request in the transcript, so that its lines sort in the order of asking.
func requestID(round int, part string, n int) string {
	return fmt.Sprintf("r%04d-%s%02d", round, part, n+1)
}

// Mend leaves repairs to the model.
func (p *policy) Mend(*item) (bool, error) { return false, nil }

// Settle has what fails repaired once and keeps it then, whatever it has become. The scheduler
// learns of what is right. The round's example is the program with the most new N-grams, or without
// feedback the first that is right: else the N-grams would choose what later prompts show.
func (p *policy) Settle(r *round, it *item) error {
	if it.Outcome != trial.OK && it.Repairs == 0 {
		p.recur(it)
		if r.Again(it) {
			return nil
		}
	}
	text := trial.Program{Lang: p.job.Target.Language, Source: "// " + it.ID + "\n" + it.Source, Refused: it.Data.refused}
	if err := r.Keep(it, text); err != nil {
		return err
	}
	if it.Outcome == trial.Policy {
		for _, id := range it.Data.broken {
			p.lost[id]++
		}
	}
	if it.Outcome != trial.OK {
		return nil
	}
	fresh := p.scheduler.Observe(it.Data.calls)
	if p.best == nil || p.options.Feedback && fresh > p.bestNew {
		p.best, p.bestNew = it, fresh
	}
	return nil
}

// hold keeps a program for the sink.
func (p *policy) hold(it *item, program trial.Program) error {
	program.ID = it.ID
	p.held = append(p.held, Seed{program, it.Outcome})
	return nil
}

// End notes the round, learns from it, and hands its programs to the sink.
func (p *policy) End(ctx context.Context, r *round) error {
	if !r.Last {
		if p.best != nil {
			p.examples = append(p.examples, p.best.Source)
			p.examples = p.examples[max(0, len(p.examples)-p.options.Pool):]
			p.best, p.bestNew = nil, 0
		}
		p.note(r)
	}
	if p.sink.Take == nil || r.Last && len(p.held) == 0 {
		return nil
	}
	held := p.held
	p.held = nil
	return p.sink.Take(ctx, r.N, held)
}

func (p *policy) note(r *round) {
	grams := p.scheduler.Distinct()
	now := trial.GenerationRound{
		Round: r.N, APIs: p.combination, First: r.First, Final: r.Final,
		NewGrams: grams - p.gramsBefore, Grams: grams, Alpha: p.scheduler.Alpha(),
		Programs: r.Programs, Tokens: r.Tokens, Dollars: r.Dollars,
	}
	p.rounds = append(p.rounds, now)
	if p.quiet++; now.NewGrams > 0 {
		p.quiet = 0
	}
	p.job.Log.Info("round", "round", now.Round, "apis", now.APIs, "programs", now.Programs, "new_grams", now.NewGrams, "alpha", now.Alpha)
}
