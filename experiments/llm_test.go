package experiments

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"gotest.tools/v3/assert"

	"github.com/lisa-bench/lisa-bench/internal/llm"
)

const asking = `name: asking
budget: {dollars: 1}
libraries:
  - name: cJSON
tools:
  - name: lisa
llm:
  model: Small-Model
  temperature: 0
  stages:
    - {name: sequence-repair, model: Large-Model, reasoning_effort: low, max_tokens: 900}
  prices:
    - {model: Small-Model, input: 0.25, cached: 0.025, output: 2}
    - {model: Large-Model, input: 1, output: 0}
  limits: {request_timeout: 20s, tries: 2}
`

func TestLLMIsReadWithDefaults(t *testing.T) {
	e, err := Load(Source{Name: "x.yaml", Data: []byte(asking)}, []string{"llm.limits.concurrency=3"}, known())
	assert.NilError(t, err)
	c := e.LLM
	assert.Check(t, c.Provider == "openai" && c.BaseURL == llm.DefaultBaseURL && c.APIKeyEnv == "OPENAI_API_KEY",
		"got %+v", c)
	if l := c.Limits; l.RequestTimeout != 20*time.Second || l.Tries != 2 || l.Concurrency != 3 || l.MaxAnswerBytes != 1<<20 {
		t.Errorf("limits %+v", l)
	}
	s := c.For("sequence-repair")
	assert.Check(t, s.Model == "Large-Model" && *s.Temperature == 0 && s.ReasoningEffort == "low" && s.MaxTokens == 900,
		"repair %+v", s)
	if s := c.For("sequence"); s.Model != "Small-Model" || s.MaxTokens != 0 {
		t.Errorf("sequence %+v", s)
	}
	if d, err := c.Dollars("Large-Model", llm.Usage{InputTokens: 10, CachedTokens: 5, OutputTokens: 1e6}); err != nil || d != 1e-5 {
		t.Errorf("%v dollars, %v", d, err)
	}
	text, err := e.YAML()
	assert.NilError(t, err)
	again, err := Load(Source{Name: "x.yaml", Data: text}, nil, known())
	assert.Check(t, err == nil && reflect.DeepEqual(again, e), "%s\ngives %+v, %v\nnot   %+v", text, again, err, e)
}

func TestReplayNeedsNoPrices(t *testing.T) {
	text := strings.Replace(asking, "llm:", "llm:\n  provider: replay\n  dir: results/runs/x/cells", 1)
	from, to := strings.Index(text, "  prices:"), strings.Index(text, "  limits:")
	e, err := Load(Source{Name: "x.yaml", Data: []byte(text[:from] + text[to:])}, nil, known())
	assert.NilError(t, err)
	assert.Equal(t, e.LLM.Dir, "results/runs/x/cells")
}

// TestDocumentedExperimentLoads reads the example of docs/howto/models.md.
func TestDocumentedExperimentLoads(t *testing.T) {
	docs, err := os.ReadFile(filepath.Join("..", "docs", "howto", "models.md"))
	assert.NilError(t, err)
	_, text, _ := strings.Cut(string(docs), "```yaml\n")
	text, _, _ = strings.Cut(text, "```")
	e, err := Load(Source{Name: "docs/howto/models.md", Data: []byte(text)}, nil, known())
	assert.NilError(t, err)
	// The limits that the example shows as defaults are the defaults.
	want := llm.Config{Limits: llm.Limits{RequestsPerMinute: 500, TokensPerMinute: 200000}}.WithDefaults().Limits
	assert.Check(t, e.LLM.Limits == want && e.LLM.For("sequence-repair").ReasoningEffort == "low", "got %+v", e.LLM)
}
