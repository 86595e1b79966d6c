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

// A Provider answers what the sessions of a run ask.
type Provider struct {
	// Client answers one cell. The configuration has the cell's model.
	Client func(cell string, c Config) (Client, error)
	Waits  bool // answers may take a day, which does not count as a cell's time
	// Check asks once. It is nil where there is nothing to check.
	Check func(ctx context.Context, r Request) (Answer, error)
}

// A Client answers the requests of a round. It calls deliver once for each index, in any order, from any
// goroutine, before it returns. An error is a fault of the endpoint, the configuration or the budget,
// never of the model's.
type Client interface {
	Round(ctx context.Context, rs []Request, deliver func(i int, r Result))
}

// Models is a run's access to models, shared by its cells so that they keep the endpoint's
// limits together.
type Models struct {
	config   Config
	provider Provider
}

// NewModels returns the access to models that a provider answers. A replay needs none, but a directory of recordings.
func NewModels(c Config, p Provider) (*Models, error) {
	c = c.WithDefaults()
	if c.Provider == ProviderReplay {
		if err := c.checkRecordings(); err != nil {
			return nil, err
		}
	}
	return &Models{config: c, provider: p}, nil
}

// HasOwnModel reports whether a stage names a model of its own: a stage that embeds cannot use the
// one of the other stages.
func (m *Models) HasOwnModel(stage string) bool {
	return slices.ContainsFunc(m.config.Stages, func(s Stage) bool { return s.Name == stage && s.Model != "" })
}

// Session opens the access of one cell, whose ID names its directory for batch and replay.
func (m *Models) Session(cell string, o SessionOptions) (*Session, error) {
	config := m.config.With(o.Model)
	if m.config.Provider == ProviderReplay {
		recording, err := config.recording(cell)
		if err != nil {
			return nil, err
		}
		return newSession(config, nil, recording, o)
	}
	next, err := m.provider.Client(cell, config)
	if err != nil {
		return nil, err
	}
	s, err := newSession(config, next, "", o)
	if err == nil && m.provider.Waits {
		s.pause = s.ledger.Wait
	}
	return s, err
}

// PreflightPrompt is what models are asked before a run, to see whether they would answer.
const PreflightPrompt = "This is a check of the connection. Answer with the word OK and nothing else."

// EmbeddingSuffix ends the names of stages that ask for embeddings.
const EmbeddingSuffix = "-embedding"

func embeds(stage string) bool { return strings.HasSuffix(stage, EmbeddingSuffix) }

// A Check is one tiny request with the settings of some stages, and what came of it.
type Check struct {
	Stages   []string
	Settings Settings
	Usage    Usage
	Dollars  float64
	Err      error // why it does not answer; nil if it does
}

// String names the settings and the stages that have them.
func (c Check) String() string {
	return fmt.Sprintf("%s (%s)", c.Settings, strings.Join(c.Stages, ", "))
}

// Preflight asks once for each model and settings that the stages, by model in place of the experiment's ("" for that
// one), would ask with: key, address, model, parameters and price. It belongs to no cell and spends from no
// budget. A provider without an endpoint has nothing to check.
func (m *Models) Preflight(ctx context.Context, stages map[string][]string) []*Check {
	if m.provider.Check == nil {
		return nil
	}
	var checks []*Check
	for _, model := range slices.Sorted(maps.Keys(stages)) {
		for _, stage := range stages[model] {
			if embeds(stage) && !m.HasOwnModel(stage) {
				continue // which is not asked
			}
			s := m.config.With(model).For(stage)
			i := slices.IndexFunc(checks, func(o *Check) bool {
				return o.Settings.String() == s.String() && embeds(o.Stages[0]) == embeds(stage)
			})
			if i < 0 {
				i, checks = len(checks), append(checks, &Check{Settings: s})
			}
			if !slices.Contains(checks[i].Stages, stage) {
				checks[i].Stages = append(checks[i].Stages, stage)
			}
		}
	}
	var all sync.WaitGroup
	for _, c := range checks {
		all.Go(func() {
			r := c.Settings.request(c.Stages[0], Message{Role: "user", Content: PreflightPrompt})
			if embeds(r.Stage) {
				r = Request{Stage: r.Stage, Model: r.Model, Texts: []string{PreflightPrompt}}
			}
			r.ID = "preflight"
			if c.Err = r.Validate(); c.Err == nil {
				a, err := m.provider.Check(ctx, r)
				dollars, unpriced := m.config.Dollars(r.Model, a.Usage)
				c.Usage, c.Dollars, c.Err = a.Usage, dollars, errors.Join(err, unpriced)
			}
		})
	}
	all.Wait()
	return checks
}
