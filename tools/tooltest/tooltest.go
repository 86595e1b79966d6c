// Package tooltest is the conformance suite that every tool must pass.
//
// Run consumes a Subject, which makes the tool, a library for it to test, an executor and, for a tool that asks
// a model, the model's answers. It fails the test of a tool that is not the same
// under replay, overspends its budget, does not stop when it is told to, or writes outside
// its directory. It also fails one that knows what it was not given, uses a build that it does not say it needs, or lies about
// why it stopped. It refuses nothing: a tool that leaves no program at all fails.
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
	"sync/atomic"
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

// checks are what every tool passes, in the order in which they run.
var checks = []struct {
	name  string
	check func(Subject, T)
}{
	{"deterministic under replay", Subject.deterministic},
	{"programs budget", Subject.programsBudget},
	{"calls budget", Subject.callsBudget},
	{"cancelled before it starts", Subject.cancelledAtOnce},
	{"cancelled while it runs programs", Subject.cancelledInExecutor},
	{"cancelled while it asks", Subject.cancelledInModel},
	{"leaves everything else alone", Subject.confined},
}

// Run runs every check as a test of its own.
func Run(t *testing.T, s Subject) {
	for _, c := range checks {
		t.Run(c.name, func(t *testing.T) { c.check(s, t) })
	}
}

// A run is one call of Generate and what it left.
type run struct {
	t         T
	root      string // of everything below
	job       trial.Job
	suite     *Suite
	config    llm.Config
	prompts   *recorder
	stop      trial.StopReason
	err       error
	watching  map[string]string // files before the run
	cancelled chan struct{}     // closed by cancel
}

// A recorder keeps every prompt.
type recorder struct {
	mu    sync.Mutex
	texts []string
}

// prepare makes the directories of a run.
func (s Subject) prepare(t T, b trial.Budget) *run {
	t.Helper()
	r := &run{t: t, root: t.TempDir(), prompts: &recorder{}, cancelled: make(chan struct{})}
	for _, dir := range []string{"work", "tmp", "home", "cell"} {
		if err := os.MkdirAll(filepath.Join(r.root, dir), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	library := filepath.Join(r.root, "library")
	if err := os.CopyFS(library, os.DirFS(s.Source)); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(r.root, "bugs.yaml"), []byte(secret), 0o644); err != nil {
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
		r.config = llmtest.Serve(t, func(m []llm.Message) string {
			r.prompts.mu.Lock()
			for _, message := range m {
				r.prompts.texts = append(r.prompts.texts, message.Content)
			}
			r.prompts.mu.Unlock()
			return s.Answer(m)
		}).Config()
		// One at a time where the test's model answers by turns: what is asked is the same anyhow.
		r.config.Limits.Concurrency = 1
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
	var models *llm.Models
	if s.Answer != nil {
		models = llmtest.Open(r.t, r.config)
	}
	tool := s.New(r.t, models)
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
	budget := trial.Budget{Programs: 3}
	first := s.prepare(t, budget)
	s.generate(t.Context(), first)
	text := first.programs()
	again := s.prepare(t, budget)
	if s.Answer != nil {
		again.config.Provider, again.config.BaseURL, again.config.Dir = llm.ProviderReplay, "", t.TempDir()
		from, err := os.ReadFile(first.job.Models.Transcript)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.MkdirAll(again.config.CellDir("c"), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(again.config.CellDir("c"), llm.TranscriptFile), from, 0o644); err != nil {
			t.Fatal(err)
		}
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
	case r.err != nil: // the runner takes the reason from the ledger
		if full == "" {
			r.t.Errorf("ended with %v while the budget has room", r.err)
		}
	case r.stop == "":
		r.t.Error("no reason for stopping")
	case r.stop != trial.StopExhausted && r.stop != full:
		r.t.Errorf("stopped for %q, but the ledger says %q", r.stop, full)
	}
}

// A blockedExecutor ends with its context.
type blockedExecutor struct {
	entered chan struct{}
	once    sync.Once
}

func (b *blockedExecutor) Run(ctx context.Context, _ []trial.Program, _ trial.ExecOptions) ([]trial.Result, error) {
	b.once.Do(func() { close(b.entered) })
	<-ctx.Done()
	return nil, context.Cause(ctx)
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

func (s Subject) cancelledInExecutor(t T) {
	if s.Exec == nil && s.Blocked == nil {
		s.cancelledAtWork(t)
		return
	}
	blocked := &blockedExecutor{entered: make(chan struct{})}
	r := s.prepare(t, trial.Budget{Programs: 2})
	r.job.Exec = blocked
	if s.Blocked != nil {
		s.New = func(T, *llm.Models) Generator {
			return s.Blocked(func() { blocked.once.Do(func() { close(blocked.entered) }) })
		}
	}
	s.cancel(r, blocked.entered)
}

// cancelledAtWork cancels a tool that runs no programs when it has finished its first.
func (s Subject) cancelledAtWork(t T) {
	r := s.prepare(t, trial.Budget{Programs: 1000})
	first := make(chan struct{})
	var once sync.Once
	r.suite.added = func() { once.Do(func() { close(first); <-r.cancelled }) } // its end must not come first
	s.cancel(r, first)
}

func (s Subject) cancelledInModel(t T) {
	if s.Answer == nil {
		t.Skip("the tool asks no model")
	}
	entered, release := make(chan struct{}), make(chan struct{})
	var asked atomic.Bool
	waiting := s
	waiting.Answer = func([]llm.Message) string {
		if asked.CompareAndSwap(false, true) {
			close(entered)
		}
		<-release
		return ""
	}
	r := waiting.prepare(t, trial.Budget{Programs: 2})
	t.Cleanup(func() { close(release) }) // before the endpoint of prepare is closed
	waiting.cancel(r, entered)
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
	text := r.programs()
	after := files(t, r.root)
	for name, content := range after {
		if before, known := r.watching[name]; allowed(name) || known && before == content {
			continue
		}
		t.Errorf("the tool wrote %s", name)
	}
	for name := range r.watching {
		if _, left := after[name]; !left && !allowed(name) {
			t.Errorf("the tool removed %s", name)
		}
	}
	for _, p := range append(r.prompts.texts, text) {
		if strings.Contains(p, secret) {
			t.Error("the tool read what it was not given")
		}
	}
}

// allowed are the tool's own directory and its transcript.
func allowed(name string) bool {
	return strings.HasPrefix(name, "work"+string(filepath.Separator)) || strings.HasPrefix(name, "cell"+string(filepath.Separator))
}

// files returns the contents of every file below root by its relative name.
func files(t T, root string) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		rel, err := filepath.Rel(root, name)
		if err != nil {
			return err
		}
		text, err := os.ReadFile(name)
		all[rel] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}
