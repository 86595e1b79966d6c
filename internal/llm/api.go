package llm

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"regexp"
	"strings"

	"github.com/tidwall/gjson"
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

// A protocol is what an API has of its own. Answers are read alike, whatever API they are of (reading).
type protocol struct {
	keyHeader, keyPrefix string // where a request has the key, and what stands before it
	notBelow             string // the end of a base URL below which the paths are not
	limit, effort, seed  string // where the body of a request has max_tokens and other settings; "" for nowhere
	// of an answer, as the events of a stream and whole
	form func(Answer, Request) (events []object, whole object)
}

var protocols = map[API]protocol{
	Chat: {keyHeader: "Authorization", keyPrefix: "Bearer ",
		limit: limitEverywhere, effort: "reasoning_effort", seed: "seed", form: Answer.completion},
	Responses: {keyHeader: "Authorization", keyPrefix: "Bearer ",
		limit: "max_output_tokens", effort: "reasoning.effort", form: Answer.response},
	Messages: {keyHeader: "X-Api-Key", limit: limitEverywhere, effort: "output_config.effort", form: Answer.message},
	Gemini:   {keyHeader: "X-Goog-Api-Key", notBelow: "/openai", form: Answer.content},
}

// protocol is that of the API; of what is no API, such as embeddings, that of chat completions.
func (a API) protocol() protocol {
	if a.gemini() {
		return protocols[Gemini]
	}
	if p, ok := protocols[a]; ok {
		return p
	}
	return protocols[Chat]
}

func (a API) gemini() bool { return strings.HasPrefix(string(a), string(Gemini)) }

// PassOn returns the request that a program from outside has written for an API, with the headers that the API defines.
// The request is asked, recorded and answered as it is, with two exceptions: the settings of the experiment replace its
// own, and chat completions are sent in the form that the endpoint takes. The error tells the program what is wrong.
func (s *Session) PassOn(stage string, api API, body []byte, header map[string]string) (Request, error) {
	body = []byte(strings.ToValidUTF8(string(body), "\uFFFD"))
	v, err := parse(body)
	if err != nil || !v.IsObject() {
		return Request{}, errors.Join(errors.New("the body is no JSON object"), err)
	}
	c := s.config.For(stage)
	r := Request{Stage: stage, Model: c.Model, API: api, Header: header}
	set := func(wanted bool, path string, value any) {
		if err == nil && wanted && path != "" {
			body, err = sjson.SetBytes(body, path, value)
		}
	}
	if api.gemini() { // the program chooses its settings
		_, method, _ := strings.Cut(string(api), ":")
		r.API = Gemini + API(c.Model+":"+method)
	} else {
		p := api.protocol()
		set(true, "model", c.Model)
		set(c.Temperature != nil, "temperature", c.Temperature)
		set(c.Seed != nil, p.seed, c.Seed)
		if c.MaxTokens > 0 && err == nil {
			body, err = sjson.DeleteBytes(body, limitOpenAI)
		}
		set(c.MaxTokens > 0, p.limit, c.MaxTokens)
		set(c.ReasoningEffort != "", p.effort, c.ReasoningEffort)
	}
	var compact bytes.Buffer // as in a transcript
	err = errors.Join(err, json.Compact(&compact, body))
	r.Body = compact.Bytes()
	return r, err
}

// Streams reports whether the request of a program from outside wants a stream.
func (r Request) Streams() bool {
	if r.API.gemini() {
		return strings.HasSuffix(string(r.API), "alt=sse")
	}
	return gjson.GetBytes(r.Body, "stream").Bool()
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
	text, err := encode(figures.ReplaceAllString(string(same), "0")) // as a text: it may be no valid JSON
	if err != nil {
		return body
	}
	return text
}

// conversation reads the messages and the functions of a body of any API.
func conversation(data []byte) (messages []Message, tools []Tool) {
	v := gjson.ParseBytes(data)
	if text := firstWords(v, "system", "instructions"); text != "" {
		messages = append(messages, Message{Role: "system", Content: text})
	}
	for _, list := range []gjson.Result{v.Get("messages"), v.Get("input")} { // the second may be a text
		for _, it := range list.Array() {
			messages = append(messages, messagesOf(it)...)
		}
	}
	for _, t := range v.Get("tools").Array() {
		f := t
		if own := t.Get("function"); own.Exists() {
			f = own
		}
		schema := cmp.Or(f.Get("parameters").Raw, f.Get("input_schema").Raw)
		tools = append(tools, NewTool(words(f.Get("name")), words(f.Get("description")), schema))
	}
	if messages == nil {
		messages = []Message{{Role: "user", Content: string(data)}} // the body of an API that is not read
	}
	return messages, tools
}

// messagesOf returns the messages of an item: one for each result of a call, and one for its own text and calls.
func messagesOf(v gjson.Result) (messages []Message) {
	var own reading
	parts := v.Get("content").Array()
	if v.Type == gjson.String || !v.Get("role").Exists() {
		parts = []gjson.Result{v}
	}
	for _, p := range parts {
		switch kindOf(p) {
		case "function_call_output", "custom_tool_call_output":
			messages = append(messages, Message{Role: "tool", Content: words(p.Get("output")), ToolCallID: words(p.Get("call_id"))})
		case "tool_result":
			messages = append(messages, Message{Role: "tool", Content: words(p.Get("content")), ToolCallID: words(p.Get("tool_use_id"))})
		default:
			own.part(p)
		}
	}
	own.calls(v.Get("tool_calls"))
	m := Message{Role: words(v.Get("role")), Content: own.text.String(), ToolCalls: own.answer.ToolCalls, ToolCallID: words(v.Get("tool_call_id"))}
	if m.Content == "" && m.ToolCalls == nil && (messages != nil || m.Role == "") {
		return messages
	}
	if m.Role == "" && m.ToolCalls != nil {
		m.Role = "assistant"
	}
	m.Role = cmp.Or(m.Role, "user")
	return append(messages, m)
}

// Whole returns the request with its messages and functions, also if it is of a program from outside, whose body has them.
func (r Request) Whole() Request {
	if r.Body != nil {
		r.Messages, r.Tools = conversation(r.Body)
	}
	return r
}
