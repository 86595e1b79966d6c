package invariant

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/lisa-bench/lisa-bench/internal/trial"
	"github.com/lisa-bench/lisa-bench/pipeline/genloop"
	"github.com/lisa-bench/lisa-bench/pipeline/recorded"
	"github.com/lisa-bench/lisa-bench/pipeline/sequence"
	"github.com/lisa-bench/lisa-bench/pipeline/survivors"
	"github.com/lisa-bench/lisa-bench/pipeline/suspicion"
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

	wave       int            // that is worked on; names the requests
	finished   int            // programs in the suite
	counts     genloop.Counts // for the record
	how        trial.Invariants
	unjudged   []suspect        // of which no second opinion was asked
	unfinished bool             // the loop ended while programs had chunks left
	ended      trial.StopReason // why, then
}

// given asserts over seeds that are there already, wave after wave. When the time is up the seeds that are left
// are added as they are.
func (s *stage) given(ctx context.Context, seeds []sequence.Seed) (trial.StopReason, error) {
	for n := 0; n < len(seeds); n += s.options.Wave {
		if full := s.job.Ledger.Full(); full != "" {
			return full, nil
		}
		err := s.assert(ctx, n/s.options.Wave+1, seeds[n:min(n+s.options.Wave, len(seeds))])
		if errors.Is(err, trial.ErrBudget) {
			return s.job.Ledger.Stop(), nil
		}
		if err != nil {
			return "", err
		}
	}
	if s.unfinished {
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
	if err != nil {
		return stop, err
	}
	if s.job.Ledger.Full() != "" {
		return stop, nil
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
	var runnable []*program
	for i, seed := range seeds {
		programs[i] = &program{seed: seed, unit: fmt.Sprintf("w%04d-p%03d", wave, i+1)}
		if seed.Outcome == trial.OK || seed.Outcome == "" && seed.Refused == "" {
			runnable = append(runnable, programs[i])
		}
	}
	if s.options.Oracle == oracleNone {
		return s.withValues(programs, nil)
	}
	valid, err := s.checker.prepare(ctx, runnable, s.options.Runs)
	if err != nil {
		return err
	}
	s.how.Seeds += len(valid)
	for _, p := range valid {
		switch {
		case !p.ready:
			s.how.Unfit++
		case p.parts.whole() && !s.checker.whole:
			s.how.Unsplit++
		}
	}
	if s.options.Oracle == oracleRecorded {
		return s.record(ctx, programs)
	}
	reached, err := s.onMutants(ctx, valid, func(p *program) string { return p.seed.Source })
	if err != nil {
		return err
	}
	var waiting []*item
	for i, p := range valid {
		p.reached = reached[i]
		if p.active() {
			waiting = append(waiting, &item{Data: p})
		}
	}
	stop, err := s.loop.Run(ctx, waiting...)
	if err != nil {
		return err
	}
	if s.unfinished {
		s.ended = stop
	}
	if err := s.verify(ctx, valid); err != nil {
		return err
	}
	if err := s.keeper.Shorten(ctx); err != nil {
		return err
	}
	finished := slices.DeleteFunc(valid, func(p *program) bool { return len(p.assertions()) == 0 })
	if _, err := s.onMutants(ctx, finished, func(p *program) string { return p.final.source }); err != nil {
		return err
	}
	return s.keep(programs)
}

// onMutants runs a text of each program on the mutants that are left, if they are the feedback, and
// returns those that each comes to and none has killed.
func (s *stage) onMutants(ctx context.Context, programs []*program, source func(*program) string) ([][]int, error) {
	var tests []trial.Program
	for _, p := range programs {
		tests = append(tests, trial.Program{ID: p.unit, Lang: p.seed.Lang, Source: source(p), Oracle: trial.OracleSpecification})
	}
	return s.survivors.Learn(ctx, tests)
}

// verify runs finished tests n times each way. One that fails now loses its assertions, unless failing ones are kept.
func (s *stage) verify(ctx context.Context, programs []*program) error {
	var finished []*attempt
	for _, p := range programs {
		if len(p.assertions()) > 0 {
			p.final = p.current()
			finished = append(finished, p.final)
		}
	}
	if err := s.checker.examine(ctx, finished, s.options.Runs); err != nil {
		return err
	}
	for _, a := range finished {
		if a.failure != nil && !(s.options.Keep && a.failure.kind == failAssertion) {
			s.counts.Add("failures", "at the end: "+a.failure.kind)
			a.program.final = nil
		}
	}
	return nil
}

// keep adds the tests to the suite and counts what is in them.
func (s *stage) keep(programs []*program) error {
	for _, p := range programs {
		test := p.seed.Program
		test.ID = ""
		if len(p.assertions()) > 0 {
			test.Source, test.Oracle = p.mark(), trial.OracleSpecification
			s.how.Finished++
		}
		if err := s.job.Suite.Add(test); err != nil {
			return err
		}
		s.finished++
		s.how.Assertions += len(p.assertions())
		for _, a := range p.assertions() {
			kind, contract := parseRemark(a.remark)
			source := s.lib.sourceOf(contract)
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
	return nil
}

// The other oracles show what invariants are worth on the same seeds: none, with which only a crash
// or a hang is found, and values recorded on the reference build, as randoop asserts them.

// record adds programs to the suite with what was recorded of those that are fit for assertions.
func (s *stage) record(ctx context.Context, programs []*program) error {
	var fit []trial.Program
	for _, p := range programs {
		if p.ready {
			test := p.seed.Program
			test.ID, test.Source = p.unit, withoutAssertions(test.Source)
			fit = append(fit, test)
		}
	}
	tests, err := s.recorder.Assert(ctx, fit)
	if err != nil {
		return err
	}
	return s.withValues(programs, tests)
}

// withValues adds programs to the suite, without the assertions that they came with; tests are the
// ready ones with recorded values.
func (s *stage) withValues(programs []*program, tests []recorded.Test) error {
	for _, p := range programs {
		test := p.seed.Program
		test.ID, test.Source = "", withoutAssertions(test.Source)
		if s.recorder != nil {
			test.Oracle = trial.OracleReference // of whatever it asserts, so that no verifications are counted
		}
		if p.ready {
			test.Source = tests[0].Source
			if n := tests[0].Assertions; n > 0 {
				s.how.Finished++
				s.how.Assertions += n
			} else {
				s.counts.Add("failures", tests[0].Problem)
			}
			tests = tests[1:]
		}
		if err := s.job.Suite.Add(test); err != nil {
			return err
		}
	}
	return nil
}
