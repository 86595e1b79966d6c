package metrics

import (
	"context"
	"fmt"
	"math"
	"slices"
	"sync"

	"golang.org/x/sync/errgroup"

	"github.com/lisa-bench/lisa-bench/bench/libbuild"
	"github.com/lisa-bench/lisa-bench/execute/testrun"
	"github.com/lisa-bench/lisa-bench/internal/trial"
)

// A Disguiser makes disguised builds for one bug (libbuild.Disguise).
type Disguiser interface {
	// Build makes another build, unlike all before.
	Build(ctx context.Context, as libbuild.Behaviour) (*libbuild.Build, error)
	// Close removes them.
	Close() error
}

const (
	// chanceBound bounds the probability that any test of a suite detects any bug by chance.
	chanceBound = 1e-6
	// disguisedPasses is on how many builds disguised as the reference each detecting test has passed at least.
	disguisedPasses = 2
	// aloneTries is how many of a bug's detecting tests are tried stand-alone before all of them are dropped.
	aloneTries = 3
	// wallPatience is how many times the limit of processor time the wall limit is, of a test that hangs on the buggy
	// build: it ends those that sleep, of which each would else take the whole timeout on many builds.
	wallPatience = 5
)

// disguisesFor returns how many disguised builds a test is run on before its bug counts. A fair coin has drawn what
// each behaves like. So a test that does not know it is right on all of them with probability 2^-n, whether it uses a
// clock, chance or the bytes of the build. Of all pairs of a test and a bug one is with at most tests × bugs × 2^-n ≤
// chanceBound. It is a multiple of 4, so that one test more or one bug more seldom makes what was confirmed be
// confirmed again.
func disguisesFor(tests, bugs int) int {
	pairs := float64(max(tests, 1)) * float64(max(bugs, 1))
	return 4 * int(math.Ceil(math.Log2(pairs/chanceBound)/4))
}

// A confirmation runs the tests that have failed on one bug's build on disguised builds.
type confirmation struct {
	*Programs
	bug      Bug
	fixed    *libbuild.Build // without the bug
	suspects []*finding
	builds   []disguised
	mu       sync.Mutex // of what runs on several builds add to suspects
}

// A disguised build is made when it is first asked for.
type disguised struct {
	as    libbuild.Behaviour
	build func() (*libbuild.Build, error)
}

// open reports whether nothing speaks against the suspect so far.
func (f *finding) open() bool { detects, _ := f.judge(0); return detects }

// confirm settles tests: each is run on the first disguised builds, and one of each oracle class on all n that chance is
// held against. One of these must do the same stand-alone.
func (e *Programs) confirm(ctx context.Context, bug Bug, fixed *libbuild.Build, found []*finding, n int) (err error) {
	c := &confirmation{Programs: e, bug: bug, fixed: fixed, suspects: found}
	for _, f := range found {
		if f.limitCPU = f.limit(); fixed.SharedLib == e.Reference.SharedLib {
			f.without = []trial.Outcome{f.ending.Outcome}
		}
	}
	disguiser, err := bug.Disguise(ctx)
	if err != nil {
		return as(trial.ReasonBuild, err)
	}
	defer func() {
		if closeErr := disguiser.Close(); err == nil {
			err = closeErr
		}
	}()
	first := c.draw(ctx, disguiser, n)
	if err := c.onFixed(ctx); err != nil {
		return err
	}
	for _, d := range c.builds[:first] {
		if err := c.on(ctx, d, c.open()); err != nil {
			return err
		}
	}
	represent := func(ctx context.Context) error { return c.represent(ctx, c.builds[first:]) }
	for _, step := range []func(context.Context) error{represent, c.alone, represent, c.again} {
		if err := step(ctx); err != nil {
			return err
		}
	}
	for _, f := range found {
		f.Detects, f.Why = f.judge(c.Repeats)
		f.Stands, f.Unstable = f.Stands && f.Detects, f.Why != "" && f.failsWithout()
	}
	return nil
}

// open are the suspects that nothing speaks against.
func (c *confirmation) open() []*finding { return where(c.suspects, (*finding).open) }

// draw draws what each of at least n builds behaves like, and returns how many of them every suspect is run on: the
// first ones, with enough of either behaviour for the n runs of a detection.
func (c *confirmation) draw(ctx context.Context, disguiser Disguiser, n int) (first int) {
	coin := c.Secret.Stream("disguises of " + c.bug.ID)
	drawn := map[libbuild.Behaviour]int{}
	for len(c.builds) < n || first == 0 {
		behaviour := libbuild.Behaviour(coin.IntN(2))
		c.builds = append(c.builds, disguised{behaviour, sync.OnceValues(func() (*libbuild.Build, error) {
			b, err := disguiser.Build(ctx, behaviour)
			return b, as(trial.ReasonBuild, err)
		})})
		drawn[behaviour]++
		if first == 0 && drawn[libbuild.AsReference] >= max(disguisedPasses, c.Repeats-1) && drawn[libbuild.AsBuggy] >= max(1, c.Repeats-1) {
			first = len(c.builds)
		}
	}
	return first
}

// run runs suspects on a build, with their limits if limited.
func (c *confirmation) run(ctx context.Context, b *libbuild.Build, suspects []*finding, limited bool) ([]trial.Result, error) {
	if len(suspects) == 0 {
		return nil, nil
	}
	programs := make([]trial.Program, len(suspects))
	var o testrun.Options
	for i, s := range suspects {
		programs[i] = s.Program
		if limited {
			o.CPU, o.Wall = append(o.CPU, s.limitCPU), append(o.Wall, s.limitWall)
		}
	}
	results, err := c.Runner.Run(ctx, b, programs, o)
	return results, as(trial.ReasonSandbox, err)
}

