package recorded

import (
	"context"
	"fmt"

	"github.com/lisa-bench/lisa-bench/internal/trial"
	"github.com/lisa-bench/lisa-bench/pipeline/apispec"
)

// A Recorder records values on the reference build.
type Recorder struct {
	exec    trial.Executor
	headers []string
	watched []*watched
	runs    int
}

// New returns a recorder for a C library. runs is how often each program runs in each of the
// three ways.
func New(target trial.Target, spec *apispec.Spec, exec trial.Executor, runs int) (*Recorder, error) {
	if target.Language != trial.C {
		return nil, fmt.Errorf("library %s is in %s, and values are recorded of C only", target.Library, target.Language)
	}
	r := &Recorder{exec: exec, headers: target.Headers, runs: runs}
	for _, f := range Functions(spec, target.ExcludedAPIs) {
		r.watched = append(r.watched, watch(spec, f))
	}
	return r, nil
}

// A Test is a program with what was recorded of it. Without assertions it is the program as it
// was, and Problem says why.
type Test struct {
	Source     string
	Assertions int
	Problem    string
}

// maxRounds bounds how often programs run anew because a value could not be read.
const maxRounds = 12

var ways = trial.Ways(trial.ExecOptions{})

// A recording is one program on its way.
type recording struct {
	program trial.Program
	text    string // of the program that prints
	values  Reading
	problem string
}

// Assert returns programs, which run well in all ways as they are, with what was recorded of each.
func (r *Recorder) Assert(ctx context.Context, programs []trial.Program) ([]Test, error) {
	all, err := r.recordAll(ctx, programs, ways)
	if err != nil {
		return nil, err
	}
	tests := make([]Test, len(all))
	var check []int
	for i, rec := range all {
		tests[i] = Test{Source: rec.program.Source, Problem: rec.problem}
		if rec.problem != "" {
			continue
		}
		text, n := asserting(rec.program.Source, r.watched, r.headers, rec.values)
		if n == 0 {
			tests[i].Problem = "no value is the same in all runs"
			continue
		}
		tests[i].Source, tests[i].Assertions = text, n
		check = append(check, i)
	}
	return tests, r.check(ctx, programs, tests, check)
}

// recordAll records programs in the given ways, which begin with the first of ways.
func (r *Recorder) recordAll(ctx context.Context, programs []trial.Program, ways []trial.ExecOptions) ([]*recording, error) {
	all := make([]*recording, len(programs))
	for i, p := range programs {
		all[i] = &recording{program: p}
	}
	todo := all
	for round := 0; len(todo) > 0; round++ {
		again, err := r.record(ctx, todo, ways, round < maxRounds)
		if err != nil {
			return nil, err
		}
		todo = again
	}
	return all, nil
}

// record runs programs that print, in each way. It returns those that are to run once more,
// because a value that could not be read is muted from now on.
func (r *Recorder) record(ctx context.Context, list []*recording, ways []trial.ExecOptions, retry bool) (again []*recording, err error) {
	texts := make([]trial.Program, len(list))
	for i, rec := range list {
		rec.values, rec.problem = nil, ""
		texts[i] = rec.program
		rec.text = printing(rec.program.Source, r.watched, r.headers)
		texts[i].Source = rec.text
	}
	stopped := make([]bool, len(list))
	for _, way := range ways {
		for range r.runs {
			o := way
			o.Stdout = true
			results, err := trial.Execute(ctx, r.exec, texts, o)
			if err != nil {
				return nil, err
			}
			for i, rec := range list {
				if stopped[i] {
					continue
				}
				trace := ParseTrace(results[i].Stdout)
				if results[i].Outcome == trial.OK {
					rec.keep(trace.Values)
					continue
				}
				stopped[i] = true
				rec.problem = fmt.Sprintf("it ends with %s when its values are printed", results[i].Outcome)
				if retry && r.mute(trace) {
					again = append(again, rec)
				}
			}
		}
	}
	return again, nil
}

func (rec *recording) keep(values Reading) {
	if rec.values == nil {
		rec.values = values
		return
	}
	rec.values.Keep(values)
}

// mute leaves out from now on the value whose reading did not end, and reports whether there is
// one.
func (r *Recorder) mute(t Trace) bool {
	if t.Reading < 0 {
		return false
	}
	s := stride(r.watched)
	var index int
	if n, _ := fmt.Sscan(t.Values[t.Reading/s*s], &index); n != 1 || index >= len(r.watched) || t.Reading%s == 0 {
		return false
	}
	r.watched[index].muted[t.Reading%s-1] = true
	return true
}

// check runs finished tests, and takes the assertions from those that do not pass in all ways.
func (r *Recorder) check(ctx context.Context, programs []trial.Program, tests []Test, list []int) error {
	for _, way := range ways {
		texts := make([]trial.Program, len(list))
		for k, i := range list {
			texts[k] = programs[i]
			texts[k].Source = tests[i].Source
		}
		o := way
		o.Runs = r.runs
		results, err := trial.Execute(ctx, r.exec, texts, o)
		if err != nil {
			return err
		}
		var passed []int
		for k, i := range list {
			if results[k].Outcome == trial.OK {
				passed = append(passed, i)
				continue
			}
			tests[i] = Test{Source: programs[i].Source, Problem: fmt.Sprintf("it ends with %s when its values are asserted", results[k].Outcome)}
		}
		list = passed
	}
	return nil
}
