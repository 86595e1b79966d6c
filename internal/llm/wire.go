package llm

import (
	"cmp"
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"unicode/utf8"
)

// The paths of the API, below a base URL.
const (
	chatPath      = "/chat/completions"
	embeddingPath = "/embeddings"
)

// A body is a request as OpenAI's API has it, of chat completions or of embeddings
// (platform.openai.com/docs/api-reference).
type body struct {
	Model               string    `json:"model"`
	Messages            []Message `json:"messages,omitempty"`
	Input               []string  `json:"input,omitempty"`
	Temperature         *float64  `json:"temperature,omitempty"`
	Seed                *int64    `json:"seed,omitempty"`
	ReasoningEffort     string    `json:"reasoning_effort,omitempty"`
	MaxTokens           int       `json:"max_tokens,omitempty"` // the only name that servers other than OpenAI's know
	MaxCompletionTokens int       `json:"max_completion_tokens,omitempty"`
	Stream              bool      `json:"stream,omitempty"`
	StreamOptions       *streamOf `json:"stream_options,omitempty"`
}

type streamOf struct {
	IncludeUsage bool `json:"include_usage"`
}

// reasoning are OpenAI's models that refuse max_tokens.
var reasoning = regexp.MustCompile(`^(o[134]|gpt-5)`)

// pathOf is the path that a request is sent to.
func pathOf(r Request) string {
	if len(r.Texts) > 0 {
		return embeddingPath
	}
	return chatPath
}

// bodyOf returns the body of a request that is answered whole.
func bodyOf(r Request) body {
	b := body{
		Model: r.Model, Messages: r.Messages, Input: r.Texts,
		Temperature: r.Temperature, Seed: r.Seed, ReasoningEffort: r.ReasoningEffort, MaxTokens: r.MaxTokens,
	}
	if reasoning.MatchString(r.Model) {
		b.MaxTokens, b.MaxCompletionTokens = 0, r.MaxTokens
	}
	return b
}

// A response is an answer of the API, whole or one event of a stream.
type response struct {
	Model   string   `json:"model"`
	Choices []choice `json:"choices"`
	Data    []struct {
		Index     int       `json:"index"`
		Embedding []float32 `json:"embedding"`
	} `json:"data"`
	Usage *struct {
		PromptTokens        int64 `json:"prompt_tokens"`
		CompletionTokens    int64 `json:"completion_tokens"`
		PromptTokensDetails struct {
			CachedTokens int64 `json:"cached_tokens"`
		} `json:"prompt_tokens_details"`
		CompletionTokensDetails struct {
			ReasoningTokens int64 `json:"reasoning_tokens"`
		} `json:"completion_tokens_details"`
	} `json:"usage"`
	Error *apiError `json:"error"`
}

type choice struct {
	Message      piece  `json:"message"` // of a whole answer
	Delta        piece  `json:"delta"`   // of an event
	FinishReason string `json:"finish_reason"`
}

type piece struct {
	Content string `json:"content"`
	Refusal string `json:"refusal"`
}

// An apiError is how the API says that something went wrong.
type apiError struct {
	Message string `json:"message"`
	Code    any    `json:"code"` // a text, as a rule
}

// refusal returns what an error says of the request.
func (e *apiError) refusal(status int) *refused {
	code, _ := e.Code.(string)
	return &refused{status: status, code: code, message: e.Message, api: true}
}

// A reading is an answer of which parts are there.
type reading struct {
	answer        Answer
	text, refusal strings.Builder
}

// add takes a whole answer, or the next event of a stream.
func (a *reading) add(p response) {
	a.answer.Model = cmp.Or(p.Model, a.answer.Model)
	for _, c := range p.Choices {
		for _, part := range []piece{c.Message, c.Delta} {
			a.text.WriteString(part.Content)
			a.refusal.WriteString(part.Refusal)
		}
		if c.FinishReason != "null" {
			a.answer.FinishReason = cmp.Or(c.FinishReason, a.answer.FinishReason)
		}
	}
	if u := p.Usage; u != nil {
		a.answer.Usage = Usage{
			InputTokens: max(0, u.PromptTokens), OutputTokens: max(0, u.CompletionTokens),
			CachedTokens:    min(max(0, u.PromptTokensDetails.CachedTokens), max(0, u.PromptTokens)),
			ReasoningTokens: max(0, u.CompletionTokensDetails.ReasoningTokens),
		}
	}
}

// end returns the answer with its outcome, and with its usage estimated if the endpoint reported none. long
// says that it was cut off.
func (a *reading) end(r Request, maxBytes int, long bool) Answer {
	out := a.answer
	out.Text, out.Detail = a.text.String(), a.refusal.String()
	if out.Usage.Tokens() == 0 {
		out.Usage = Usage{InputTokens: r.inputTokens(), OutputTokens: tokensOf(len(out.Text)), Estimated: true}
	}
	if len(out.Text) > maxBytes {
		long = true
		out.Text = cutText(out.Text, maxBytes)
	}
	blank := strings.TrimSpace(out.Text) == ""
	switch {
	case long:
		out.Outcome = TooLong
	case out.FinishReason == "content_filter", out.Detail != "" && blank:
		out.Outcome = Refusal
	case out.FinishReason == "length":
		out.Outcome = Truncated
	case blank:
		out.Outcome = Empty
	default:
		out.Outcome = Answered
	}
	return out
}

// embeddings returns the answer to a request with texts.
func (p response) embeddings(r Request) (Answer, error) {
	var read reading
	read.add(p)
	a := read.answer
	a.Outcome, a.Vectors = Answered, make([][]float32, len(r.Texts))
	for _, d := range p.Data {
		if d.Index >= 0 && d.Index < len(a.Vectors) {
			a.Vectors[d.Index] = d.Embedding
		}
	}
	for i, v := range a.Vectors {
		if len(v) == 0 {
			return Answer{}, &malformedError{fmt.Sprintf("no embedding of text %d of %d", i+1, len(r.Texts))}
		}
	}
	if a.Usage.OutputTokens = 0; a.Usage.InputTokens == 0 {
		a.Usage = Usage{InputTokens: r.inputTokens(), Estimated: true}
	}
	return a, nil
}

// whole returns the answer that a response which is no stream holds.
func whole(data []byte, r Request, maxBytes int) (Answer, error) {
	var p response
	if err := json.Unmarshal(data, &p); err != nil {
		return Answer{}, err
	}
	switch {
	case p.Error != nil:
		return Answer{}, p.Error.refusal(0)
	case len(r.Texts) > 0:
		return p.embeddings(r)
	case len(p.Choices) == 0:
		return Answer{}, &malformedError{"a response without choices"}
	}
	p.Choices = p.Choices[:1]
	var a reading
	a.add(p)
	return a.end(r, maxBytes, false), nil
}

// cutText returns at most n bytes of s, and no part of a character.
func cutText(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}
