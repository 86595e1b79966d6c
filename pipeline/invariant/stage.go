package invariant

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/lisa-bench/lisa-bench/internal/llm"
	"github.com/lisa-bench/lisa-bench/internal/trial"
	"github.com/lisa-bench/lisa-bench/pipeline/genloop"
	"github.com/lisa-bench/lisa-bench/pipeline/recorded"
	"github.com/lisa-bench/lisa-bench/pipeline/sequence"
	"github.com/lisa-bench/lisa-bench/pipeline/survivors"
	"github.com/lisa-bench/lisa-bench/pipeline/suspicion"
)

type (
	item     = genloop.Item[*program]
	question = genloop.Question[*program]
	round    = genloop.Round[*program]
)

// A stage is LISA_inv at work in one cell, wave after wave. It is the policy of its loop.
type stage struct {
	job     trial.Job
	options options
	lib     *library
	loop    *genloop.Loop[*program]
	checker *checker
	keeper  *suspicion.Keeper

	recorder  *recorded.Recorder // nil unless the oracle is recorded
	survivors *survivors.Account // nil unless they are the feedback

	wave     int            // that is worked on; names the requests
	finished int            // programs in the suite
	counts   genloop.Counts // for the record
	how      trial.Invariants
	unjudged []suspect        // of which no second opinion was asked
	ended    trial.StopReason // why the loop ended while programs had chunks left; "" if it did not
}

// given asserts over seeds that are there already, wave after wave. When the time is up the seeds that are left
// are added as they are.
func (s *stage) given(ctx context.Context, seeds []sequence.Seed) (trial.StopReason, error) {
	s.wave = 0
	for wave := range slices.Chunk(seeds, s.options.Wave) {
		if full := s.job.Ledger.Full(); full != "" {
			return full, nil
		}
		if err := s.assert(ctx, s.wave+1, wave); errors.Is(err, trial.ErrBudget) {
			return s.job.Ledger.Stop(), nil
		} else if err != nil {
			return "", err
		}
	}
	if s.ended != "" {
		return s.ended, nil
	}
	return trial.StopExhausted, nil
}

// afterFirst runs the first stage, and the second one on every wave of seeds that it leaves.
func (s *stage) afterFirst(ctx context.Context, api *sequence.Tool, o sequence.Options, sink sequence.Sink) (trial.StopReason, error) {
	var seeds []sequence.Seed
	accepted, round := 0, 0
	flush := func(ctx context.Context) (err error) {
		if len(seeds) > 0 {
			err = s.assert(ctx, round, seeds)
		}
		seeds, accepted = nil, 0
		return err
	}
	sink.Held = func() int { return len(seeds) }
	sink.Take = func(ctx context.Context, n int, more []sequence.Seed) error {
		round, seeds = n, append(seeds, more...)
		for _, seed := range more {
			if seed.Outcome == trial.OK {
				accepted++
			}
		}
		if accepted < s.options.Wave {
			return nil
		}
		return flush(ctx)
	}
	stop, err := api.Seeds(ctx, s.job, o, sink)
	if err != nil || s.job.Ledger.Full() != "" {
		return stop, err
	}
	if err := flush(ctx); !errors.Is(err, trial.ErrBudget) {
		return stop, err
	}
	return s.job.Ledger.Stop(), nil
}

// assert puts assertions into seeds and adds the finished tests to the suite, in the order of
// the seeds. Every seed is added once: without assertions if there is nothing better. wave
// names the requests.
func (s *stage) assert(ctx context.Context, wave int, seeds []sequence.Seed) error {
	s.wave = wave
	programs := make([]*program, len(seeds))
	var valid []*program // of those that ran, or may
	for i, seed := range seeds {
		p := &program{seed: seed, test: seed.Program, unit: fmt.Sprintf("w%04d-p%03d", wave, i+1)}
		p.test.ID = ""
		if programs[i] = p; seed.Outcome == trial.OK || seed.Outcome == "" && seed.Refused == "" {
			valid = append(valid, p)
		}
	}
	var err error
	if s.options.Oracle != oracleNone {
		if valid, err = s.checker.prepare(ctx, valid, s.options.Runs); err != nil {
			return err
		}
		s.how.Seeds += len(valid)
	}
	if s.options.Oracle == oracleInvariants {
		err = s.invariants(ctx, valid)
	} else {
		err = s.otherwise(ctx, programs)
	}
	if err != nil {
		return err
	}
	for _, p := range programs {
		if err := s.job.Suite.Add(p.test); err != nil {
			return err
		}
		s.finished++
		s.count(p)
	}
	return nil
}

