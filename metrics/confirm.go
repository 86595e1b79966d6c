package metrics

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/lisa-bench/lisa-bench/internal/build/libbuild"
	"github.com/lisa-bench/lisa-bench/internal/exec/testrun"
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

// chanceBound bounds the probability that any test of a suite detects any bug by chance.
const chanceBound = 1e-6

// placebos is on how many builds of the fixed side each detecting test has passed at least.
const placebos = 2

// drawsFor returns how many builds a test is run on before its bug counts. Each is of a side that a fair coin
// has drawn. So a test that does not know the side is right in all of them with probability 2^-draws, whether
// it uses a clock, chance or the bytes of the build. Of all pairs of a test and a bug one is with at most tests
// × bugs × 2^-draws ≤ chanceBound. It is a multiple of 4, so that one test more or one bug more seldom makes
// what was confirmed be confirmed again.
func drawsFor(tests, bugs int) int {
	pairs := float64(max(tests, 1)) * float64(max(bugs, 1))
	return 4 * int(math.Ceil(math.Log2(pairs/chanceBound)/4))
}

// A confirmation looks at the tests that have failed on one bug's plain build.
type confirmation struct {
	*Programs
	bug      Bug
	on       sides
	programs []trial.Program
	how      map[int]verdict
	oracle   func(i int) trial.OracleClass

	disguise Disguiser
	sides    []libbuild.Side // of the builds, drawn
	mu       sync.Mutex      // of builds
	builds   []*libbuild.Build
	wall     map[int]time.Duration // the longest that a test took on the fixed side
	limits   testrun.Options       // by test

	stable    []int // agree with the sides of the first builds
	reps      []int // agree with the sides of all
	unstable  []int // changed their verdict from run to run
	flaky     []int // of these, those that failed on the fixed side
	dependent []int // fail on a build because it is another than the reference
}

// confirm runs the tests that fail on the buggy build on disguised builds of both sides. A test
// stays if it fails on the buggy ones and passes on the others. Its class stays if one of its tests
// does so on all builds that chance is held against. One of these must do the same stand-alone.
func (c *confirmation) confirm(ctx context.Context, failing []int) (err error) {
	if len(failing) == 0 {
		return nil
	}
	if c.disguise, err = c.bug.Disguise(ctx); err != nil {
		return as(trial.ReasonBuild, err)
	}
	defer func() {
		if closeErr := c.disguise.Close(); err == nil {
			err = closeErr
		}
	}()
	first := c.draw(c.Secret.Stream("sides of " + c.bug.ID))
	c.wall = map[int]time.Duration{}
	left, err := c.time(ctx, failing)
	if err != nil {
		return err
	}
	for d := range first {
		if left, err = c.agree(ctx, d, left); err != nil {
			return err
		}
	}
	c.stable = left
	if err := c.represent(ctx, first); err != nil {
		return err
	}
	if err := c.alone(ctx); err != nil {
		return err
	}
	if err := c.represent(ctx, first); err != nil { // whose representative was not the same alone
		return err
	}
	return c.judge(ctx)
}

// draw draws the sides of all builds, and returns how many of them every test is run on: the first
// ones, with enough of either side.
func (c *confirmation) draw(coin *rand.Rand) (first int) {
	need := drawsFor(len(c.programs), len(c.Bugs))
	var n [2]int
	for len(c.sides) < need || first == 0 {
		side := libbuild.Side(coin.IntN(2))
		c.sides = append(c.sides, side)
		n[side]++
		if first == 0 && n[libbuild.Fixed] >= max(placebos, c.Repeats-1) && n[libbuild.Buggy] >= max(1, c.Repeats-1) {
			first = len(c.sides)
		}
	}
	c.builds = make([]*libbuild.Build, len(c.sides))
	return first
}

// wallPatience is how many times the limit of processor time the wall limit is, of a test that hangs on the
// buggy build: it ends those that sleep, of which each would else take the whole timeout on many builds.
const wallPatience = 5

