package llm

import (
	"cmp"
	"regexp"

	"github.com/tidwall/gjson"
	"github.com/tidwall/sjson"
)

// embeddingPath is the path of embeddings, below a base URL.
const embeddingPath = "/embeddings"

// A body is a request as OpenAI's API has it, of chat completions or of embeddings
// (platform.openai.com/docs/api-reference).
type body struct {
	Model           string    `json:"model"`
	Messages        []Message `json:"messages,omitempty"`
	Input           []string  `json:"input,omitempty"`
	Tools           []Tool    `json:"tools,omitempty"`
	Temperature     *float64  `json:"temperature,omitempty"`
	Seed            *int64    `json:"seed,omitempty"`
	ReasoningEffort string    `json:"reasoning_effort,omitempty"`
	MaxTokens       int       `json:"max_tokens,omitempty"`
}

// pathOf is the path that a request is sent to.
func pathOf(r Request) string {
	if len(r.Texts) > 0 {
		return embeddingPath
	}
	return string(cmp.Or(r.API, Chat))
}

// The two names of max_tokens on the wire.
const (
	limitEverywhere = "max_tokens"            // the only one that servers other than OpenAI's know
	limitOpenAI     = "max_completion_tokens" // of OpenAI's models that reason, which refuse the other
)

// reasoning are those models.
var reasoning = regexp.MustCompile(`^(o[134]|gpt-5)`)

// A form is how a model's endpoint wants chat completions to be written. The zero value is how OpenAI does.
type form struct {
	whole   bool   // it refuses to stream
	noUsage bool   // it refuses to be asked for the usage of a stream
	limit   string // its name of max_tokens; "" for the one that the model's name tells
}

// form is what the configuration says of it.
func (c Config) form() form {
	refuses := func(setting *bool) bool { return setting != nil && !*setting }
	return form{whole: refuses(c.Stream), noUsage: refuses(c.StreamOptions), limit: c.MaxTokensName}
}

// limitOf returns the name of max_tokens for a model.
func (f form) limitOf(model string) string {
	if f.limit == "" && reasoning.MatchString(model) {
		return limitOpenAI
	}
	return cmp.Or(f.limit, limitEverywhere)
}

// streams reports whether a request is sent for a stream.
func (f form) streams(r Request) bool {
	switch {
	case r.Body == nil:
		return len(r.Texts) == 0 && !f.whole
	case r.API == Chat:
		return r.Streams() && !f.whole
	}
	return r.Streams()
}

// body returns the body of a request, also of a program from outside, for an answer that is a stream or whole.
func (f form) body(r Request, stream bool) (data []byte, err error) {
	if data = r.Body; data == nil {
		data, err = encode(body{
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
	if !stream || f.noUsage {
		without("stream_options")
	}
	if pathOf(r) != string(Chat) {
		return data, err
	}
	if stream {
		set("stream", true)
	}
	if stream && !f.noUsage {
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

// after returns the form that a refusal of a body asks for; f if it is about something else.
func (f form) after(refusal *refused, body []byte) form {
	sent := func(path string) bool { return gjson.GetBytes(body, path).Exists() }
	switch {
	case !refusal.aboutRequest():
	case sent("stream_options") && refusal.names("stream_options", "include_usage"):
		f.noUsage = true
	case sent("stream") && refusal.names("stream", "streaming", "streamed"):
		f.whole = true
	case f.limit != "" || !unsupported.MatchString(refusal.code+" "+refusal.message):
	case sent(limitEverywhere) && refusal.names(limitEverywhere):
		f.limit = limitOpenAI
	case sent(limitOpenAI) && refusal.names(limitOpenAI):
		f.limit = limitEverywhere
	}
	return f
}
