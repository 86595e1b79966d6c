package validate

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"gotest.tools/v3/assert"

	"github.com/lisa-bench/lisa-bench/bench/libbuild"
	"github.com/lisa-bench/lisa-bench/bench/lisabench"
	"github.com/lisa-bench/lisa-bench/internal/trial"
)

// unreachable is a choice of libraries that cannot be opened, and a proof of them.
func unreachable(out io.Writer, names ...string) (*Proof, []Choice) {
	var chosen []Choice
	for _, name := range names {
		lib := &lisabench.Library{Name: name}
		for _, id := range []string{name + "-1", name + "-2"} {
			lib.Bugs = append(lib.Bugs, &lisabench.Bug{ID: id, Upstream: &lisabench.Reintroduce{Strategy: lisabench.Revert}})
		}
		lib.Bugs[1].Upstream = &lisabench.Reintroduce{Strategy: lisabench.Absent, Reason: "too old"}
		chosen = append(chosen, Choice{lib, lib.Bugs})
	}
	open := func(ctx context.Context, l *lisabench.Library) (Builds, Runner, error) {
		return nil, nil, cmp.Or(ctx.Err(), fmt.Errorf("%s cannot be reached", l.Name))
	}
	return &Proof{Edition: lisabench.Upstream, Runs: 1, Open: open, Out: out}, chosen
}

// A library that cannot be had fails with its bugs, and the others go on.
func TestProvingGoesOnWithoutALibrary(t *testing.T) {
	var out bytes.Buffer
	proof, chosen := unreachable(&out, "one", "two")
	results, err := proof.All(t.Context(), chosen)
	assert.NilError(t, err)
	var got []string
	for _, r := range results {
		got = append(got, r.Bug+" "+r.Verdict())
		if reason := "cannot be reached"; !r.Absent() && !strings.Contains(r.Problem, reason) {
			t.Errorf("%s: %q, want %q", r.Bug, r.Problem, reason)
		}
	}
	if got, want := strings.Join(got, ", "), "one-1 FAILED, one-2 absent, two-1 FAILED, two-2 absent"; got != want {
		t.Errorf("results %s\nwant %s", got, want)
	}
	const progress = `one (upstream): fetching and building
[1/4] one-1: FAILED
[2/4] one-2: absent
two (upstream): fetching and building
[3/4] two-1: FAILED
[4/4] two-2: absent
`
	assert.Check(t, out.String() == progress, "progress:\n%swant:\n%s", out.String(), progress)
}

// The results are those of bugs that are still being validated when the last library is open.
func TestProvingWaitsForItsBugs(t *testing.T) {
	r := &fakeRunner{results: map[string][]trial.Result{"buggy": results(trial.Crash)}}
	v, bug := newValidator(r, fakeBuilds{})
	proof := &Proof{Edition: lisabench.Debian, Runs: 1, Out: io.Discard, Open: func(context.Context, *lisabench.Library) (Builds, Runner, error) {
		return slowBuilds{v.Builds}, r, nil
	}}
	all, err := proof.All(t.Context(), []Choice{{v.Library, []*lisabench.Bug{bug}}})
	assert.Check(t, err == nil && len(all) == 1 && all[0].OK, "%+v, %v", all, err)
}

type slowBuilds struct{ Builds }

func (s slowBuilds) Bug(ctx context.Context, bug *lisabench.Bug) (fixed, buggy *libbuild.Build, err error) {
	time.Sleep(20 * time.Millisecond)
	return s.Builds.Bug(ctx, bug)
}
