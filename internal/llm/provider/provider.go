// Package provider opens the access to models that an experiment's llm block asks for: an endpoint with the interface
// of OpenAI, asked within its limits and as often as is useful, a directory that anybody answers (package batch), or the
// answers of an earlier run.
package provider

import (
	"context"
	"fmt"
	"log/slog"
	"math"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/lisa-bench/lisa-bench/internal/llm"
	"github.com/lisa-bench/lisa-bench/internal/llm/batch"
	"github.com/lisa-bench/lisa-bench/internal/llm/wire"
)

// Open checks the configuration and returns the access to its models; nothing is sent. getenv reads the
// variable with the key. A missing key is an *llm.Error; a replay without a directory of recordings is an error
// too.
func Open(c llm.Config, getenv func(string) string, log *slog.Logger) (*llm.Models, error) {
	c = c.WithDefaults()
	switch c.Provider {
	case llm.ProviderReplay:
		return llm.NewModels(c, llm.Provider{})
	case llm.ProviderBatch:
		return llm.NewModels(c, llm.Provider{Waits: true, Client: func(cell string, c llm.Config) (llm.Client, error) {
			return batch.Open(c, cell, log)
		}})
	}
	var key string
	if c.APIKeyEnv != "" {
		if key = strings.TrimSpace(getenv(c.APIKeyEnv)); key == "" {
			message := fmt.Sprintf("no API key for %s: the variable %s is not set", c.BaseURL, c.APIKeyEnv)
			return nil, &llm.Error{Fault: llm.FaultKey, Message: message, Hint: "set it, or name another variable in llm.api_key_env"}
		}
	}
	return newEndpoint(c, key, log).models()
}

// models is a run's access to the endpoint.
func (e *endpoint) models() (*llm.Models, error) {
	client := func(string, llm.Config) (llm.Client, error) { return e, nil }
	return llm.NewModels(e.config, llm.Provider{Client: client, Check: e.check})
}

// Scripted returns a model that a function answers, for checks of tools. It is called for one request of a round
// after the other, and costs a dollar for a million tokens. An answer that is an object with tool_calls, as the API
// has them, is these calls.
func Scripted(answer func(messages []llm.Message) string) *llm.Models {
	const name = "scripted"
	c := llm.Config{Settings: llm.Settings{Model: name}, Prices: []llm.Price{{Model: name, Input: new(1.0), Output: new(1.0)}}}
	m, _ := llm.NewModels(c, llm.Provider{Client: func(string, llm.Config) (llm.Client, error) { return scripted(answer), nil }})
	return m
}

type scripted func(messages []llm.Message) string

// Round implements llm.Client.
func (s scripted) Round(ctx context.Context, rs []llm.Request, deliver func(i int, r llm.Result)) {
	for i, r := range rs {
		text := make(chan string, 1)
		go func() { text <- s(wire.Whole(r).Messages) }()
		select {
		case words := <-text:
			var calls gjson.Result
			if strings.HasPrefix(words, `{"tool_calls":`) && gjson.Valid(words) {
				words, calls = "", gjson.Get(words, "tool_calls")
			}
			answer, err := wire.ReadShort(words, calls, r, math.MaxInt)
			deliver(i, llm.Result{Answer: answer, Err: err})
		case <-ctx.Done():
			deliver(i, llm.Result{Err: context.Cause(ctx)})
		}
	}
}
