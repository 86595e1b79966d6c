package llm

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// An event is an event of a stream of responses, of Anthropic's messages or of Google's contents, or a whole answer.
type event struct {
	Type   words `json:"type"`
	Model  words `json:"model"`
	Status words `json:"status"`
	Usage  any   `json:"usage"`
	Reason words `json:"stop_reason"`
	Why    *struct {
		Reason words `json:"reason"`
	} `json:"incomplete_details"`
	Content []item          `json:"content"` // of a whole message
	Output  []item          `json:"output"`  // of a whole response
	Delta   json.RawMessage `json:"delta"`   // a text, or an object
	Item    *item           `json:"item"`    // that is complete
	Block   *item           `json:"content_block"`
	Answer  *event          `json:"response"`
	Begun   *event          `json:"message"`

	Cost       any `json:"usageMetadata"` // Google's, as all below
	Candidates []struct {
		Content struct {
			Parts []struct {
				Text    words `json:"text"`
				Thought bool  `json:"thought"`
				Call    *struct {
					ID   words           `json:"id"`
					Name words           `json:"name"`
					Args json.RawMessage `json:"args"`
				} `json:"functionCall"`
			} `json:"parts"`
		} `json:"content"`
		Reason words `json:"finishReason"`
	} `json:"candidates"`
}

// eventful reports whether answers of the API are read as events.
func (a API) eventful() bool { return a == Responses || a == Messages || a.gemini() }

// addEvent adds an event as it came. It is an error if the event reports one.
func (a *reading) addEvent(data []byte) error {
	var e event
	if err := json.Unmarshal(data, &e); err != nil {
		return malformed(err, data)
	}
	var failed struct {
		Error    any
		Response struct{ Error any }
	}
	if json.Unmarshal(data, &failed) == nil {
		if refusal := refusalOf(failed.Error); refusal != nil {
			return refusal
		}
		if refusal := refusalOf(failed.Response.Error); refusal != nil {
			return refusal
		}
	}
	if e.Type == "error" {
		return refusalIn(data)
	}
	a.take(e)
	switch {
	case e.Type == "response.output_item.done" && e.Item != nil:
		a.items = append(a.items, *e.Item)
	case e.Block != nil:
		a.items = append(a.items, *e.Block)
		a.items[len(a.items)-1].Input = nil // the deltas have it
	case e.Delta != nil:
		a.change(e.Delta)
	}
	return nil
}

// take takes an answer's model, usage, finish reason and content.
func (a *reading) take(e event) {
	for _, inner := range []*event{e.Answer, e.Begun} {
		if inner != nil {
			a.take(*inner)
		}
	}
	a.answer.Model = cmp.Or(string(e.Model), a.answer.Model)
	a.answer.Usage = a.answer.Usage.most(usageOf(e.Usage))
	a.answer.Usage = a.answer.Usage.most(usageOf(e.Cost))
	reason := e.Reason
	for _, c := range e.Candidates[:min(1, len(e.Candidates))] {
		reason = c.Reason
		for _, p := range c.Content.Parts {
			switch {
			case p.Call != nil:
				a.items = append(a.items, item{Type: "tool_use", ID: p.Call.ID, Name: p.Call.Name, Input: p.Call.Args})
			case !p.Thought:
				a.items = append(a.items, item{Text: p.Text})
			}
		}
	}
	if e.Status == "completed" || e.Status == "incomplete" {
		reason = e.Status
	}
	if e.Why != nil {
		reason = cmp.Or(e.Why.Reason, reason)
	}
	a.answer.FinishReason = cmp.Or(string(reason), a.answer.FinishReason)
	if whole := slices.Concat(e.Content, e.Output); len(whole) > 0 {
		a.items = whole
	}
}

// change adds a delta to the last block of a message. Items of a response need no deltas, for they come whole later.
func (a *reading) change(delta json.RawMessage) {
	a.came += len(delta)
	var d struct {
		event
		Text  words `json:"text"`
		Input words `json:"partial_json"`
	}
	if json.Unmarshal(delta, &d) != nil {
		return
	}
	a.take(d.event)
	if n := len(a.items); n > 0 {
		a.items[n-1].Text += d.Text
		a.items[n-1].Input = append(a.items[n-1].Input, d.Input...)
	}
}

// gather turns the items into text and calls.
func (a *reading) gather() {
	for _, it := range a.items {
		for _, m := range it.messages("assistant") {
			a.text.WriteString(m.Content)
			a.answer.ToolCalls = append(a.answer.ToolCalls, m.ToolCalls...)
		}
	}
	a.items = nil
}

// Reply returns an answer in the form of its request's API, and its content type. An answer from an endpoint is
// returned as it came.
func (r Request) Reply(a Answer) (contentType string, body []byte) {
	stream := r.Streams() && !strings.HasPrefix(a.Raw, "{")
	contentType = "application/json"
	if stream {
		contentType = "text/event-stream"
	}
	if a.Raw != "" {
		return contentType, []byte(a.Raw + "\n\n") // reading stopped at the last line that matters
	}
	var events []object
	switch r.API {
	case Responses:
		events = a.response(r)
	case Messages:
		events = a.message(r)
	default:
		events = a.completion(r, stream)
		if r.API.gemini() {
			events = []object{a.content()}
		}
	}
	var b bytes.Buffer
	for i, e := range events {
		data, err := encode(e)
		if err != nil {
			panic(fmt.Sprintf("llm: answer to %s: %v", r.ID, err)) // texts and numbers, and JSON that was read
		}
		switch {
		case !stream && i < len(events)-1:
		case !stream:
			b.Write(data)
		case r.API == Chat || r.API.gemini():
			fmt.Fprintf(&b, "data: %s\n\n", data)
		case i < len(events)-1: // the last is the whole
			fmt.Fprintf(&b, "event: %s\ndata: %s\n\n", e["type"], data)
		}
	}
	if stream && r.API == Chat {
		b.WriteString("data: [DONE]\n\n")
	}
	return contentType, b.Bytes()
}

