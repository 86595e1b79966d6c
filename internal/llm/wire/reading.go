package wire

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/lisa-bench/lisa-bench/internal/llm"
)

// A MalformedError is an answer that is not what the protocol asks for.
type MalformedError string

func (e MalformedError) Error() string { return string(e) }

// shownBytes is how much of something unexpected is shown.
const shownBytes = 100

// parse reads JSON of which nothing is promised: what is needed of it is asked for by its path, and may be missing or of
// another type. A byte order mark may stand before it, and it may have bytes that are no text.
func parse(data []byte) (gjson.Result, error) {
	data = bytes.ToValidUTF8(bytes.TrimSpace(bytes.TrimPrefix(data, []byte("\uFEFF"))), []byte("\uFFFD"))
	if !json.Valid(data) {
		var v any
		return gjson.Result{}, MalformedError(fmt.Sprintf("%v in %.*s", json.Unmarshal(data, &v), shownBytes, data))
	}
	return gjson.ParseBytes(data), nil
}

// words are a text, or those of a part or of a list of parts. What is none of them, and what the model thought, has none.
func words(v gjson.Result) string {
	switch {
	case v.Type == gjson.String:
		return v.Str
	case v.IsArray():
		var all strings.Builder
		for _, part := range v.Array() {
			all.WriteString(words(part))
		}
		return all.String()
	case v.IsObject():
		if kind := kindOf(v); kind != "thinking" && kind != "reasoning" && !v.Get("thought").Bool() {
			return words(v.Get("text")) + words(v.Get("content"))
		}
	}
	return ""
}

// kindOf is the type of an item or a part; "" of a text.
func kindOf(v gjson.Result) string {
	if !v.IsObject() {
		return ""
	}
	return v.Get("type").String()
}

// count returns the first of some numbers that is there and positive. It may be a text or a fraction.
func count(v gjson.Result, paths ...string) int64 {
	for _, path := range paths {
		const most = 1e15 // more is none
		if n, err := strconv.ParseFloat(v.Get(path).String(), 64); err == nil && n >= 1 && n < most {
			return int64(n)
		}
	}
	return 0
}

// usageOf reads what an answer cost, under the names of OpenAI, DeepSeek, Moonshot, Anthropic and Google. Some report
// what the model thought in the total only.
func usageOf(v gjson.Result) llm.Usage {
	u := llm.Usage{
		InputTokens:  count(v, "prompt_tokens", "input_tokens", "promptTokenCount"),
		OutputTokens: count(v, "completion_tokens", "output_tokens", "candidatesTokenCount"),
		CachedTokens: count(v, "prompt_tokens_details.cached_tokens", "input_tokens_details.cached_tokens",
			"prompt_cache_hit_tokens", "cached_tokens", "cache_read_input_tokens", "cachedContentTokenCount"),
		ReasoningTokens: count(v, "completion_tokens_details.reasoning_tokens",
			"output_tokens_details.reasoning_tokens", "reasoning_tokens"),
	}
	if count(v, "prompt_tokens") == 0 { // Anthropic's input is what was in no cache
		u.InputTokens += count(v, "cache_read_input_tokens") + count(v, "cache_creation_input_tokens")
	}
	u.CachedTokens = min(u.CachedTokens, u.InputTokens)
	if thought := count(v, "total_tokens", "totalTokenCount") - u.Tokens(); thought > 0 && u.InputTokens > 0 {
		u.OutputTokens += thought
		u.ReasoningTokens = max(u.ReasoningTokens, thought)
	}
	return u
}

// ends has the finish reasons, in lower case, by OpenAI, Anthropic, Google, Mistral, Zhipu and
// Cohere. Any other is an end that is none.
var ends = map[llm.Outcome][]string{
	llm.Answered: {"", "stop", "eos", "eos_token", "end_turn", "stop_sequence", "pause_turn", "complete", "completed",
		"tool_calls", "tool_use", "function_call"},
	llm.Truncated: {"length", "incomplete", "max_tokens", "max_output_tokens", "model_length", "model_context_window_exceeded"},
	llm.Refusal: {"content_filter", "content_filtered", "safety", "refusal", "sensitive", "recitation", "blocklist",
		"prohibited_content", "spii", "guardrail_intervened", "error_toxic"},
}

