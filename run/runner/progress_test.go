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
	p := plan(trial.Budget{Programs: 20}, 2, []string{"a"}, []string{"zlib"})
	if _, err := Run(t.Context(), Options{
		Plan: p, Store: store, Tools: []Tool{feedbackTool{name: "a"}}, Workshop: lab,
		Jobs: 1, Now: time.Now, Log: quiet, Progress: NewProgress(&out, nil),
	}); err != nil {
		t.Fatal(err)
	}
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

func cellOf(tool, library string, b trial.Budget) experiments.Cell {
	return experiments.Cell{Cell: trial.Cell{Tool: tool, Variant: "default", Library: library, Edition: "debian", Trial: 1}, Budget: b}
}

// TestForecast expects cells to take as long as those like them, on as many workers as there are.
func TestForecast(t *testing.T) {
	now := time.Unix(1e9, 0)
	quick, slow := cellOf("quick", "zlib", trial.Budget{}), cellOf("slow", "zlib", trial.Budget{})
	timed := cellOf("timed", "cJSON", trial.Budget{Wall: time.Minute})
	var seen pace
	seen.add(quick, 10*time.Second)
	seen.add(slow, time.Minute)
	at := func(c experiments.Cell, gone time.Duration) *work { return &work{Cell: c, began: now.Add(-gone)} }
	for _, tt := range []struct {
		name string
		pace pace
		todo []*work
		jobs int
		want string
	}{
		{"nothing is known", nil, []*work{at(quick, 0)}, 1, "time left not known yet"},
		{"a budget in seconds", nil, []*work{at(timed, 20*time.Second), {Cell: timed}}, 1, "about 2 min left"},
		{"one worker", seen, []*work{at(quick, 4*time.Second), {Cell: slow}}, 1, "about 66 s left"},
		{"two workers", seen, []*work{at(quick, 4*time.Second), at(slow, 0), {Cell: quick}}, 2, "about 60 s left"},
		{"one that is late", seen, []*work{at(quick, 20*time.Second)}, 1, "about 2 s left"},
		{"a tool on another library", seen, []*work{at(cellOf("slow", "cJSON", trial.Budget{}), 0)}, 1, "about 60 s left"},
	} {
		assert.Check(t, is.Equal(tt.pace.left(tt.todo, tt.jobs, now).String(), tt.want), tt.name)
	}
}
