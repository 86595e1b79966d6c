package wire

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"strings"

	"github.com/lisa-bench/lisa-bench/internal/llm"
)

// An object is a JSON object.
type object map[string]any

// Reply returns an answer in the form of its request's API, and its content type. An answer from an endpoint is
// returned as it came.
func Reply(r llm.Request, a llm.Answer) (contentType string, body []byte) {
	stream := Streams(r) && !strings.HasPrefix(a.Raw, "{")
	contentType = "application/json"
	if stream {
		contentType = "text/event-stream"
	}
	if a.Raw != "" {
		return contentType, []byte(a.Raw + "\n\n") // reading stopped at the last line that matters
	}
	events, whole := protocolOf(r.API).form(a, r)
	if !stream {
		events = []object{whole}
	}
	var b bytes.Buffer
	for _, e := range events {
		data, err := llm.Encode(e)
		if err != nil {
			panic(fmt.Sprintf("llm: answer to %s: %v", r.ID, err)) // texts and numbers, and JSON that was read
		}
		if !stream {
			return contentType, data
		}
		if kind, named := e["type"]; named {
			fmt.Fprintf(&b, "event: %s\n", kind)
		}
		fmt.Fprintf(&b, "data: %s\n\n", data)
	}
	if r.API == llm.Chat {
		b.WriteString("data: [DONE]\n\n")
	}
	return contentType, b.Bytes()
}

// usage is what an answer cost, under an API's names of input, output and total.
func usage(u llm.Usage, in, out, total string) object {
	return object{in: u.InputTokens, out: u.OutputTokens, total: u.Tokens()}
}

// completion is an answer of chat completions.
func completion(a llm.Answer, r llm.Request) (events []object, whole object) {
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
	with := func(kind, field string) object {
		return object{"id": "bench-" + r.Key(), "object": kind, "model": r.Model,
			"choices": []object{{"index": 0, field: message, "finish_reason": finish}}}
	}
	whole, last := with("chat.completion", "message"), with("chat.completion.chunk", "delta")
	events = []object{maps.Clone(last), last}
	last["choices"] = []object{}
	whole["usage"] = usage(a.Usage, "prompt_tokens", "completion_tokens", "total_tokens")
	last["usage"] = whole["usage"]
	return events, whole
}

// content is an answer of Google's API.
func content(a llm.Answer, _ llm.Request) (events []object, whole object) {
	var parts []object
	if a.Text != "" {
		parts = append(parts, object{"text": a.Text})
	}
	for _, c := range a.ToolCalls {
		parts = append(parts, object{"functionCall": object{"id": c.ID, "name": c.Function.Name, "args": argumentsOf(c)}})
	}
	whole = object{
		"candidates":    []object{{"index": 0, "finishReason": "STOP", "content": object{"role": "model", "parts": parts}}},
		"usageMetadata": usage(a.Usage, "promptTokenCount", "candidatesTokenCount", "totalTokenCount"),
	}
	return []object{whole}, whole
}

// message is an answer of Anthropic's messages.
func message(a llm.Answer, r llm.Request) (events []object, whole object) {
	whole = object{"type": "message", "id": "msg_" + r.Key(), "role": "assistant", "model": r.Model, "content": []object{},
		"stop_reason": nil, "stop_sequence": nil, "usage": object{"input_tokens": a.Usage.InputTokens, "output_tokens": a.Usage.OutputTokens}}
	events = []object{{"type": "message_start", "message": maps.Clone(whole)}}
	blocks := []object{}
	add := func(block object, empty string, nothing any, delta object) {
		begun := maps.Clone(block)
		begun[empty] = nothing
		events = append(events, object{"type": "content_block_start", "index": len(blocks), "content_block": begun},
			object{"type": "content_block_delta", "index": len(blocks), "delta": delta},
			object{"type": "content_block_stop", "index": len(blocks)})
		blocks = append(blocks, block)
	}
	if a.Text != "" {
		add(object{"type": "text", "text": a.Text}, "text", "", object{"type": "text_delta", "text": a.Text})
	}
	end := object{"stop_reason": "end_turn", "stop_sequence": nil}
	for _, c := range a.ToolCalls {
		end["stop_reason"] = "tool_use"
		add(object{"type": "tool_use", "id": c.ID, "name": c.Function.Name, "input": argumentsOf(c)}, "input", object{},
			object{"type": "input_json_delta", "partial_json": c.Function.Arguments})
	}
	whole["content"] = blocks
	maps.Copy(whole, end)
	events = append(events, object{"type": "message_delta", "delta": end, "usage": whole["usage"]}, object{"type": "message_stop"})
	return events, whole
}

func argumentsOf(c llm.ToolCall) any {
	if args := []byte(c.Function.Arguments); json.Valid(args) {
		return json.RawMessage(args)
	}
	return object{}
}

// response is an answer of responses.
func response(a llm.Answer, r llm.Request) (events []object, whole object) {
	items := []object{}
	if a.Text != "" {
		items = append(items, object{"type": "message", "id": "msg_" + r.Key(), "role": "assistant", "status": "completed",
			"content": []object{{"type": "output_text", "text": a.Text, "annotations": []object{}}}})
	}
	for _, c := range a.ToolCalls {
		items = append(items, object{"type": "function_call", "id": "fc_" + c.ID, "call_id": c.ID, "name": c.Function.Name,
			"arguments": c.Function.Arguments, "status": "completed"})
	}
	whole = object{"id": "resp_" + r.Key(), "object": "response", "model": r.Model, "status": "completed", "output": items,
		"usage": usage(a.Usage, "input_tokens", "output_tokens", "total_tokens")}
	begun := maps.Clone(whole)
	begun["status"], begun["output"] = "in_progress", []object{}
	delete(begun, "usage")
	events = []object{{"type": "response.created", "response": begun}}
	for i, it := range items {
		events = append(events, object{"type": "response.output_item.added", "output_index": i, "item": it},
			object{"type": "response.output_item.done", "output_index": i, "item": it})
	}
	return append(events, object{"type": "response.completed", "response": whole}), whole
}
