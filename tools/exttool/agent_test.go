package exttool

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/lisa-bench/lisa-bench/experiments"
	"github.com/lisa-bench/lisa-bench/internal/trial"
)

// A bench is a workspace whose check keeps every file.
type bench struct {
	dir      string
	suite    trial.SuiteWriter
	broken   error
	kept     int
	finished bool
}

func (b *bench) Root() string { return b.dir }
func (b *bench) Text() string { return "the task" }
func (b *bench) Kept() int    { return b.kept }

func (b *bench) Arguments(command string, words []string) (string, bool) {
	return strings.Join(words, " "), command == "check"
}

func (b *bench) Call(_ context.Context, command, args string) (string, error) {
	if b.broken != nil {
		return "", b.broken
	}
	b.kept++
	return command + " " + args + " passes", b.suite.Add(trial.Program{ID: "p", Source: args, Origin: "tests/" + args})
}

func (b *bench) Finish(context.Context) error {
	b.finished = true
	return nil
}

// TestAgent: an agent works in its directory, its commands reach the harness, and nothing else does.
func TestAgent(t *testing.T) {
	for _, tt := range []struct {
		name   string
		broken error
		want   string // error
	}{{"works", nil, ""}, {"harness breaks", errors.New("no disk"), "no disk"}} {
		t.Run(tt.name, func(t *testing.T) {
			b := &bench{broken: tt.broken}
			job, suite := jobIn(t, trial.Budget{Programs: 5})
			b.dir, b.suite = filepath.Join(job.Dir, "space"), suite
			if err := os.MkdirAll(filepath.Join(b.dir, "tests"), 0o777); err != nil {
				t.Fatal(err)
			}
			r := generateIn(t, t.Context(), job, suite, func(c *Command) {
				c.Spec.Agent = &experiments.Agent{Task: experiments.TaskArgument, Feedback: "none"}
				c.Space = func(context.Context, trial.Job, string) (Space, error) { return b, nil }
			}, "agent.sh")
			if got := fmt.Sprint(r.err); tt.want != "" && !strings.Contains(got, tt.want) || tt.want == "" && r.err != nil || !b.finished {
				t.Fatalf("ended with %s, finished %v", got, b.finished)
			}
			if tt.want != "" {
				return
			}
			told, err := os.ReadFile(filepath.Join(b.dir, "tests", "told.txt"))
			said, saidErr := os.ReadFile(filepath.Join(b.dir, "tests", "said.txt"))
			if err := errors.Join(err, saidErr); err != nil {
				t.Fatal(err)
			}
			if r.origins() != "tests/a.c" || string(told) != "the task\n" || !strings.HasPrefix(string(said), "check a.c passes\nthere is no command \"gaps\"\n") ||
				strings.Contains(string(said), "planted") || strings.Contains(string(said), "reached") {
				t.Errorf("suite %q, told %q, said %q", r.origins(), told, said)
			}
		})
	}
}
