package llm

import (
	"context"
	"slices"
)

// A Provider answers what the sessions of a run ask.
type Provider struct {
	// Client answers one cell. The configuration has the cell's model.
	Client func(cell string, c Config) (Client, error)
	Waits  bool // answers may take a day, which does not count as a cell's time
	// Check asks once, and returns what that cost and whether the model answers whole though streaming was asked for.
	// It is nil where there is nothing to check.
	Check func(ctx context.Context, r Request) (paid Usage, whole bool, err error)
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
