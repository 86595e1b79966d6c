package llm

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
)

// PreflightPrompt is what models are asked before a run, to see whether they would answer.
const PreflightPrompt = "This is a check of the connection. Answer with the word OK and nothing else."

// EmbeddingSuffix ends the names of stages that ask for embeddings.
const EmbeddingSuffix = "-embedding"

// A Check is one tiny request with the settings of some stages, and what came of it.
type Check struct {
	Stages   []string
	Settings Settings
	Usage    Usage
	Dollars  float64
	Whole    bool  // the model answers whole, though streaming was asked for
	Err      error // why it does not answer; nil if it does
}

// String names the settings and the stages that have them.
func (c Check) String() string {
	return fmt.Sprintf("%s (%s)", c.Settings, strings.Join(c.Stages, ", "))
}

// Preflight asks once for each model and settings that the stages, by model in place of the experiment's ("" for that
// one), would ask with: key, address, model, parameters, streaming and price. It belongs to no cell and spends from no
// budget. A provider without an endpoint has nothing to check.
func (m *Models) Preflight(ctx context.Context, stages map[string][]string) []Check {
	if m.provider.Check == nil {
		return nil
	}
	var checks []Check
	for _, model := range slices.Sorted(maps.Keys(stages)) {
		c := m.config.With(model)
		for _, stage := range stages[model] {
			if embeds(stage) && !m.HasOwnModel(stage) {
				continue // which is not asked
			}
			s := c.For(stage)
			i := slices.IndexFunc(checks, func(o Check) bool {
				return o.Settings.String() == s.String() && embeds(o.Stages[0]) == embeds(stage)
			})
			if i < 0 {
				i, checks = len(checks), append(checks, Check{Settings: s})
			}
			if !slices.Contains(checks[i].Stages, stage) {
				checks[i].Stages = append(checks[i].Stages, stage)
			}
		}
	}
	var all sync.WaitGroup
	for i := range checks {
		all.Go(func() { checks[i].make(ctx, m) })
	}
	all.Wait()
	return checks
}

func embeds(stage string) bool { return strings.HasSuffix(stage, EmbeddingSuffix) }

// make makes the request of a check.
func (c *Check) make(ctx context.Context, m *Models) {
	s := c.Settings
	r := s.request(c.Stages[0], Message{Role: "user", Content: PreflightPrompt})
	if embeds(r.Stage) {
		r = Request{Stage: r.Stage, Model: s.Model, Texts: []string{PreflightPrompt}}
	}
	r.ID = "preflight"
	if c.Err = r.Validate(); c.Err != nil {
		return
	}
	var err, unpriced error
	c.Usage, c.Whole, err = m.provider.Check(ctx, r)
	c.Dollars, unpriced = m.config.Dollars(s.Model, c.Usage)
	c.Err = errors.Join(err, unpriced)
}
