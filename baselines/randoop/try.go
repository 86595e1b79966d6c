package randoop

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/lisa-bench/lisa-bench/internal/trial"
	"github.com/lisa-bench/lisa-bench/pipeline/apispec"
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
			for i := c.base; i < len(c.grown.steps); i++ {
				s.grower.learn(&c.grown.steps[i], endedHung, false)
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
	if r.Outcome == trial.LinkError || r.Outcome == trial.CompileError {
		s.job.Log.Debug("randoop: candidate refused", "outcome", r.Outcome, "diagnostic", r.Diagnostic)
		s.ban(c, r)
		return
	}
	failing := min(trace.Started, len(c.seq.steps)) - 1
	if failing < 0 {
		return
	}
	end := endedBad
	if r.Outcome == trial.Timeout {
		end = endedHung
	}
	s.grower.learn(&c.seq.steps[failing], end, false)
}

// ban gives up callables that do not link. What does not compile is a bad mark for all new calls.
func (s *session) ban(c *candidate, r trial.Result) {
	for i := c.base; i < len(c.seq.steps); i++ {
		switch call := c.seq.steps[i].call; {
		case r.Outcome == trial.CompileError:
			s.grower.learn(&c.seq.steps[i], endedBad, false)
		case strings.Contains(r.Diagnostic, call.name):
			call.banned = true
		}
	}
}

// digest learns from a run that went well, archives the sequence if it showed anything that no earlier
// program did, and reports whether it did.
func (s *session) digest(c *candidate) (isNew bool) {
	g := s.grower
	novelty, n := 0.0, 0
	for i := range c.seq.steps {
		st := &c.seq.steps[i]
		result, shown := "", st.call.name
		for _, ob := range c.obs[i] {
			value, ok := c.values[n]
			n++
			shown += " " + value
			if !ok {
				continue
			}
			if ob.v == st.result && !ob.field && result == "" {
				result = value
			}
			c.grown.note(ob, value)
		}
		novel := !s.shown[shown]
		s.shown[shown] = true
		if i < c.base {
			continue
		}
		if novel {
			isNew = true
			novelty++
		}
		if isError(st.call, result) {
			g.learn(st, endedError, novel)
			novelty -= 0.5 // what only returns errors is seldom worth growing
			c.grown.uninitialise(st)
			continue
		}
		g.learn(st, endedFine, novel)
		g.accept(c.grown, st)
	}
	g.harvest(c.grown)
	if isNew {
		g.keep(c.grown, max(novelty, 0.1))
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
	case recorded.Int:
		v.number, _ = strconv.Atoi(value)
	case recorded.Null:
		v.null = value == "0"
	case recorded.String, recorded.Bytes:
		b, ok := recorded.ParseBlob(value)
		if v.written = b.Length; ok && b.Whole() && v.kind != varBytes {
			v.text = b.Head
		}
	}
}

// uninitialise follows an initialiser that returned an error.
func (q *sequence) uninitialise(s *step) {
	for _, a := range s.args {
		if s.call.init && a.v >= 0 {
			q.vars[a.v].ready = false
		}
	}
}

// isError reports whether a call's result says that it did not do what was asked: NULL, or a negative number.
func isError(c *callable, result string) bool {
	if c.result.Kind == apispec.Pointer {
		return result == "0"
	}
	return strings.HasPrefix(result, "-") && c.result.Kind != apispec.Float
}

// accept keeps the strings and bytes that a call took without error.
func (g *grower) accept(q *sequence, st *step) {
	for i, a := range st.args {
		if r := st.call.params[i].role; a.v >= 0 && a.v < len(q.vars) && (r == roleText || r == roleBytes) {
			key := valueKey(st.call, i, "")
			if g.accepted[key] == nil {
				g.accepted[key] = &pool{}
			}
			g.accepted[key].add(strings.TrimRight(q.vars[a.v].text, "\x00"))
		}
	}
}

// harvest keeps the strings and bytes that calls made, as later input.
func (g *grower) harvest(q *sequence) {
	for i := range q.vars {
		switch v := &q.vars[i]; {
		case v.kind == varResult && !strings.Contains(v.text, "\x00"):
			g.texts.add(v.text)
		case v.kind == varBuffer:
			g.blobs.add(v.text)
		}
	}
}

// finish writes the tests, runs them as they are, and returns those that pass.
func (s *session) finish(ctx context.Context, kept []*candidate) ([]trial.Program, error) {
	programs := make([]trial.Program, 0, len(kept))
	for _, c := range kept {
		s.serial++
		source, asserted := finished(s.job.Target, c.seq, c.obs, c.values, s.options.Assertions)
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
