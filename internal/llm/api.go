package llm

import (
	"cmp"
	"encoding/json"
	"errors"
	"regexp"
	"strings"
)

// An API is an interface by which a program from outside may ask its model. The value is the path of requests below a
// base URL.
type API string

// The APIs.
const (
	Chat      API = "/chat/completions" // platform.openai.com/docs/api-reference/chat; most endpoints have it
	Responses API = "/responses"        // platform.openai.com/docs/api-reference/responses
	Messages  API = "/messages"         // docs.anthropic.com/en/api/messages
)

// APIs lists all of them but Google's, whose paths vary.
var APIs = []API{Chat, Responses, Messages}

// Gemini is the beginning of the paths of Google's API, which end with the model and a method
// (ai.google.dev/api/generate-content). Its base URL is that of Google's chat completions without /openai.
const Gemini = "/models/"

func (a API) gemini() bool { return strings.HasPrefix(string(a), Gemini) }

// PassOn returns the request that a program from outside has written for an API, with the headers that the API defines.
// The request is asked, recorded and answered as it is, with two exceptions: the settings of the experiment replace its
// own, and a stream of chat completions is asked for its usage. The error tells the program what is wrong.
func (s *Session) PassOn(stage string, api API, body []byte, header map[string]string) (Request, error) {
	var fields map[string]any
	dec := json.NewDecoder(strings.NewReader(strings.ToValidUTF8(string(body), "\uFFFD")))
	dec.UseNumber()
	err := dec.Decode(&fields)
	if err != nil || dec.More() {
		return Request{}, errors.Join(errors.New("the body is no JSON object"), err)
	}
	c := s.config.For(stage)
	r := Request{Stage: stage, Model: c.Model, API: api, Header: header}
	if api.gemini() {
		_, method, _ := strings.Cut(string(api), ":")
		r.API = API(Gemini + c.Model + ":" + method)
		r.Body, err = encode(fields) // the program chooses its settings
		return r, err
	}
	fields["model"] = c.Model
	if c.Temperature != nil {
		fields["temperature"] = *c.Temperature
	}
	limit := map[API]string{Responses: "max_output_tokens", Messages: limitEverywhere}[api]
	if api == Chat {
		limit = s.config.form().limitOf(c.Model)
		if c.Seed != nil {
			fields["seed"] = *c.Seed
		}
		if fields["stream"] == true && fields["stream_options"] == nil && !s.config.form().noUsage {
			fields["stream_options"] = streamOf{IncludeUsage: true}
		}
	}
	if c.MaxTokens > 0 {
		delete(fields, limitEverywhere)
		delete(fields, limitOpenAI)
		fields[limit] = c.MaxTokens
	}
	if effort := c.ReasoningEffort; effort != "" {
		switch api {
		case Chat:
			fields["reasoning_effort"] = effort
		case Responses:
			fields["reasoning"] = withEffort(fields["reasoning"], effort)
		case Messages:
			fields["output_config"] = withEffort(fields["output_config"], effort)
		}
	}
	r.Body, err = encode(fields)
	return r, err
}

// withEffort sets the effort in an object of settings, and leaves the others.
func withEffort(settings any, effort string) map[string]any {
	fields, ok := settings.(map[string]any)
	if !ok {
		fields = map[string]any{}
	}
	fields["effort"] = effort
	return fields
}

// Streams reports whether the request of a program from outside wants a stream.
func (r Request) Streams() bool {
	var b struct{ Stream bool }
	if r.API.gemini() {
		return strings.HasSuffix(string(r.API), "alt=sse")
	}
	return json.Unmarshal(r.Body, &b) == nil && b.Stream
}

var (
	// volatile names the fields of bodies that name a session and do not change the answer.
	volatile = []string{"metadata", "client_metadata", "prompt_cache_key", "safety_identifier", "user"}
	// figures matches what differs in each run of the same agent: identifiers, dates, times.
	figures = regexp.MustCompile(`[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9A-Fa-f]*[0-9][0-9A-Fa-f]*`)
)

// alikeBody returns the part of a body that is equal in all runs of a program that gets the same answers.
func alikeBody(body json.RawMessage) json.RawMessage {
	var fields map[string]json.RawMessage
	if json.Unmarshal(body, &fields) != nil {
		return body
	}
	for _, name := range volatile {
		delete(fields, name)
	}
	data, err := encode(fields)
	if err != nil {
		return body
	}
	text, err := encode(figures.ReplaceAllString(string(data), "0")) // as a text: it may be no valid JSON
	if err != nil {
		return body
	}
	return text
}

