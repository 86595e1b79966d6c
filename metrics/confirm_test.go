package metrics

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gotest.tools/v3/assert"

	"github.com/lisa-bench/lisa-bench/bench/libbuild"
	"github.com/lisa-bench/lisa-bench/execute/testrun"
	"github.com/lisa-bench/lisa-bench/internal/trial"
)

func TestDisguisesFor(t *testing.T) {
	for _, tt := range []struct{ tests, bugs, want int }{
		{0, 0, 20}, {1, 1, 20}, // 2^20 = 1048576; the others are 32.04, 33.41, 34.29 and 40.86, rounded up to a multiple of 4
		{400, 11, 36}, {818, 14, 36}, {1500, 14, 36}, {100_000, 20, 44},
	} {
		got := disguisesFor(tt.tests, tt.bugs)
		assert.Check(t, got == tt.want, "%d tests × %d bugs: %d builds, want %d", tt.tests, tt.bugs, got, tt.want)
		pairs := float64(max(tt.tests, 1)) * float64(max(tt.bugs, 1))
		if p := pairs * math.Pow(2, -float64(got)); p > 1e-6 || 16*p <= 1e-6 {
			t.Errorf("%d tests × %d bugs: %d builds leave %g to chance", tt.tests, tt.bugs, got, p)
		}
	}
}

// A blindTests runs programs that do not know what a build does: decide may look at whatever else
// there is of it, at the number of runs before, and at a coin.
type blindTests struct {
	fakeTests
	decide func(id string, build *libbuild.Build, run int, coin *rand.Rand) bool // fails
	coin   *rand.Rand
}

func (f *blindTests) verdict(p trial.Program, b *libbuild.Build) trial.Result {
	f.mu.Lock() // several bugs are looked for at a time
	defer f.mu.Unlock()
	f.runs++
	if f.decide(p.ID, b, f.runs, f.coin) {
		return trial.Result{ID: p.ID, Outcome: trial.NonzeroExit}
	}
	return trial.Result{ID: p.ID, Outcome: trial.OK}
}

func (f *blindTests) Run(_ context.Context, b *libbuild.Build, programs []trial.Program, _ testrun.Options) ([]trial.Result, error) {
	results := make([]trial.Result, len(programs))
	for i, p := range programs {
		results[i] = f.verdict(p, b)
	}
	return results, nil
}

func (f *blindTests) Plain(_ context.Context, b *libbuild.Build, p trial.Program, _ testrun.PlainOptions) ([]trial.Result, error) {
	return []trial.Result{f.verdict(p, b)}, nil
}

// A drawnDisguise makes builds that have nothing in common: Key is all that can be seen of one.
type drawnDisguise struct{ rng *rand.Rand }

func (d drawnDisguise) Build(context.Context, libbuild.Behaviour) (*libbuild.Build, error) {
	return &libbuild.Build{SharedLib: "drawn", Key: fmt.Sprint(d.rng.Uint64())}, nil
}

func (drawnDisguise) Close() error { return nil }

// TestBlindTestsDetectNothing: suites of 400 programs that know all of the reference and nothing of
// the bugs.
func TestBlindTestsDetectNothing(t *testing.T) {
	isReference := func(b *libbuild.Build) bool { return b.Key == "reference" }
	for name, tt := range map[string]struct {
		decide func(id string, b *libbuild.Build, run int, coin *rand.Rand) bool
		flag   trial.Exclusion
	}{
		"a coin": {func(_ string, _ *libbuild.Build, _ int, coin *rand.Rand) bool { return coin.IntN(2) == 0 }, trial.IsFlaky},
		"a coin on all but the reference": {func(_ string, b *libbuild.Build, _ int, coin *rand.Rand) bool {
			return !isReference(b) && coin.IntN(2) == 0
		}, trial.DependsOnBuild},
		"every other run":        {func(id string, b *libbuild.Build, run int, _ *rand.Rand) bool { return run%2 == 0 }, trial.IsFlaky},
		"the bytes of the build": {func(_ string, b *libbuild.Build, _ int, _ *rand.Rand) bool { return !isReference(b) }, trial.DependsOnBuild},
		"a bit of the build's bytes": {func(id string, b *libbuild.Build, _ int, _ *rand.Rand) bool {
			var n uint64
			_, _ = fmt.Sscan(b.Key+id, &n)
			return !isReference(b) && rand.New(rand.NewPCG(n, uint64(len(id)))).IntN(2) == 0
		}, trial.DependsOnBuild},
	} {
		t.Run(name, func(t *testing.T) {
			f := &blindTests{decide: tt.decide, coin: rand.New(rand.NewPCG(1, 2))}
			e, entries, programs := newPrograms(&f.fakeTests, slices.Repeat([]string{""}, 400)...)
			e.Runner, e.Bugs = f, nil
			e.Reference = &libbuild.Build{SharedLib: "ref", Key: "reference"}
			e.Coverage = made(&libbuild.Build{SharedLib: "cov"})
			for i := range 11 {
				e.Bugs = append(e.Bugs, Bug{ID: fmt.Sprint("bug-", i),
					Builds: func(context.Context) (*libbuild.Build, *libbuild.Build, error) {
						return e.Reference, &libbuild.Build{SharedLib: "buggy", Key: fmt.Sprint(i)}, nil
					},
					Disguise: func(context.Context) (Disguiser, error) {
						return drawnDisguise{rand.New(rand.NewPCG(uint64(i), 3))}, nil
					}})
			}
			rec := evaluate(t, e, entries, programs)
			for _, b := range rec.Bugs {
				assert.Check(t, !b.Detected && b.Tests <= 0 && b.Missing == nil, "%+v", b)
			}
			if !slices.ContainsFunc(rec.Flags, func(f trial.Flag) bool { return f.Kind == tt.flag && f.Tests > 0 && len(f.First) > 0 }) || len(rec.Notes) < len(rec.Flags) {
				t.Errorf("flags %+v, notes %q", rec.Flags, rec.Notes)
			}
		})
	}
}

// TestWhatFailsOnceDetectsNothing: a test that was flaky on one bug's builds detects no other bug,
// whatever it has done there.
func TestWhatFailsOnceDetectsNothing(t *testing.T) {
	fail, ok := trial.Assertion, trial.OK
	f := &fakeTests{script: map[string][]trial.Outcome{
		"bug a": {fail}, "late a": {fail}, "late-fixed a": {ok, fail, ok, fail},
		"bug b": {fail},
	}}
	e, entries, programs := newPrograms(f, "", "")
	e.Bugs = []Bug{bugOf("ref", "bug"), bugOf("late-fixed", "late")}
	rec := evaluate(t, e, entries, programs)
	if b := rec.Bugs[0]; b.Tests != 1 || b.First[0].ID != "b" {
		t.Errorf("bug: %+v", b)
	}
	if rec.Bugs[1].Detected {
		t.Errorf("late: %+v", rec.Bugs[1])
	}
}
