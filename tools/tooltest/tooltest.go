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
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/lisa-bench/lisa-bench/internal/llm"
	"github.com/lisa-bench/lisa-bench/internal/llm/llmtest"
	"github.com/lisa-bench/lisa-bench/internal/trial"
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

// secret is a text beside the library that no tool has a reason to read.
const secret = "planted-bug-7f3a"

// Run runs every check as a test of its own.
func Run(t *testing.T, s Subject) {
	t.Run("deterministic under replay", s.deterministic)
	t.Run("programs budget", s.programsBudget)
	t.Run("calls budget", s.callsBudget)
	t.Run("cancelled before it starts", s.cancelledAtOnce)
	t.Run("cancelled while it runs programs", s.cancelledInExecutor)
	t.Run("cancelled while it asks", s.cancelledInModel)
	t.Run("leaves everything else alone", s.confined)
}

// A run is one call of Generate and what it left.
type run struct {
	t         T
	root      string // of everything below
	job       trial.Job
	suite     *Suite
	models    *llm.Models // nil if Subject.Answer is
	stop      trial.StopReason
	err       error
	watching  map[string]string // files before the run
	cancelled chan struct{}     // closed by cancel

	mu      sync.Mutex
	prompts []string
}

// answer keeps what is asked.
func (r *run) answer(model llmtest.Model, messages []llm.Message) string {
	r.mu.Lock()
	for _, m := range messages {
		r.prompts = append(r.prompts, m.Content)
	}
	r.mu.Unlock()
	return model(messages)
}