// time runs the tests on the plain fixed build and returns those that pass, with limits for the other
// builds: the fixed one of a pair is not the reference, and may take longer.
func (c *confirmation) time(ctx context.Context, tests []int) (left []int, err error) {
	results, err := c.Runner.Run(ctx, c.on.fixed, pick(c.programs, tests), testrun.Options{})
	if err != nil {
		return nil, as(trial.ReasonSandbox, err)
	}
	c.limits = testrun.Options{CPU: slices.Clone(c.Programs.limits), Wall: make([]time.Duration, len(c.programs))}
	for k, i := range tests {
		switch {
		case results[k].Outcome == trial.OK:
			left = append(left, i)
			c.limits.CPU[i] = max(c.limits.CPU[i], testrun.PatienceWithBugs.Limit(results[k].CPU()))
			if c.how[i].Outcome == trial.Timeout {
				c.limits.Wall[i] = wallPatience * testrun.PatienceWithBugs.Limit(results[k].Wall())
			}
		case c.on.fixed.SharedLib == c.Reference.SharedLib: // where it has passed
			c.unstable, c.flaky = append(c.unstable, i), append(c.flaky, i)
		}
	}
	return left, nil
}

// build returns the dth build, which is made when it is first asked for.
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

// agree runs tests on the dth build and returns those whose verdict is that build's side.
func (c *confirmation) agree(ctx context.Context, d int, tests []int) (left []int, err error) {
	if len(tests) == 0 {
		return nil, nil
	}
	b, err := c.build(ctx, d)
	if err != nil {
		return nil, err
	}
	results, err := c.Runner.Run(ctx, b, pick(c.programs, tests),
		testrun.Options{CPU: pick(c.limits.CPU, tests), Wall: pick(c.limits.Wall, tests)})
	if err != nil {
		return nil, as(trial.ReasonSandbox, err)
	}
	for k, i := range tests {
		if c.is(d, i, results[k]) {
			left = append(left, i)
		}
	}
	return left, nil
}

// is reports whether a test's result on the dth build is that of the build's side, and notes what it
// is if not.
func (c *confirmation) is(d, i int, r trial.Result) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case c.sides[d] == libbuild.Fixed && r.Outcome == trial.OK:
		c.wall[i] = max(c.wall[i], r.Wall())
		return true
	case c.sides[d] == libbuild.Fixed:
		c.dependent = append(c.dependent, i) // or flaky: see judge
	case fails(r):
		return true
	default:
		c.unstable = append(c.unstable, i)
	}
	return false
}

// represent looks, for each oracle class without one, for a stable test that agrees with all builds: the one
// that takes least time, then the next. The others of its class stay with it.
func (c *confirmation) represent(ctx context.Context, first int) error {
	waiting := map[trial.OracleClass][]int{}
	for _, i := range c.stable {
		if slices.ContainsFunc(c.reps, func(rep int) bool { return c.oracle(rep) == c.oracle(i) }) {
			continue
		}
		waiting[c.oracle(i)] = append(waiting[c.oracle(i)], i)
	}
	for _, tests := range waiting {
		slices.SortStableFunc(tests, func(a, b int) int { return cmp.Compare(c.wall[a], c.wall[b]) })
	}
	for len(waiting) > 0 {
		var tests []int
		for _, list := range waiting {
			tests = append(tests, list[0])
		}
		slices.Sort(tests)
		left, err := c.agreeAll(ctx, first, tests)
		if err != nil {
			return err
		}
		for _, i := range tests {
			class := c.oracle(i)
			if slices.Contains(left, i) {
				c.reps = append(c.reps, i)
				delete(waiting, class)
				continue
			}
			c.stable = without(c.stable, i)
			if waiting[class] = waiting[class][1:]; len(waiting[class]) == 0 {
				delete(waiting, class)
			}
		}
	}
	slices.Sort(c.reps)
	c.keepRepresented()
	return nil
}

// keepRepresented drops the stable tests of classes without a representative.
func (c *confirmation) keepRepresented() {
	kept := map[trial.OracleClass]bool{}
	for _, i := range c.reps {
		kept[c.oracle(i)] = true
	}
	for _, i := range c.stable {
		if !kept[c.oracle(i)] {
			c.unstable = append(c.unstable, i)
		}
	}
	c.stable = slices.DeleteFunc(c.stable, func(i int) bool { return !kept[c.oracle(i)] })
}

