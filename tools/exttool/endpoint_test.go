package exttool

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/lisa-bench/lisa-bench/internal/llm"
	"github.com/lisa-bench/lisa-bench/internal/llm/llmtest"
	"github.com/lisa-bench/lisa-bench/internal/trial"
)

// A line is an endpoint with a client of its own.
type line struct {
	*endpoint
	client *http.Client
	ledger *trial.Ledger
	failed func() error
	path   string // of the transcript
}

// connect opens an endpoint before a model.
func connect(t *testing.T, models *llm.Models, b trial.Budget) *line {
	t.Helper()
	l := &line{ledger: trial.NewLedger(b, trial.Usage{}, time.Now), path: filepath.Join(t.TempDir(), llm.TranscriptFile)}
	session, err := models.Session("c", llm.SessionOptions{Transcript: l.path, Ledger: l.ledger})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	if l.endpoint, err = openEndpoint(ctx, session, "mine", func() error { return nil }, cancel); err != nil {
		t.Fatal(err)
	}
	l.failed = func() error { return context.Cause(ctx) }
	t.Cleanup(func() {
		cancel(nil)
		if err := errors.Join(l.close(), session.Finish()); err != nil {
			t.Error(err)
		}
	})
	dial := func(ctx context.Context, _, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, "unix", l.socket())
	}
	l.client = &http.Client{Transport: &http.Transport{DialContext: dial}}
	return l
}

