package metrics

import (
	"context"
	"math"
	"slices"
	"syscall"
	"testing"
	"time"

	"github.com/lisa-bench/lisa-bench/bench/libbuild"
	"github.com/lisa-bench/lisa-bench/execute/testrun"
	"github.com/lisa-bench/lisa-bench/internal/store"
	"github.com/lisa-bench/lisa-bench/internal/trial"
)

// never is what a program that hangs would use.
const never = time.Duration(math.MaxInt64)

// A slowTests runs programs that pass if they are given the processor time that they need.
type slowTests struct {
	fakeTests
	work  map[string]time.Duration // by "build id"
	rest  map[string]time.Duration // asleep
	spent map[string]time.Duration // wall time, by build
}

func (f *slowTests) run(b *libbuild.Build, p trial.Program, cpu, wall time.Duration) trial.Result {
	f.mu.Lock()
	defer f.mu.Unlock()
	limit := func(d time.Duration) time.Duration {
		if d == 0 {
			return 30 * time.Second
		}
		return min(d, 30*time.Second)
	}
	key := b.SharedLib + " " + p.ID
	work, rest := min(f.work[key], limit(cpu)), min(f.rest[key], limit(wall))
	r := trial.Result{ID: p.ID, Outcome: trial.OK, CPUMs: float64(work.Milliseconds()), WallMs: float64((work + rest).Milliseconds())}
	f.spent[b.SharedLib] += work + rest
	switch {
	case work < f.work[key]:
		r.Outcome, r.Signal = trial.Timeout, int(syscall.SIGXCPU)
	case rest < f.rest[key]:
		r.Outcome, r.Signal = trial.Timeout, int(syscall.SIGKILL)
	}
	return r
}

func (f *slowTests) Run(_ context.Context, b *libbuild.Build, programs []trial.Program, o testrun.Options) ([]trial.Result, error) {
	results := make([]trial.Result, len(programs))
	for i, p := range programs {
		var cpu, wall time.Duration
		if o.CPU != nil {
			cpu = o.CPU[i]
		}
		if o.Wall != nil {
			wall = o.Wall[i]
		}
		results[i] = f.run(b, p, cpu, wall)
	}
	return results, nil
}

func (f *slowTests) Plain(_ context.Context, b *libbuild.Build, p trial.Program, o testrun.PlainOptions) ([]trial.Result, error) {
	return []trial.Result{f.run(b, p, o.CPU, o.Timeout)}, nil
}

func newSlow(work, rest map[string]time.Duration) *slowTests {
	return &slowTests{work: work, rest: rest, spent: map[string]time.Duration{}}
}

func TestHangs(t *testing.T) {
	type times = map[string]time.Duration
	for _, tt := range []struct {
		name       string
		work, rest times
		fixed      string // "" for the reference
		hangs      bool
		most       time.Duration // on the buggy build
	}{
		{name: "hangs", work: times{"ref a": 5 * time.Millisecond, "bug a": never}, hangs: true, most: 20 * 2 * time.Second},
		{name: "sleeps for ever", rest: times{"bug a": never}, hangs: true, most: 30*time.Second + 20*10*time.Second},
		{name: "slower, and no 2 s", work: times{"ref a": 5 * time.Millisecond, "bug a": 1900 * time.Millisecond}},
		{name: "slower, and not 20 times", work: times{"ref a": 300 * time.Millisecond, "bug a": 5900 * time.Millisecond}},
		{name: "more than 20 times slower", work: times{"ref a": 200 * time.Millisecond, "bug a": 5 * time.Second}, hangs: true, most: 20 * 4 * time.Second},
		{name: "all that a test may take on the reference", work: times{"ref a": 29 * time.Second, "bug a": 30 * time.Second}},
		{name: "sleeps there too", rest: times{"ref a": 25 * time.Second, "bug a": 29 * time.Second}},
		{name: "as slow without the bug, where that is not the reference", fixed: "fixed",
			work: times{"ref a": 5 * time.Millisecond, "fixed a": 3 * time.Second, "bug a": 3 * time.Second}},
		{name: "hangs without the bug, where that is not the reference", fixed: "fixed",
			work: times{"ref a": 5 * time.Millisecond, "fixed a": never, "bug a": never}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f := newSlow(tt.work, tt.rest)
			e, entries, programs := newPrograms(&f.fakeTests, "")
			e.Runner = f
			if tt.fixed != "" {
				e.Bugs = []Bug{bugOf(tt.fixed, "bug")}
			}
			b := evaluate(t, e, entries, programs).Bugs[0]
			if b.Detected != tt.hangs || tt.hangs && !slices.Equal(b.Oracles, []trial.OracleClass{trial.OracleHang}) {
				t.Errorf("%+v", b)
			}
			if tt.hangs && f.spent["bug"] > tt.most {
				t.Errorf("it took %v on the buggy build, more than %v", f.spent["bug"], tt.most)
			}
		})
	}
}

// TestHangsAreStoredWithTheirLimit: a test that did not end within a limit may end within a higher one.
func TestHangsAreStoredWithTheirLimit(t *testing.T) {
	stored := store.New(t.TempDir())
	for _, tt := range []struct {
		reference time.Duration
		detected  bool
		runs      bool // on the buggy build
	}{{5 * time.Millisecond, true, true}, {80 * time.Millisecond, true, false}, {200 * time.Millisecond, false, true}, {5 * time.Millisecond, true, false}} {
		f := newSlow(map[string]time.Duration{"ref a": tt.reference, "bug a": 3 * time.Second}, nil)
		e, entries, programs := newPrograms(&f.fakeTests, "")
		e.Runner, e.Store, e.Content = f, stored, func(p trial.Program) string { return p.ID }
		e.Reference.Key = tt.reference.String() // another, so that the test is measured there again
		if b := evaluate(t, e, entries, programs).Bugs[0]; b.Detected != tt.detected || f.spent["bug"] > 0 != tt.runs {
			t.Errorf("%v on the reference: %+v, %v on the buggy build", tt.reference, b, f.spent["bug"])
		}
	}
}
