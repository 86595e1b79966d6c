package wire

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/lisa-bench/lisa-bench/internal/llm"
)

// Reply returns an answer in the form of its request's API, and its content type. An answer from an endpoint is
// returned as it came. A whole one becomes the events of a stream if the program has asked for one.
func Reply(r llm.Request, a llm.Answer) (contentType string, body []byte) {
	p, whole := protocolOf(r.API), []byte(a.Raw)
	switch {
	case Streamed(whole):
		return "text/event-stream", whole
	case a.Raw == "":
		whole = encoded(p.form(a, r))
	}
	if !gjson.GetBytes(r.Body, "stream").Bool() && !strings.HasSuffix(string(r.API), "alt=sse") {
		return "application/json", whole
	}
	var b bytes.Buffer
	for _, e := range p.events(gjson.ParseBytes(whole)) {
		if kind, named := e["type"]; named {
			fmt.Fprintf(&b, "event: %s\n", kind)
		}
		fmt.Fprintf(&b, "data: %s\n\n", encoded(e))
	}
	if r.API == llm.Chat {
		b.WriteString("data: [DONE]\n\n")
	}
	return "text/event-stream", b.Bytes()
}

// An object is a JSON object.
type object map[string]any

func encoded(o object) []byte {
	data, err := llm.Encode(o)
	if err != nil {
		panic(err) // texts and numbers, and JSON that was read
	}
	return data
}

// fieldsOf are those of a JSON object, as they are, but for some.
func fieldsOf(v gjson.Result, but ...object) object {
	o := object{}
	v.ForEach(func(name, value gjson.Result) bool {
		o[name.Str] = json.RawMessage(value.Raw)
		return true
	})
	for _, other := range but {
		maps.Copy(o, other)
	}
	return o
}

// usage is what an answer cost, under an API's names of input, output and total.
func usage(u llm.Usage, in, out, total string) object {
	return object{in: u.InputTokens, out: u.OutputTokens, total: u.Tokens()}
}

// completion is an answer of chat completions.
func completion(a llm.Answer, r llm.Request) object {
	finish := cmp.Or(a.FinishReason, "stop")
	if a.Outcome == llm.TooLong || a.Outcome == llm.Truncated {
		finish = "length"
	}
	message := object{"role": "assistant", "content": a.Text}
	if len(a.ToolCalls) > 0 {
		finish = "tool_calls"
		var calls []object
		for i, c := range a.ToolCalls {
			calls = append(calls, object{"index": i, "id": c.ID, "type": c.Type, "function": c.Function})
		}
		message["tool_calls"] = calls
	}
	if a.Outcome == llm.Refusal {
		message["refusal"] = a.Detail
	}
	return object{"id": "bench-" + r.Key(), "object": "chat.completion", "model": r.Model,
		"choices": []object{{"index": 0, "message": message, "finish_reason": finish}},
		"usage":   usage(a.Usage, "prompt_tokens", "completion_tokens", "total_tokens")}
}

func completionEvents(whole gjson.Result) []object {
	choice := whole.Get("choices.0")
	delta := fieldsOf(choice.Get("message"))
	var calls []object
	for i, c := range choice.Get("message.tool_calls").Array() {
		calls = append(calls, fieldsOf(c, object{"index": i}))
	}
	if calls != nil {
		delta["tool_calls"] = calls
	}
	last := fieldsOf(whole, object{"object": "chat.completion.chunk", "choices": []object{}})
	first := maps.Clone(last)
	delete(first, "usage")
	first["choices"] = []object{{"index": 0, "delta": delta, "finish_reason": json.RawMessage(cmp.Or(choice.Get("finish_reason").Raw, `"stop"`))}}
	return []object{first, last}
}

// content is an answer of Google's API.
func content(a llm.Answer, _ llm.Request) object {
	var parts []object
	if a.Text != "" {
		parts = append(parts, object{"text": a.Text})
	}
	for _, c := range a.ToolCalls {
		parts = append(parts, object{"functionCall": object{"id": c.ID, "name": c.Function.Name, "args": argumentsOf(c)}})
	}
	return object{
		"candidates":    []object{{"index": 0, "finishReason": "STOP", "content": object{"role": "model", "parts": parts}}},
		"usageMetadata": usage(a.Usage, "promptTokenCount", "candidatesTokenCount", "totalTokenCount"),
	}
}

