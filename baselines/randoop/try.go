package randoop

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/lisa-bench/lisa-bench/internal/trial"
	"github.com/lisa-bench/lisa-bench/pipeline/exact"
)

// A candidate is a sequence on its way through the runs that decide about it.
type candidate struct {
	seq    *sequence
	base   int // steps that came from the archive
	obs    [][]observation
	source string        // instrumented
	values exact.Reading // that agreed in every run so far
	waited int           // runs that waited for the clock
}

// ways are how each candidate is run. In the last, memory, layout and date are others.
var ways = []trial.ExecOptions{{Stdout: true}, {Stdout: true, Sanitize: true}, {Stdout: true, Perturb: true}}

// try runs a batch on the reference build, under the sanitizers and with a perturbed heap,
// learns from it, and returns the finished programs that pass.
func (s *session) try(ctx context.Context, batch []*candidate) ([]trial.Program, error) {
	s.counts.candidates += len(batch)
	for _, o := range ways {
		var err error
		if batch, err = s.runBatch(ctx, batch, o); err != nil {
			return nil, err
		}
		if stop, err := s.interrupted(ctx); stop != "" || err != nil {
			return nil, err
		}
	}
	s.counts.valid += len(batch)
	var kept []*candidate
	for _, c := range batch {
		if c.waited == len(ways) {
			s.blame(c)
		} else if s.digest(c) {
			kept = append(kept, c)
		}
	}
	return s.finish(ctx, kept)
}

// runBatch runs instrumented programs, learns from those that went wrong, and returns the
// others with the values that still agree.
func (s *session) runBatch(ctx context.Context, batch []*candidate, o trial.ExecOptions) ([]*candidate, error) {
	programs := make([]trial.Program, len(batch))
	for i, c := range batch {
		programs[i] = trial.Program{ID: fmt.Sprintf("c%04d", i), Lang: trial.C, Source: c.source}
	}
	results, err := trial.Execute(ctx, s.job.Exec, programs, o)
	if err != nil {
		return nil, err
	}
	var good []*candidate
	for i, c := range batch {
		tr := exact.ParseTrace(results[i].Stdout)
		// A sanitizer may still complain when all calls are done: of leaks, which are the
		// test's own.
		complete := tr.Started > len(c.seq.steps)
		fine := results[i].Outcome == trial.OK || o.Sanitize && results[i].Outcome == trial.Crash
		if !fine || !complete {
			s.failed(c, results[i], tr)
			continue
		}
		if waits(results[i]) {
			c.waited++
		}
		c.merge(tr.Values)
		good = append(good, c)
	}
	return good, nil
}

// merge keeps the values that are the same in this run.
func (c *candidate) merge(values exact.Reading) {
	if c.values == nil {
		c.values = values
		return
	}
	c.values.Keep(values)
}

// failed learns from a run that went wrong and queues the part that went well.
func (s *session) failed(c *candidate, r trial.Result, tr exact.Trace) {
	m := s.grower.memory
	if r.Outcome == trial.LinkError || r.Outcome == trial.CompileError {
		s.job.Log.Debug("randoop: candidate refused", "outcome", r.Outcome, "diagnostic", r.Diagnostic)
		s.ban(c, r)
		return
	}
	if tr.Reading >= 0 {
		if ob, ok := observationAt(c.obs, tr.Reading); ok {
			t := at(m.reads, ob.key)
			t.tried++
			t.bad++
		}
	}
	failing := min(tr.Started, len(c.seq.steps)) - 1
	if failing < 0 {
		return
	}
	v := stepBad
	if r.Outcome == trial.Timeout {
		v = stepHung
	}
	st := &state{seq: c.seq}
	for i := range c.seq.steps[:failing] {
		st.apply(&c.seq.steps[i])
	}
	st.sync()
	m.learn(c.seq, failing, v, false, st)
	if failing > c.base && !c.seq.steps[failing].cleanup {
		s.retries = append(s.retries, &candidate{seq: c.seq.truncate(failing), base: c.base})
	}
}

// idleLimit is how long a program may wait for the clock: every build of every bug would wait as long again.
const idleLimit = 2 * time.Second

// waits reports whether a run waited for the clock (sqlite3_sleep). On a loaded machine a run's time is many times its
// processor time, and so much of it does not count. It may stall for longer now and then, so every run must have waited.
func waits(r trial.Result) bool { return r.Wall()-20*r.CPU() > idleLimit }

// blame learns that one of the steps that are new in a sequence waits: nothing says which, and what they were added to did not.
func (s *session) blame(c *candidate) {
	st := &state{seq: c.seq}
	for i := range c.seq.steps {
		if i >= c.base && !c.seq.steps[i].cleanup {
			st.sync()
			s.grower.memory.learn(c.seq, i, stepHung, false, st)
		}
		st.apply(&c.seq.steps[i])
	}
}

// ban gives up callables that do not compile or link: those that the diagnostic names, or
// else all that the sequence newly calls get a bad mark.
func (s *session) ban(c *candidate, r trial.Result) {
	named := false
	for i := c.base; i < len(c.seq.steps); i++ {
		call := c.seq.steps[i].call
		if r.Outcome == trial.LinkError && strings.Contains(r.Diagnostic, call.name) {
			call.weight, named = 0, true
		}
	}
	for i := c.base; i < len(c.seq.steps) && !named; i++ {
		t := at(s.grower.memory.calls, c.seq.steps[i].call.name)
		t.tried++
		t.bad++
	}
}

