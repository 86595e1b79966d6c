package toolcheck

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/lisa-bench/lisa-bench/internal/llm"
	"github.com/lisa-bench/lisa-bench/internal/trial"
	"github.com/lisa-bench/lisa-bench/tools/exttool"
)

// secret is a text beside the library that no tool has a reason to read.
const secret = "planted-bug-7f3a"

// A generation is one call of the tool, with what it left.
type generation struct {
	ledger   *trial.Ledger
	stop     trial.StopReason
	err      error // of the tool
	programs []trial.Program
	prompts  []string
	touched  []string // files outside the tool's directories that it wrote or removed

	grace time.Duration   // exttool.Command's
	added func()          // called after each program; may be nil
	asked func()          // called for each request to the model; may be nil
	ended <-chan struct{} // closed when the generation is cancelled
	mu    sync.Mutex      // of prompts
}

// text is the suite.
func (g *generation) text() string {
	var b strings.Builder
	for _, p := range g.programs {
		fmt.Fprintf(&b, "%s %s %s\n%s\n\n", p.Lang, p.Oracle, p.Refused, p.Source)
	}
	return b.String()
}

// Add is trial.SuiteWriter's.
func (g *generation) Add(p trial.Program) error {
	if stop := g.ledger.Closed(); stop != "" {
		return fmt.Errorf("%w: %s", trial.ErrBudget, stop)
	}
	g.programs = append(g.programs, p)
	g.ledger.Charge(trial.Usage{Programs: 1})
	if g.added != nil {
		g.added()
	}
	return nil
}

// answer is the model: it answers from a script, and keeps what it was asked.
func (g *generation) answer(messages []llm.Message) string {
	g.mu.Lock()
	for _, m := range messages {
		g.prompts = append(g.prompts, m.Content)
	}
	g.mu.Unlock()
	if g.asked != nil {
		g.asked()
	}
	return answer(messages)
}

// generate calls the tool once in directories of its own. The error is of the check and not of the tool.
func (c *check) generate(ctx context.Context, b trial.Budget, prepare ...func(*generation)) (*generation, error) {
	g := &generation{ledger: trial.NewLedger(b, trial.Usage{}, time.Now), ended: ctx.Done()}
	root, err := os.MkdirTemp("", "bench-check-")
	if err != nil {
		return g, err
	}
	defer os.RemoveAll(root)
	library, work, cell := filepath.Join(root, "library"), filepath.Join(root, "work"), filepath.Join(root, "cell")
	err = errors.Join(os.Chmod(root, 0o755), os.Mkdir(work, 0o755), os.Mkdir(cell, 0o755), // programs may run as another user
		os.CopyFS(library, os.DirFS(c.library)), os.WriteFile(filepath.Join(root, "bugs.yaml"), []byte(secret), 0o644))
	if err != nil {
		return g, err
	}
	for _, f := range prepare {
		f(g)
	}
	before := filesOf(root)
	budgeted, cancel := g.ledger.Context(ctx)
	defer cancel()
	command := exttool.NewCommand(exttool.Command{
		Spec: c.spec, Sandbox: c.Sandbox, CC: c.Tools.Clang.Path, CXX: c.Tools.ClangXX.Path,
		Models: llm.Scripted(g.answer), Bounds: bounds, Grace: g.grace, Observe: func(o exttool.Observation) { c.seen = o },
	})
	g.stop, g.err = command.Generate(budgeted, trial.Job{
		Target: target(library), Params: c.params, Seed: 5, Dir: work, Suite: g, Ledger: g.ledger,
		Log: slog.New(slog.DiscardHandler), Generation: new(trial.Generation),
		Models: trial.ModelAccess{Cell: "c", Transcript: filepath.Join(cell, llm.TranscriptFile), Fresh: func() {}},
	})
	if !errors.Is(g.err, trial.ErrBudget) {
		c.failure = g.err
	}
	after := filesOf(root)
	names := maps.Clone(before)
	maps.Copy(names, after)
	for name := range names {
		own := strings.HasPrefix(name, "work/") || strings.HasPrefix(name, "cell/")
		if before[name] != after[name] && !own {
			g.touched = append(g.touched, name)
		}
	}
	return g, nil
}

// filesOf returns the contents of the files below root by their relative names.
func filesOf(root string) map[string]string {
	all := map[string]string{}
	_ = filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			rel, _ := filepath.Rel(root, name)
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