// invariants asks for the assertions of programs, and runs what is finished n times each way. A test that fails now loses
// its assertions, unless failing ones are kept.
func (s *stage) invariants(ctx context.Context, programs []*program) error {
	reached, err := s.onMutants(ctx, programs)
	if err != nil {
		return err
	}
	var waiting []*item
	for i, p := range programs {
		p.reached = reached[i]
		if p.active() {
			waiting = append(waiting, &item{Data: p})
		}
	}
	stop, err := s.loop.Run(ctx, waiting...)
	if err != nil {
		return err
	}
	var finished []*program
	var last []*attempt
	for _, p := range programs {
		if s.ended == "" && p.active() {
			s.ended = stop
		}
		if len(p.assertions()) > 0 {
			p.final = p.current()
			finished, last = append(finished, p), append(last, p.final)
		}
	}
	if err := s.checker.examine(ctx, last, s.options.Runs); err != nil {
		return err
	}
	finished = slices.DeleteFunc(finished, func(p *program) bool {
		if f := p.final.failure; f != nil && !(s.options.Keep && f.kind == failAssertion) {
			s.counts.Add("failures", "at the end: "+f.kind)
			p.final = nil
			return true
		}
		p.test.Source, p.test.Oracle = p.marked(), trial.OracleSpecification
		return false
	})
	if err := s.keeper.Shorten(ctx); err != nil {
		return err
	}
	_, err = s.onMutants(ctx, finished)
	return err
}

// onMutants runs the tests of programs on the mutants that are left, if they are the feedback, and
// returns those that each comes to and none has killed.
func (s *stage) onMutants(ctx context.Context, programs []*program) ([][]int, error) {
	var tests []trial.Program
	for _, p := range programs {
		tests = append(tests, trial.Program{ID: p.unit, Lang: p.seed.Lang, Source: p.test.Source, Oracle: trial.OracleSpecification})
	}
	return s.survivors.Learn(ctx, tests)
}

// count counts what is in a test.
func (s *stage) count(p *program) {
	assertions := p.assertions()
	if len(assertions) > 0 {
		s.how.Finished++
	}
	s.how.Assertions += len(assertions)
	for _, a := range assertions {
		kind, contract := parseRemark(a.remark)
		source := "none cited"
		if c := s.lib.base.Contract(contract); c != nil {
			source = string(c.Source)
		}
		s.counts.Add("kinds", kind)
		s.counts.Add("sources", source)
		mended := p.isMended(a)
		if mended {
			s.how.Mended++
		}
		s.how.Asserted = append(s.how.Asserted, trial.Asserted{
			Program: s.finished, First: a.first, Last: a.last, Kind: kind, Source: source, Contract: contract, Mended: mended,
		})
	}
}

// otherwise gives programs another oracle, in place of the assertions that they came with, to show what invariants are
// worth on the same seeds: none, with which only a crash or a hang is found, or values recorded on the reference build.
func (s *stage) otherwise(ctx context.Context, programs []*program) error {
	var fit []trial.Program
	var ready []*program
	for _, p := range programs {
		if p.test.Source = withoutAssertions(p.test.Source); p.ready {
			test := p.test
			test.ID = p.unit
			fit, ready = append(fit, test), append(ready, p)
		}
		if s.recorder != nil {
			p.test.Oracle = trial.OracleReference // of whatever it asserts, so that no verifications are counted
		}
	}
	if s.recorder == nil {
		return nil
	}
	tests, err := s.recorder.Assert(ctx, fit)
	for i, test := range tests {
		ready[i].test.Source = test.Source
		if s.how.Assertions += test.Assertions; test.Assertions > 0 {
			s.how.Finished++
		} else {
			s.counts.Add("failures", test.Problem)
		}
	}
	return err
}

// Ask asks one question for each program that has a chunk left: for that chunk, or for a repair of
// it; and for second opinions.
func (s *stage) Ask(ctx context.Context, r *round) ([]question, error) {
	var list []question
	for _, it := range r.Waiting {
		p, name := it.Data, stageInvariant
		if p.last != nil {
			name = stageRepair
		}
		list = append(list, question{
			ID: fmt.Sprintf("r%04d-d%03d-%s", s.wave, r.N, p.unit[strings.Index(p.unit, "p"):]), Stage: name, Prompt: name,
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
	if code == "" {
		p.last = p.attempt(text)
		p.last.failure = &failure{kind: failNoCode, text: "the answer was no code: " + string(outcome)}
		return outcome
	}
	p.last = p.attempt(chunkOf(code, p.chunk()))
	p.written(p.last.text)
	return outcome
}

// shownValues are the values of a failed assertion that a prompt for its repair shows.
func (s *stage) shownValues(f *failure) []string {
	if !s.options.Values || f == nil {
		return nil
	}
	return f.values
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

// Settle accepts a version that passes and goes on with the next chunk. What no repair mends goes
// back to what it was. At the end of the budget a program stays as far as it is accepted.
func (s *stage) Settle(r *round, it *item) error {
	p := it.Data
	switch {
	case r.Last:
		p.decide(trial.FateRemoved)
		return nil
	case p.last.failure == nil:
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
