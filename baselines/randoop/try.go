package randoop

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/lisa-bench/lisa-bench/internal/trial"
	"github.com/lisa-bench/lisa-bench/pipeline/recorded"
)

// A candidate is a sequence on its way through the runs that decide about it.
type candidate struct {
	grown  *sequence
	seq    *sequence // grown, and the calls that end its objects
	base   int       // steps of grown that were run before
	obs    [][]observation
	source string           // instrumented
	values recorded.Reading // that agreed in every run so far
	waited int              // runs that waited for the clock
}

// ways are how each candidate is run. In the last, memory, layout and date are others.
var ways = []trial.ExecOptions{{Stdout: true}, {Stdout: true, Sanitize: true}, {Stdout: true, Perturb: true}}

// useless is how many calls without news a call counts for that hangs, waits, or does not compile or link.
const useless = 100

// try runs a batch in all ways, learns from it, and returns the finished programs that pass.
func (s *session) try(ctx context.Context, batch []*candidate) ([]trial.Program, error) {
	for _, o := range ways {
		var err error
		if batch, err = s.runBatch(ctx, batch, o); err != nil {
			return nil, err
		}
		if stop, err := s.interrupted(ctx); stop != "" || err != nil {
			return nil, err
		}
	}
	var kept []*candidate
	for _, c := range batch {
		if c.waited == len(ways) { // on a loaded machine any run may wait, so all must have
			for _, st := range c.grown.steps[c.base:] {
				st.call.tried += useless
			}
		} else if s.digest(c) {
			kept = append(kept, c)
		}
	}
	return s.finish(ctx, kept)
}

// runBatch runs instrumented programs, learns from those that went wrong, and returns the others with the
// values that still agree.
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
		r, trace := results[i], recorded.ParseTrace(results[i].Stdout)
		// A sanitizer may complain of leaks when all calls are done: they are the test's own.
		fine := r.Outcome == trial.OK || o.Sanitize && r.Outcome == trial.Crash
		if !fine || trace.Started <= len(c.seq.steps) {
			s.failed(c, r, trace)
			continue
		}
		if r.Wall()-20*r.CPU() > idleLimit {
			c.waited++
		}
		if c.values == nil {
			c.values = trace.Values
		} else {
			c.values.Keep(trace.Values)
		}
		good = append(good, c)
	}
	return good, nil
}

// idleLimit is how long a program may wait for the clock, as in sqlite3_sleep: every build of every bug would
// wait as long again. On a loaded machine a run takes many times its processor time, which does not count.
const idleLimit = 2 * time.Second

// failed learns from a run that went wrong.
func (s *session) failed(c *candidate, r trial.Result, trace recorded.Trace) {
	switch {
	case r.Outcome == trial.LinkError || r.Outcome == trial.CompileError:
		s.job.Log.Debug("randoop: candidate refused", "outcome", r.Outcome, "diagnostic", r.Diagnostic)
		for _, st := range c.seq.steps[c.base:] {
			if strings.Contains(r.Diagnostic, st.call.name) {
				st.call.tried += useless
			}
		}
	case trace.Started > 0:
		call := c.seq.steps[min(trace.Started, len(c.seq.steps))-1].call
		if call.tried++; r.Outcome == trial.Timeout {
			call.tried += useless
		}
	}
}

// digest learns from a run that went well, archives the sequence if it showed anything that no earlier
// program did, and reports whether it did.
func (s *session) digest(c *candidate) (isNew bool) {
	n := 0
	for i, st := range c.seq.steps {
		shown := st.call.name
		for _, ob := range c.obs[i] {
			value, ok := c.values[n]
			n++
			shown += " " + value
			if ok {
				c.grown.note(ob, value)
			}
		}
		if i >= c.base {
			st.call.tried++
			if !s.shown[shown] {
				isNew = true
				st.call.shown++
			}
		}
		s.shown[shown] = true
	}
	if isNew {
		s.grower.harvest(c.grown)
		s.grower.keep(c.grown)
	}
	return isNew
}

// note keeps what a run showed of a variable; those of the calls that end objects are not in q.
func (q *sequence) note(ob observation, value string) {
	if ob.v >= len(q.vars) || ob.field {
		return
	}
	v := &q.vars[ob.v]
	switch ob.Kind {
	case recorded.Null:
		v.null = value == "0"
	case recorded.String, recorded.Bytes:
		b, ok := recorded.ParseBlob(value)
		if v.written = b.Length; ok && b.Whole() {
			v.text = b.Head
		}
	}
}

// harvest keeps the strings and bytes that calls returned and wrote, as later input.
func (g *grower) harvest(q *sequence) {
	for _, v := range q.vars {
		if v.kind == varResult || v.kind == varBytes {
			g.contents.add(v.text)
		}
	}
}

// finish writes the tests, runs them as they are, and returns those that pass.
func (s *session) finish(ctx context.Context, kept []*candidate) ([]trial.Program, error) {
	programs := make([]trial.Program, 0, len(kept))
	for _, c := range kept {
		s.serial++
		source, asserted := finished(s.job.Target, c, s.options.Assertions)
		p := trial.Program{ID: fmt.Sprintf("p%05d", s.serial), Lang: trial.C, Source: source}
		if asserted > 0 {
			p.Oracle = trial.OracleReference
		}
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
		s.job.Log.Debug("randoop: test does not pass", "outcome", results[i].Outcome,
			"assertion", results[i].Assertion, "diagnostic", results[i].Diagnostic)
	}
	return good, nil
}
