package wire

import (
	"encoding/json"
	"errors"
	"testing"

	"gotest.tools/v3/assert"

	"github.com/lisa-bench/lisa-bench/internal/llm"
)

// TestStream: the events that a program gets of an answer say what the answer says, and half of them are no answer.
func TestStream(t *testing.T) {
	want := llm.Answer{Text: "hi", FinishReason: "stop", Usage: llm.Usage{InputTokens: 1200, OutputTokens: 30}}
	var call llm.ToolCall
	call.ID, call.Type, call.Function.Name, call.Function.Arguments = "c1", "function", "bash", `{"command":"ls"}`
	want.ToolCalls = []llm.ToolCall{call}
	for _, api := range []llm.API{llm.Chat, llm.Responses, llm.Messages, llm.Gemini + "m:streamGenerateContent?alt=sse"} {
		r := llm.Request{API: api, Model: "m", Body: json.RawMessage(`{"stream":true}`)}
		kind, text := Reply(r, want)
		assert.Check(t, kind == "text/event-stream" && Streamed(text), "%s: %s %s", api, kind, text)
		got, err := ReadStream(text, r, 1000)
		assert.Check(t, err == nil && got.Text == want.Text && got.Usage == want.Usage && got.Outcome == llm.Answered &&
			len(got.ToolCalls) == 1 && got.ToolCalls[0].Function == call.Function, "%s: %+v, %v of %s", api, got, err, text)
		_, err = ReadStream(text[:20], r, 1000)
		assert.Check(t, err != nil, "%s: no error of half a stream", api)
	}
	var refusal *Refusal
	_, err := ReadStream([]byte("event: error\ndata: {\"type\":\"error\",\"error\":{\"type\":\"overloaded_error\",\"message\":\"Overloaded\"}}\n\n"),
		llm.Request{API: llm.Messages}, 1000)
	assert.Check(t, errors.As(err, &refusal), "%v", err)
}
