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

// A probe is a program that prints what it gets.
type probe struct {
	trial.Program
	metrics.Observation
	limit   time.Duration    // of processor time on the changed build
	printed recorded.Printed // on the fixed build, the same each time
	got     trial.Result     // on the changed build
}

// differs reports whether the program got another value. One that does not compile, where the API is an older one,
// says nothing.
func (p *probe) differs() bool { return p.got.Outcome.Compiled() && p.printed.Differs(p.got) }

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
	probes := make([]*probe, len(programs))
	for i, p := range printed {
		probes[i] = &probe{Program: p.Program, printed: p, limit: limits[i]}
		if p.Problem != "" {
			probes[i].Program, probes[i].Unobserved = programs[i], true
		}
	}
	left, err := o.differing(ctx, fixed, changed, probes, repeats)
	if err != nil {
		return nil, "", err
	}
	for _, p := range left {
		p.Differs = repeats > 0
	}
	for _, p := range probes {
		seen = append(seen, p.Observation)
	}
	return seen, why, nil
}

// differing returns the probes that differ in each of the runs.
func (o *observer) differing(ctx context.Context, fixed, changed *libbuild.Build, left []*probe, repeats int) ([]*probe, error) {
	for n := 0; n < repeats && len(left) > 0; n++ {
		results, err := o.run(ctx, changed, left, true)
		if err != nil {
			return nil, err
		}
		for i, p := range left {
			p.got = results[i]
		}
		left = slices.DeleteFunc(slices.Clone(left), func(p *probe) bool { return !p.differs() })
		if n > 0 || len(left) == 0 {
			continue
		}
		// What has another value on the fixed build by now, such as the time, is no difference.
		if results, err = o.run(ctx, fixed, left, false); err != nil {
			return nil, err
		}
		var still []*probe
		for i, p := range left {
			p.printed = p.printed.Keep(results[i])
			if results[i].Outcome == trial.OK && p.differs() {
				still = append(still, p)
			}
		}
		left = still
	}
	return left, nil
}

func (o *observer) run(ctx context.Context, b *libbuild.Build, probes []*probe, limited bool) ([]trial.Result, error) {
	programs, options := make([]trial.Program, len(probes)), testrun.Options{Stdout: true}
	for i, p := range probes {
		if programs[i] = p.Program; limited {
			options.CPU = append(options.CPU, p.limit)
		}
	}
	return o.l.Engine.Run(ctx, b, programs, options)
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