// A reading is what was read of an answer, or of a message of a request.
type reading struct {
	answer                  llm.Answer // without its text
	text, refusal, thoughts strings.Builder
}

// Read returns the answer of any API to a request, of which at most so many bytes of text count. The error is a *Refusal
// that it holds in place of an answer, or a MalformedError.
func Read(data []byte, r llm.Request, most int) (llm.Answer, error) {
	v, err := parse(data)
	if err != nil {
		return llm.Answer{}, err
	}
	var a reading
	choice, candidate := v.Get("choices.0"), v.Get("candidates.0")
	answers := false
	for _, path := range []string{"choices.0", "content", "output", "candidates", "promptFeedback"} {
		answers = answers || v.Get(path).Exists()
	}
	refusal := RefusalOf(v.Get("error"))
	if !answers {
		refusal = cmp.Or(refusal, RefusalOf(v))
	}
	switch {
	case refusal != nil:
		return llm.Answer{}, refusal
	case !answers:
		return llm.Answer{}, MalformedError(fmt.Sprintf("a response without choices in %.*s", shownBytes, data))
	}
	a.answer.Model = words(v.Get("model"))
	a.answer.Usage = usageOf(gjson.Parse(cmp.Or(v.Get("usage").Raw, v.Get("usageMetadata").Raw)))
	for _, reason := range []gjson.Result{v.Get("status"), v.Get("incomplete_details.reason"), v.Get("stop_reason"),
		choice.Get("finish_reason"), candidate.Get("finishReason")} {
		a.answer.FinishReason = cmp.Or(words(reason), a.answer.FinishReason)
	}
	m := choice.Get("message")
	a.text.WriteString(words(m.Get("content")))
	a.refusal.WriteString(words(m.Get("refusal")))
	a.thoughts.WriteString(cmp.Or(words(m.Get("reasoning_content")), words(m.Get("reasoning"))))
	a.calls(m.Get("tool_calls"))
	for _, list := range []gjson.Result{candidate.Get("content.parts"), v.Get("content"), v.Get("output")} {
		for _, p := range list.Array() {
			a.part(p)
		}
	}
	return a.end(r, most)
}

// ReadShort returns the answer that a text and the calls of functions make, which may be none.
func ReadShort(text string, calls gjson.Result, r llm.Request, most int) (llm.Answer, error) {
	a := reading{answer: llm.Answer{FinishReason: "stop"}}
	a.text.WriteString(strings.ToValidUTF8(text, "\uFFFD"))
	a.calls(calls)
	return a.end(r, most)
}

// calls takes the calls of a message of chat completions.
func (a *reading) calls(list gjson.Result) {
	for _, c := range list.Array() {
		a.call(words(c.Get("id")), c.Get("function"), "arguments")
	}
}

// part takes a part of a message, or an item of a response: a text or a call.
func (a *reading) part(p gjson.Result) {
	switch kindOf(p) {
	case "tool_use", "custom_tool_call":
		a.call(cmp.Or(words(p.Get("call_id")), words(p.Get("id"))), p, "input")
	case "function_call":
		a.call(words(p.Get("call_id")), p, "arguments")
	default:
		if f := p.Get("functionCall"); p.IsObject() && f.Exists() {
			a.call(words(f.Get("id")), f, "args")
			return
		}
		a.text.WriteString(words(p))
	}
}

// call takes a call: its function's name and its arguments, which are a text or, of some servers, the object itself.
func (a *reading) call(id string, function gjson.Result, arguments string) {
	c := llm.ToolCall{ID: cmp.Or(id, fmt.Sprintf("call_%d", len(a.answer.ToolCalls)+1)), Type: "function"}
	c.Function.Name = words(function.Get("name"))
	switch given := function.Get(arguments); given.Type {
	case gjson.String:
		c.Function.Arguments = given.Str
	case gjson.JSON:
		c.Function.Arguments = given.Raw
	}
	a.answer.ToolCalls = append(a.answer.ToolCalls, c)
}

