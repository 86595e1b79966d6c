package llm

import (
	"cmp"
	"encoding/json"
	"regexp"
)

// embeddingPath is the path of embeddings, below a base URL.
const embeddingPath = "/embeddings"

// A body is a request as OpenAI's API has it, of chat completions or of embeddings
// (platform.openai.com/docs/api-reference).
type body struct {
	Model               string    `json:"model"`
	Messages            []Message `json:"messages,omitempty"`
	Input               []string  `json:"input,omitempty"`
	Tools               []Tool    `json:"tools,omitempty"`
	Temperature         *float64  `json:"temperature,omitempty"`
	Seed                *int64    `json:"seed,omitempty"`
	ReasoningEffort     string    `json:"reasoning_effort,omitempty"`
	MaxTokens           int       `json:"max_tokens,omitempty"`
	MaxCompletionTokens int       `json:"max_completion_tokens,omitempty"`
	Stream              bool      `json:"stream,omitempty"`
	StreamOptions       *streamOf `json:"stream_options,omitempty"`
}

type streamOf struct {
	IncludeUsage bool `json:"include_usage"`
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

// A form is how a model's endpoint wants its requests to be written. The zero value is how OpenAI does.
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

// body returns the body of a request that is answered whole.
func (f form) body(r Request) body {
	b := body{
		Model: r.Model, Messages: r.Messages, Input: r.Texts, Tools: r.Tools,
		Temperature: r.Temperature, Seed: r.Seed, ReasoningEffort: r.ReasoningEffort,
	}
	if f.limitOf(r.Model) == limitOpenAI {
		b.MaxCompletionTokens = r.MaxTokens
	} else {
		b.MaxTokens = r.MaxTokens
	}
	return b
}

// unstreamed returns the body of a request, or what a program from outside has written, without a stream.
func (f form) unstreamed(r Request) any {
	var fields map[string]json.RawMessage
	if r.Body == nil || json.Unmarshal(r.Body, &fields) != nil {
		return f.body(r)
	}
	delete(fields, "stream")
	delete(fields, "stream_options")
	return fields
}

// streamed returns the body of a request that is answered by a stream, if the endpoint does that.
func (f form) streamed(r Request) body {
	b := f.body(r)
	if len(r.Texts) == 0 && !f.whole {
		b.Stream = true
		if !f.noUsage {
			b.StreamOptions = &streamOf{IncludeUsage: true}
		}
	}
	return b
}

// after returns the form that a refusal of b asks for; f if it is about something else.
func (f form) after(refusal *refused, b body) form {
	switch {
	case !refusal.aboutRequest():
	case b.StreamOptions != nil && refusal.names("stream_options", "include_usage"):
		f.noUsage = true
	case b.Stream && refusal.names("stream", "streaming", "streamed"):
		f.whole = true
	case f.limit != "" || !unsupported.MatchString(refusal.code+" "+refusal.message):
	case b.MaxTokens > 0 && refusal.names(limitEverywhere):
		f.limit = limitOpenAI
	case b.MaxCompletionTokens > 0 && refusal.names(limitOpenAI):
		f.limit = limitEverywhere
	}
	return f
}
