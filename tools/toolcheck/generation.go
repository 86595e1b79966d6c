package toolcheck

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net"
	"net/http"
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

	added func()          // called after each program; may be nil
	asked func()          // called for each request to the model; may be nil
	ended <-chan struct{} // closed when the generation is cancelled
	mu    sync.Mutex      // of prompts
}

// failed is the tool's error; that its budget ended is none.
func (g *generation) failed() error {
	if errors.Is(g.err, trial.ErrBudget) {
		return nil
	}
	return g.err
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

// generate calls the tool once in directories of its own. The error is of the check and not of the tool.
func (c *check) generate(ctx context.Context, b trial.Budget, prepare ...func(*generation)) (*generation, error) {
	root, err := os.MkdirTemp("", "bench-check-")
	if err != nil {
		return &generation{}, err
	}
	defer os.RemoveAll(root)
	library, work, cell := filepath.Join(root, "library"), filepath.Join(root, "work"), filepath.Join(root, "cell")
	err = errors.Join(os.Chmod(root, 0o755), os.Mkdir(work, 0o755), os.Mkdir(cell, 0o755), // programs may run as another user
		os.CopyFS(library, os.DirFS(c.library)), os.WriteFile(filepath.Join(root, "bugs.yaml"), []byte(secret), 0o644))
	if err != nil {
		return &generation{}, err
	}
	g := &generation{ledger: trial.NewLedger(b, trial.Usage{}, time.Now), ended: ctx.Done()}
	for _, f := range prepare {
		f(g)
	}
	var models *llm.Models
	if c.spec.Model {
		server, opened, err := g.serve()
		if err != nil {
			return g, err
		}
		defer server.Close()
		models = opened
	}
	before := filesOf(root)
	budgeted, cancel := g.ledger.Context(ctx)
	defer cancel()
	command := exttool.NewCommand(exttool.Command{
		Spec: c.spec, Sandbox: c.Sandbox, Models: models, CC: c.Tools.Clang.Path, CXX: c.Tools.ClangXX.Path,
		Bounds: bounds, Grace: c.grace, Observe: func(o exttool.Observation) { c.seen = o },
	})
	g.stop, g.err = command.Generate(budgeted, trial.Job{
		Target: target(library), Params: c.params, Seed: 5, Dir: work, Suite: g, Ledger: g.ledger,
		Log: slog.New(slog.DiscardHandler), Generation: new(trial.Generation),
		Models: trial.ModelAccess{Cell: "c", Transcript: filepath.Join(cell, llm.TranscriptFile), Fresh: func() {}},
	})
	after := filesOf(root)
	for name := range before {
		if _, left := after[name]; !left {
			g.touched = append(g.touched, name)
		}
	}
	for name, text := range after {
		own := strings.HasPrefix(name, "work/") || strings.HasPrefix(name, "cell/")
		if was, known := before[name]; !own && (!known || was != text) {
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

// modelName is that of the scripted model.
const modelName = "scripted"

// serve starts the scripted model: an endpoint with the interface of OpenAI that writes test programs.
func (g *generation) serve() (*http.Server, *llm.Models, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, nil, err
	}
	server := &http.Server{Handler: http.HandlerFunc(g.answer), ReadHeaderTimeout: time.Minute}
	go func() { _ = server.Serve(listener) }() // always ErrServerClosed
	config := llm.Config{
		Provider: llm.ProviderOpenAI, BaseURL: "http://" + listener.Addr().String() + "/v1", Settings: llm.Settings{Model: modelName},
		Prices: []llm.Price{{Model: modelName, Input: new(1.0), Output: new(1.0)}}, Limits: llm.Limits{Concurrency: 1},
	}
	models, err := llm.Open(config, nil, slog.New(slog.DiscardHandler))
	return server, models, err
}

func (g *generation) answer(w http.ResponseWriter, r *http.Request) {
	var body struct {
		Messages []llm.Message `json:"messages"`
	}
	if err := json.NewDecoder(r.Body).Decode(&body); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	g.mu.Lock()
	for _, m := range body.Messages {
		g.prompts = append(g.prompts, m.Content)
	}
	g.mu.Unlock()
	if g.asked != nil {
		g.asked()
	}
	w.Header().Set("Content-Type", "text/event-stream")
	for _, event := range []string{
		`{"model":"` + modelName + `","choices":[{"index":0,"delta":{"content":%s}}]}`,
		`{"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}`,
		`{"choices":[],"usage":{"prompt_tokens":1,"completion_tokens":1}}`,
	} {
		text, _ := json.Marshal(answer(body.Messages)) // a string has a JSON form
		fmt.Fprintf(w, "data: %s\n\n", strings.Replace(event, "%s", string(text), 1))
	}
	fmt.Fprint(w, "data: [DONE]\n\n")
}
