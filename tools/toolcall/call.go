// Package toolcall calls a tool once, in directories of its own, and tells what it left, asked and touched. The checks
// of outside tools (toolcheck) and of our own (tooltest) are made of such calls.
package toolcall

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/lisa-bench/lisa-bench/internal/llm"
	"github.com/lisa-bench/lisa-bench/internal/llm/provider"
	"github.com/lisa-bench/lisa-bench/internal/trial"
)

// A Suite keeps programs and inputs in memory, and holds a tool to the ledger as the runner's
// suite does (results.SuiteWriter). It refuses a program once the budget is at its end. It is
// not safe for concurrent use.
type Suite struct {
	Ledger   *trial.Ledger
	Programs []trial.Program // in the order in which they were added
	Inputs   []string
	Added    func() // called after each program; may be nil
}

// Add is trial.SuiteWriter's.
func (s *Suite) Add(p trial.Program) error {
	if stop := s.Ledger.Full(); stop != "" {
		return fmt.Errorf("%w: %s", trial.ErrBudget, stop)
	}
	s.Programs = append(s.Programs, p)
	s.Ledger.Charge(trial.Usage{Programs: 1})
	if s.Added != nil {
		s.Added()
	}
	return nil
}

// AddInput is trial.CorpusWriter's, without the time, which no two runs share.
func (s *Suite) AddInput(target, path string, _ time.Duration, crash bool) error {
	data, err := os.ReadFile(path)
	s.Inputs = append(s.Inputs, fmt.Sprintf("%s crash=%v %q", target, crash, data))
	return err
}

// Text is all that the suite holds.
func (s *Suite) Text() string {
	var b strings.Builder
	for _, p := range s.Programs {
		fmt.Fprintf(&b, "%s %s %s\n%s\n\n", p.Lang, p.Oracle, p.Refused, p.Source)
	}
	return b.String() + strings.Join(s.Inputs, "\n")
}

// secret is a text beside the library that no tool has a reason to read.
const secret = "planted-bug-7f3a"

// A Generate is what a tool does with a job; models is nil if it asks none.
type Generate func(ctx context.Context, job trial.Job, models *llm.Models) (trial.StopReason, error)

// A Call is one call of a tool in directories of its own, and what it left. Job, Models and hooks may be changed
// before it runs.
type Call struct {
	Job    trial.Job
	Suite  *Suite      // of the job
	Models *llm.Models // nil if the tool asks none
	Asked  func()      // called for each request to the model; may be nil

	Stop    trial.StopReason
	Err     error    // of the tool
	Touched []string // files outside the tool's directories that it wrote or removed

	root    string
	ended   chan struct{}
	mu      sync.Mutex
	prompts []string
}

// New prepares a call in the directory root, which is there: with a copy of a library's directory, which
// target describes, and a secret beside it. model answers the tool; nil if it asks none.
func New(
	root, library string, target func(dir string) trial.Target, b trial.Budget, model func([]llm.Message) string,
) (*Call, error) {
	ledger := trial.NewLedger(b, trial.Usage{}, time.Now)
	c := &Call{Suite: &Suite{Ledger: ledger}, root: root, ended: make(chan struct{})}
	copied := filepath.Join(root, "library")
	err := errors.Join(os.Chmod(root, 0o755), os.CopyFS(copied, os.DirFS(library)), // programs may run as another user
		os.WriteFile(filepath.Join(root, "bugs.yaml"), []byte(secret), 0o644))
	for _, dir := range []string{"work", "cell", "tmp", "home"} {
		err = errors.Join(err, os.Mkdir(filepath.Join(root, dir), 0o755))
	}
	c.Job = trial.Job{
		Target: target(copied), Seed: 5, Dir: filepath.Join(root, "work"), Suite: c.Suite, Corpus: c.Suite, Ledger: ledger,
		Log: slog.New(slog.DiscardHandler), Generation: new(trial.Generation),
		Models: trial.ModelAccess{Cell: "c", Transcript: filepath.Join(root, "cell", llm.TranscriptFile), Fresh: func() {}},
	}
	if model != nil {
		c.Models = provider.Scripted(func(messages []llm.Message) string {
			c.mu.Lock()
			for _, m := range messages {
				c.prompts = append(c.prompts, m.Content)
			}
			c.mu.Unlock()
			if c.Asked != nil {
				c.Asked()
			}
			return model(messages)
		})
	}
	return c, err
}

// Run calls the tool.
func (c *Call) Run(ctx context.Context, tool Generate) {
	defer close(c.ended)
	before := c.files()
	budgeted, cancel := c.Job.Ledger.Context(ctx)
	defer cancel()
	c.Stop, c.Err = tool(budgeted, c.Job, c.Models)
	after := c.files()
	all := maps.Clone(before)
	maps.Copy(all, after)
	for _, name := range slices.Sorted(maps.Keys(all)) {
		if before[name] != after[name] {
			c.Touched = append(c.Touched, name)
		}
	}
}

// RunCancelled calls the tool and cancels it when the function that when is given is called. It returns how long
// the tool went on after that, and false if it ended before.
func (c *Call) RunCancelled(ctx context.Context, tool Generate, when func(cancel func())) (time.Duration, bool) {
	working, end := context.WithCancel(ctx)
	defer end()
	at := make(chan time.Time, 1)
	when(sync.OnceFunc(func() {
		at <- time.Now()
		end()
	}))
	c.Run(working, tool)
	select {
	case since := <-at:
		return time.Since(since), true
	default:
		return 0, false
	}
}

// HoldAsking has the first request to the model call cancel, and no request get an answer.
func (c *Call) HoldAsking(cancel func()) {
	c.Asked = func() {
		cancel()
		<-c.ended
	}
}

// Failed is the tool's error; that its budget ended is none.
func (c *Call) Failed() error {
	if errors.Is(c.Err, trial.ErrBudget) {
		return nil
	}
	return c.Err
}

// Peeked reports whether the tool shows what it was not given, in what it left or asked.
func (c *Call) Peeked() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return strings.Contains(c.Suite.Text()+strings.Join(c.prompts, "\n"), secret)
}

// files returns the contents of all files in the directories of the call that are not the tool's own, by their relative names.
func (c *Call) files() map[string]string {
	all := map[string]string{}
	_ = filepath.WalkDir(c.root, func(name string, d fs.DirEntry, err error) error {
		rel, _ := filepath.Rel(c.root, name)
		if err == nil && d.IsDir() && (rel == "work" || rel == "cell") { // the tool's own
			return fs.SkipDir
		}
		if err == nil && !d.IsDir() {
			all[rel] = d.Type().String()
			if d.Type().IsRegular() { // to read a pipe would wait for a writer
				text, _ := os.ReadFile(name)
				all[rel] += string(text)
			}
		}
		return nil
	})
	return all
}