// OnlyThoughts is the detail of an answer that was cut off before it began.
const OnlyThoughts = "all of max_tokens was spent on reasoning"

// end returns the answer with its outcome, and with its usage estimated if the endpoint reported none. An answer that
// ended for a reason which is no end is an error.
func (a *reading) end(r llm.Request, most int) (llm.Answer, error) {
	out := a.answer
	out.Text, out.Detail = a.text.String(), a.refusal.String()
	if out.Usage.Tokens() == 0 {
		bytes := len(out.Text) + a.thoughts.Len()
		for _, c := range out.ToolCalls {
			bytes += len(c.Function.Name) + len(c.Function.Arguments)
		}
		out.Usage = llm.Usage{InputTokens: r.InputTokens(), OutputTokens: llm.TokensOf(bytes), Estimated: true}
	}
	var outcome llm.Outcome
	for o, reasons := range ends {
		if slices.Contains(reasons, strings.ToLower(out.FinishReason)) {
			outcome = o
		}
	}
	if outcome == llm.Answered && out.Detail == "" && len(out.ToolCalls) == 0 && strings.TrimSpace(out.Text) == "" {
		out.Text = a.thoughts.String() // servers that take all of an answer for the thoughts before it
	}
	long := len(out.Text) > most
	if long {
		out.Text = strings.ToValidUTF8(out.Text[:most], "")
	}
	blank := strings.TrimSpace(llm.Said(out.Text)) == "" && len(out.ToolCalls) == 0
	switch out.Outcome = outcome; {
	case long:
		out.Outcome = llm.TooLong
	case outcome == "":
		return llm.Answer{}, &Refusal{Message: fmt.Sprintf("finish reason %q", out.FinishReason)}
	case out.Detail != "" && blank:
		out.Outcome = llm.Refusal
	case outcome == llm.Truncated && blank:
		out.Detail = OnlyThoughts
	case outcome == llm.Answered && blank:
		out.Outcome = llm.Empty
	}
	return out, nil
}

// Conversation reads the messages and the functions of a body of any API.
func Conversation(data []byte) (messages []llm.Message, tools []llm.Tool) {
	v := gjson.ParseBytes(data)
	if text := cmp.Or(words(v.Get("system")), words(v.Get("instructions"))); text != "" {
		messages = append(messages, llm.Message{Role: "system", Content: text})
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
		tools = append(tools, llm.NewTool(words(f.Get("name")), words(f.Get("description")), schema))
	}
	if messages == nil {
		messages = []llm.Message{{Role: "user", Content: string(data)}} // the body of an API that is not read
	}
	return messages, tools
}

// messagesOf returns the messages of an item: one for each result of a call, and one for its own text and calls.
func messagesOf(v gjson.Result) (messages []llm.Message) {
	var own reading
	parts := v.Get("content").Array()
	if v.Type == gjson.String || !v.Get("role").Exists() {
		parts = []gjson.Result{v}
	}
	for _, p := range parts {
		switch kindOf(p) {
		case "function_call_output", "custom_tool_call_output":
			messages = append(messages, llm.Message{Role: "tool", Content: words(p.Get("output")), ToolCallID: words(p.Get("call_id"))})
		case "tool_result":
			messages = append(messages, llm.Message{Role: "tool", Content: words(p.Get("content")), ToolCallID: words(p.Get("tool_use_id"))})
		default:
			own.part(p)
		}
	}
	own.calls(v.Get("tool_calls"))
	m := llm.Message{Role: words(v.Get("role")), Content: own.text.String(), ToolCalls: own.answer.ToolCalls, ToolCallID: words(v.Get("tool_call_id"))}
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
func Whole(r llm.Request) llm.Request {
	if r.Body != nil {
		r.Messages, r.Tools = Conversation(r.Body)
	}
	return r
}
