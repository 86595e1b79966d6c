package metrics

import (
	"context"
	"fmt"
	"math"
	"slices"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/lisa-bench/lisa-bench/bench/libbuild"
	"github.com/lisa-bench/lisa-bench/execute/testrun"
	"github.com/lisa-bench/lisa-bench/internal/trial"
)

// A Disguiser makes builds of both sides of a bug that differ recognisably only in their behaviour
// (libbuild.Disguise).
type Disguiser interface {
	// Draw makes another build, unlike all before.
	Draw(ctx context.Context, side libbuild.Side) (*libbuild.Build, error)
	// Close removes them.
	Close() error
}

const (
	// chanceBound bounds the probability that any test of a suite detects any bug by chance.
	chanceBound = 1e-6
	// disguisedPasses is on how many disguised builds without the bug each detecting test has passed at least.
	disguisedPasses = 2
	// aloneTries is how many of a bug's detecting tests are tried stand-alone before all of them are dropped.
	aloneTries = 3
	// wallPatience is how many times the limit of processor time the wall limit is, of a test that hangs on the buggy
	// build: it ends those that sleep, of which each would else take the whole timeout on many builds.
	wallPatience = 5
)

// drawsFor returns how many builds a test is run on before its bug counts. A fair coin has drawn what each behaves
// like. So a test that does not know it is right in all of them with probability 2^-draws, whether it uses a clock,
// chance or the bytes of the build. Of all pairs of a test and a bug one is with at most tests × bugs × 2^-draws ≤
// chanceBound. It is a multiple of 4, so that one test more or one bug more seldom makes what was confirmed be
// confirmed again.
func drawsFor(tests, bugs int) int {
	pairs := float64(max(tests, 1)) * float64(max(bugs, 1))
	return 4 * int(math.Ceil(math.Log2(pairs/chanceBound)/4))
}

// A confirmation runs the tests that have failed on one bug's build on disguised builds.
type confirmation struct {
	*Programs
	bug          Bug
	fixed, buggy *libbuild.Build
	suspects     []*suspect

	disguise Disguiser
	sides    []libbuild.Side // of the disguised builds, drawn
	mu       sync.Mutex      // of builds, and of what several builds' runs add to suspects
	builds   []*libbuild.Build
}

// A suspect is a test that may detect the bug.
type suspect struct {
	sighting
	*test
	class  trial.OracleClass
	stands bool // for its class: it agrees with all builds

	cpu, wall time.Duration // its limits on the disguised builds; 0: none of its own
	took      time.Duration // the longest on one that behaves as without the bug
}

// open reports whether nothing speaks against the suspect so far.
func (s *suspect) open() bool { detects, _ := s.judge(0); return detects }

func newConfirmation(e *Programs, bug Bug, fixed, buggy *libbuild.Build, found []*finding) *confirmation {
	c := &confirmation{Programs: e, bug: bug, fixed: fixed, buggy: buggy}
	for _, f := range found {
		s := &suspect{test: f.test, class: f.test.oracle(f.ending), cpu: f.test.limit()}
		s.with, s.forged, s.reaches = []trial.Outcome{f.ending.Outcome}, f.test.executed.forged, f.reaches
		if fixed.SharedLib == e.Reference.SharedLib {
			s.without = []trial.Outcome{f.test.ending.Outcome}
		}
		c.suspects = append(c.suspects, s)
	}
	return c
}

// confirm runs each suspect on the first disguised builds, and one of each oracle class on all that chance is held
// against. One of these must do the same stand-alone. The answers are in the order of the suspects.
func (c *confirmation) confirm(ctx context.Context, draws int) (answers []settled, err error) {
	if c.disguise, err = c.bug.Disguise(ctx); err != nil {
		return nil, as(trial.ReasonBuild, err)
	}
	defer func() {
		if closeErr := c.disguise.Close(); err == nil {
			err = closeErr
		}
	}()
	first := c.draw(draws)
	if err := c.onFixed(ctx); err != nil {
		return nil, err
	}
	for d := range first {
		if err := c.on(ctx, d, c.open()); err != nil {
			return nil, err
		}
	}
	for _, step := range []func(context.Context, int) error{c.represent, c.alone, c.represent, c.again} {
		if err := step(ctx, first); err != nil {
			return nil, err
		}
	}
	for _, s := range c.suspects {
		detects, why := s.judge(c.Repeats)
		answers = append(answers, settled{Detects: detects, Why: why, Stands: s.stands && detects, Unstable: why != "" && s.failsWithout()})
	}
	return answers, nil
}

func (c *confirmation) open() (open []*suspect) {
	for _, s := range c.suspects {
		if s.open() {
			open = append(open, s)
		}
	}
	return open
}

// draw draws what all builds behave like, and returns how many of them every suspect is run on: the first ones, with
// enough of either side for n runs.
func (c *confirmation) draw(draws int) (first int) {
	coin := c.Secret.Stream("sides of " + c.bug.ID)
	var n [2]int
	for len(c.sides) < draws || first == 0 {
		side := libbuild.Side(coin.IntN(2))
		c.sides = append(c.sides, side)
		n[side]++
		if first == 0 && n[libbuild.Fixed] >= max(disguisedPasses, c.Repeats-1) && n[libbuild.Buggy] >= max(1, c.Repeats-1) {
			first = len(c.sides)
		}
	}
	c.builds = make([]*libbuild.Build, len(c.sides))
	return first
}

