package recorded

import (
	"context"
	"fmt"
	"maps"
	"strconv"
	"strings"

	"github.com/lisa-bench/lisa-bench/internal/trial"
	"github.com/lisa-bench/lisa-bench/pipeline/apispec"
)

// A Recorder records values on the reference build.
type Recorder struct {
	exec      trial.Executor
	headers   []string
	functions []Function
	watched   []*watched // of each function
	stride    int        // value k of call n is printed as n*stride + 1 + k; n*stride says which function was called
	runs      int
}

// New returns a recorder for a C library. runs is how often each program runs in each of the
// three ways.
func New(target trial.Target, spec *apispec.Spec, exec trial.Executor, runs int) (*Recorder, error) {
	if target.Language != trial.C {
		return nil, fmt.Errorf("library %s is in %s, and values are recorded of C only", target.Library, target.Language)
	}
	r := &Recorder{exec: exec, headers: target.Headers, runs: runs, functions: Functions(spec, target.ExcludedAPIs)}
	for _, f := range r.functions {
		w := watch(spec, f)
		r.watched, r.stride = append(r.watched, w), max(r.stride, len(w.values)+1)
	}
	return r, nil
}

// maxRounds bounds how often programs run anew because a value could not be read.
const maxRounds = 12

var ways = trial.Ways(trial.ExecOptions{})

// A Printed is a test that also prints what each call of the library gives back.
type Printed struct {
	Program trial.Program
	values  Reading // the same in every run
	Problem string  // why its values cannot be printed; "" if they can
}

// Print changes programs, which must run well, so that they print values. It also returns what these values are
// on the executor's build, if they are the same in every run, with the usual and with other memory.
func (r *Recorder) Print(ctx context.Context, programs []trial.Program) ([]Printed, error) {
	return r.record(ctx, programs, ways[:2])
}

// record runs programs that print, in some ways, and once more those of which a value could not be read, without it.
func (r *Recorder) record(ctx context.Context, programs []trial.Program, ways []trial.ExecOptions) ([]Printed, error) {
	all := make([]Printed, len(programs))
	todo := make([]int, len(programs))
	for i := range todo {
		todo[i] = i
	}
	for round := 0; len(todo) > 0; round++ {
		texts := make([]trial.Program, len(todo))
		for k, i := range todo {
			texts[k] = programs[i]
			texts[k].Source = r.printing(programs[i].Source)
			all[i] = Printed{Program: texts[k]}
		}
		var again []int
		for n := range len(ways) * r.runs {
			o := ways[n/r.runs]
			o.Stdout = true
			results, err := trial.Execute(ctx, r.exec, texts, o)
			if err != nil {
				return nil, err
			}
			for k, i := range todo {
				p, trace := &all[i], ParseTrace(results[k].Stdout)
				switch {
				case p.Problem != "":
				case results[k].Outcome != trial.OK:
					p.Problem = fmt.Sprintf("it ends with %s when its values are printed", results[k].Outcome)
					if round < maxRounds && r.mute(trace) {
						again = append(again, i)
					}
				case p.values == nil:
					p.values = trace.Values
				default:
					p.values.Keep(trace.Values)
				}
			}
		}
		todo = again
	}
	return all, nil
}

// mute leaves out from now on the value whose reading did not end, and reports whether there is one.
func (r *Recorder) mute(t Trace) bool {
	if t.Reading < 0 || t.Reading%r.stride == 0 {
		return false
	}
	index, err := strconv.Atoi(t.Values[t.Reading/r.stride*r.stride])
	if err != nil || index >= len(r.watched) {
		return false
	}
	r.watched[index].muted[t.Reading%r.stride-1] = true
	return true
}

