package subject

import (
	"context"
	"sync"

	"github.com/lisa-bench/lisa-bench/internal/libbuild"
	"github.com/lisa-bench/lisa-bench/internal/testrun"
	"github.com/lisa-bench/lisa-bench/internal/trial"
	"github.com/lisa-bench/lisa-bench/pipeline/apispec"
	"github.com/lisa-bench/lisa-bench/pipeline/recorded"
)

// An observer implements metrics.Observer for one library. It remembers what programs print on a build, for
// many bugs are compared with the same one.
type observer struct {
	l *OpenLibrary

	mu      sync.Mutex
	printed map[string]map[string]recorded.Printed // by directory of the build and text of the program
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
	known := o.printed[b.Dir]
	if known == nil {
		known = map[string]recorded.Printed{}
		if o.printed == nil {
			o.printed = map[string]map[string]recorded.Printed{}
		}
		o.printed[b.Dir] = known
	}
	var missing []trial.Program
	for _, p := range programs {
		if _, ok := known[p.Source]; !ok {
			missing = append(missing, p)
		}
	}
	if len(missing) > 0 {
		news, err := o.print(ctx, b, missing)
		if err != nil {
			return nil, "", err
		}
		for i, p := range missing {
			known[p.Source] = news[i]
		}
	}
	all := true
	for _, p := range programs {
		is := known[p.Source]
		printed = append(printed, is)
		all = all && is.Problem != ""
	}
	if all && len(printed) > 0 {
		why = printed[0].Problem
	}
	return printed, why, nil
}

func (o *observer) print(ctx context.Context, b *libbuild.Build, programs []trial.Program) ([]recorded.Printed, error) {
	target := trial.Target{Library: o.l.Spec.Name, Language: o.l.Spec.Language, Headers: o.l.Spec.InstalledHeaders(o.l.Edition), IncludeDirs: []string{b.IncludeDir}}
	if target.Language != trial.C {
		list := make([]recorded.Printed, len(programs))
		for i := range list {
			list[i].Problem = "what calls return is observed in C only"
		}
		return list, nil
	}
	spec, err := apispec.Load(ctx, o.l.shop.Tools.Clang.Path, target)
	if err != nil {
		return nil, err
	}
	r, err := recorded.New(target, spec, testrun.Reference{Engine: o.l.Engine, Plain: b}, 1)
	if err != nil {
		return nil, err
	}
	return r.Print(ctx, programs)
}