// run runs suspects on a build, with their limits if limited.
func (c *confirmation) run(ctx context.Context, b *libbuild.Build, suspects []*suspect, limited bool) ([]trial.Result, error) {
	if len(suspects) == 0 {
		return nil, nil
	}
	programs := make([]trial.Program, len(suspects))
	var o testrun.Options
	for i, s := range suspects {
		programs[i] = s.Program
		if limited {
			o.CPU, o.Wall = append(o.CPU, s.cpu), append(o.Wall, s.wall)
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
		s.cpu = max(s.cpu, testrun.PatienceWithBugs.Limit(results[i].CPU()))
		if s.with[0] == trial.Timeout {
			s.wall = wallPatience * testrun.PatienceWithBugs.Limit(results[i].Wall())
		}
	}
	return nil
}

// build returns the dth disguised build, which is made when it is first asked for.
func (c *confirmation) build(ctx context.Context, d int) (*libbuild.Build, error) {
	c.mu.Lock()
	b := c.builds[d]
	c.mu.Unlock()
	if b != nil {
		return b, nil
	}
	b, err := c.disguise.Draw(ctx, c.sides[d])
	if err != nil {
		return nil, as(trial.ReasonBuild, err)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.builds[d] = b
	return b, nil
}

// on runs suspects on the dth disguised build.
func (c *confirmation) on(ctx context.Context, d int, suspects []*suspect) error {
	if len(suspects) == 0 {
		return nil
	}
	b, err := c.build(ctx, d)
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
		c.saw(s, d, results[i].Outcome)
		if c.sides[d] == libbuild.Fixed {
			s.took = max(s.took, results[i].Wall())
		}
	}
	return nil
}

// saw notes how a suspect ended on the dth disguised build.
func (c *confirmation) saw(s *suspect, d int, o trial.Outcome) {
	if c.sides[d] == libbuild.Fixed {
		s.asWithout = append(s.asWithout, o)
	} else {
		s.asWith = append(s.asWith, o)
	}
}

// represent looks, for each oracle class without one, for a suspect that agrees with all builds from the first on: the
// one that takes least time, then the next. The others of its class count with it.
func (c *confirmation) represent(ctx context.Context, first int) error {
	for {
		stood := map[trial.OracleClass]bool{}
		for _, s := range c.open() {
			stood[s.class] = stood[s.class] || s.stands
		}
		fastest := map[trial.OracleClass]*suspect{}
		for _, s := range c.open() {
			if best := fastest[s.class]; !stood[s.class] && (best == nil || s.took < best.took) {
				fastest[s.class] = s
			}
		}
		if len(fastest) == 0 {
			return nil
		}
		var next []*suspect
		for _, s := range c.suspects {
			if fastest[s.class] == s {
				next = append(next, s)
			}
		}
		if err := c.onAll(ctx, first, next); err != nil {
			return err
		}
		for _, s := range next {
			s.stands = s.open()
		}
	}
}

// onAll runs suspects on all disguised builds from the given one on, as long as they agree. Several builds are made
// and run at a time.
func (c *confirmation) onAll(ctx context.Context, from int, suspects []*suspect) error {
	workers := max(c.Workers, 1)
	for ; from < len(c.sides); from += 2 * workers {
		suspects = slices.DeleteFunc(slices.Clone(suspects), func(s *suspect) bool { return !s.open() })
		g, ctx := errgroup.WithContext(ctx)
		g.SetLimit(workers)
		for d := from; d < min(from+2*workers, len(c.sides)); d++ {
			g.Go(func() error { return c.on(ctx, d, suspects) })
		}
		if err := g.Wait(); err != nil {
			return err
		}
	}
	return nil
}

// alone runs suspects stand-alone, without any of the short cuts, until one agrees there too. If the first few do not,
// none counts.
func (c *confirmation) alone(ctx context.Context, _ int) error {
	order := c.open()
	slices.SortStableFunc(order, func(a, b *suspect) int {
		switch {
		case a.stands == b.stands:
			return 0
		case a.stands:
			return -1
		}
		return 1
	})
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

// runAlone runs a suspect stand-alone on a disguised build of each side, in an order that was drawn.
func (c *confirmation) runAlone(ctx context.Context, s *suspect) error {
	sides := []int{slices.Index(c.sides, libbuild.Fixed), slices.Index(c.sides, libbuild.Buggy)}
	slices.Sort(sides)
	for _, d := range sides {
		if !s.open() {
			return nil
		}
		b, err := c.build(ctx, d)
		if err != nil {
			return err
		}
		on, err := c.Runner.Plain(ctx, b, s.Program, testrun.PlainOptions{CPU: s.cpu})
		if err != nil {
			return as(trial.ReasonSandbox, err)
		}
		if c.sides[d] == libbuild.Fixed && on[0].Outcome != trial.OK {
			undisguised, err := c.Runner.Plain(ctx, c.fixed, s.Program, testrun.PlainOptions{})
			if err != nil {
				return as(trial.ReasonSandbox, err)
			}
			if undisguised[0].Outcome != trial.OK { // it cannot be judged alone
				s.oddAlone = true
				return nil
			}
			if !on[0].Outcome.Compiled() {
				return as(trial.ReasonBuild, fmt.Errorf("bug %s: test %s links with the plain build and not with the disguised one: %s",
					c.bug.ID, s.ID, on[0].Diagnostic))
			}
		}
		c.saw(s, d, on[0].Outcome)
	}
	return nil
}

// again tells the tests that depend on the build from those that fail without the bug at times.
func (c *confirmation) again(ctx context.Context, _ int) error {
	for range max(c.Repeats, 1) {
		var doubtful []*suspect
		for _, s := range c.suspects {
			if _, why := s.judge(0); why == trial.DependsOnBuild {
				doubtful = append(doubtful, s)
			}
		}
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