// ask posts a body and returns status and answer.
func (l *line) ask(t *testing.T, body string) (int, string) {
	t.Helper()
	resp, err := l.client.Post("http://bench/v1/chat/completions", "application/json", strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp.StatusCode, string(text)
}

const hello = `{"model": "scripted", "messages": [{"role": "user", "content": "hello"}]}`

// counting answers with the number of the request.
func counting() llmtest.Model {
	var mu sync.Mutex
	n := 0
	return func(m []llm.Message) string {
		mu.Lock()
		defer mu.Unlock()
		n++
		return fmt.Sprintf("answer %d to %s", n, m[len(m)-1].Content)
	}
}

func TestEndpointAsksThroughTheCellsSession(t *testing.T) {
	server := llmtest.Serve(t, counting())
	l := connect(t, llmtest.Open(t, server.Config()), trial.Budget{LLMCalls: 3})
	for n := 1; n <= 2; n++ { // the same request twice is two attempts
		status, text := l.ask(t, hello)
		var got struct {
			Object  string
			Choices []struct {
				Message      struct{ Role, Content string }
				FinishReason string `json:"finish_reason"`
			}
			Usage struct {
				TotalTokens int `json:"total_tokens"`
			}
		}
		if err := json.Unmarshal([]byte(text), &got); err != nil || status != http.StatusOK {
			t.Fatalf("%d: %v in %s", status, err, text)
		}
		c := got.Choices[0]
		if want := fmt.Sprintf("answer %d to hello", n); c.Message.Content != want || c.Message.Role != "assistant" || c.FinishReason != "stop" || got.Usage.TotalTokens == 0 {
			t.Errorf("answer = %+v, want %q", got, want)
		}
	}
	if status, text := l.ask(t, strings.Replace(hello, "{", `{"stream": true, "temperature": 0.5, `, 1)); status != http.StatusOK ||
		!strings.Contains(text, `"content":"answer 3 to hello"`) || !strings.HasSuffix(text, "data: [DONE]\n\n") {
		t.Errorf("stream: %d %s", status, text)
	}
	if status, text := l.ask(t, hello); status != http.StatusPaymentRequired || !strings.Contains(text, "budget:llm_calls is used up") {
		t.Errorf("beyond the budget: %d %s", status, text)
	}
	if err := l.failed(); err != nil {
		t.Errorf("the command was ended: %v", err)
	}
	if u := l.ledger.Usage(); u.LLMCalls != 3 || u.Tokens == 0 || u.Dollars == 0 || server.Asked.Load() != 3 {
		t.Errorf("charged %+v for %d requests", u, server.Asked.Load())
	}
	if c := l.counts(); len(c) != 1 || c[0] != (trial.AnswerCount{Stage: "mine", Outcome: "answered", Count: 3}) {
		t.Errorf("counts = %+v", c)
	}
	entries, err := llm.ReadTranscript(l.path)
	if err != nil || len(entries) != 3 || entries[1].Request.Attempt != 1 || entries[1].Request.Stage != "mine" || entries[2].Request.Temperature == nil {
		t.Fatalf("transcript: %v, %+v", err, entries)
	}
	text, err := os.ReadFile(l.path)
	if err != nil {
		t.Fatal(err)
	}
	replay := connect(t, llmtest.Replay(t, string(text)), trial.Budget{})
	if status, text := replay.ask(t, hello); status != http.StatusOK || !strings.Contains(text, "answer 1 to hello") {
		t.Errorf("replay: %d %s", status, text)
	}
	if status, _ := replay.ask(t, strings.Replace(hello, "hello", "something else", 1)); status != http.StatusServiceUnavailable {
		t.Errorf("replay of what was not asked: %d", status)
	}
	if err := replay.failed(); !errors.Is(err, llm.ErrNoRecording) {
		t.Errorf("the command goes on after a replay that differs: %v", err)
	}
	if server.Asked.Load() != 3 {
		t.Error("a replay asked the model")
	}
}

func TestReplayEndsWhereTheRecordingDoes(t *testing.T) {
	l := connect(t, llmtest.Replay(t, `{"transcript":1,"config":{"llm.model":"scripted"}}`+"\n"), trial.Budget{})
	if status, _ := l.ask(t, hello); status != http.StatusServiceUnavailable || !errors.Is(l.failed(), errRecordingEnds) {
		t.Errorf("%d, %v", status, l.failed())
	}
}

func TestEndpointRefuses(t *testing.T) {
	l := connect(t, llm.Scripted(counting()), trial.Budget{})
	for _, tt := range []struct{ body, want string }{
		{`{"messages": []}`, "messages: there are none"},
		{`{"model": "gpt-9", "messages": [{"role": "user", "content": "x"}]}`, `model: the experiment's model is \"scripted\", not \"gpt-9\"`},
		{`{"messages": [{"role": "judge", "content": "x"}]}`, `role \"judge\" is none of`},
		{`{"messages": [{"role": "user", "content": [{"type": "image_url"}]}]}`, "only text is passed on"},
		{`{"messages": [{"role": "user", "content": 3}]}`, "content is neither a text"},
		{`{"messages": [{"role": "user", "content": "x"}], "n": 2}`, "n: one answer"},
		{`{"messages": [{"role": "user", "content": "x"}], "temperature": 3}`, "temperature: not between"},
		{`{"messages": [{"role": "user", "content": "x"}], "top_p": 0.5}`, `unknown field \"top_p\"`},
		{`{"messages": [{"role": "user", "content": "x"}], "max_tokens": -1}`, "max_tokens: less than none"},
		{`{`, "unexpected EOF"},
	} {
		if status, text := l.ask(t, tt.body); status != http.StatusBadRequest || !strings.Contains(text, tt.want) {
			t.Errorf("%s: %d %s, want %q", tt.body, status, text, tt.want)
		}
	}
	for path, want := range map[string]string{"/v1/models": `"id":"scripted"`, "/v1/embeddings": "there is POST /v1/chat/completions"} {
		resp, err := l.client.Get("http://bench" + path)
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(resp.Body)
		resp.Body.Close()
		if err != nil || !strings.Contains(string(text), want) {
			t.Errorf("%s: %s (%v), want %q", path, text, err, want)
		}
	}
	if u := l.ledger.Usage(); u.LLMCalls != 0 || l.failed() != nil {
		t.Errorf("charged %+v, ended by %v", u, l.failed())
	}
}

// TestFaultOfTheModelEndsTheCommand: trouble with an endpoint is no result of the tool.
func TestFaultOfTheModelEndsTheCommand(t *testing.T) {
	config := llmtest.Serve(t, counting()).Config()
	config.BaseURL = "http://127.0.0.1:1/v1"
	config.Limits.Tries = 1
	l := connect(t, llmtest.Open(t, config), trial.Budget{})
	status, _ := l.ask(t, hello)
	var fault *llm.Error
	if status != http.StatusServiceUnavailable || !errors.As(l.failed(), &fault) {
		t.Errorf("%d, %v", status, l.failed())
	}
}

// TestEndpointPassesCallsOfFunctions: functions, calls and their results reach the model, and its calls come back, whole and streamed.
func TestEndpointPassesCallsOfFunctions(t *testing.T) {
	var asked []llm.Message
	l := connect(t, llm.Scripted(func(m []llm.Message) string {
		asked = m
		return `{"tool_calls": [{"id": "c9", "type": "function", "function": {"name": "read", "arguments": "{\"file\":\"a\"}"}}]}`
	}), trial.Budget{LLMCalls: 3})
	const body = `{%s"messages": [{"role": "user", "content": "x"}, {"role": "assistant", "content": null, "tool_calls": [{"id": "c1", "type": "function",
		"function": {"name": "read", "arguments": "{}"}}]}, {"role": "tool", "tool_call_id": "c1", "content": "text"}],
		"tools": [{"type": "function", "function": {"name": "read", "parameters": {"type": "object"}}}]}`
	for _, stream := range []string{"", `"stream": true, `} {
		status, text := l.ask(t, fmt.Sprintf(body, stream))
		if status != http.StatusOK || !strings.Contains(text, `"id":"c9"`) || !strings.Contains(text, `"name":"read"`) {
			t.Errorf("%d %s", status, text)
		}
	}
	if len(asked) != 3 || asked[1].ToolCalls[0].ID != "c1" || asked[2].ToolCallID != "c1" {
		t.Errorf("the model was asked %+v", asked)
	}
	entries, err := llm.ReadTranscript(l.path)
	if err != nil || len(entries) != 2 || len(entries[0].Request.Tools) != 1 || entries[0].Answer.ToolCalls[0].Function.Arguments != `{"file":"a"}` {
		t.Errorf("transcript: %v, %+v", err, entries)
	}
}
