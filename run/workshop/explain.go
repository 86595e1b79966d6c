package workshop

import (
	"context"
	"slices"
	"sync"
	"time"

	"github.com/lisa-bench/lisa-bench/bench/libbuild"
	"github.com/lisa-bench/lisa-bench/execute/testrun"
	"github.com/lisa-bench/lisa-bench/internal/trial"
	"github.com/lisa-bench/lisa-bench/metrics"
	"github.com/lisa-bench/lisa-bench/pipeline/apispec"
	"github.com/lisa-bench/lisa-bench/pipeline/recorded"
)

// onlyC is why the values of a library in C++ are not known: pipeline/recorded has wrappers for C alone.
const onlyC = "what calls return is observed in C only"

// An observer implements metrics.Observer for one library.
type observer struct {
	l *OpenLibrary

	mu      sync.Mutex
	printed map[string]recorded.Printed // by build and text of the program: many bugs are compared with the same build
}

// Observe implements metrics.Observer. Programs are changed so that they print what calls of the library return.
func (o *observer) Observe(ctx context.Context, fixed, changed *libbuild.Build, programs []trial.Program, limits []time.Duration, repeats int) (seen []metrics.Observation, why string, err error) {
	if o.l.Spec.Language != trial.C {
		why = onlyC
	}
	if len(programs) == 0 {
		return nil, why, nil
	}
	printed, err := o.print(ctx, fixed, programs)
	if err != nil {
		return nil, "", err
	}
	if !slices.ContainsFunc(printed, func(p recorded.Printed) bool { return p.Problem == "" }) {
		why = printed[0].Problem
	}
	var left []int // programs that got another value so far
	seen = make([]metrics.Observation, len(programs))
	for i, p := range printed {
		if p.Problem != "" {
			printed[i].Program, seen[i].Unobserved = programs[i], true
		}
		left = append(left, i)
	}
	for n := 0; n < repeats && len(left) > 0; n++ {
		got, err := o.run(ctx, changed, printed, left, limits)
		if err != nil {
			return nil, "", err
		}
		// One that does not compile, where the API is an older one, says nothing.
		differs := func(i int) bool { return got[i].Outcome.Compiled() && printed[i].Differs(got[i]) }
		left = slices.DeleteFunc(left, func(i int) bool { return !differs(i) })
		if n > 0 || len(left) == 0 {
			continue
		}
		// What has another value on the fixed build by now, such as the time, is no difference.
		again, err := o.run(ctx, fixed, printed, left, nil)
		if err != nil {
			return nil, "", err
		}
		left = slices.DeleteFunc(left, func(i int) bool {
			printed[i] = printed[i].Keep(again[i])
			return again[i].Outcome != trial.OK || !differs(i)
		})
	}
	for _, i := range left {
		seen[i].Differs = repeats > 0
	}
	return seen, why, nil
}

// run runs some of the programs on a build, and returns their results at their places.
func (o *observer) run(ctx context.Context, b *libbuild.Build, printed []recorded.Printed, some []int, limits []time.Duration) ([]trial.Result, error) {
	var programs []trial.Program
	options := testrun.Options{Stdout: true}
	for _, i := range some {
		programs = append(programs, printed[i].Program)
		if limits != nil {
			options.CPU = append(options.CPU, limits[i])
		}
	}
	results, err := o.l.Engine.Run(ctx, b, programs, options)
	if err != nil {
		return nil, err
	}
	all := make([]trial.Result, len(printed))
	for k, i := range some {
		all[i] = results[k]
	}
	return all, nil
}

// print returns what programs print on a build.
func (o *observer) print(ctx context.Context, b *libbuild.Build, programs []trial.Program) ([]recorded.Printed, error) {
	printed := make([]recorded.Printed, len(programs))
	target := headersOf(o.l.Spec, o.l.Edition, b)
	if target.Language != trial.C {
		for i := range printed {
			printed[i].Problem = onlyC
		}
		return printed, nil
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	var missing []trial.Program
	for _, p := range programs {
		if _, known := o.printed[b.Key+p.Source]; !known {
			missing = append(missing, p)
		}
	}
	if len(missing) > 0 {
		spec, err := apispec.Load(ctx, o.l.shop.Compiler, target)
		if err != nil {
			return nil, err
		}
		r, err := recorded.New(target, spec, testrun.Reference{Engine: o.l.Engine, Plain: b}, 1)
		if err != nil {
			return nil, err
		}
		news, err := r.Print(ctx, missing)
		if err != nil {
			return nil, err
		}
		for i, p := range missing {
			o.printed[b.Key+p.Source] = news[i]
		}
	}
	for i, p := range programs {
		printed[i] = o.printed[b.Key+p.Source]
	}
	return printed, nil
}
