package main

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"os"
	"strings"
	"testing"

	"github.com/lisa-bench/lisa-bench/bench/lisabench"
	"github.com/lisa-bench/lisa-bench/internal/source"
	"github.com/lisa-bench/lisa-bench/internal/subject"
)

// unreachable is a benchmark of libraries whose repository is not there, with a workshop.
func unreachable(t *testing.T, names ...string) (*subject.Workshop, []choice) {
	t.Helper()
	bench := &lisabench.Bench{}
	var chosen []choice
	for _, name := range names {
		lib := &lisabench.Library{Name: name, Upstream: &lisabench.UpstreamPin{Repo: "file:///nowhere/" + name, Commit: strings.Repeat("0", 40)}}
		for _, id := range []string{name + "-1", name + "-2"} {
			lib.Bugs = append(lib.Bugs, &lisabench.Bug{ID: id, Upstream: &lisabench.Reintroduce{Strategy: lisabench.Revert}})
		}
		lib.Bugs[1].Upstream = &lisabench.Reintroduce{Strategy: lisabench.Absent, Reason: "too old"}
		bench.Libraries = append(bench.Libraries, lib)
		chosen = append(chosen, choice{lib, lib.Bugs})
	}
	return &subject.Workshop{Bench: bench, Sources: source.New(t.TempDir(), os.Environ(), slog.New(slog.DiscardHandler))}, chosen
}

// A library that cannot be had fails with its bugs, and the others go on.
func TestProvingGoesOnWithoutALibrary(t *testing.T) {
	var out bytes.Buffer
	shop, chosen := unreachable(t, "one", "two")
	results, err := proveAll(t.Context(), shop, chosen, &proving{edition: lisabench.Upstream, runs: 1, out: &out})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, r := range results {
		got = append(got, r.Bug+" "+verdict(r))
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
	if out.String() != progress {
		t.Errorf("progress:\n%swant:\n%s", out.String(), progress)
	}
}

// Asked for alone, a library that cannot be had is an error of the harness, as is an interruption.
func TestProvingEndsWithAnError(t *testing.T) {
	shop, chosen := unreachable(t, "one", "two")
	p := func() *proving { return &proving{edition: lisabench.Upstream, runs: 1, out: &bytes.Buffer{}} }
	if _, err := proveAll(t.Context(), shop, chosen[:1], p()); err == nil || !strings.Contains(err.Error(), "cannot be reached") {
		t.Errorf("error = %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := proveAll(ctx, shop, chosen, p()); !errors.Is(err, context.Canceled) {
		t.Errorf("interrupted: %v", err)
	}
}
