package subject

import (
	"context"
	"slices"
	"sync"
	"time"

	"github.com/lisa-bench/lisa-bench/internal/build/libbuild"
	"github.com/lisa-bench/lisa-bench/internal/exec/testrun"
	"github.com/lisa-bench/lisa-bench/internal/trial"
	"github.com/lisa-bench/lisa-bench/pipeline/apispec"
	"github.com/lisa-bench/lisa-bench/pipeline/recorded"
)

// An observer implements metrics.Observer for one library. It remembers what programs print on a build, for
// many bugs are compared with the same one.
type observer struct {
	l *OpenLibrary

	mu     sync.Mutex
	builds map[string]*observed // by directory
}

// observed is one build with what is known of it.
type observed struct {
	build   *libbuild.Build
	target  trial.Target
	spec    *apispec.Spec               // nil for a library in C++, whose values are not observed
	printed map[string]recorded.Printed // by text of the program
}

// Observe implements metrics.Observer. A program whose values cannot be read is judged by how it ends.
func (o *observer) Observe(ctx context.Context, fixed, changed *libbuild.Build, programs []trial.Program, limits []time.Duration, repeats int) (differs, unobserved []bool, why string, err error) {
	differs, unobserved = make([]bool, len(programs)), make([]bool, len(programs))
	if len(programs) == 0 {
		if o.l.Spec.Language != trial.C {
			why = onlyC
		}
		return differs, unobserved, why, nil
	}
	on, why, err := o.on(ctx, fixed, programs)
	if err != nil {
		return nil, nil, "", err
	}
	watched := make([]trial.Program, len(programs))
	for i, p := range programs {
		watched[i] = on[i].Program
		if unobserved[i] = on[i].Problem != ""; unobserved[i] {
			watched[i] = p
		}
	}
	left := make([]int, len(programs))
	for i := range left {
		left[i] = i
	}
	for n := 0; n < repeats && len(left) > 0; n++ {
		results, err := o.run(ctx, changed, watched, left, limits)
		if err != nil {
			return nil, nil, "", err
		}
		// A program that does not compile, for the build is of an older API, says nothing.
		differ := func(i int) bool { return results[i].Outcome.Compiled() && on[i].Differs(results[i]) }
		left = slices.DeleteFunc(left, func(i int) bool { return !differ(i) })
		if n == 0 { // what has another value on the fixed build by now, such as the time, is no difference
			again, err := o.run(ctx, fixed, watched, left, nil)
			if err != nil {
				return nil, nil, "", err
			}
			for i, r := range again {
				on[i] = on[i].Keep(r)
				o.remember(fixed, programs[i], on[i])
			}
			left = slices.DeleteFunc(left, func(i int) bool { return again[i].Outcome != trial.OK || !differ(i) })
		}
	}
	for _, i := range left {
		differs[i] = repeats > 0
	}
	return differs, unobserved, why, nil
}

// run runs those of the programs and returns their results by index. limits are of all programs, nil for none.
func (o *observer) run(ctx context.Context, b *libbuild.Build, programs []trial.Program, list []int, limits []time.Duration) (map[int]trial.Result, error) {
	batch, cpu := make([]trial.Program, len(list)), make([]time.Duration, len(list))
	for k, i := range list {
		batch[k] = programs[i]
		if limits != nil {
			cpu[k] = limits[i]
		}
	}
	results, err := o.l.Engine.Run(ctx, b, batch, testrun.Options{Stdout: true, CPU: cpu})
	if err != nil {
		return nil, err
	}
	byIndex := map[int]trial.Result{}
	for k, i := range list {
		byIndex[i] = results[k]
	}
	return byIndex, nil
}

// remember notes what a program prints on a build that was asked about before.
func (o *observer) remember(b *libbuild.Build, p trial.Program, printed recorded.Printed) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.builds[b.Dir].printed[p.Source] = printed
}

// on returns what programs print on a build. why says why no program prints anything, "" if some do.
func (o *observer) on(ctx context.Context, b *libbuild.Build, programs []trial.Program) (printed []recorded.Printed, why string, err error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	known := o.builds[b.Dir]
	if known == nil {
		if known, err = o.open(ctx, b); err != nil {
			return nil, "", err
		}
		o.builds[b.Dir] = known
	}
	var missing []trial.Program
	for _, p := range programs {
		if _, ok := known.printed[p.Source]; !ok {
			missing = append(missing, p)
		}
	}
	if len(missing) > 0 {
		news, err := o.print(ctx, known, missing)
		if err != nil {
			return nil, "", err
		}
		for i, p := range missing {
			known.printed[p.Source] = news[i]
		}
	}
	all := true
	for _, p := range programs {
		is := known.printed[p.Source]
		printed = append(printed, is)
		all = all && is.Problem != ""
	}
	if all && len(printed) > 0 {
		why = printed[0].Problem
	}
	return printed, why, nil
}

// onlyC is why the values of a library in C++ are not known: pipeline/interpose has wrappers for C alone.
const onlyC = "what calls return is observed in C only"

// open reads the API of a build.
func (o *observer) open(ctx context.Context, b *libbuild.Build) (on *observed, err error) {
	on = &observed{build: b, target: headersOf(o.l.Spec, o.l.Edition, b), printed: map[string]recorded.Printed{}}
	if on.target.Language == trial.C {
		on.spec, err = apispec.Load(ctx, o.l.shop.Compiler, on.target)
	}
	return on, err
}

// print asks a recorder of its own, for one leaves out what could not be read of the programs before.
func (o *observer) print(ctx context.Context, on *observed, programs []trial.Program) ([]recorded.Printed, error) {
	if on.spec == nil {
		list := make([]recorded.Printed, len(programs))
		for i := range list {
			list[i].Problem = onlyC
		}
		return list, nil
	}
	r, err := recorded.New(on.target, on.spec, testrun.Reference{Engine: o.l.Engine, Plain: on.build}, 1)
	if err != nil {
		return nil, err
	}
	return r.Print(ctx, programs)
}
