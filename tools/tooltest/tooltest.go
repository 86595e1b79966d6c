// Package tooltest is the conformance suite that every tool must pass.
//
// Run takes a Subject, which makes the tool, a library for it to test, an executor and, for a tool that asks a
// model, the model's answers. It fails the test of a tool that is not the same under replay, overspends its
// budget, does not stop when it is told to, or writes outside its directory; that knows what it was not given,
// uses a build that it does not say it needs, or lies about why it stopped; and of one that leaves no program.
package tooltest

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/lisa-bench/lisa-bench/internal/llm"
	"github.com/lisa-bench/lisa-bench/internal/llm/llmtest"
	"github.com/lisa-bench/lisa-bench/internal/trial"
	"github.com/lisa-bench/lisa-bench/tools/toolcall"
)

// A Generator is what the runner calls (runner.Tool).
type Generator interface {
	Name() string
	Generate(ctx context.Context, job trial.Job) (trial.StopReason, error)
}

// T is what a Subject may use of its test.
type T = *testing.T

// A Subject is a tool with what it works on.
type Subject struct {
	// New makes the tool; models is nil if Answer is.
	New func(t T, models *llm.Models) Generator
	// Source is a directory that is copied for each run, so that the tool may be watched; Target
	// describes the library in that copy.
	Source string
	Target func(dir string) trial.Target
	Exec   trial.Executor // nil for a tool that runs none of its programs through the harness
	Answer llmtest.Model  // nil for a tool that asks no model
	Params map[string]any
	// Finite says that the tool may come to its end before its budget does.
	Finite bool
	// Fuzzes says that the tool executes inputs: where others get a budget in programs, it gets one in
	// executions.
	Fuzzes bool
	// Within is how long the tool may go on after its context has ended; 0 means 10 s.
	Within time.Duration
	// Blocked makes the tool of a Subject without Exec so that it waits until its context ends,
	// and calls entered then. It is nil for a tool that can be cancelled between two programs.
	Blocked func(entered func()) Generator
}

// cancelWithin is Subject.Within where that is not set.
const cancelWithin = 10 * time.Second

// A Suite keeps programs and inputs in memory.
type Suite = toolcall.Suite

// Run runs every check as a test of its own. Each looks besides for files outside the tool's directory, and for what the
// tool was not told.
func Run(t *testing.T, s Subject) {
	t.Run("deterministic under replay", s.deterministic)
	t.Run("calls budget", s.callsBudget)
	t.Run("cancelled before it starts", s.cancelledAtOnce)
	t.Run("cancelled while it runs programs", s.cancelledInExecutor)
	t.Run("cancelled while it asks", s.cancelledInModel)
}

// call prepares a call of the tool.
func (s Subject) call(t T, b trial.Budget) *toolcall.Call {
	t.Helper()
	if s.Fuzzes {
		b.Programs, b.Execs = 0, b.Programs
	}
	root := t.TempDir()
	t.Setenv("TMPDIR", filepath.Join(root, "tmp"))
	t.Setenv("HOME", filepath.Join(root, "home"))
	c, err := toolcall.New(root, s.Source, s.Target, b, s.Answer)
	if err != nil {
		t.Fatal(err)
	}
	c.Job.Params, c.Job.Exec = s.Params, s.Exec
	return c
}

// needy is an executor, with what the tool says that it needs.
type needy struct {
	trial.Executor
	t     T
	needs trial.Needs
}

func (n needy) Run(ctx context.Context, programs []trial.Program, o trial.ExecOptions) ([]trial.Result, error) {
	if o.Sanitize && !n.needs.Sanitizer {
		n.t.Errorf("the tool runs programs under the sanitizers and does not say so in Needs: their build would come out of its budget")
	}
	return n.Executor.Run(ctx, programs, o)
}

// generate is the tool, with what it Needs and no more.
func (s Subject) generate(t T) toolcall.Generate {
	return func(ctx context.Context, job trial.Job, models *llm.Models) (trial.StopReason, error) {
		tool := s.New(t, models)
		var needs trial.Needs
		if n, ok := tool.(interface {
			Needs(map[string]any) trial.Needs
		}); ok {
			needs = n.Needs(job.Params)
		}
		if !needs.FuzzTargets {
			job.Target.FuzzTargets = nil
		}
		if job.Exec != nil {
			job.Exec = needy{job.Exec, t, needs}
		}
		return tool.Generate(ctx, job)
	}
}