// onFixed runs all suspects on the build without the bug, and sets their limits on the other builds: one that is not
// the reference may take longer.
func (c *confirmation) onFixed(ctx context.Context) error {
	results, err := c.run(ctx, c.fixed, c.suspects, false)
	if err != nil {
		return err
	}
	for i, s := range c.suspects {
		s.without = append(s.without, results[i].Outcome)
		s.limitCPU = max(s.limitCPU, testrun.PatienceWithBugs.Limit(results[i].CPU()))
		if s.with[0] == trial.Timeout {
			s.limitWall = wallPatience * testrun.PatienceWithBugs.Limit(results[i].Wall())
		}
	}
	return nil
}

// on runs suspects on a disguised build.
func (c *confirmation) on(ctx context.Context, d disguised, suspects []*finding) error {
	if len(suspects) == 0 {
		return nil
	}
	b, err := d.build()
	if err != nil {
		return err
	}
	results, err := c.run(ctx, b, suspects, true)
	if err != nil {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	for i, s := range suspects {
		if d.as == libbuild.AsReference {
			s.asWithout = append(s.asWithout, results[i].Outcome)
			s.took = max(s.took, results[i].Wall())
		} else {
			s.asWith = append(s.asWith, results[i].Outcome)
		}
	}
	return nil
}

// represent looks, for each oracle class without one, for a suspect that agrees with all builds: the
// one that takes least time, then the next. The others of its class count with it.
func (c *confirmation) represent(ctx context.Context, builds []disguised) error {
	for {
		stood := map[trial.OracleClass]bool{}
		for _, s := range c.open() {
			stood[s.class] = stood[s.class] || s.Stands
		}
		fastest := map[trial.OracleClass]*finding{}
		for _, s := range c.open() {
			if best := fastest[s.class]; !stood[s.class] && (best == nil || s.took < best.took) {
				fastest[s.class] = s
			}
		}
		if len(fastest) == 0 {
			return nil
		}
		next := where(c.open(), func(s *finding) bool { return fastest[s.class] == s })
		if err := c.onAll(ctx, builds, next); err != nil {
			return err
		}
		for _, s := range next {
			s.Stands = s.open()
		}
	}
}

// onAll runs suspects on builds as long as they agree. Several builds are made and run at a time.
func (c *confirmation) onAll(ctx context.Context, builds []disguised, suspects []*finding) error {
	workers := max(c.Workers, 1)
	for some := range slices.Chunk(builds, 2*workers) {
		left := where(suspects, (*finding).open)
		g, ctx := errgroup.WithContext(ctx)
		g.SetLimit(workers)
		for _, d := range some {
			g.Go(func() error { return c.on(ctx, d, left) })
		}
		if err := g.Wait(); err != nil {
			return err
		}
	}
	return nil
}

// alone runs suspects stand-alone, without any of the short cuts, until one agrees there too: first those that stand
// for a class. If the first few do not, none counts.
func (c *confirmation) alone(ctx context.Context) error {
	order := slices.Concat(where(c.open(), func(s *finding) bool { return s.Stands }), where(c.open(), func(s *finding) bool { return !s.Stands }))
	for _, s := range order[:min(aloneTries, len(order))] {
		if err := c.runAlone(ctx, s); err != nil {
			return err
		}
		if s.open() {
			return nil
		}
	}
	for _, s := range c.open() {
		s.oddAlone = true
	}
	return nil
}

// runAlone runs a suspect stand-alone on a disguised build of each behaviour, in an order that was drawn.
func (c *confirmation) runAlone(ctx context.Context, s *finding) error {
	ran := map[libbuild.Behaviour]bool{}
	for _, d := range c.builds {
		if ran[d.as] || s.oddAlone {
			continue
		}
		ran[d.as] = true
		b, err := d.build()
		if err != nil {
			return err
		}
		on, err := c.Runner.Plain(ctx, b, s.Program, testrun.PlainOptions{CPU: s.limitCPU})
		if err != nil {
			return as(trial.ReasonSandbox, err)
		}
		if d.as == libbuild.AsBuggy {
			s.oddAlone = !failed(on[0].Outcome)
			continue
		}
		if s.oddAlone = !passed(on[0].Outcome); on[0].Outcome.Compiled() {
			continue
		}
		undisguised, err := c.Runner.Plain(ctx, c.fixed, s.Program, testrun.PlainOptions{})
		if err != nil {
			return as(trial.ReasonSandbox, err)
		}
		if undisguised[0].Outcome.Compiled() {
			return as(trial.ReasonBuild, fmt.Errorf("bug %s: test %s links with the plain build and not with the disguised one: %s",
				c.bug.ID, s.ID, on[0].Diagnostic))
		}
	}
	return nil
}

// again tells the tests that depend on the build from those that fail without the bug at times.
func (c *confirmation) again(ctx context.Context) error {
	for range max(c.Repeats, 1) {
		doubtful := where(c.suspects, func(s *finding) bool {
			_, why := s.judge(0)
			return why == trial.DependsOnBuild
		})
		results, err := c.run(ctx, c.fixed, doubtful, false)
		if err != nil {
			return err
		}
		for i, s := range doubtful {
			s.without = append(s.without, results[i].Outcome)
		}
	}
	return nil
}
