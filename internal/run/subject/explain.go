package subject

import (
	"context"
	"sync"

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
func (o *observer) Observe(ctx context.Context, fixed, changed *libbuild.Build, programs []trial.Program, repeats int) (differs, unobserved []bool, why string, err error) {
	differs, unobserved = make([]bool, len(programs)), make([]bool, len(programs))
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
		differs[i] = true
	}
	left := make([]int, len(programs))
	for i := range left {
		left[i] = i
	}
	for n := 0; n < repeats && len(left) > 0; n++ {
		batch := make([]trial.Program, len(left))
		for k, i := range left {
			batch[k] = watched[i]
		}
		results, err := o.l.Engine.Run(ctx, changed, batch, testrun.Options{Stdout: true})
		if err != nil {
			return nil, nil, "", err
		}
		var still []int
		for k, i := range left {
			// A program that does not compile, for the build is of an older API, says nothing.
			if differs[i] = results[k].Outcome.Compiled() && on[i].Differs(results[k]); differs[i] {
				still = append(still, i)
			}
		}
		left = still
	}
	return differs, unobserved, why, nil
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

// open reads the API of a build.
func (o *observer) open(ctx context.Context, b *libbuild.Build) (on *observed, err error) {
	on = &observed{build: b, target: headersOf(o.l.Spec, o.l.Edition, b), printed: map[string]recorded.Printed{}}
	if on.target.Language == trial.C {
		on.spec, err = apispec.Load(ctx, o.l.shop.Tools.Clang.Path, on.target)
	}
	return on, err
}

// print asks a recorder of its own, for one leaves out what could not be read of the programs before.
func (o *observer) print(ctx context.Context, on *observed, programs []trial.Program) ([]recorded.Printed, error) {
	if on.spec == nil {
		list := make([]recorded.Printed, len(programs))
		for i := range list {
			list[i].Problem = "what calls return is observed in C only"
		}
		return list, nil
	}
	r, err := recorded.New(on.target, on.spec, testrun.Reference{Engine: o.l.Engine, Plain: on.build}, 1)
	if err != nil {
		return nil, err
	}
	return r.Print(ctx, programs)
}
