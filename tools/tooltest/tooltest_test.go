package tooltest

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"gotest.tools/v3/assert"

	"github.com/lisa-bench/lisa-bench/internal/llm"
	"github.com/lisa-bench/lisa-bench/internal/trial"
)

// A toolOf asks a model for programs and misbehaves in one way, or in none.
type toolOf struct {
	fault  string
	models *llm.Models
}

// generations tells one run of a nondeterministic tool from the next.
var generations int

func (f toolOf) Name() string { return "toy" }

func (f toolOf) Generate(ctx context.Context, job trial.Job) (trial.StopReason, error) {
	generations++
	model, err := f.models.Session(job.Models.Cell, llm.SessionOptions{Transcript: job.Models.Transcript, Ledger: job.Ledger})
	if err != nil {
		return "", err
	}
	if f.fault == "writes" {
		if err := os.WriteFile(filepath.Join(job.Target.SourceDir, "note"), nil, 0o644); err != nil {
			return "", err
		}
	}
	secret, err := os.ReadFile(filepath.Join(job.Target.SourceDir, "..", "bugs.yaml"))
	if err != nil {
		return "", err
	}
	for i := 0; ; i++ {
		if stop := job.Ledger.Stop(); stop != "" {
			if f.fault == "lies" {
				stop = trial.StopWall
			}
			return stop, model.Finish()
		}
		text := fmt.Sprint("program ", i)
		if f.fault == "peeks" {
			text += string(secret)
		}
		r := model.Request("toy", llm.Message{Role: "user", Content: text})
		a, err := model.Complete(f.context(ctx), r)
		if err != nil {
			return "", err
		}
		p := trial.Program{ID: "p", Lang: trial.C, Source: a.Text}
		if f.fault == "random" {
			p.Source += fmt.Sprint(generations)
		}
		if _, err := job.Exec.Run(f.context(ctx), []trial.Program{p}, trial.ExecOptions{}); err != nil {
			return "", err
		}
		if err := job.Suite.Add(p); err != nil {
			return "", err
		}
		if f.fault == "stops early" {
			return trial.StopExhausted, model.Finish()
		}
	}
}

// context is one that ends late where the tool does not listen.
func (f toolOf) context(ctx context.Context) context.Context {
	if f.fault != "deaf" {
		return ctx
	}
	late, cancel := context.WithCancelCause(context.WithoutCancel(ctx))
	context.AfterFunc(ctx, func() { time.AfterFunc(deafFor, func() { cancel(context.Canceled) }) })
	return late
}

type everythingPasses struct{}

func (everythingPasses) Run(_ context.Context, programs []trial.Program, _ trial.ExecOptions) ([]trial.Result, error) {
	results := make([]trial.Result, len(programs))
	for i, p := range programs {
		results[i] = trial.Result{ID: p.ID, Outcome: trial.OK}
	}
	return results, nil
}

func check(t *testing.T, fault string) {
	s := subjectOf(t.TempDir(), fault)
	if fault == "deaf" {
		s.Within = deafFor / 4
	}
	Run(t, s)
}

// deafFor is how long a deaf tool goes on when it is cancelled.
const deafFor = 4 * time.Second

func subjectOf(source, fault string) Subject {
	return Subject{
		Source: source,
		Target: func(dir string) trial.Target { return trial.Target{SourceDir: dir} },
		New:    func(_ T, models *llm.Models) Generator { return toolOf{fault, models} },
		Exec:   everythingPasses{},
		Answer: func(m []llm.Message) string { return "int main(void) { return 0; } // " + m[0].Content },
	}
}

func TestAGoodToolPasses(t *testing.T) { check(t, "") }

const faultVariable = "LISA_BENCH_TOOLTEST_FAULT"

// TestFault is the suite of one misbehaving tool, for TestEveryFaultIsFound.
func TestFault(t *testing.T) {
	fault := os.Getenv(faultVariable)
	if fault == "" {
		t.Skip("run by TestEveryFaultIsFound")
	}
	check(t, fault)
}

func TestEveryFaultIsFound(t *testing.T) {
	for fault, want := range map[string]string{
		"writes":      "the tool wrote library/note",
		"peeks":       "the tool read what it was not given",
		"random":      "the same seed and answers gave another suite",
		"lies":        `stopped for "budget:wall", but the ledger says "budget:programs"`,
		"stops early": "a budget of 3 programs: 1, stopped for exhausted",
		"deaf":        "the tool goes on 1s after it was cancelled",
	} {
		t.Run(fault, func(t *testing.T) {
			t.Parallel()
			c := exec.Command(os.Args[0], "-test.run=^TestFault$")
			c.Env = append(os.Environ(), faultVariable+"="+fault)
			out, err := c.CombinedOutput()
			assert.Check(t, err != nil && strings.Contains(string(out), want), "%v, want %q in\n%s", err, want, out)
		})
	}
}
