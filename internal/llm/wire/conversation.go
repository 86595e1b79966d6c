package wire

import (
	"cmp"

	"github.com/tidwall/gjson"

	"github.com/lisa-bench/lisa-bench/internal/llm"
)

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
