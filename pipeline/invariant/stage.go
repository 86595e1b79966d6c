package invariant

import (
	"context"
	"fmt"

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
	suspects   []suspect        // of all waves
	judged     int              // of them, those that a second opinion was asked on
	unfinished bool             // the loop ended while programs had chunks left
	ended      trial.StopReason // why, then
}

// assert puts assertions into seeds and adds the finished tests to the suite, in the order of
// the seeds. Every seed is added once: without assertions if there is nothing better. wave
// names the requests.
func (s *stage) assert(ctx context.Context, wave int, seeds []sequence.Seed) error {
	if s.options.Oracle == oracleNone {
		return s.bare(seeds)
	}
	s.wave = wave
	programs := make([]*program, len(seeds))
	var runnable []*program
	for i, seed := range seeds {
		programs[i] = &program{seed: seed, unit: fmt.Sprintf("w%04d-p%03d", wave, i+1)}
		if seed.Outcome == trial.OK || seed.Outcome == "" && seed.Refused == "" {
			runnable = append(runnable, programs[i])
		}
	}
	valid, err := s.checker.prepare(ctx, runnable, s.options.Runs, !s.options.Chunks || s.recorder != nil)
	if err != nil {
		return err
	}
	s.how.Seeds += len(valid)
	for _, p := range valid {
		switch {
		case !p.ready:
			s.how.Unfit++
		case p.parts.whole && s.options.Chunks && s.recorder == nil:
			s.how.Unsplit++
		}
	}
	if s.recorder != nil {
		return s.record(ctx, programs)
	}
	if err := s.reach(ctx, valid); err != nil {
		return err
	}
	var waiting []*item
	for _, p := range valid {
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
	if err := s.kill(ctx, valid); err != nil {
		return err
	}
	return s.keep(programs)
}

// reach finds out which mutants the programs of a wave come to, and no test kills yet.
func (s *stage) reach(ctx context.Context, programs []*program) error {
	var seeds []trial.Program
	for _, p := range programs {
		seeds = append(seeds, trial.Program{ID: p.unit, Lang: p.seed.Lang, Source: p.seed.Source, Oracle: trial.OracleSpecification})
	}
	reached, err := s.survivors.Learn(ctx, seeds)
	for i, p := range programs {
		if err == nil {
			p.reached = reached[i]
		}
	}
	return err
}

// kill finds out which of them the finished tests of the wave kill.
func (s *stage) kill(ctx context.Context, programs []*program) error {
	var tests []trial.Program
	for _, p := range programs {
		if len(p.final.assertions) > 0 {
			tests = append(tests, trial.Program{ID: p.unit, Lang: p.seed.Lang, Source: p.final.source, Oracle: trial.OracleSpecification})
		}
	}
	_, err := s.survivors.Learn(ctx, tests)
	return err
}

// verify runs finished tests n times each way. A test that fails now loses the assertions of
// one chunk after another, the last first.
func (s *stage) verify(ctx context.Context, programs []*program) error {
	var todo []*attempt
	for _, p := range programs {
		if p.ready {
			todo = append(todo, &attempt{program: p, source: p.current()})
		}
	}
	for len(todo) > 0 {
		if err := s.checker.static(ctx, todo); err != nil {
			return err
		}
		for _, o := range trial.Ways(trial.ExecOptions{Runs: s.options.Runs}) {
			if err := s.checker.run(ctx, todo, o); err != nil {
				return err
			}
		}
		var next []*attempt
		for _, a := range todo {
			if a.failure == nil {
				a.program.final = a.version
				continue
			}
			s.counts.Add("failures", "at the end: "+a.failure.kind)
			if a.program.restore() {
				s.how.Restored++
				next = append(next, &attempt{program: a.program, source: a.program.current()})
			} else {
				a.program.final = version{}
			}
		}
		todo = next
	}
	return nil
}

// keep adds the tests to the suite and counts what is in them.
func (s *stage) keep(programs []*program) error {
	for _, p := range programs {
		test := p.seed.Program
		test.ID = ""
		if v := p.final; len(v.assertions) > 0 {
			test.Source, test.Oracle = p.mark(), trial.OracleSpecification
		}
		if err := s.job.Suite.Add(test); err != nil {
			return err
		}
		s.finished++
		if len(p.final.assertions) == 0 {
			continue
		}
		s.how.Finished++
		s.how.Assertions += len(p.final.assertions)
		for _, a := range p.final.assertions {
			kind, contract := parseRemark(a.remark)
			source := s.lib.sourceOf(contract)
			s.counts.Add("kinds", kind)
			s.counts.Add("sources", source)
			mended := p.isMended(a)
			if mended {
				s.how.Mended++
			}
			s.how.Asserted = append(s.how.Asserted, trial.Asserted{Program: s.finished, First: a.first, Last: a.last, Kind: kind, Source: source, Contract: contract, Mended: mended})
		}
	}
	return nil
}