// message is an answer of Anthropic's messages.
func message(a llm.Answer, r llm.Request) object {
	blocks, reason := []object{}, "end_turn"
	if a.Text != "" {
		blocks = append(blocks, object{"type": "text", "text": a.Text})
	}
	for _, c := range a.ToolCalls {
		reason = "tool_use"
		blocks = append(blocks, object{"type": "tool_use", "id": c.ID, "name": c.Function.Name, "input": argumentsOf(c)})
	}
	return object{"type": "message", "id": "msg_" + r.Key(), "role": "assistant", "model": r.Model, "content": blocks,
		"stop_reason": reason, "stop_sequence": nil, "usage": object{"input_tokens": a.Usage.InputTokens, "output_tokens": a.Usage.OutputTokens}}
}

// deltas are the fields of a block of a message that come as events of their own, what they are before, and the
// events' type and field.
var deltas = []struct {
	field string
	empty any
	kind  string
	name  string
}{
	{"text", "", "text_delta", "text"}, {"thinking", "", "thinking_delta", "thinking"},
	{"signature", "", "signature_delta", "signature"}, {"input", object{}, "input_json_delta", "partial_json"},
}

func messageEvents(whole gjson.Result) []object {
	begun := fieldsOf(whole, object{"content": []object{}, "stop_reason": nil, "stop_sequence": nil})
	events := []object{{"type": "message_start", "message": begun}}
	for i, b := range whole.Get("content").Array() {
		block, parts := fieldsOf(b), []object{}
		for _, d := range deltas {
			if value := b.Get(d.field); value.Exists() {
				block[d.field] = d.empty
				parts = append(parts, object{"type": "content_block_delta", "index": i, "delta": object{"type": d.kind, d.name: value.String()}})
			}
		}
		events = append(append(events, object{"type": "content_block_start", "index": i, "content_block": block}), parts...)
		events = append(events, object{"type": "content_block_stop", "index": i})
	}
	end := object{}
	for _, name := range []string{"stop_reason", "stop_sequence"} {
		end[name] = whole.Get(name).Value()
	}
	return append(events, object{"type": "message_delta", "delta": end, "usage": begun["usage"]}, object{"type": "message_stop"})
}

func argumentsOf(c llm.ToolCall) any {
	if args := []byte(c.Function.Arguments); json.Valid(args) {
		return json.RawMessage(args)
	}
	return object{}
}

// response is an answer of responses.
func response(a llm.Answer, r llm.Request) object {
	items := []object{}
	if a.Text != "" {
		items = append(items, object{"type": "message", "id": "msg_" + r.Key(), "role": "assistant", "status": "completed",
			"content": []object{{"type": "output_text", "text": a.Text, "annotations": []object{}}}})
	}
	for _, c := range a.ToolCalls {
		items = append(items, object{"type": "function_call", "id": "fc_" + c.ID, "call_id": c.ID, "name": c.Function.Name,
			"arguments": c.Function.Arguments, "status": "completed"})
	}
	return object{"id": "resp_" + r.Key(), "object": "response", "model": r.Model, "status": "completed", "output": items,
		"usage": usage(a.Usage, "input_tokens", "output_tokens", "total_tokens")}
}

func responseEvents(whole gjson.Result) []object {
	begun := fieldsOf(whole, object{"status": "in_progress", "output": []object{}, "usage": nil})
	events := []object{{"type": "response.created", "response": begun}}
	for i, item := range whole.Get("output").Array() {
		for _, kind := range []string{"added", "done"} {
			events = append(events, object{"type": "response.output_item." + kind, "output_index": i, "item": json.RawMessage(item.Raw)})
		}
	}
	return append(events, object{"type": "response." + cmp.Or(whole.Get("status").String(), "completed"), "response": fieldsOf(whole)})
}
