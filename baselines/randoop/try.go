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

// hung is what a program that waits counts, in crashes: it costs as much time as hundreds of calls.
const hung = 3

var ways = trial.Ways(trial.ExecOptions{Stdout: true})

// try runs a batch in all ways, learns from it, and returns the finished programs that pass.
func (s *session) try(ctx context.Context, batch []*candidate) ([]trial.Program, error) {
	for _, o := range ways {
		var err error
		if batch, err = s.runBatch(ctx, batch, o); err != nil {
			return nil, err
		}
	}
	var kept []*candidate
	for _, c := range batch {
		if c.waited == len(ways) { // on a loaded machine any run may wait, so all must have
			for i := c.base; i < len(c.seq.steps); i++ {
				s.grower.learn(&c.seq.steps[i], hung)
			}
		} else if s.digest(c) {
			s.grower.archive = append(s.grower.archive, c.grown)
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

// failed learns from a run that went wrong: the call that it ended in is to blame, or what the compiler names.
func (s *session) failed(c *candidate, r trial.Result, trace recorded.Trace) {
	mark := 1.0
	if r.Outcome == trial.Timeout {
		mark = hung
	}
	if last := min(trace.Started, len(c.seq.steps)) - 1; last >= 0 {
		s.grower.learn(&c.seq.steps[last], mark)
		return
	}
	for i := range c.seq.steps {
		if step := &c.seq.steps[i]; strings.Contains(r.Diagnostic, step.call.name) {
			s.grower.learn(step, mark)
		}
	}
}

// digest learns from a run that went well, and reports whether a new call showed anything that no earlier one did.
func (s *session) digest(c *candidate) (isNew bool) {
	for i := range c.seq.steps {
		step := &c.seq.steps[i]
		shown, failed := step.call.name, false
		for _, ob := range c.obs[i] {
			value, ok := c.values[ob.number]
			shown += " " + value
			if ok {
				s.grower.note(c.grown, ob, value)
				bad := ob.Kind == recorded.Null && value == "0" || ob.Kind == recorded.Int && strings.HasPrefix(value, "-")
				failed = failed || ob.v == step.result && bad
			}
		}
		if i >= c.base {
			s.grower.learn(step, 0)
			step.call.tried++
			isNew = isNew || !s.shown[shown]
			if !failed {
				c.grown.merit++
			}
			if !failed && !s.shown[shown] {
				step.call.novel++
			}
		}
		s.shown[shown] = true
	}
	return isNew
}

// note keeps what a run showed of a variable of q; the calls that end objects have more.
func (g *grower) note(q *sequence, ob observation, value string) {
	if ob.v < 0 || ob.v >= len(q.vars) {
		return
	}
	switch ob.Kind {
	case recorded.Null:
		q.vars[ob.v].null = value == "0"
	case recorded.String, recorded.Bytes:
		if b, ok := recorded.ParseBlob(value); ok && b.Whole() {
			g.remember(b.Head)
		}
	}
}

// finish writes the tests, runs them as they are, and returns those that pass.
func (s *session) finish(ctx context.Context, kept []*candidate) ([]trial.Program, error) {
	programs := make([]trial.Program, 0, len(kept))
	for _, c := range kept {
		s.serial++
		if !s.options.Assertions {
			c.values = nil
		}
		p := trial.Program{ID: fmt.Sprintf("p%05d", s.serial), Lang: trial.C, Source: c.finished(s.job.Target)}
		if strings.Contains(p.Source, "    assert(") {
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
		}
	}
	return good, nil
}
