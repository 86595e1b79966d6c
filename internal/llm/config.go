package llm

import (
	"cmp"
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/tidwall/gjson"
)

// The providers.
const (
	ProviderOpenAI = "openai" // any OpenAI-compatible endpoint
	ProviderBatch  = "batch"  // a directory of requests that a person or a program answers
	ProviderReplay = "replay" // answers of an earlier run
)

// Config is the llm block of an experiment. The yaml tags are its schema.
type Config struct {
	Provider  string `yaml:"provider" json:"provider" jsonschema:"enum=openai,enum=batch,enum=replay"` // who answers: an endpoint with the interface of OpenAI, a directory of requests that anybody answers (batch), or the answers of an earlier run (replay); default openai
	BaseURL   string `yaml:"base_url,omitempty" json:"base_url,omitempty"`                             // of an endpoint; default https://api.openai.com/v1
	APIKeyEnv string `yaml:"api_key_env,omitempty" json:"api_key_env,omitempty"`                       // the environment variable with the key; default OPENAI_API_KEY with the default base_url, no key with another
	// For batch and replay: a directory that has one for each cell, named by the cell, with requests and
	// answers (batch) or with a transcript.jsonl (replay). The directory cells of a run is such a one. A
	// replay also takes a directory of recordings, which has NAME/transcripts/CELL.jsonl.gz.
	Dir string `yaml:"dir,omitempty" json:"dir,omitempty"`

	Settings `yaml:",inline"` // of every stage

	MaxTokensName string `yaml:"max_tokens_name,omitempty" json:"max_tokens_name,omitempty" jsonschema:"enum=max_tokens,enum=max_completion_tokens"` // what the endpoint calls max_tokens; default max_completion_tokens for OpenAI's models that reason, max_tokens for others

	Stages []Stage `yaml:"stages,omitempty" json:"stages,omitempty"` // parts of tools that differ from the settings above
	Prices []Price `yaml:"prices,omitempty" json:"prices,omitempty"` // one for every model that is asked
	// The cutoffs of models beside that of model, for experiments that compare several.
	Cutoffs []Cutoff `yaml:"cutoffs,omitempty" json:"-"`
	Limits  Limits   `yaml:"limits,omitempty" json:"limits"` // of what is asked of the endpoint
}

// Settings say how a stage asks. Zero values leave the choice to the endpoint.
type Settings struct {
	Model           string   `yaml:"model,omitempty" json:"model,omitempty"`                                                                                                              // as the endpoint names it
	Cutoff          string   `yaml:"cutoff,omitempty" json:"-" jsonschema:"format=date"`                                                                                                  // YYYY-MM-DD: the last day of the model's training data, as its maker states it; reports split bugs at it
	Temperature     *float64 `yaml:"temperature,omitempty" json:"temperature,omitempty" jsonschema:"minimum=0,maximum=2"`                                                                 // 0..2
	Seed            *int64   `yaml:"seed,omitempty" json:"seed,omitempty"`                                                                                                                // sent to the endpoint
	ReasoningEffort string   `yaml:"reasoning_effort,omitempty" json:"reasoning_effort,omitempty" jsonschema:"enum=none,enum=minimal,enum=low,enum=medium,enum=high,enum=xhigh,enum=max"` // of models that reason
	MaxTokens       int      `yaml:"max_tokens,omitempty" json:"max_tokens,omitempty" jsonschema:"minimum=0"`                                                                             // of one answer
}

// String says how a stage asks, for people.
func (s Settings) String() string {
	words := []string{s.Model}
	if s.Temperature != nil {
		words = append(words, fmt.Sprintf("temperature %g", *s.Temperature))
	}
	if s.Seed != nil {
		words = append(words, fmt.Sprintf("seed %d", *s.Seed))
	}
	if s.Cutoff != "" {
		words = append(words, "training data up to "+s.Cutoff)
	}
	if s.ReasoningEffort != "" {
		words = append(words, "reasoning effort "+s.ReasoningEffort)
	}
	if s.MaxTokens > 0 {
		words = append(words, fmt.Sprintf("at most %d tokens", s.MaxTokens))
	}
	return strings.Join(words, ", ")
}

// A Stage is a part of a tool that asks a model, with the settings in which it differs.
type Stage struct {
	Name     string `yaml:"name" json:"name" jsonschema:"required"` // of the stage; the tool's page lists them
	Settings `yaml:",inline"`
}

// A Price is in dollars per million tokens.
type Price struct {
	Model  string   `yaml:"model" json:"model" jsonschema:"required"`                        // as in llm.model
	Input  *float64 `yaml:"input" json:"input" jsonschema:"required,minimum=0"`              // dollars per million input tokens
	Cached *float64 `yaml:"cached,omitempty" json:"cached,omitempty" jsonschema:"minimum=0"` // dollars per million input tokens that the endpoint had cached; default: as input
	Output *float64 `yaml:"output" json:"output" jsonschema:"required,minimum=0"`            // dollars per million output tokens
}

// A Cutoff is the last day of a model's training data, as its maker states it.
type Cutoff struct {
	Model string `yaml:"model" json:"model" jsonschema:"required"`         // as in llm.model
	Day   string `yaml:"day" json:"day" jsonschema:"required,format=date"` // YYYY-MM-DD
}