// An item is a message of any API, or a part of one.
type item struct {
	Type       words           `json:"type"`
	Role       words           `json:"role"`
	Content    json.RawMessage `json:"content"` // a text, or items
	Text       words           `json:"text"`
	ToolCalls  []callPart      `json:"tool_calls"`
	ToolCallID words           `json:"tool_call_id"`
	ID         words           `json:"id"`
	CallID     words           `json:"call_id"`
	ToolUseID  words           `json:"tool_use_id"`
	Name       words           `json:"name"`
	Arguments  words           `json:"arguments"`
	Input      json.RawMessage `json:"input"`
	Output     words           `json:"output"`
}

// conversation reads the messages and the functions of a body of any API.
func conversation(data []byte) (messages []Message, tools []Tool) {
	var b struct {
		System       words           `json:"system"`
		Instructions words           `json:"instructions"`
		Messages     []item          `json:"messages"`
		Input        json.RawMessage `json:"input"` // a text, or items
		Tools        []struct {
			ToolFunction
			Schema   json.RawMessage `json:"input_schema"`
			Function *ToolFunction   `json:"function"`
		} `json:"tools"`
	}
	if json.Unmarshal(data, &b) != nil {
		return nil, nil
	}
	if text := cmp.Or(b.System, b.Instructions); text != "" {
		messages = append(messages, Message{Role: "system", Content: string(text)})
	}
	var input []item
	var text string
	if json.Unmarshal(b.Input, &input) != nil && json.Unmarshal(b.Input, &text) == nil {
		messages = append(messages, Message{Role: "user", Content: text})
	}
	for _, it := range append(b.Messages, input...) {
		messages = append(messages, it.messages(string(it.Role))...)
	}
	for _, t := range b.Tools {
		f := t.ToolFunction
		if t.Function != nil {
			f = *t.Function
		}
		if f.Parameters == nil {
			f.Parameters = t.Schema
		}
		tools = append(tools, Tool{"function", f})
	}
	if messages == nil {
		messages = []Message{{Role: "user", Content: string(data)}} // the body of an API that is not read
	}
	return messages, tools
}

// messages returns the messages of an item: one for its own text and calls, and one for each result of a call.
func (it item) messages(role string) []Message {
	call := func(id words, args string) []Message {
		return []Message{{Role: "assistant", ToolCalls: []ToolCall{{string(id), "function", CallFunction{string(it.Name), args}}}}}
	}
	switch it.Type {
	case "function_call":
		return call(it.CallID, string(it.Arguments))
	case "custom_tool_call":
		return call(it.CallID, string(textOf(it.Input)))
	case "tool_use":
		return call(it.ID, string(it.Input))
	case "function_call_output", "custom_tool_call_output":
		return []Message{{Role: "tool", Content: string(it.Output), ToolCallID: string(it.CallID)}}
	case "tool_result":
		return []Message{{Role: "tool", Content: string(textOf(it.Content)), ToolCallID: string(it.ToolUseID)}}
	}
	own := Message{Role: role, ToolCallID: string(it.ToolCallID), Content: string(it.Text)}
	var a reading
	for n, c := range it.ToolCalls {
		a.addCall(n, c)
	}
	own.ToolCalls = a.answer.ToolCalls
	var parts []item
	if json.Unmarshal(it.Content, &parts) != nil {
		own.Content += string(textOf(it.Content))
	}
	var results []Message
	for _, part := range parts {
		for _, m := range part.messages(role) {
			if m.Role == "tool" && role != "tool" {
				results = append(results, m)
				continue
			}
			own.Content += m.Content
			own.ToolCalls = append(own.ToolCalls, m.ToolCalls...)
		}
	}
	if own.Content == "" && own.ToolCalls == nil && results != nil {
		return results
	}
	return append(results, own)
}

func textOf(data json.RawMessage) (w words) {
	if len(data) > 0 && w.UnmarshalJSON(data) != nil {
		return words(data)
	}
	return w
}

// outside returns the request of a program from outside with the messages and functions of its body.
func (r Request) outside() Request {
	if r.Body != nil {
		r.Messages, r.Tools = conversation(r.Body)
	}
	return r
}