func observationAt(obs [][]observation, n int) (observation, bool) {
	for _, list := range obs {
		if n < len(list) {
			return list[n], true
		}
		n -= len(list)
	}
	return observation{}, false
}

// digest learns from a run that went well, archives the sequence, and reports whether it
// showed anything that no earlier program did.
func (s *session) digest(c *candidate) (isNew bool) {
	g := s.grower
	facts := factsOf(c.seq, c.obs, c.values, g.api)
	st := &state{seq: c.seq}
	st.sync()
	novelty, errors, n := 0, 0, 0
	for i := range c.seq.steps {
		before := len(g.memory.features)
		result, seen := g.memory.describe(c, i, n)
		n += len(c.obs[i])
		novel := len(g.memory.features) - before
		if i >= c.base {
			v := stepOK
			if isError(c, i, result) {
				v = stepError
				errors++
			}
			g.memory.learn(c.seq, i, v, novel > 0, st)
			isNew = isNew || !seen
			if v == stepOK {
				s.accept(c, i, facts)
			}
		}
		if r := c.seq.steps[i].result; r >= 0 && isError(c, i, result) {
			f := facts[r]
			f.failed = true
			facts[r] = f
		}
		novelty += novel
		st.apply(&c.seq.steps[i])
		st.sync()
	}
	s.harvest(c, facts)
	keep := c.seq.truncate(c.seq.calls())
	weight := 1 + float64(novelty)
	share := float64(errors) / float64(max(len(c.seq.steps)-c.base, 1))
	weight *= 1.1 - share // what only returns errors is seldom worth growing
	if len(keep.steps) > 0 {
		g.archive.add(keep, facts, weight)
	}
	return isNew
}

// accept keeps the inputs of step i, which returned no error.
func (s *session) accept(c *candidate, i int, facts map[int]fact) {
	step := &c.seq.steps[i]
	content := func(v int) string {
		if va := &c.seq.vars[v]; va.kind == varText || va.kind == varBytes {
			return strings.TrimRight(va.text, "\x00")
		}
		return facts[v].content
	}
	for k, a := range step.args {
		if k >= len(step.call.params) || a.kind != argVar {
			continue
		}
		switch step.call.params[k].role {
		case roleText:
			s.grower.accept(valueKey(step.call, k, ""), content(a.v))
		case roleBytes:
			s.grower.accept(step.call.name, content(a.v))
		}
	}
	for _, as := range step.sets {
		if as.isInput && as.value == "" {
			s.grower.accept(step.call.name, content(as.from))
		}
	}
}

// harvest keeps the strings and bytes that calls made, as later input.
func (s *session) harvest(c *candidate, facts map[int]fact) {
	for v := range c.seq.vars {
		f := facts[v]
		switch c.seq.vars[v].kind {
		case varResult:
			if f.content != "" && !strings.Contains(f.content, "\x00") {
				s.grower.strings.add(f.content)
			}
		case varBuffer:
			if f.produced > 0 && f.produced <= poolItemLen && len(f.content) <= f.produced {
				by := writer(c.seq, v)
				s.grower.memory.need(by, f.produced)
				s.grower.blobs.add(by, f.content+strings.Repeat("\x00", f.produced-len(f.content)))
			}
		}
	}
}

// writer returns the name of the last call that was given v, directly or through a field
// of a struct.
func writer(s *sequence, v int) string {
	name := ""
	through := map[int]bool{v: true}
	for i := range s.steps {
		for _, a := range s.steps[i].sets {
			if a.value == "" && a.from == v {
				through[a.v] = true
			}
		}
		for _, a := range s.steps[i].args {
			if a.kind != argLiteral && through[a.v] && !s.steps[i].cleanup {
				name = s.steps[i].call.name
			}
		}
	}
	return name
}

// finish writes the tests, runs them as they are, and returns those that pass.
func (s *session) finish(ctx context.Context, kept []*candidate) ([]trial.Program, error) {
	programs := make([]trial.Program, 0, len(kept))
	for _, c := range kept {
		source, asserted := finished(s.job.Target, c.seq, c.obs, c.values, s.options.assertions)
		p := trial.Program{ID: fmt.Sprintf("p%05d", s.serial+1), Lang: trial.C, Source: source}
		if asserted > 0 {
			p.Oracle = trial.OracleReference
		}
		s.serial++
		programs = append(programs, p)
	}
	results, err := trial.Execute(ctx, s.job.Exec, programs, trial.ExecOptions{Runs: 2})
	if err != nil {
		return nil, err
	}
	good := programs[:0]
	for i, p := range programs {
		if results[i].Outcome == trial.OK {
			good = append(good, p)
			continue
		}
		s.counts.unstable++
		s.job.Log.Debug("randoop: test does not pass", "outcome", results[i].Outcome,
			"assertion", results[i].Assertion, "diagnostic", results[i].Diagnostic)
	}
	s.counts.kept += len(good)
	return good, nil
}
