package invariant

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/lisa-bench/lisa-bench/internal/llm"
	"github.com/lisa-bench/lisa-bench/internal/trial"
	"github.com/lisa-bench/lisa-bench/pipeline/recorded"
)

// A stage is LISA_inv at work in one cell, wave after wave.
type stage struct {
	job     trial.Job
	options Options
	lib     *library
	model   *llm.Session
	checker *checker

	recorder *recorded.Recorder // nil unless the oracle is recorded

	finished int               // programs in the suite
	answers  map[[2]string]int // by stage and outcome
	asked    llm.Attempts
	counts   map[string]map[string]int // for the record, by list and name
	how      trial.Invariants
	stopped  bool // the budget has no room for requests
}

// assert puts assertions into seeds and adds the finished tests to the suite, in the order of
// the seeds. Every seed is added once: without assertions if there is nothing better. wave
// names the requests.
func (s *stage) assert(ctx context.Context, wave int, seeds []Seed) error {
	if s.options.Oracle == OracleNone {
		return s.bare(seeds)
	}
	programs := make([]*program, len(seeds))
	var runnable []*program
	for i, seed := range seeds {
		programs[i] = &program{seed: seed, unit: fmt.Sprintf("w%04d-p%03d", wave, i+1)}
		if seed.Outcome == trial.OK || seed.Outcome == "" && seed.Program.Refused == "" {
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
	for step := 1; !s.stopped; step++ {
		more, err := s.round(ctx, fmt.Sprintf("r%04d-d%03d", wave, step), programs)
		if err != nil {
			return err
		}
		if !more {
			break
		}
	}
	if err := s.verify(ctx, valid); err != nil {
		return err
	}
	return s.keep(programs)
}

// round asks one question for each program that has a chunk left, all at once: for its next
// chunk, or for a repair of it.
func (s *stage) round(ctx context.Context, id string, programs []*program) (more bool, err error) {
	var active []*program
	var requests []llm.Request
	for _, p := range programs {
		if !p.active() {
			continue
		}
		r, err := s.request(p)
		if err != nil {
			return false, err
		}
		r.ID = id + p.unit[strings.LastIndexByte(p.unit, '-'):]
		active, requests = append(active, p), append(requests, r)
	}
	if len(requests) == 0 {
		return false, nil
	}
	for i := range requests {
		s.asked.Number(&requests[i])
	}
	var attempts []*attempt
	for i, res := range s.model.Round(ctx, requests) {
		var budget *llm.BudgetError
		if errors.As(res.Err, &budget) {
			s.stopped = true // what was paid for is used; the rest stays as it is accepted
			continue
		}
		if res.Err != nil {
			return false, res.Err
		}
		attempts = append(attempts, s.attempt(active[i], requests[i].Stage, res.Answer))
	}
	if err := s.settle(ctx, attempts); err != nil {
		return false, err
	}
	s.job.Log.Info("invariants", "round", id, "programs", len(active), "seeds", s.how.Seeds)
	return true, nil
}

// attempt makes a version of a chunk of an answer.
func (s *stage) attempt(p *program, stageName string, a llm.Answer) *attempt {
	code, outcome := llm.Program(a)
	s.answers[[2]string{stageName, string(outcome)}]++
	if stageName == StageInvariant {
		s.how.Chunks++
	}
	if code == "" {
		at := p.attempt(p.chunk().raw)
		if p.last != nil {
			at = p.attempt(p.last.text)
		}
		at.failure = &failure{kind: failNoCode, text: "the answer was no code: " + string(outcome)}
		return at
	}
	return p.attempt(chunkOf(code, p.chunk()))
}

// settle checks versions: what passes is accepted, what fails is to be repaired or, after the
// last repair, loses its failing assertions.
func (s *stage) settle(ctx context.Context, attempts []*attempt) error {
	if err := s.checker.check(ctx, attempts); err != nil {
		return err
	}
	var last []*attempt
	for _, a := range attempts {
		p := a.program
		if a.failure == nil {
			s.accept(a)
			continue
		}
		p.note(a)
		s.count("failures", a.failure.kind)
		switch {
		case s.options.Repair && p.tries < s.options.Attempts:
			p.last = a
			p.tries++
		case s.options.Repair:
			last = append(last, a)
		default:
			s.restore(a)
		}
	}
	return s.drop(ctx, last)
}

// drop takes failing assertions out of versions that no repair has mended, one by one, and
// keeps them as candidates. What fails in another way goes back to what it was.
func (s *stage) drop(ctx context.Context, attempts []*attempt) error {
	for len(attempts) > 0 {
		var next []*attempt
		for _, a := range attempts {
			shorter, ok := a.withoutFailing()
			if !ok {
				s.restore(a)
				continue
			}
			if a.failure.kind == failAssertion {
				if err := s.candidate(a); err != nil {
					return err
				}
			}
			next = append(next, shorter)
		}
		if err := s.checker.check(ctx, next); err != nil {
			return err
		}
		attempts = slices.DeleteFunc(next, func(a *attempt) bool {
			if a.failure == nil {
				s.accept(a)
			}
			return a.failure == nil
		})
	}
	return nil
}

// withoutFailing is the version without the assertion that fails; ok is false if none does, or
// if it is not in this chunk.
func (a *attempt) withoutFailing() (shorter *attempt, ok bool) {
	if a.failure.assertion == nil {
		return nil, false
	}
	d, from := *a.failure.assertion, len(a.program.prefix())
	d.begin, d.end = d.begin-from, d.end-from
	if d.begin < 0 || d.end > len(a.text) {
		return nil, false
	}
	return a.program.attempt(without(a.text, d)), true
}

// note adds a failure to the history of the chunk.
func (p *program) note(a *attempt) {
	r := trial.RepairAttempt{Attempt: len(p.history), Failure: a.failure.kind, Values: a.failure.values, Detail: llm.Shorten(a.failure.text, 400)}
	if a.failure.assertion != nil {
		r.Assertion = a.failure.assertion.condition
	}
	p.history = append(p.history, r)
}

// accept takes a version that passed.
func (s *stage) accept(a *attempt) {
	p := a.program
	if len(a.version.assertions) == len(p.final.assertions) {
		s.how.Unchanged++
	}
	for len(s.how.Repaired) <= p.tries {
		s.how.Repaired = append(s.how.Repaired, 0)
	}
	s.how.Repaired[p.tries]++
	p.accept(accepted{text: a.text, repairs: p.tries}, a.version)
}

// restore leaves a chunk without assertions.
func (s *stage) restore(a *attempt) {
	p := a.program
	s.how.Restored++
	p.accept(accepted{text: p.chunk().raw, raw: true}, p.final)
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
		for _, o := range ways(s.options.Runs) {
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
			s.count("failures", "at the end: "+a.failure.kind)
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
			test.Source, test.Oracle = v.source, trial.OracleSpecification
		}
		if err := s.job.Suite.Add(test); err != nil {
			return err
		}
		s.finished++
		s.locate(p)
		if len(p.final.assertions) == 0 {
			continue
		}
		s.how.Finished++
		s.how.Assertions += len(p.final.assertions)
		for _, a := range p.final.assertions {
			kind, contract := parseRemark(a.remark)
			source := s.lib.sourceOf(contract)
			s.count("kinds", kind)
			s.count("sources", source)
			s.how.Asserted = append(s.how.Asserted, trial.Asserted{Program: s.finished, First: a.first, Last: a.last, Kind: kind, Source: source, Contract: contract})
		}
	}
	return nil
}

func (s *stage) count(list, name string) {
	if s.counts[list] == nil {
		s.counts[list] = map[string]int{}
	}
	s.counts[list][name]++
}