// agreeAll returns the tests that agree with all builds from the given one on. Several builds are
// made and run at a time.
func (c *confirmation) agreeAll(ctx context.Context, from int, tests []int) ([]int, error) {
	left := tests
	for draws := range slices.Chunk(indexes(len(c.sides))[from:], 2*max(c.Workers, 1)) {
		if len(left) == 0 {
			break
		}
		good := make([][]int, len(draws))
		g, ctx := errgroup.WithContext(ctx)
		g.SetLimit(max(c.Workers, 1))
		for k, d := range draws {
			g.Go(func() (err error) {
				good[k], err = c.agree(ctx, d, left)
				return err
			})
		}
		if err := g.Wait(); err != nil {
			return nil, err
		}
		left = slices.DeleteFunc(slices.Clone(left), func(i int) bool {
			return slices.ContainsFunc(good, func(list []int) bool { return !slices.Contains(list, i) })
		})
	}
	return left, nil
}

func indexes(n int) []int {
	all := make([]int, n)
	for i := range all {
		all[i] = i
	}
	return all
}

// alone drops tests until one detects the bug stand-alone too, without any of the short cuts; all
// of them if the first few do not.
func (c *confirmation) alone(ctx context.Context) error {
	order := slices.Concat(c.reps, slices.DeleteFunc(slices.Clone(c.stable), func(i int) bool { return slices.Contains(c.reps, i) }))
	a, b := slices.Index(c.sides, libbuild.Fixed), slices.Index(c.sides, libbuild.Buggy) // in an order that was drawn
	for _, i := range order[:min(plainTries, len(order))] {
		good := true
		for _, d := range []int{min(a, b), max(a, b)} {
			build, err := c.build(ctx, d)
			if err != nil {
				return err
			}
			results, err := c.Runner.Plain(ctx, build, c.programs[i], testrun.PlainOptions{CPU: c.limits.CPU[i]})
			if err != nil {
				return as(trial.ReasonSandbox, err)
			}
			if placebo, said := results[0].Outcome, results[0].Diagnostic; placebo != trial.OK && c.sides[d] == libbuild.Fixed {
				if results, err = c.Runner.Plain(ctx, c.on.fixed, c.programs[i], testrun.PlainOptions{}); err != nil {
					return as(trial.ReasonSandbox, err)
				}
				if results[0].Outcome != trial.OK { // it cannot be judged alone
					c.unstable, good = append(c.unstable, i), false
					break
				}
				if !placebo.Compiled() {
					return as(trial.ReasonBuild, fmt.Errorf("bug %s: test %s links with the plain build and not with the disguised one: %s",
						c.bug.ID, c.programs[i].ID, said))
				}
				results[0].Outcome = placebo
			}
			if good = c.is(d, i, results[0]); !good {
				break
			}
		}
		if good {
			return nil
		}
		c.stable, c.reps = without(c.stable, i), without(c.reps, i)
	}
	c.unstable = append(c.unstable, c.stable...)
	c.stable, c.reps = nil, nil
	return nil
}

// judge tells the tests that depend on the build from those that fail on the fixed side at times.
func (c *confirmation) judge(ctx context.Context) error {
	slices.Sort(c.dependent)
	doubtful := slices.Compact(c.dependent)
	c.dependent = nil
	for range max(c.Repeats, 1) {
		if len(doubtful) == 0 {
			break
		}
		results, err := c.Runner.Run(ctx, c.on.fixed, pick(c.programs, doubtful), testrun.Options{})
		if err != nil {
			return as(trial.ReasonSandbox, err)
		}
		var left []int
		for k, i := range doubtful {
			if results[k].Outcome == trial.OK {
				left = append(left, i)
			} else {
				c.flaky, c.unstable = append(c.flaky, i), append(c.unstable, i)
			}
		}
		doubtful = left
	}
	c.dependent = doubtful
	slices.Sort(c.flaky)
	slices.Sort(c.unstable)
	c.unstable = slices.Compact(c.unstable)
	return nil
}

func without(list []int, i int) []int {
	return slices.DeleteFunc(slices.Clone(list), func(k int) bool { return k == i })
}
