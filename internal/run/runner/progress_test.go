package runner

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"testing/synctest"
	"time"
	"unicode/utf8"

	"github.com/lisa-bench/lisa-bench/internal/trial"
	"github.com/lisa-bench/lisa-bench/results"
)

var update = flag.Bool("update", false, "rewrite testdata")

// show runs a plan of two cells, one of which fails, and returns what Progress wrote.
func show(t *testing.T, dir string, screen Screen) string {
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
		Jobs: 1, Now: time.Now, Log: quiet, Progress: NewProgress(&out, screen),
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
		got := strings.Split(strings.TrimSuffix(show(t, dir, nil), "\n"), "\n")
		if len(got) != len(want) {
			t.Fatalf("%d lines: %q", len(got), got)
		}
		for i, line := range got {
			if line != want[i] && !regexp.MustCompile("^"+want[i]+"$").MatchString(line) {
				t.Errorf("line %d is %q, want %q", i+1, line, want[i])
			}
		}
		again := show(t, dir, nil)
		if !strings.HasPrefix(again, "1 of 2 cells are complete already\n[1/2] a.default.zlib.debian.2: started\n") {
			t.Errorf("second session: %q", again)
		}
	})
}

func TestTerminalProgress(t *testing.T) {
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		screen := &linesScreen{}
		out := show(t, dir, screen)
		if strings.Contains(out, "started") || strings.Count(out, "\n[") != 2 {
			t.Errorf("cells are told as they start, or not as they end: %q", out)
		}
		all := strings.Join(screen.shown, "\n")
		for _, want := range []string{
			`(?m)^0 of 2 cells  █*░+  0 %  \d:\d\d gone  time left not known yet$`,
			`(?m)^1 of 2 cells  █+░+  \d+ %  \d:\d\d gone  (about )?\d+ s left.*  20 programs`,
			`(?m)^a\.default\.zlib\.debian\.1  generating  █+░+  \d+ %  0:\d\d  \d+ programs$`,
		} {
			if !regexp.MustCompile(want).MatchString(all) {
				t.Errorf("never shows %s:\n%s", want, all)
			}
		}
		if !screen.cleared {
			t.Error("the lines stay at the end")
		}
	})
}

// A linesScreen keeps all that was ever shown on it.
type linesScreen struct {
	shown   []string
	cleared bool
}

func (s *linesScreen) Pin(render func(columns, rows int, colour bool) []string) {
	if s.cleared = render == nil; !s.cleared {
		s.shown = append(s.shown, render(100, 24, false)...)
	}
}

// TestView compares what a screen shows of a run with testdata/view, by its width, with and without colour.
func TestView(t *testing.T) {
	v := view{planned: 12, ended: 3, gone: 41 * time.Second, forecast: Forecast{130 * time.Second, true},
		usage: trial.Usage{Programs: 1204, Tokens: 312_431, Dollars: 0.42, LLMCalls: 87},
		cells: []cellLine{
			{name: "lisa.no-knowledge,temperature=0.2.libpng.debian.2", stage: stageGenerating, done: 0.57, how: "57 %", gone: 31 * time.Second,
				usage: trial.Usage{Programs: 103, Tokens: 12_301, Dollars: 0.05, LLMCalls: 31}},
			{name: "randoop.default.zlib.debian.2", stage: stageEvaluating, done: 6.5 / 14, how: "6/14 bugs", gone: 3725 * time.Second,
				usage: trial.Usage{Programs: 1}},
			{name: "ossfuzz.default.cJSON.debian.2", stage: stageBuilding, gone: 2 * time.Second},
		},
	}
	var got strings.Builder
	for _, columns := range []int{40, 80, 200} {
		for _, colour := range []bool{false, true} {
			fmt.Fprintf(&got, "-- %d columns, colour %t --\n", columns, colour)
			for _, line := range v.render(columns, 24, colour) {
				plain := regexp.MustCompile(`\x1b\[[0-9]+m`).ReplaceAllString(line, "")
				if n := utf8.RuneCountInString(plain); n >= columns || !colour && plain != line {
					t.Errorf("%d of %d columns, or colours: %q", n, columns, line)
				}
				fmt.Fprintf(&got, "%s\n", strings.ReplaceAll(line, "\x1b", "ESC"))
			}
		}
	}
	v.forecast, v.ended, v.usage = Forecast{}, 0, trial.Usage{}
	fmt.Fprintf(&got, "-- nothing is known, 7 rows --\n%s\n", strings.Join(v.render(80, 7, false), "\n"))
	v.forecast = Forecast{5 * time.Hour, false}
	fmt.Fprintf(&got, "-- a guess --\n%s\n", v.render(80, 24, false)[0])
	golden := filepath.Join("testdata", "view.txt")
	if *update {
		if err := os.WriteFile(golden, []byte(got.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if got.String() != string(want) {
		t.Errorf("%s differs (-update rewrites it):\n%s", golden, got.String())
	}
}
