package runner

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"gotest.tools/v3/assert"

	"github.com/lisa-bench/lisa-bench/experiments"
	"github.com/lisa-bench/lisa-bench/internal/trial"
	"github.com/lisa-bench/lisa-bench/results"
)

// usesPlan has two variants of lisa on the seeds of one cell, and the knowledge base of another.
func usesPlan() experiments.Plan {
	e := &experiments.Experiment{Name: "uses", Seed: 3, Trials: 1, Budget: trial.Budget{Programs: 4}, Test: experiments.Test{Timeout: time.Second, Repeats: 1},
		Libraries: []experiments.LibrarySpec{{Name: "bell", Edition: "debian"}},
		Tools: []experiments.ToolSpec{{Name: "lisa", Knowledge: experiments.Auto, Params: map[string]any{"seeds": experiments.Auto},
			Variants: []experiments.Variant{{Name: "default"}, {Name: "no_chunk", Params: map[string]any{"chunks": false}}}}}}
	return e.Plan()
}

// makers are tools that note in which order they ran, and what lisa was given.
type makers struct {
	mu    sync.Mutex
	order []string
	given []map[string]any
	fails bool // the seeds
}

func (m *makers) note(name string, params map[string]any) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.order, m.given = append(m.order, name), append(m.given, params)
}

func (m *makers) tools() []Tool {
	add := func(job trial.Job, text string) (trial.StopReason, error) {
		return trial.StopExhausted, job.Suite.Add(trial.Program{Lang: trial.C, Source: text})
	}
	return []Tool{
		feedbackTool{name: "lisa-api", generate: func(_ context.Context, job trial.Job) (trial.StopReason, error) {
			m.note("seeds", job.Params)
			job.Ledger.Charge(trial.Usage{Tokens: 7})
			if m.fails {
				return "", errors.New("no answer")
			}
			return add(job, "/* seed */")
		}},
		baseTool{feedbackTool{name: "knowledge", generate: func(_ context.Context, job trial.Job) (trial.StopReason, error) {
			seed, err := os.ReadFile(filepath.Join(job.Params["sequences"].(string), "p00001.c"))
			if err != nil {
				return "", err
			}
			m.note("base", job.Params)
			return trial.StopExhausted, os.WriteFile(filepath.Join(job.Dir, "bell.yaml"), append([]byte("seen "), seed...), 0o644)
		}}},
		feedbackTool{name: "lisa", generate: func(_ context.Context, job trial.Job) (trial.StopReason, error) {
			m.note("lisa", job.Params)
			base, err := os.ReadFile(filepath.Join(job.Params["contracts"].(string), "bell.yaml"))
			if err != nil {
				return "", err
			}
			seed, err := os.ReadFile(filepath.Join(job.Params["seeds"].(string), "p00001.c"))
			if err != nil {
				return "", err
			}
			return add(job, string(base)+string(seed))
		}},
	}
}

type baseTool struct{ feedbackTool }

func (baseTool) Product(library string) string { return library + ".yaml" }

// TestCellsUseWhatOthersMake runs, with one worker and with several, cells after those that they use,
// and gives them what those made.
func TestCellsUseWhatOthersMake(t *testing.T) {
	for _, jobs := range []int{1, 4} {
		t.Run(fmt.Sprint(jobs), func(t *testing.T) {
			dir, m := t.TempDir(), &makers{}
			lab := &fakeLab{exec: &hashExecutor{}}
			s, err := session(t.Context(), dir, usesPlan(), lab, jobs, m.tools()...)
			assert.Assert(t, err == nil && s.Complete == 4, "%v: %+v", err, s)
			assert.Check(t, slices.Equal(m.order, []string{"seeds", "base", "lisa", "lisa"}), "order %v", m.order)
			assert.Check(t, m.given[2]["seeds"] == m.given[3]["seeds"],
				"two variants of a trial start from different seeds: %v", m.given[2:])
			data, err := results.Load(dir)
			assert.NilError(t, err)
			for _, c := range data.Cells {
				if c.Cell.Tool == "lisa" && c.Record != nil && (c.Record.Before == nil || c.Record.Usage.Tokens != 0 || c.Record.Total().Tokens != 7) {
					t.Errorf("%s cost %+v after %+v", c.Cell.ID(), c.Record.Usage, c.Record.Before)
				}
				if c.Record == nil {
					t.Errorf("%s: a finished run says %+v", c.Cell.ID(), c.Incomplete)
				} else if made := c.Cell.Tool == "knowledge"; made != (c.Record.Kind == trial.KindKnowledge) {
					t.Errorf("%s is of kind %s", c.Cell.ID(), c.Record.Kind)
				}
			}
			// A second session has nothing to do.
			if s, err = session(t.Context(), dir, usesPlan(), lab, jobs, m.tools()...); err != nil || s.Complete != 4 || len(m.order) != 4 {
				t.Errorf("again: %v, %+v, %v", err, s, m.order)
			}
		})
	}
}

// TestUsedCellFails expects a reason with all that would have used the cell, and that they are made when it is there.
func TestUsedCellFails(t *testing.T) {
	dir, m := t.TempDir(), &makers{fails: true}
	lab := &fakeLab{exec: &hashExecutor{}}
	s, err := session(t.Context(), dir, usesPlan(), lab, 2, m.tools()...)
	assert.Assert(t, err == nil && s.Complete == 0, "%v: %+v", err, s)
	for _, inc := range s.Incomplete {
		if inc.Cell.Tool != "lisa-api" && (inc.Kind != KindUses || !strings.Contains(inc.Message, "lisa-api.default.bell.debian.1, which is incomplete: tool: no answer")) {
			t.Errorf("%s: %s: %s", inc.Cell.ID(), inc.Kind, inc.Message)
		}
	}
	m.fails = false
	if s, err = session(t.Context(), dir, usesPlan(), lab, 2, m.tools()...); err != nil || s.Complete != 4 {
		t.Errorf("%v: %+v", err, s)
	}
}

// TestKeyCoversWhatIsUsed expects another version of the tool that makes seeds to change the keys of all
// that uses them.
func TestKeyCoversWhatIsUsed(t *testing.T) {
	dir, m := t.TempDir(), &makers{}
	lab := &fakeLab{exec: &hashExecutor{}}
	if _, err := session(t.Context(), dir, usesPlan(), lab, 1, m.tools()...); err != nil {
		t.Fatal(err)
	}
	tools := m.tools()
	tools[0] = newer{tools[0]}
	if s, err := session(t.Context(), dir, usesPlan(), lab, 1, tools...); err != nil || s.Complete != 4 || len(m.order) != 8 {
		t.Errorf("%v, %+v, order %v", err, s, m.order)
	}
}

type newer struct{ Tool }

func (newer) Version() string { return "2" }

// TestChosenCellMakesWhatItUses expects a cell that is chosen alone to come with what it uses.
func TestChosenCellMakesWhatItUses(t *testing.T) {
	o := options(opened(t), usesPlan(), &fakeLab{exec: &hashExecutor{}}, (&makers{}).tools()...)
	o.Only, o.Jobs = func(c trial.Cell) bool { return c.Variant == "no_chunk" }, 2
	s, err := Run(t.Context(), o)
	assert.Check(t, err == nil && s.Planned == 3 && s.Complete == 3, "%v: %+v", err, s)
}
