package llm

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"
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
			s := m.config.With(model).For(stage)
			i := slices.IndexFunc(checks, func(o *Check) bool { return o.Settings.String() == s.String() })
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

// A Fault is a kind of trouble with an endpoint.
type Fault string

// The faults. A cell that meets one that does not pass is incomplete; its answers are kept.
const (
	FaultKey         Fault = "key"         // no key, or a wrong one (401, 403)
	FaultQuota       Fault = "quota"       // the account is out of money (402, or 429 insufficient_quota)
	FaultModel       Fault = "model"       // the endpoint has no such model
	FaultRequest     Fault = "request"     // refused for its form, such as a parameter that the model does not take
	FaultUnreachable Fault = "unreachable" // no connection
	FaultRate        Fault = "rate"        // 429
	FaultServer      Fault = "server"      // 5xx, 408, 409, or an answer that ended for no known reason
	FaultTimeout     Fault = "timeout"     // the answer took longer than the request timeout
	FaultCut         Fault = "cut"         // the connection ended before the answer did
	FaultMalformed   Fault = "malformed"   // not the JSON that the protocol asks for
	FaultContentType Fault = "contenttype" // no API's answer, such as an HTML page
)

// An Error is a fault that stayed after all tries. Its text is one line and holds no key.
type Error struct {
	Fault      Fault
	Message    string
	Hint       string        // what to do
	RetryAfter time.Duration // asked for by the endpoint; 0 if it asked for nothing
	Tries      int           // 0 and 1 are the same
}

func (e *Error) Error() string {
	s := "llm: " + e.Message
	if e.Tries > 1 {
		s += fmt.Sprintf(" (after %d tries)", e.Tries)
	}
	if e.Hint != "" {
		s += ": " + e.Hint
	}
	return s
}

// Sleep waits, unless ctx ends before.
func Sleep(ctx context.Context, d time.Duration) error {
	if d <= 0 {
		return context.Cause(ctx)
	}
	select {
	case <-time.After(d):
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}