// Limits bound what the harness asks of an endpoint. Zero gives the default.
type Limits struct {
	Concurrency       int           `yaml:"concurrency,omitempty" json:"concurrency,omitempty" jsonschema:"minimum=1,maximum=1000"`              // requests of one cell under way at once; default 8
	TotalConcurrency  int           `yaml:"total_concurrency,omitempty" json:"total_concurrency,omitempty" jsonschema:"minimum=1,maximum=10000"` // requests of all cells under way at once; default 64
	RequestsPerMinute int           `yaml:"requests_per_minute,omitempty" json:"requests_per_minute,omitempty" jsonschema:"minimum=0"`           // of all cells; default: no limit
	TokensPerMinute   int           `yaml:"tokens_per_minute,omitempty" json:"tokens_per_minute,omitempty" jsonschema:"minimum=0"`               // of all cells; default: no limit
	Tries             int           `yaml:"tries,omitempty" json:"tries,omitempty" jsonschema:"minimum=1,maximum=100"`                           // of one request; default 6
	RequestTimeout    time.Duration `yaml:"request_timeout,omitempty" json:"request_timeout_ns,omitempty"`                                       // of one try; default 15m
	MaxAnswerBytes    int           `yaml:"max_answer_bytes,omitempty" json:"max_answer_bytes,omitempty" jsonschema:"minimum=0"`                 // of an answer's text; default 1 MiB
}

// The defaults of an endpoint.
const (
	DefaultBaseURL = "https://api.openai.com/v1"
	DefaultKeyEnv  = "OPENAI_API_KEY"
)

// WithDefaults returns the configuration with every default filled in.
func (c Config) WithDefaults() Config {
	c.Provider = cmp.Or(c.Provider, ProviderOpenAI)
	if c.Provider == ProviderOpenAI && c.BaseURL == "" {
		c.BaseURL = DefaultBaseURL
		c.APIKeyEnv = cmp.Or(c.APIKeyEnv, DefaultKeyEnv)
	}
	l := &c.Limits
	l.Concurrency = cmp.Or(l.Concurrency, 8)
	l.TotalConcurrency = cmp.Or(l.TotalConcurrency, 64)
	l.Tries = cmp.Or(l.Tries, 6)
	l.RequestTimeout = cmp.Or(l.RequestTimeout, 15*time.Minute)
	l.MaxAnswerBytes = cmp.Or(l.MaxAnswerBytes, 1<<20)
	return c
}

// With returns the configuration of a cell that asks that model; "" stands for the experiment's. Stages
// with a model of their own keep it.
func (c Config) With(model string) Config {
	if model != "" && model != c.Model {
		c.Model, c.Cutoff = model, ""
	}
	return c
}

// cutoff is the day that is known of a model; "" if none.
func (c Config) cutoff(model string) string {
	if i := slices.IndexFunc(c.Cutoffs, func(k Cutoff) bool { return k.Model == model }); i >= 0 {
		return c.Cutoffs[i].Day
	}
	return ""
}

// For returns the settings of a stage: its own over those of every stage.
func (c Config) For(stage string) Settings {
	s := c.Settings
	s.Cutoff = cmp.Or(s.Cutoff, c.cutoff(s.Model))
	for _, own := range c.Stages {
		if own.Name != stage {
			continue
		}
		if own.Model != "" { // another model has another cutoff, or none that is known
			s.Model, s.Cutoff = own.Model, c.cutoff(own.Model)
		}
		s.Cutoff = cmp.Or(own.Cutoff, s.Cutoff)
		s.Temperature = cmp.Or(own.Temperature, s.Temperature)
		s.Seed = cmp.Or(own.Seed, s.Seed)
		s.ReasoningEffort = cmp.Or(own.ReasoningEffort, s.ReasoningEffort)
		s.MaxTokens = cmp.Or(own.MaxTokens, s.MaxTokens)
	}
	return s
}

// Dollars returns the cost of an answer. A model without a price is an error, never free.
func (c Config) Dollars(model string, u Usage) (float64, error) {
	for _, p := range c.Prices {
		if p.Model != model || p.Input == nil || p.Output == nil {
			continue
		}
		cached := *cmp.Or(p.Cached, p.Input)
		return (float64(u.InputTokens-u.CachedTokens)**p.Input + float64(u.CachedTokens)*cached +
			float64(u.OutputTokens)**p.Output) / 1e6, nil
	}
	return 0, fmt.Errorf("llm: model %q has no price: add {model: %s, input: …, output: …} to llm.prices, in dollars per million tokens", model, model)
}

// CheckBaseURL refuses what is no base URL of an endpoint, and one that holds a secret, for
// it is shown in errors and kept with the results.
func CheckBaseURL(text string) error {
	u, err := url.Parse(text)
	switch {
	case err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https":
		return fmt.Errorf("not an address such as %s", DefaultBaseURL)
	case u.User != nil:
		return fmt.Errorf("it holds a password: put it into an environment variable and name that in api_key_env")
	case u.RawQuery != "" || u.Fragment != "":
		return fmt.Errorf("it has a part after ? or #: give only what stands before /chat/completions")
	}
	return nil
}

// describe lists the settings that requests are made with, for a transcript's first line.
func (c Config) describe() map[string]string {
	out := map[string]string{}
	add := func(prefix string, s Settings) {
		data, err := json.Marshal(s)
		if err != nil {
			panic(fmt.Sprintf("llm: settings: %v", err)) // texts and numbers
		}
		gjson.ParseBytes(data).ForEach(func(name, value gjson.Result) bool {
			out[prefix+name.Str] = cmp.Or(value.Str, value.Raw) // numbers as they are written
			return true
		})
	}
	add("llm.", c.Settings)
	for _, stage := range c.Stages {
		add("llm.stages."+stage.Name+".", c.For(stage.Name))
	}
	return out
}