// prepare makes the directories of a run.
func (s Subject) prepare(t T, b trial.Budget) *run {
	t.Helper()
	r := &run{t: t, root: t.TempDir(), cancelled: make(chan struct{})}
	library := filepath.Join(r.root, "library")
	err := errors.Join(os.CopyFS(library, os.DirFS(s.Source)), os.WriteFile(filepath.Join(r.root, "bugs.yaml"), []byte(secret), 0o644))
	for _, dir := range []string{"work", "tmp", "home", "cell"} {
		err = errors.Join(err, os.Mkdir(filepath.Join(r.root, dir), 0o755))
	}
	if err != nil {
		t.Fatal(err)
	}
	if s.Fuzzes {
		b.Programs, b.Execs = 0, b.Programs
	}
	ledger := trial.NewLedger(b, trial.Usage{}, time.Now)
	r.suite = &Suite{Ledger: ledger}
	r.job = trial.Job{
		Target: s.Target(library), Params: s.Params, Seed: 5, Dir: filepath.Join(r.root, "work"),
		Exec: s.Exec, Suite: r.suite, Corpus: r.suite, Ledger: ledger, Log: slog.New(slog.DiscardHandler), Generation: new(trial.Generation),
		Models: trial.ModelAccess{Cell: "c", Transcript: filepath.Join(r.root, "cell", llm.TranscriptFile), Fresh: func() {}},
	}
	if s.Answer != nil {
		r.models = llm.Scripted(func(m []llm.Message) string { return r.answer(s.Answer, m) })
	}
	return r
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

// generate calls the tool, with what it Needs and no more.
func (s Subject) generate(ctx context.Context, r *run) {
	tool := s.New(r.t, r.models)
	var needs trial.Needs
	if n, ok := tool.(interface {
		Needs(map[string]any) trial.Needs
	}); ok {
		needs = n.Needs(r.job.Params)
	}
	if !needs.FuzzTargets {
		r.job.Target.FuzzTargets = nil
	}
	if r.job.Exec != nil {
		r.job.Exec = needy{r.job.Exec, r.t, needs}
	}
	r.watching = files(r.t, r.root)
	budgeted, cancel := r.job.Ledger.Context(ctx)
	defer cancel()
	r.stop, r.err = tool.Generate(budgeted, r.job)
}

// programs fails unless the run ended well and left some.
func (r *run) programs() string {
	r.t.Helper()
	if r.err != nil && !errors.Is(r.err, trial.ErrBudget) {
		r.t.Fatal(r.err)
	}
	if len(r.suite.Programs) == 0 && len(r.suite.inputs) == 0 {
		r.t.Fatal("the tool left no program and no input")
	}
	var b strings.Builder
	for _, p := range r.suite.Programs {
		fmt.Fprintf(&b, "%s %s %s\n%s\n\n", p.Lang, p.Oracle, p.Refused, p.Source)
	}
	return b.String() + strings.Join(r.suite.inputs, "\n")
}

func (s Subject) deterministic(t T) {
	first, again := s.prepare(t, trial.Budget{Programs: 3}), s.prepare(t, trial.Budget{Programs: 3})
	s.generate(t.Context(), first)
	text := first.programs()
	if s.Answer != nil {
		transcript, err := os.ReadFile(first.job.Models.Transcript)
		if err != nil {
			t.Fatal(err)
		}
		again.models = llmtest.Replay(t, string(transcript))
	}
	s.generate(t.Context(), again)
	if again.programs() != text {
		t.Errorf("the same seed and answers gave another suite:\n%s\nafter\n%s", again.programs(), text)
	}
	if before, after := first.told(), again.told(); before != after {
		t.Errorf("the same seed and answers went otherwise: %s, then %s", before, after)
	}
}

// told is what the tool says of its run.
func (r *run) told() string {
	r.t.Helper()
	text, err := json.Marshal(r.job.Generation)
	if err != nil {
		r.t.Fatal(err)
	}
	return fmt.Sprint(r.stop, " ", string(text))
}

func (s Subject) programsBudget(t T) {
	for _, n := range []int64{1, 2} {
		r := s.prepare(t, trial.Budget{Programs: n})
		s.generate(t.Context(), r)
		r.programs()
		got := int64(len(r.suite.Programs))
		if s.Finite && got < n && r.stop == trial.StopExhausted {
			continue
		}
		if s.Fuzzes {
			got = r.job.Ledger.Usage().Execs
		}
		if got != n {
			t.Errorf("a budget of %d programs: %d, stopped for %s", n, got, r.stop)
		}
		r.honest()
	}
}

// callsBudget wants what was paid for, and no request more.
func (s Subject) callsBudget(t T) {
	if s.Answer == nil {
		t.Skip("the tool asks no model")
	}
	r := s.prepare(t, trial.Budget{LLMCalls: 2})
	s.generate(t.Context(), r)
	r.programs()
	if used := r.job.Ledger.Usage().LLMCalls; used > 2 {
		t.Errorf("%d calls of 2", used)
	}
	r.honest()
}

// honest checks the reason for stopping against the ledger.
func (r *run) honest() {
	r.t.Helper()
	full := r.job.Ledger.Stop()
	switch {
	case r.err != nil && full == "": // else the runner takes the reason from the ledger
		r.t.Errorf("ended with %v while the budget has room", r.err)
	case r.err == nil && r.stop == "":
		r.t.Error("no reason for stopping")
	case r.err == nil && r.stop != trial.StopExhausted && r.stop != full:
		r.t.Errorf("stopped for %q, but the ledger says %q", r.stop, full)
	}
}

// cancelledAtOnce gives a tool a context that has ended.
func (s Subject) cancelledAtOnce(t T) {
	r := s.prepare(t, trial.Budget{Programs: 2})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	s.generate(ctx, r)
	if !errors.Is(r.err, context.Canceled) {
		t.Errorf("a tool whose context had ended ended with %q and the error %v", r.stop, r.err)
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
	r := s.prepare(t, trial.Budget{Programs: 1000})
	at := make(chan struct{})
	entered := sync.OnceFunc(func() { close(at) })
	switch {
	case s.Blocked != nil:
		s.New = func(T, *llm.Models) Generator { return s.Blocked(entered) }
	case s.Exec != nil:
		r.job.Exec = blockedExecutor{entered}
	default:
		r.suite.added = func() { entered(); <-r.cancelled } // its end must not come first
	}
	s.cancel(r, at)
}

func (s Subject) cancelledInModel(t T) {
	if s.Answer == nil {
		t.Skip("the tool asks no model")
	}
	at, release := make(chan struct{}), make(chan struct{})
	entered := sync.OnceFunc(func() { close(at) })
	s.Answer = func([]llm.Message) string {
		entered()
		<-release
		return ""
	}
	t.Cleanup(func() { close(release) })
	s.cancel(s.prepare(t, trial.Budget{Programs: 2}), at)
}

// cancel ends a run's context once entered is closed, and wants it to end with an error.
func (s Subject) cancel(r *run, entered chan struct{}) {
	ctx, cancel := context.WithCancel(r.t.Context())
	defer cancel()
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		s.generate(ctx, r)
	}()
	select {
	case <-entered:
	case <-ended:
		r.t.Fatalf("the tool ended before it was cancelled: %s, %v", r.stop, r.err)
	}
	cancel()
	close(r.cancelled)
	within := cmp.Or(s.Within, cancelWithin)
	select {
	case <-ended:
		if !errors.Is(r.err, context.Canceled) {
			r.t.Errorf("a cancelled tool ended with %q and the error %v", r.stop, r.err)
		}
	case <-time.After(within):
		r.t.Errorf("the tool goes on %s after it was cancelled", within)
		<-ended
	}
	before := files(r.t, r.root)
	time.Sleep(200 * time.Millisecond)
	for name, text := range files(r.t, r.root) {
		if before[name] != text {
			r.t.Errorf("%s is still written to after the tool has ended", name)
		}
	}
}

// confined looks for files outside the tool's directory, and for what the tool was not told.
func (s Subject) confined(t T) {
	r := s.prepare(t, trial.Budget{Programs: 2})
	t.Setenv("TMPDIR", filepath.Join(r.root, "tmp"))
	t.Setenv("HOME", filepath.Join(r.root, "home"))
	s.generate(t.Context(), r)
	text := r.programs() + strings.Join(r.prompts, "\n")
	after := files(t, r.root)
	for name, content := range after {
		if before, known := r.watching[name]; !allowed(name) && (!known || before != content) {
			t.Errorf("the tool wrote %s", name)
		}
	}
	for name := range r.watching {
		if _, left := after[name]; !left && !allowed(name) {
			t.Errorf("the tool removed %s", name)
		}
	}
	if strings.Contains(text, secret) {
		t.Error("the tool read what it was not given")
	}
}

// allowed are the tool's own directory and its transcript.
func allowed(name string) bool {
	return strings.HasPrefix(name, "work/") || strings.HasPrefix(name, "cell/")
}

// files returns the contents of every file below root by its relative name.
func files(t T, root string) map[string]string {
	t.Helper()
	all := map[string]string{}
	tree := os.DirFS(root)
	err := fs.WalkDir(tree, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := fs.ReadFile(tree, name)
		all[name] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}