// printing is the program that prints what is watched. A line "?NUMBER" before each value says
// which of them cannot be read.
func (r *Recorder) printing(source string) string {
	const about = "static void lisa_about(int k) { OBS_PRINT(\"?%d\\n\", k); fflush(stdout); }\n"
	return Program(source, r.functions, r.headers, Includes+Printers+about, func(i int) (before, after string) {
		after = fmt.Sprintf("if (obs_left > 0) {\nmark(%s);\nobs_int(%[1]s * %d, %d);\n", Number, r.stride, i)
		for k, o := range r.watched[i].values {
			if !r.watched[i].muted[k] {
				number := fmt.Sprintf("%s * %d + %d", Number, r.stride, 1+k)
				after += fmt.Sprintf("lisa_about(%s); %s\n", number, o.Print(number))
			}
		}
		return r.watched[i].before, after + "}\n"
	})
}

// Keep returns the program without the values that one more run on the same build printed otherwise, or not at all.
func (p Printed) Keep(on trial.Result) Printed {
	if p.values = maps.Clone(p.values); on.Outcome == trial.OK {
		p.values.Keep(ParseTrace(on.Stdout).Values)
	}
	return p
}

// Differs reports whether a run of the program on another build fails, or prints or lacks a value unlike on the
// build where its values are known. A value that was cut off is not lacking.
func (p Printed) Differs(on trial.Result) bool {
	if on.Outcome != trial.OK {
		return true
	}
	values := ParseTrace(on.Stdout).Values
	cut := len(on.Stdout) >= trial.MaxStdout
	for n, v := range p.values {
		if got, ok := values[n]; got != v && (ok || !cut) {
			return true
		}
	}
	return false
}

// A Test is a program with what was recorded of it. Without assertions it is the program as it
// was, and Problem says why.
type Test struct {
	Source     string
	Assertions int
	Problem    string
}

// Assert returns programs, which run well in all ways as they are, with what was recorded of each. Finished tests run
// once more: one that does not pass in all ways loses its assertions.
func (r *Recorder) Assert(ctx context.Context, programs []trial.Program) ([]Test, error) {
	all, err := r.record(ctx, programs, ways)
	if err != nil {
		return nil, err
	}
	tests, texts := make([]Test, len(all)), make([]trial.Program, len(all))
	for i, p := range all {
		t := Test{Problem: p.Problem}
		if t.Problem == "" {
			if t.Source, t.Assertions = r.asserting(programs[i].Source, p.values); t.Assertions == 0 {
				t.Problem = "no value is the same in all runs"
			}
		}
		if t.Problem != "" {
			t.Source = programs[i].Source
		}
		tests[i], texts[i] = t, programs[i]
		texts[i].Source = t.Source
	}
	for _, o := range ways {
		o.Runs = r.runs
		results, err := trial.Execute(ctx, r.exec, texts, o)
		if err != nil {
			return nil, err
		}
		for i, result := range results {
			if tests[i].Problem == "" && result.Outcome != trial.OK {
				problem := fmt.Sprintf("it ends with %s when its values are asserted", result.Outcome)
				tests[i] = Test{Source: programs[i].Source, Problem: problem}
			}
		}
	}
	return tests, nil
}

// asserting is the program that compares each value with what was read, and how many assertions it has.
func (r *Recorder) asserting(source string, values Reading) (text string, asserted int) {
	cases := make([]string, len(r.watched)) // of a switch in the function's wrapper: one for each call
	for n := 0; ; n++ {
		index, err := strconv.Atoi(values[n*r.stride])
		if err != nil || index >= len(r.watched) {
			break
		}
		body := ""
		for k, o := range r.watched[index].values {
			if condition := o.Condition(values[n*r.stride+1+k]); condition != "" {
				asserted++
				body += "    assert(" + and(o.Guard, condition) + ");\n"
			}
		}
		if body != "" {
			cases[index] += fmt.Sprintf("case %d:\n%s    break;\n", n, body)
		}
	}
	prelude := Includes
	if strings.Contains(strings.Join(cases, ""), "checksum(") {
		prelude += ChecksumHelper
	}
	return Program(source, r.functions, r.headers, prelude, func(i int) (before, after string) {
		if cases[i] == "" {
			return "", ""
		}
		return r.watched[i].before, fmt.Sprintf("switch (%s) {\n%s}\n", Number, cases[i])
	}), asserted
}
