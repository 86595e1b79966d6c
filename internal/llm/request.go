package llm

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"regexp"

	"github.com/tidwall/sjson"
)

// An API is an interface by which a program from outside may ask its model. The value is the path of requests below a
// base URL.
type API string

// The APIs.
const (
	Chat      API = "/chat/completions" // platform.openai.com/docs/api-reference/chat; most endpoints have it
	Responses API = "/responses"        // platform.openai.com/docs/api-reference/responses
	Messages  API = "/messages"         // docs.anthropic.com/en/api/messages
	// Gemini is the beginning of the paths of Google's API, which end with the model and a method
	// (ai.google.dev/api/generate-content). Its base URL is that of Google's chat completions without /openai.
	Gemini API = "/models/"
)

// APIs lists all of them but Google's, whose paths vary.
var APIs = []API{Chat, Responses, Messages}

// A Message is one turn of a conversation.
type Message struct {
	Role       string     `json:"role"` // system, user, assistant or tool
	Content    string     `json:"content"`
	ToolCalls  []ToolCall `json:"tool_calls,omitempty"`   // of an assistant
	ToolCallID string     `json:"tool_call_id,omitempty"` // of a tool: which call it answers
}

// A Tool is a function that a model may call, as the API has it.
type Tool struct {
	Type     string       `json:"type"` // "function"
	Function ToolFunction `json:"function"`
}

// A ToolFunction says what a function is for.
type ToolFunction struct {
	Name        string          `json:"name"`
	Description string          `json:"description,omitempty"`
	Parameters  json.RawMessage `json:"parameters,omitempty"` // JSON schema of its arguments
}

// NewTool returns a function of that name. The schema is compact, for it becomes part of a request's key.
func NewTool(name, description, parameters string) Tool {
	return Tool{"function", ToolFunction{name, description, json.RawMessage(parameters)}}
}

// A ToolCall is a call that a model wants, as the API has it.
type ToolCall struct {
	ID       string       `json:"id"`
	Type     string       `json:"type"` // "function"
	Function CallFunction `json:"function"`
}

// A CallFunction is what is called.
type CallFunction struct {
	Name      string `json:"name"`
	Arguments string `json:"arguments"` // JSON, as the model wrote it: it may be none
}

// A Request asks a model for one answer to Messages or to Body. The order of the fields is that of a transcript's line.
type Request struct {
	Stage           string    `json:"stage"` // the part of the tool that asks; chooses the settings
	Model           string    `json:"model"`
	Temperature     *float64  `json:"temperature,omitempty"` // 0..2; nil leaves it to the endpoint
	Seed            *int64    `json:"seed,omitempty"`
	ReasoningEffort string    `json:"reasoning_effort,omitempty"`
	MaxTokens       int       `json:"max_tokens,omitempty"` // of the answer, reasoning included; 0 for no limit
	Messages        []Message `json:"messages,omitempty"`
	Tools           []Tool    `json:"tools,omitempty"` // that the model may call
	// The request as a program from outside has written it (Session.PassOn). It stands in place of messages
	// and all settings but the model. The key depends only on what is the same in several runs (alikeBody).
	API    API               `json:"api,omitempty"`
	Header map[string]string `json:"header,omitempty"`
	Body   json.RawMessage   `json:"body,omitempty"`
	// Attempt tells requests apart that are otherwise equal: 0, 1, 2, … in the order in which a session is
	// asked, whatever their IDs. The session sets it.
	Attempt int `json:"attempt"`

	// ID names the request to people and orders the finished transcript; it must be unique in its
	// session. "" gets the next number in the order of asking, which only rounds make the same in
	// every run: callers that ask from several goroutines set an ID. No part of the key.
	ID string `json:"-"`
}

// Key is the name of the request's answer: a hash of the request and its attempt number. Two
// requests with equal keys would have the same recorded answer.
func (r Request) Key() string {
	if r.Body != nil {
		r.Body = alikeBody(r.Body)
	}
	data, err := Encode(r)
	if err != nil {
		panic(fmt.Sprintf("llm: key of %s: %v", r.ID, err)) // a struct of texts and numbers
	}
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:16])
}

