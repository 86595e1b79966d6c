package runner

import (
	"bytes"
	"errors"
	"regexp"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"gotest.tools/v3/assert"
	is "gotest.tools/v3/assert/cmp"

	"github.com/lisa-bench/lisa-bench/experiments"
	"github.com/lisa-bench/lisa-bench/internal/trial"
	"github.com/lisa-bench/lisa-bench/results"
)

// show runs a plan of two cells, one of which fails, and returns what Progress wrote.
func show(t *testing.T, dir string) string {
	t.Helper()
	lab := newLab()
	lab.exec = &hashExecutor{pause: 100 * time.Millisecond}
	lab.evaluate = func(e Evaluation) error {
		if e.Cell.Trial == 2 {
			return errors.New("llvm-cov went away")
		}
		return nil
	}
	store, err := results.Open(dir, "test")
	assert.NilError(t, err)
	defer store.Close()
	var out bytes.Buffer
	o := options(store, plan(trial.Budget{Programs: 20}, 2, []string{"a"}, []string{"zlib"}), lab, feedbackTool{name: "a"})
	o.Progress = NewProgress(&out, nil)
	_, err = Run(t.Context(), o)
	assert.NilError(t, err)
	return out.String()
}

func TestPlainProgress(t *testing.T) {
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		want := []string{
			"[0/2] a.default.zlib.debian.1: started",
			"preparing zlib (debian)",
			`\[1/2\] a\.default\.zlib\.debian\.1: 20 programs, [01] of 1 bugs, budget:programs, [0-9.]+s`,
			"[1/2] a.default.zlib.debian.2: started",
			"[2/2] a.default.zlib.debian.2: incomplete: evaluate: llvm-cov went away",
		}
		got := strings.Split(strings.TrimSuffix(show(t, dir), "\n"), "\n")
		assert.Assert(t, len(got) == len(want), "%d lines: %q", len(got), got)
		for i, line := range got {
			if line != want[i] && !regexp.MustCompile("^"+want[i]+"$").MatchString(line) {
				t.Errorf("line %d is %q, want %q", i+1, line, want[i])
			}
		}
		again := show(t, dir)
		if !strings.HasPrefix(again, "1 of 2 cells is complete already\n[1/2] a.default.zlib.debian.2: started\n") {
			t.Errorf("second session: %q", again)
		}
	})
}

// TestForecast expects cells to take their time, or as long as others, on as many workers as there are.
func TestForecast(t *testing.T) {
	now := time.Unix(1e9, 0)
	at := func(gone time.Duration) *work { return &work{began: now.Add(-gone)} }
	timed := experiments.Cell{Budget: trial.Budget{Wall: time.Minute}}
	for _, tt := range []struct {
		name string
		pace time.Duration
		todo []*work
		jobs int
		want string
	}{
		{"nothing is known", 0, []*work{at(0)}, 1, "time left not known yet"},
		{"a budget in seconds", 0, []*work{{Cell: timed, began: now.Add(-20 * time.Second)}, {Cell: timed}}, 1, "about 2 min left"},
		{"one worker", time.Minute, []*work{at(4 * time.Second), {}}, 1, "about 2 min left"},
		{"two workers", 20 * time.Second, []*work{at(4 * time.Second), at(0), {}}, 2, "about 28 s left"},
		{"one that is late", 10 * time.Second, []*work{at(20 * time.Second)}, 1, "about 2 s left"},
	} {
		assert.Check(t, is.Equal(pace(tt.pace).left(tt.todo, tt.jobs, now).String(), tt.want), tt.name)
	}
}
