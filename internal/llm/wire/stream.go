package wire

import (
	"bytes"
	"cmp"
	"encoding/json"
	"io"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/lisa-bench/lisa-bench/internal/llm"
)

// Streamed reports whether an answer is a stream of server-sent events (html.spec.whatwg.org, "Server-sent events").
func Streamed(text []byte) bool {
	name, _, found := bytes.Cut(text, []byte(":"))
	return found && strings.Contains(" data event id retry ", " "+string(name)+" ") || bytes.HasPrefix(text, []byte(":"))
}

// ReadStream is Read of a stream, of any API. A stream that has no end is an io.ErrUnexpectedEOF.
func ReadStream(text []byte, r llm.Request, most int) (llm.Answer, error) {
	s := streamed{usage: object{}}
	for line := range bytes.Lines(text) {
		data, isData := bytes.CutPrefix(line, []byte("data:"))
		if data = bytes.TrimSpace(data); !isData || len(data) == 0 || string(data) == "[DONE]" {
			continue
		}
		event, err := parse(data)
		switch {
		case err != nil:
			return llm.Answer{}, err
		case event.Get("error").IsObject():
			return Read([]byte(event.Raw), r, most)
		case kindOf(event) == "response.output_item.done":
			s.items = append(s.items, json.RawMessage(event.Get("item").Raw))
		case lastOfResponses[kindOf(event)]:
			whole := fieldsOf(event.Get("response"))
			if len(s.items) > 0 {
				whole["output"] = s.items
			}
			return Read(encoded(whole), r, most)
		}
		s.add(event)
	}
	if s.finish == "" {
		return llm.Answer{}, io.ErrUnexpectedEOF
	}
	var calls []object
	for _, c := range s.calls {
		calls = append(calls, object{"id": c.id, "function": object{"name": c.name, "arguments": c.arguments}})
	}
	message := object{"content": s.text, "refusal": s.refusal, "reasoning_content": s.thoughts, "tool_calls": calls}
	return Read(encoded(object{"model": s.model, "usage": s.usage,
		"choices": []object{{"message": message, "finish_reason": s.finish}}}), r, most)
}

// lastOfResponses are the events that end a stream of responses. Each has the response, of which some servers leave out the items.
var lastOfResponses = map[string]bool{"response.completed": true, "response.incomplete": true, "response.failed": true}

// A streamed answer is what the events so far say, whatever API they are of.
type streamed struct {
	model, finish           string
	text, refusal, thoughts string
	usage                   object
	calls                   []*streamedCall
	items                   []json.RawMessage // of responses
}

type streamedCall struct {
	index               int64 // of its block
	id, name, arguments string
}

// add takes an event of chat completions, of Anthropic's messages or of Google's API.
func (s *streamed) add(v gjson.Result) {
	choice, candidate, begun := v.Get("choices.0"), v.Get("candidates.0"), v.Get("message")
	s.model = cmp.Or(s.model, words(v.Get("model")), words(begun.Get("model")))
	for _, usage := range []gjson.Result{begun.Get("usage"), v.Get("usage"), v.Get("usageMetadata")} {
		for name, n := range usage.Map() {
			s.usage[name] = n.Value()
		}
	}
	s.finish = cmp.Or(words(choice.Get("finish_reason")), words(candidate.Get("finishReason")), words(v.Get("delta.stop_reason")), s.finish)
	delta := choice.Get("delta")
	s.text += words(delta.Get("content"))
	s.refusal += words(delta.Get("refusal"))
	s.thoughts += cmp.Or(words(delta.Get("reasoning_content")), words(delta.Get("reasoning")), words(v.Get("delta.thinking")))
	for _, c := range delta.Get("tool_calls").Array() {
		s.call(c.Get("index").Int(), words(c.Get("id")), words(c.Get("function.name")), words(c.Get("function.arguments")))
	}
	for _, p := range candidate.Get("content.parts").Array() {
		if f := p.Get("functionCall"); f.Exists() {
			s.call(int64(len(s.calls)), words(f.Get("id")), words(f.Get("name")), f.Get("args").Raw)
		} else {
			s.text += words(p)
		}
	}
	at := v.Get("index").Int()
	if block := v.Get("content_block"); kindOf(block) == "tool_use" {
		s.call(at, words(block.Get("id")), words(block.Get("name")), "")
	}
	s.text += words(v.Get("delta.text"))
	if more := v.Get("delta.partial_json"); more.Exists() {
		s.call(at, "", "", more.Str)
	}
}

// call takes a part of a call, or all of it.
func (s *streamed) call(index int64, id, name, arguments string) {
	for _, c := range s.calls {
		if c.index == index {
			c.id, c.name, c.arguments = cmp.Or(c.id, id), c.name+name, c.arguments+arguments
			return
		}
	}
	s.calls = append(s.calls, &streamedCall{index, id, name, arguments})
}
