package llm

import (
	"context"
	"fmt"
	"log/slog"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/tidwall/gjson"
)

// Models is a run's access to models, shared by its cells so that they keep the endpoint's
// limits together.
type Models struct {
	config   Config
	endpoint *endpoint // nil unless the provider is openai, or uploads
	script   scripted  // answers in place of an endpoint; nil for none
	log      *slog.Logger
}

// A client answers the requests of a round. It calls deliver once for each index, in any order, from any
// goroutine, before it returns. An error is a fault of the endpoint, the configuration or the budget,
// never of the model's.
type client interface {
	round(ctx context.Context, rs []Request, deliver func(i int, r Result))
}

// Open checks the configuration and returns the access to its models; nothing is sent. getenv reads the
// variable with the key. A missing key is an *Error; a replay without a directory of recordings is an error
// too.
func Open(c Config, getenv func(string) string, log *slog.Logger) (*Models, error) {
	c = c.WithDefaults()
	m := &Models{config: c, log: log}
	switch {
	case c.Provider == ProviderBatch && !c.Upload:
		return m, nil
	case c.Provider == ProviderReplay:
		return m, c.checkRecordings()
	}
	var key string
	if c.APIKeyEnv != "" {
		if key = strings.TrimSpace(getenv(c.APIKeyEnv)); key == "" {
			return nil, &Error{
				Failure: Failure{
					Fault:   FaultKey,
					Message: fmt.Sprintf("no API key for %s: the variable %s is not set", c.BaseURL, c.APIKeyEnv),
				},
				Hint: "set it, or name another variable in llm.api_key_env",
			}
		}
	}
	m.endpoint = newEndpoint(c, key, log)
	return m, nil
}

// HasOwnModel reports whether a stage names a model of its own: a stage that embeds cannot use the
// one of the other stages.
func (m *Models) HasOwnModel(stage string) bool {
	return slices.ContainsFunc(m.config.Stages, func(s Stage) bool { return s.Name == stage && s.Model != "" })
}

// Session opens the access of one cell, whose ID names its directory for batch and replay.
func (m *Models) Session(cell string, o SessionOptions) (*Session, error) {
	config := m.config.With(o.Model)
	switch m.config.Provider {
	case ProviderBatch:
		b, err := newBatch(config.CellDir(cell), config.Limits.MaxAnswerBytes, m.log)
		if err != nil {
			return nil, err
		}
		b.form = config.form()
		if config.Upload {
			b.uploader = &uploader{endpoint: m.endpoint, cell: cell, poll: 30 * time.Second}
		}
		return newSession(config, b, "", o)
	case ProviderReplay:
		recording, err := config.recording(cell)
		if err != nil {
			return nil, err
		}
		return newSession(config, nil, recording, o)
	}
	if m.script != nil {
		return newSession(config, m.script, "", o)
	}
	return newSession(config, m.endpoint.cell(), "", o)
}

// Scripted returns a model that a function answers, for checks of tools. It is called for one request of a round
// after the other, and costs a dollar for a million tokens. An answer that is an object with tool_calls, as the API
// has them, is these calls.
func Scripted(answer func(messages []Message) string) *Models {
	const name = "scripted"
	c := Config{Settings: Settings{Model: name}, Prices: []Price{{Model: name, Input: new(1.0), Output: new(1.0)}}}
	return &Models{config: c.WithDefaults(), script: answer}
}

type scripted func(messages []Message) string

func (s scripted) round(ctx context.Context, rs []Request, deliver func(i int, r Result)) {
	for i, r := range rs {
		text := make(chan string, 1)
		go func() { text <- s(r.Whole().Messages) }()
		select {
		case words := <-text:
			a := reading{answer: Answer{FinishReason: "stop"}}
			if strings.HasPrefix(words, `{"tool_calls":`) && gjson.Valid(words) {
				a.piece(gjson.Parse(words))
			} else {
				a.text.WriteString(words)
			}
			answer, err := a.end(r, math.MaxInt, false)
			deliver(i, Result{Answer: answer, Err: err})
		case <-ctx.Done():
			deliver(i, Result{Err: context.Cause(ctx)})
		}
	}
}
