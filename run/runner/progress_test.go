package runner

import (
	"bytes"
	"errors"
	"regexp"
	"strings"
	"testing"
	"testing/synctest"
	"time"

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
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	var out bytes.Buffer
	p := plan(trial.Budget{Programs: 20}, 2, []string{"a"}, []string{"zlib"})
	if _, err := Run(t.Context(), Options{
		Plan: p, Store: store, Tools: []Tool{feedbackTool{name: "a"}}, Preparer: lab, Evaluator: lab,
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
		if len(got) != len(want) {
			t.Fatalf("%d lines: %q", len(got), got)
		}
		for i, line := range got {
			if line != want[i] && !regexp.MustCompile("^"+want[i]+"$").MatchString(line) {
				t.Errorf("line %d is %q, want %q", i+1, line, want[i])
			}
		}
		again := show(t, dir)
		if !strings.HasPrefix(again, "1 of 2 cells are complete already\n[1/2] a.default.zlib.debian.2: started\n") {
			t.Errorf("second session: %q", again)
		}
	})
}