// run calls the tool, which must end well, leave something, say truly why it stopped, and keep to what is its own.
func (s Subject) run(t T, c *toolcall.Call) {
	t.Helper()
	c.Run(t.Context(), s.generate(t))
	if err := c.Failed(); err != nil {
		t.Fatal(err)
	}
	if c.Suite.Text() == "" {
		t.Fatal("the tool left no program and no input")
	}
	full := c.Job.Ledger.Stop()
	switch {
	case c.Err != nil && full == "": // else the runner takes the reason from the ledger
		t.Errorf("ended with %v while the budget has room", c.Err)
	case c.Err == nil && c.Stop == "":
		t.Error("no reason for stopping")
	case c.Err == nil && c.Stop != trial.StopExhausted && c.Stop != full:
		t.Errorf("stopped for %q, but the ledger says %q", c.Stop, full)
	}
	for _, name := range c.Touched {
		t.Errorf("the tool wrote %s", name)
	}
	if c.Peeked() {
		t.Error("the tool read what it was not given")
	}
}

// deterministic wants as many programs as were paid for, and the same for the same seed and answers.
func (s Subject) deterministic(t T) {
	const programs = 3
	first := s.call(t, trial.Budget{Programs: programs})
	s.run(t, first)
	got := int64(len(first.Suite.Programs))
	if s.Fuzzes {
		got = first.Job.Ledger.Usage().Execs
	}
	if early := s.Finite && got < programs && first.Stop == trial.StopExhausted; got != programs && !early {
		t.Errorf("a budget of %d programs: %d, stopped for %s", programs, got, first.Stop)
	}
	again := s.call(t, trial.Budget{Programs: programs})
	if s.Answer != nil {
		transcript, err := os.ReadFile(first.Job.Models.Transcript)
		if err != nil {
			t.Fatal(err)
		}
		again.Models = llmtest.Replay(t, string(transcript))
	}
	s.run(t, again)
	if before, after := first.Suite.Text(), again.Suite.Text(); before != after {
		t.Errorf("the same seed and answers gave another suite:\n%s\nafter\n%s", after, before)
	}
	if before, after := told(t, first), told(t, again); before != after {
		t.Errorf("the same seed and answers went otherwise: %s, then %s", before, after)
	}
}

// told is what the tool says of its call.
func told(t T, c *toolcall.Call) string {
	t.Helper()
	text, err := json.Marshal(c.Job.Generation)
	if err != nil {
		t.Fatal(err)
	}
	return fmt.Sprint(c.Stop, " ", string(text))
}

// callsBudget wants what was paid for, and no request more.
func (s Subject) callsBudget(t T) {
	if s.Answer == nil {
		t.Skip("the tool asks no model")
	}
	c := s.call(t, trial.Budget{LLMCalls: 2})
	s.run(t, c)
	if used := c.Job.Ledger.Usage().LLMCalls; used > 2 {
		t.Errorf("%d calls of 2", used)
	}
}

// cancelledAtOnce gives a tool a context that has ended.
func (s Subject) cancelledAtOnce(t T) {
	c := s.call(t, trial.Budget{Programs: 2})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if c.Run(ctx, s.generate(t)); !errors.Is(c.Err, context.Canceled) {
		t.Errorf("a tool whose context had ended ended with %q and the error %v", c.Stop, c.Err)
	}
}

// A blockedExecutor ends with its context.
type blockedExecutor struct{ entered func() }

func (b blockedExecutor) Run(ctx context.Context, _ []trial.Program, _ trial.ExecOptions) ([]trial.Result, error) {
	b.entered()
	<-ctx.Done()
	return nil, context.Cause(ctx)
}

// cancelledInExecutor cancels a tool that waits for its programs; one that runs none is cancelled when it has
// finished its first.
func (s Subject) cancelledInExecutor(t T) {
	var entered func()
	if s.Blocked != nil {
		s.New = func(T, *llm.Models) Generator { return s.Blocked(func() { entered() }) }
	}
	s.cancelled(t, func(c *toolcall.Call, cancel func()) {
		entered = cancel
		switch {
		case s.Blocked != nil:
		case s.Exec != nil:
			c.Job.Exec = blockedExecutor{cancel}
		default:
			c.Suite.Added = cancel
		}
	})
}

func (s Subject) cancelledInModel(t T) {
	if s.Answer == nil {
		t.Skip("the tool asks no model")
	}
	s.cancelled(t, (*toolcall.Call).HoldAsking)
}

// cancelled cancels the tool at some moment, and wants it to end with an error.
func (s Subject) cancelled(t T, when func(c *toolcall.Call, cancel func())) {
	c := s.call(t, trial.Budget{Programs: 1000})
	within := cmp.Or(s.Within, cancelWithin)
	switch took, was := c.RunCancelled(t.Context(), s.generate(t), func(cancel func()) { when(c, cancel) }); {
	case !was:
		t.Fatalf("the tool ended before it was cancelled: %s, %v", c.Stop, c.Err)
	case took > within:
		t.Errorf("the tool goes on %s after it was cancelled", within)
	case !errors.Is(c.Err, context.Canceled):
		t.Errorf("a cancelled tool ended with %q and the error %v", c.Stop, c.Err)
	}
}