// An object is a JSON object.
type object map[string]any

// completion is an answer of chat completions: the events of a stream, or the whole.
func (a Answer) completion(r Request, stream bool) []object {
	finish := cmp.Or(a.FinishReason, "stop")
	if a.Outcome == TooLong || a.Outcome == Truncated {
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
	if a.Outcome == Refusal {
		message["refusal"] = a.Detail
	}
	usage := object{"prompt_tokens": a.Usage.InputTokens, "completion_tokens": a.Usage.OutputTokens, "total_tokens": a.Usage.Tokens()}
	id := "bench-" + r.Key()
	if !stream {
		return []object{{"id": id, "object": "chat.completion", "model": r.Model, "usage": usage,
			"choices": []object{{"index": 0, "message": message, "finish_reason": finish}}}}
	}
	const kind = "chat.completion.chunk"
	return []object{
		{"id": id, "object": kind, "model": r.Model, "choices": []object{{"index": 0, "delta": message, "finish_reason": finish}}},
		{"id": id, "object": kind, "model": r.Model, "choices": []object{}, "usage": usage},
	}
}

// content is an answer of Google's API.
func (a Answer) content() object {
	var parts []object
	if a.Text != "" {
		parts = append(parts, object{"text": a.Text})
	}
	for _, c := range a.ToolCalls {
		parts = append(parts, object{"functionCall": object{"id": c.ID, "name": c.Function.Name, "args": argumentsOf(c)}})
	}
	usage := object{"promptTokenCount": a.Usage.InputTokens, "candidatesTokenCount": a.Usage.OutputTokens, "totalTokenCount": a.Usage.Tokens()}
	return object{"usageMetadata": usage, "candidates": []object{{"index": 0, "finishReason": "STOP", "content": object{"role": "model", "parts": parts}}}}
}

// message is an answer of Anthropic's messages: the events of a stream, and the whole.
func (a Answer) message(r Request) []object {
	usage := object{"input_tokens": a.Usage.InputTokens, "output_tokens": a.Usage.OutputTokens}
	whole := object{"type": "message", "id": "msg_" + r.Key(), "role": "assistant", "model": r.Model, "content": []object{}, "stop_reason": nil, "stop_sequence": nil, "usage": usage}
	begin := object{}
	for k, v := range whole {
		begin[k] = v
	}
	events, blocks := []object{{"type": "message_start", "message": begin}}, []object{}
	add := func(block, begun, delta object) {
		events = append(events, object{"type": "content_block_start", "index": len(blocks), "content_block": begun},
			object{"type": "content_block_delta", "index": len(blocks), "delta": delta}, object{"type": "content_block_stop", "index": len(blocks)})
		blocks = append(blocks, block)
	}
	if a.Text != "" {
		add(object{"type": "text", "text": a.Text}, object{"type": "text", "text": ""}, object{"type": "text_delta", "text": a.Text})
	}
	reason := "end_turn"
	for _, c := range a.ToolCalls {
		reason = "tool_use"
		add(object{"type": "tool_use", "id": c.ID, "name": c.Function.Name, "input": argumentsOf(c)},
			object{"type": "tool_use", "id": c.ID, "name": c.Function.Name, "input": object{}},
			object{"type": "input_json_delta", "partial_json": c.Function.Arguments})
	}
	whole["content"], whole["stop_reason"] = blocks, reason
	return append(events, object{"type": "message_delta", "delta": object{"stop_reason": reason, "stop_sequence": nil}, "usage": usage},
		object{"type": "message_stop"}, whole)
}

func argumentsOf(c ToolCall) any {
	if args := []byte(c.Function.Arguments); json.Valid(args) {
		return json.RawMessage(args)
	}
	return object{}
}

// response is an answer of responses: the events of a stream, and the whole, which has no type.
func (a Answer) response(r Request) []object {
	id := "resp_" + r.Key()
	events := []object{{"type": "response.created", "response": object{"id": id, "object": "response", "status": "in_progress", "model": r.Model, "output": []object{}}}}
	items := []object{}
	add := func(it object) {
		events = append(events, object{"type": "response.output_item.added", "output_index": len(items), "item": it},
			object{"type": "response.output_item.done", "output_index": len(items), "item": it})
		items = append(items, it)
	}
	if a.Text != "" {
		add(object{"type": "message", "id": "msg_" + r.Key(), "role": "assistant", "status": "completed",
			"content": []object{{"type": "output_text", "text": a.Text, "annotations": []object{}}}})
	}
	for _, c := range a.ToolCalls {
		add(object{"type": "function_call", "id": "fc_" + c.ID, "call_id": c.ID, "name": c.Function.Name, "arguments": c.Function.Arguments, "status": "completed"})
	}
	usage := object{"input_tokens": a.Usage.InputTokens, "output_tokens": a.Usage.OutputTokens, "total_tokens": a.Usage.Tokens()}
	whole := object{"id": id, "object": "response", "status": "completed", "model": r.Model, "output": items, "usage": usage}
	return append(events, object{"type": "response.completed", "response": whole}, whole)
}
