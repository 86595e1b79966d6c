package wire

import (
	"cmp"
	"regexp"

	"github.com/tidwall/gjson"
	"github.com/tidwall/sjson"

	"github.com/lisa-bench/lisa-bench/internal/llm"
)

// embeddingPath is the path of embeddings, below a base URL.
const embeddingPath = "/embeddings"

// A body is a request as OpenAI's API has it, of chat completions or of embeddings
// (platform.openai.com/docs/api-reference).
type body struct {
	Model           string        `json:"model"`
	Messages        []llm.Message `json:"messages,omitempty"`
	Input           []string      `json:"input,omitempty"`
	Tools           []llm.Tool    `json:"tools,omitempty"`
	Temperature     *float64      `json:"temperature,omitempty"`
	Seed            *int64        `json:"seed,omitempty"`
	ReasoningEffort string        `json:"reasoning_effort,omitempty"`
	MaxTokens       int           `json:"max_tokens,omitempty"`
}

// PathOf is the path that a request is sent to.
func PathOf(r llm.Request) string {
	if len(r.Texts) > 0 {
		return embeddingPath
	}
	return string(cmp.Or(r.API, llm.Chat))
}

// The two names of max_tokens on the wire.
const (
	limitEverywhere = "max_tokens"            // the only one that servers other than OpenAI's know
	limitOpenAI     = "max_completion_tokens" // of OpenAI's models that reason, which refuse the other
)

// reasoning are those models.
var reasoning = regexp.MustCompile(`^(o[134]|gpt-5)`)

// A Form is how a model's endpoint wants chat completions to be written. The zero value is how OpenAI does.
type Form struct {
	Whole   bool   // it refuses to stream
	NoUsage bool   // it refuses to be asked for the usage of a stream
	Limit   string // its name of max_tokens; "" for the one that the model's name tells
}

// FormOf is what the configuration says of it.
func FormOf(c llm.Config) Form {
	refuses := func(setting *bool) bool { return setting != nil && !*setting }
	return Form{Whole: refuses(c.Stream), NoUsage: refuses(c.StreamOptions), Limit: c.MaxTokensName}
}

// limitOf returns the name of max_tokens for a model.
func (f Form) limitOf(model string) string {
	if f.Limit == "" && reasoning.MatchString(model) {
		return limitOpenAI
	}
	return cmp.Or(f.Limit, limitEverywhere)
}

// Streams reports whether a request is sent for a stream.
func (f Form) Streams(r llm.Request) bool {
	if r.Body == nil {
		return len(r.Texts) == 0 && !f.Whole
	}
	return Streams(r) && !(f.Whole && r.API == llm.Chat)
}

// Body returns the body of a request, also of a program from outside, for an answer that is a stream or whole.
func (f Form) Body(r llm.Request, stream bool) (data []byte, err error) {
	if data = r.Body; data == nil {
		data, err = llm.Encode(body{
			Model: r.Model, Messages: r.Messages, Input: r.Texts, Tools: r.Tools,
			Temperature: r.Temperature, Seed: r.Seed, ReasoningEffort: r.ReasoningEffort, MaxTokens: r.MaxTokens,
		})
	}
	set := func(path string, value any) {
		if err == nil {
			data, err = sjson.SetBytes(data, path, value)
		}
	}
	without := func(path string) {
		if err == nil {
			data, err = sjson.DeleteBytes(data, path)
		}
	}
	if !stream {
		without("stream")
	}
	if !stream || f.NoUsage {
		without("stream_options")
	}
	if PathOf(r) != string(llm.Chat) {
		return data, err
	}
	if stream {
		set("stream", true)
	}
	if stream && !f.NoUsage {
		set("stream_options.include_usage", true)
	}
	for _, name := range []string{limitEverywhere, limitOpenAI} {
		if limit := gjson.GetBytes(data, name); name != f.limitOf(r.Model) && limit.Exists() {
			without(name)
			set(f.limitOf(r.Model), limit.Int())
		}
	}
	return data, err
}

// After returns the form that a refusal of a body asks for; f if it is about something else.
func (f Form) After(refusal *Refusal, body []byte) Form {
	sent := func(path string) bool { return gjson.GetBytes(body, path).Exists() }
	switch {
	case !refusal.aboutRequest():
	case sent("stream_options") && refusal.names("stream_options", "include_usage"):
		f.NoUsage = true
	case sent("stream") && refusal.names("stream", "streaming", "streamed"):
		f.Whole = true
	case f.Limit != "" || !unsupported.MatchString(refusal.code+" "+refusal.Message):
	case sent(limitEverywhere) && refusal.names(limitEverywhere):
		f.Limit = limitOpenAI
	case sent(limitOpenAI) && refusal.names(limitOpenAI):
		f.Limit = limitEverywhere
	}
	return f
}