var (
	// volatile names the fields of bodies that name a session and do not change the answer.
	volatile = []string{"metadata", "client_metadata", "prompt_cache_key", "safety_identifier", "user"}
	// figures matches what differs in each run of the same agent: identifiers, dates, times.
	figures = regexp.MustCompile(`[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9A-Fa-f]*[0-9][0-9A-Fa-f]*`)
)

// alikeBody returns the part of a body that is equal in all runs of a program that gets the same answers.
func alikeBody(body json.RawMessage) json.RawMessage {
	same := []byte(body)
	for _, name := range volatile {
		if less, err := sjson.DeleteBytes(same, name); err == nil {
			same = less
		}
	}
	text, err := Encode(figures.ReplaceAllString(string(same), "0")) // as a text: it may be no valid JSON
	if err != nil {
		return body
	}
	return text
}

// Validate refuses what no endpoint could answer.
func (r Request) Validate() error {
	switch {
	case r.Model == "":
		return fmt.Errorf("request %s: stage %q has no model: give llm.model, or a model to this stage", r.ID, r.Stage)
	case r.Body == nil && len(r.Messages) == 0:
		return fmt.Errorf("request %s of stage %q: needs messages", r.ID, r.Stage)
	}
	return nil
}

// InputTokens estimates the tokens of the request itself.
func (r Request) InputTokens() int64 {
	n := len(r.Body)
	for _, m := range r.Messages {
		n += len(m.Role) + len(m.Content)
		for _, c := range m.ToolCalls {
			n += len(c.Function.Name) + len(c.Function.Arguments)
		}
	}
	for _, t := range r.Tools {
		n += len(t.Function.Name) + len(t.Function.Description) + len(t.Function.Parameters)
	}
	return TokensOf(n)
}

// TokensOf estimates tokens by the rule of thumb for English and code with which OpenAI's documents
// do (help.openai.com, "What are tokens and how to count them?").
func TokensOf(bytes int) int64 {
	const bytesPerToken = 4
	return int64((bytes + bytesPerToken - 1) / bytesPerToken)
}

// Usage counts the tokens of one answer.
type Usage struct {
	InputTokens     int64 `json:"input_tokens"`
	CachedTokens    int64 `json:"cached_tokens,omitempty"` // of the input tokens
	OutputTokens    int64 `json:"output_tokens"`
	ReasoningTokens int64 `json:"reasoning_tokens,omitempty"` // of the output tokens
	Estimated       bool  `json:"estimated,omitempty"`        // the endpoint reported none: four bytes are taken for a token
}

// Tokens is the sum that a budget in tokens counts.
func (u Usage) Tokens() int64 { return u.InputTokens + u.OutputTokens }

// An Answer is what came back for a request. Every answer has an outcome; that the endpoint
// could not be used is an error and no answer.
type Answer struct {
	Outcome      Outcome    `json:"outcome"`
	Text         string     `json:"text"`
	Raw          string     `json:"raw,omitempty"` // the whole answer as it came, for a program from outside
	ToolCalls    []ToolCall `json:"tool_calls,omitempty"`
	FinishReason string     `json:"finish_reason,omitempty"` // as the endpoint gave it
	Model        string     `json:"model,omitempty"`         // as the endpoint named it
	Detail       string     `json:"detail,omitempty"`        // the refusal or the endpoint's message, where there is no text
	Usage        Usage      `json:"usage"`

	// Dollars is its cost by the price table. WallMs is the time of the try that succeeded; 0 for a batch. Both have
	// their own places in a transcript's line.
	Dollars float64 `json:"-"`
	WallMs  float64 `json:"-"`
}

// A Result is an answer, or the reason why there is none.
type Result struct {
	Answer Answer
	Err    error
}

// Encode is JSON without the escapes for HTML, so that C code stays readable.
func Encode(v any) ([]byte, error) {
	line, err := Line(v)
	return bytes.TrimSuffix(line, []byte("\n")), err
}

// Line is Encode for a line of a file.
func Line(v any) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	err := enc.Encode(v)
	return b.Bytes(), err
}
