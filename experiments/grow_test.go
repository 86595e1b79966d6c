package experiments

import (
	"testing"

	"gotest.tools/v3/assert"

	"github.com/lisa-bench/lisa-bench/internal/llm"
)

// TestGrownByAnotherEndpoint: a run goes on with another endpoint, other limits and prices, but not with other models.
func TestGrownByAnotherEndpoint(t *testing.T) {
	dollar, warm := 1.0, 0.7
	for _, tt := range []struct {
		what   string
		change func(*llm.Config)
		ok     bool
	}{
		{"limits", func(c *llm.Config) { c.Limits.Concurrency, c.Limits.Tries = 2, 9 }, true},
		{"prices", func(c *llm.Config) { c.Prices = []llm.Price{{Model: "m", Input: &dollar, Output: &dollar}} }, true},
		{"base_url and key", func(c *llm.Config) { c.BaseURL, c.APIKeyEnv = "http://localhost:8000/v1", "OTHER" }, true},
		{"max_tokens_name", func(c *llm.Config) { c.MaxTokensName = "max_tokens" }, true},
		{"model", func(c *llm.Config) { c.Model = "n" }, false},
		{"temperature", func(c *llm.Config) { c.Temperature = &warm }, false},
		{"stage", func(c *llm.Config) { c.Stages = []llm.Stage{{Name: "sequence", Settings: llm.Settings{Model: "n"}}} }, false},
		{"where answers are cut", func(c *llm.Config) { c.Limits.MaxAnswerBytes = 100 }, false},
	} {
		was := llm.Config{Provider: "openai", Settings: llm.Settings{Model: "m"}}.WithDefaults()
		now := was
		tt.change(&now)
		_, err := Grown(Plan{LLM: &was}, Plan{LLM: &now})
		assert.Check(t, (err == nil) == tt.ok, "%s: error %v", tt.what, err)
	}
}
