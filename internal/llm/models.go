package llm

import (
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"time"

	"github.com/lisa-bench/lisa-bench/internal/trial"
)

// Models is a run's access to models, shared by its cells so that they keep the endpoint's
// limits together.
type Models struct {
	config Config
	client client // nil unless the provider is openai
	log    *slog.Logger
}

// Env is what Open needs of the world.
type Env struct {
	Getenv func(string) string
	Now    func() time.Time
	Seed   trial.Seed // of the waits between tries
	Log    *slog.Logger
}

// Open checks the configuration and returns the access to its models; nothing is sent. A
// missing key is an *Error; a replay without a directory of recordings is an error too.
func Open(c Config, env Env) (*Models, error) {
	c = c.WithDefaults()
	m := &Models{config: c, log: env.Log}
	switch c.Provider {
	case ProviderBatch:
		return m, nil
	case ProviderReplay:
		return m, c.checkRecordings()
	}
	var key string
	if c.APIKeyEnv != "" {
		if key = strings.TrimSpace(env.Getenv(c.APIKeyEnv)); key == "" {
			return nil, &Error{
				Failure: Failure{Fault: FaultKey, Message: fmt.Sprintf("no API key for %s: the variable %s is not set", c.BaseURL, c.APIKeyEnv)},
				Hint:    "set it, or name another variable in llm.api_key_env",
			}
		}
	}
	m.client = &retry{Next: newLimit(newEndpoint(c, key, env.Now), c.Limits), Tries: c.Limits.Tries, Seed: env.Seed, Log: env.Log}
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
		b, err := newBatch(m.config.CellDir(cell), m.config.Limits, m.log)
		if err != nil {
			return nil, err
		}
		return newSession(config, b, "", o)
	case ProviderReplay:
		recording, err := m.config.recording(cell)
		if err != nil {
			return nil, err
		}
		return newSession(config, nil, recording, o)
	}
	return newSession(config, m.client, "", o)
}
