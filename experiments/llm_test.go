package experiments

import (
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

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
  limits: {idle_timeout: 20s, tries: 2}
`

// withStages is the corpus of known with the stages of lisa.
func withStages() Known {
	k := known()
	k.Tools = []ToolKind{{Name: "randoop"}, {Name: "lisa", UsesModel: true, Stages: []string{"sequence", "sequence-repair"}}}
	return k
}

func TestLLMIsReadWithDefaults(t *testing.T) {
	e, err := Load(Source{Name: "x.yaml", Data: []byte(asking)}, []string{"llm.limits.concurrency=3"}, withStages())
	if err != nil {
		t.Fatal(err)
	}
	c := e.LLM
	if c.Provider != "openai" || c.BaseURL != llm.DefaultBaseURL || c.APIKeyEnv != "OPENAI_API_KEY" {
		t.Errorf("got %+v", c)
	}
	if l := c.Limits; l.IdleTimeout != 20*time.Second || l.Tries != 2 || l.Concurrency != 3 || l.MaxAnswerBytes != 1<<20 {
		t.Errorf("limits %+v", l)
	}
	s := c.For("sequence-repair")
	if s.Model != "Large-Model" || *s.Temperature != 0 || s.ReasoningEffort != "low" || s.MaxTokens != 900 {
		t.Errorf("repair %+v", s)
	}
	if s := c.For("sequence"); s.Model != "Small-Model" || s.MaxTokens != 0 {
		t.Errorf("sequence %+v", s)
	}
	if d, err := c.Dollars("Large-Model", llm.Usage{InputTokens: 10, CachedTokens: 5, OutputTokens: 1e6}); err != nil || d != 1e-5 {
		t.Errorf("%v dollars, %v", d, err)
	}
	text, err := e.YAML()
	if err != nil {
		t.Fatal(err)
	}
	again, err := Load(Source{Name: "x.yaml", Data: text}, nil, withStages())
	if err != nil || !reflect.DeepEqual(again, e) {
		t.Errorf("%s\ngives %+v, %v\nnot   %+v", text, again, err, e)
	}
}

func TestLLMRefuses(t *testing.T) {
	block := asking[strings.Index(asking, "llm:"):]
	replace := func(old, new string) string {
		if !strings.Contains(asking, old) {
			t.Fatalf("asking has no %q", old)
		}
		return strings.Replace(asking, old, new, 1)
	}
	for _, tt := range []struct{ name, text, want string }{
		{"none", replace(block, ""), "x.yaml:6: tool lisa asks a model: give llm, with provider, model and prices (docs/howto/models.md)"},
		{"misspelt key", replace("temperature:", "temprature:"), `x.yaml:9: unknown key "temprature" in llm, did you mean "temperature"?`},
		{"misspelt key of a stage", replace("max_tokens:", "max_token:"), `x.yaml:11: unknown key "max_token" in llm.stages[0], did you mean "max_tokens"?`},
		{"provider", replace("llm:", "llm:\n  provider: opanai"), `x.yaml:8: llm.provider: unknown "opanai", did you mean "openai"?`},
		{"stage", replace("name: sequence-repair", "name: sequence-repiar"), `x.yaml:11: llm.stages[0]: unknown "sequence-repiar", did you mean "sequence-repair"?`},
		{"stage twice", replace("  prices:", "    - {name: sequence-repair}\n  prices:"), "x.yaml:12: llm.stages[1]: stage sequence-repair is listed twice, first at x.yaml:11"},
		{"effort", replace("effort: low", "effort: lo"), `x.yaml:11: llm.stages[0].reasoning_effort: unknown "lo", did you mean "low"?`},
		{"temperature", replace("temperature: 0", "temperature: 2.5"), "x.yaml:9: llm.temperature: 2.5 is not between 0 and 2"},
		{"cutoff", replace("temperature: 0", "cutoff: 2024-13-01"), `x.yaml:9: llm.cutoff: "2024-13-01" is not a day such as 2024-10-01`},
		{"temperature in words", replace("temperature: 0", "temperature: hot"), `x.yaml:9: llm.temperature: not a number: "hot"`},
		{"no price", replace("model: Large-Model, input", "model: Large-Modell, input"),
			`x.yaml:13: llm.prices: model "Large-Model" has none, did you mean "Large-Modell"?: add {model: Large-Model, input: …, output: …}, in dollars per million tokens`},
		{"half a price", replace(", output: 2}", "}"), "x.yaml:13: llm.prices[0]: needs output (dollars per million output tokens)"},
		{"negative price", replace("output: 2}", "output: -2}"), "x.yaml:13: llm.prices[0].output: -2 is not 0 or more"},
		{"no model", replace("  model: Small-Model\n", ""), "x.yaml:8: llm: stage sequence has no model: give llm.model, or a model to the stage in llm.stages"},
		{"password in the address", replace("llm:", "llm:\n  base_url: https://me:secret@host/v1"),
			"x.yaml:8: llm.base_url: it holds a password: put it into an environment variable and name that in api_key_env"},
		{"key instead of its variable", replace("llm:", "llm:\n  api_key_env: sk-verysecret"),
			"x.yaml:8: llm.api_key_env: give the name of an environment variable, in capitals, such as OPENAI_API_KEY; never the key"},
		{"no address", replace("llm:", "llm:\n  base_url: localhost:8000/v1"), "x.yaml:8: llm.base_url: not an address such as https://api.openai.com/v1"},
		{"batch without directory", replace("llm:", "llm:\n  provider: batch"), "x.yaml:8: llm.dir: provider batch needs the directory of its cells"},
		{"replay with endpoint", replace("llm:", "llm:\n  provider: replay\n  dir: d\n  base_url: http://localhost/v1"),
			"x.yaml:8: llm: provider replay uses no endpoint: remove base_url and api_key_env"},
		{"tries", replace("tries: 2", "tries: -2"), "x.yaml:15: llm.limits.tries: -2 is not between 1 and 100"},
		{"wait", replace("idle_timeout: 20s", "idle_timeout: 20"), `x.yaml:15: llm.limits.idle_timeout: not a duration such as 20s, 5m or 1h30m: "20"`},
		{"negative wait", replace("idle_timeout: 20s", "idle_timeout: -20s"), "x.yaml:15: llm.limits.idle_timeout: -20s: must be greater than 0"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := Load(Source{Name: "x.yaml", Data: []byte(tt.text)}, nil, withStages())
			var invalid *Error
			if !errors.As(err, &invalid) {
				t.Fatalf("error = %v, want an *Error", err)
			}
			if err.Error() != tt.want {
				t.Errorf("got  %s\nwant %s", err, tt.want)
			}
		})
	}
}

func TestReplayNeedsNoPrices(t *testing.T) {
	text := strings.Replace(asking, "llm:", "llm:\n  provider: replay\n  dir: results/runs/x/cells", 1)
	from, to := strings.Index(text, "  prices:"), strings.Index(text, "  limits:")
	e, err := Load(Source{Name: "x.yaml", Data: []byte(text[:from] + text[to:])}, nil, withStages())
	if err != nil {
		t.Fatal(err)
	}
	if got := e.LLM.CellDir("lisa.default.cJSON.debian.1"); got != "results/runs/x/cells/lisa.default.cJSON.debian.1" {
		t.Errorf("directory %s", got)
	}
}

// TestDocumentedExperimentLoads reads the example of docs/howto/models.md.
func TestDocumentedExperimentLoads(t *testing.T) {
	docs, err := os.ReadFile(filepath.Join("..", "docs", "howto", "models.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, text, _ := strings.Cut(string(docs), "```yaml\n")
	text, _, _ = strings.Cut(text, "```")
	e, err := Load(Source{Name: "docs/howto/models.md", Data: []byte(text)}, nil, withStages())
	if err != nil {
		t.Fatal(err)
	}
	// The limits that the example shows as defaults are the defaults.
	want := llm.Limits{RequestsPerMinute: 500, TokensPerMinute: 200000}.WithDefaults()
	if e.LLM.Limits != want || e.LLM.For("sequence-repair").ReasoningEffort != "low" {
		t.Errorf("got %+v", e.LLM)
	}
}
