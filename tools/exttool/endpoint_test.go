package exttool

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	"gotest.tools/v3/assert"

	"github.com/lisa-bench/lisa-bench/internal/llm"
	"github.com/lisa-bench/lisa-bench/internal/llm/llmtest"
	"github.com/lisa-bench/lisa-bench/internal/llm/provider"
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
	assert.NilError(t, err)
	ctx, cancel := context.WithCancelCause(t.Context())
	l.endpoint = &endpoint{ctx: ctx, model: session, stage: "mine", before: func() error { return nil }, fail: cancel}
	assert.NilError(t, l.open())
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

// ask posts a chat completion and returns status and answer.
func (l *line) ask(t *testing.T, body string) (int, string) {
	t.Helper()
	return l.post(t, "/v1/chat/completions", body)
}

func (l *line) post(t *testing.T, path, body string) (int, string) {
	t.Helper()
	resp, err := l.client.Post("http://bench"+path, "application/json", strings.NewReader(body))
	assert.NilError(t, err)
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	assert.NilError(t, err)
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
		if status, text := l.ask(t, hello); status != http.StatusOK || !strings.Contains(text, fmt.Sprintf(`"content":"answer %d to hello"`, n)) {
			t.Errorf("%d %s", status, text)
		}
	}
	if status, text := l.ask(t, strings.Replace(hello, "{", `{"stream": true, "temperature": 0.5, `, 1)); status != http.StatusOK ||
		!strings.Contains(text, `"content":"answer 3 to hello"`) || !strings.Contains(text, "data: [DONE]\n\n") {
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
	if err != nil || len(entries) != 3 || entries[1].Request.Attempt != 1 || entries[1].Request.Stage != "mine" || !strings.Contains(string(entries[2].Request.Body), `"temperature":0.5`) {
		t.Fatalf("transcript: %v, %+v", err, entries)
	}
}

// apis has an endpoint's answers in each API, whole and streamed: the text "hi" and a call of bash, for 1200 input
// tokens, of which 1000 were cached, and 30 output tokens.
var apis = map[string]struct{ whole, stream string }{
	"/v1/chat/completions": {
		`{"choices":[{"message":{"content":"hi","tool_calls":[{"id":"c1","type":"function","function":{"name":"bash","arguments":"{\"command\":\"ls\"}"}}]},"finish_reason":"tool_calls"}],
		"usage":{"prompt_tokens":1200,"prompt_tokens_details":{"cached_tokens":1000},"completion_tokens":30}}`,
		`data: {"choices":[{"delta":{"content":"hi"}}]}

data: {"choices":[{"delta":{"tool_calls":[{"index":0,"id":"c1","function":{"name":"bash","arguments":"{\"command\":"}}]}}]}

data: {"choices":[{"delta":{"tool_calls":[{"index":0,"function":{"arguments":"\"ls\"}"}}]},"finish_reason":"tool_calls"}]}

data: {"choices":[],"usage":{"prompt_tokens":1200,"prompt_tokens_details":{"cached_tokens":1000},"completion_tokens":30}}

data: [DONE]

`},
	"/v1/responses": {
		`{"object":"response","status":"completed","output":[{"type":"reasoning","summary":[]},{"type":"message","content":[{"type":"output_text","text":"hi"}]},
		{"type":"function_call","call_id":"c1","name":"bash","arguments":"{\"command\":\"ls\"}"}],
		"usage":{"input_tokens":1200,"input_tokens_details":{"cached_tokens":1000},"output_tokens":30}}`,
		`event: response.created
data: {"type":"response.created","response":{"status":"in_progress","output":[],"usage":null}}

event: response.output_text.delta
data: {"type":"response.output_text.delta","delta":"hi"}

event: response.output_item.done
data: {"type":"response.output_item.done","item":{"type":"message","content":[{"type":"output_text","text":"hi"}]}}

event: response.output_item.done
data: {"type":"response.output_item.done","item":{"type":"function_call","call_id":"c1","name":"bash","arguments":"{\"command\":\"ls\"}"}}

event: response.completed
data: {"type":"response.completed","response":{"status":"completed","usage":{"input_tokens":1200,"input_tokens_details":{"cached_tokens":1000},"output_tokens":30}}}

`},
	"/v1/messages": {
		`{"type":"message","content":[{"type":"text","text":"hi"},{"type":"tool_use","id":"c1","name":"bash","input":{"command":"ls"}}],"stop_reason":"tool_use",
		"usage":{"input_tokens":150,"cache_creation_input_tokens":50,"cache_read_input_tokens":1000,"output_tokens":30}}`,
		`event: message_start
data: {"type":"message_start","message":{"content":[],"usage":{"input_tokens":150,"cache_creation_input_tokens":50,"cache_read_input_tokens":1000,"output_tokens":1}}}

event: content_block_start
data: {"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}

event: ping
data: {"type": "ping"}

event: content_block_delta
data: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"hi"}}

event: content_block_start
data: {"type":"content_block_start","index":1,"content_block":{"type":"tool_use","id":"c1","name":"bash","input":{}}}

event: content_block_delta
data: {"type":"content_block_delta","index":1,"delta":{"type":"input_json_delta","partial_json":"{\"command\":"}}

event: content_block_delta
data: {"type":"content_block_delta","index":1,"delta":{"type":"input_json_delta","partial_json":"\"ls\"}"}}

event: message_delta
data: {"type":"message_delta","delta":{"stop_reason":"tool_use"},"usage":{"output_tokens":30}}

event: message_stop
data: {"type":"message_stop"}

`},
}

// TestEndpointPassesOn: all of a request reaches the model, and the answer reaches the command as it came. The same
// holds in a replay, even if the request differs in date and session.
func TestEndpointPassesOn(t *testing.T) {
	for path, api := range apis {
		for stream, want := range map[bool]string{false: api.whole, true: api.stream} {
			t.Run(fmt.Sprint(strings.ReplaceAll(path[4:], "/", "-"), " ", stream), func(t *testing.T) {
				asked := map[string]any{}
				server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
					if key := r.Header.Get("X-Api-Key") + r.Header.Get("Authorization"); r.URL.Path != path || !strings.HasSuffix(key, "sk-real") {
						t.Errorf("asked for %s with %q", r.URL.Path, key)
					}
					if err := json.NewDecoder(r.Body).Decode(&asked); err != nil {
						t.Error(err)
					}
					fmt.Fprint(w, want)
				}))
				defer server.Close()
				config := llm.Config{BaseURL: server.URL + "/v1", APIKeyEnv: "KEY", Settings: llm.Settings{Model: llmtest.ModelName},
					Prices: []llm.Price{{Model: llmtest.ModelName, Input: new(1.0), Cached: new(0.1), Output: new(10.0)}}}
				models, err := provider.Open(config, func(string) string { return "sk-real" }, slog.New(slog.DiscardHandler))
				assert.NilError(t, err)
				const body = `{"model":"of-the-agent","stream":%t,"stop":["x"],"tool_choice":"auto","parallel_tool_calls":true,"messages":[{"role":"user","content":"It is %s."}],"metadata":{"user_id":"%[2]s"}}`
				l := connect(t, models, trial.Budget{Tokens: 1000})
				if status, text := l.post(t, path, fmt.Sprintf(body, stream, "2026-11-29")); status != http.StatusOK || strings.TrimRight(text, "\n") != strings.TrimRight(want, "\n") {
					t.Errorf("%d %s", status, text)
				}
				if asked["model"] != llmtest.ModelName || asked["tool_choice"] != "auto" || asked["parallel_tool_calls"] != true || asked["stop"] == nil {
					t.Errorf("the model was asked %v", asked)
				}
				if u := l.ledger.Usage(); u.Tokens != 1230 || math.Abs(u.Dollars-(200+100+300)/1e6) > 1e-9 {
					t.Errorf("charged %+v", u)
				}
				if status, text := l.post(t, path, fmt.Sprintf(body, stream, "2026-11-29")); status != http.StatusPaymentRequired || !strings.Contains(text, "budget:tokens is used up") {
					t.Errorf("beyond the budget: %d %s", status, text)
				}
				entries, err := llm.ReadTranscript(l.path)
				assert.Assert(t, err == nil && len(entries) == 1, "transcript: %v, %+v", err, entries)
				if a := entries[0].Answer; a.Text != "hi" || len(a.ToolCalls) != 1 || a.ToolCalls[0].Function != (llm.CallFunction{Name: "bash", Arguments: `{"command":"ls"}`}) {
					t.Errorf("read as %+v", a)
				}
				recorded, err := os.ReadFile(l.path)
				assert.NilError(t, err)
				replay := connect(t, llmtest.Replay(t, string(recorded)), trial.Budget{})
				if status, text := replay.post(t, path, fmt.Sprintf(body, stream, "2027-01-02")); status != http.StatusOK || strings.TrimRight(text, "\n") != strings.TrimRight(want, "\n") {
					t.Errorf("replay: %d %s", status, text)
				}
				if status, _ := replay.post(t, path, fmt.Sprintf(body, stream, "Sunday")); status != http.StatusServiceUnavailable {
					t.Errorf("replay of what was not asked: %d", status)
				}
				if u := replay.ledger.Usage(); u.Tokens != 1230 || !errors.Is(replay.failed(), errRecordingEnds) {
					t.Errorf("replay cost %+v, ended with %v", u, replay.failed())
				}
			})
		}
	}
}

func TestEndpointRefuses(t *testing.T) {
	l := connect(t, provider.Scripted(counting()), trial.Budget{})
	for _, body := range []string{`{`, `[]`, `{} {}`} {
		if status, text := l.ask(t, body); status != http.StatusBadRequest || !strings.Contains(text, "the body is no JSON object") {
			t.Errorf("%s: %d %s", body, status, text)
		}
	}
	for path, want := range map[string]string{"/v1/models": `"id":"scripted"`, "/v1/embeddings": "GET bench/v1/embeddings: there is no other host, and POST /v1/chat/completions, /v1/responses"} {
		resp, err := l.client.Get("http://bench" + path)
		assert.NilError(t, err)
		text, err := io.ReadAll(resp.Body)
		resp.Body.Close()
		assert.Check(t, err == nil && strings.Contains(string(text), want),
			"%s: %s (%v), want %q", path, text, err, want)
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
	assert.Check(t, status == http.StatusServiceUnavailable && errors.As(l.failed(), &fault),
		"%d, %v", status, l.failed())
}

// TestEndpointPassesOnGemini: Google's API has the model in the path, and thoughts are paid like output.
func TestEndpointPassesOnGemini(t *testing.T) {
	const want = `data: {"candidates":[{"content":{"parts":[{"text":"so","thought":true},{"text":"hi"}]}}],"usageMetadata":{"promptTokenCount":1200,"cachedContentTokenCount":1000,"totalTokenCount":1205}}

data: {"candidates":[{"content":{"parts":[{"functionCall":{"name":"bash","args":{"command":"ls"}}}]},"finishReason":"STOP"}],"usageMetadata":{"promptTokenCount":1200,"cachedContentTokenCount":1000,"candidatesTokenCount":20,"thoughtsTokenCount":10,"totalTokenCount":1230}}`
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if to := r.URL.RequestURI(); to != "/v1beta/models/scripted:streamGenerateContent?alt=sse" {
			t.Errorf("asked for %s", to)
		}
		fmt.Fprint(w, want+"\n\n")
	}))
	defer server.Close()
	config := llmtest.Serve(t, nil).Config()
	config.BaseURL = server.URL + "/v1beta/openai"
	l := connect(t, llmtest.Open(t, config), trial.Budget{})
	const path = "/v1beta/models/gemini-9:"
	if status, text := l.post(t, path+"streamGenerateContent?alt=sse", `{"contents":[]}`); status != http.StatusOK || strings.TrimSpace(text) != want {
		t.Errorf("%d %s", status, text)
	}
	if status, text := l.post(t, path+"countTokens", `{}`); status != http.StatusNotFound || !strings.Contains(text, "there is generateContent") {
		t.Errorf("%d %s", status, text)
	}
	entries, err := llm.ReadTranscript(l.path)
	if u := l.ledger.Usage(); u.Tokens != 1230 || err != nil || len(entries) != 1 {
		t.Fatalf("charged %+v; transcript: %v, %+v", u, err, entries)
	}
	if a := entries[0].Answer; a.Text != "hi" || len(a.ToolCalls) != 1 || a.ToolCalls[0].Function.Arguments != `{"command":"ls"}` || a.Usage.ReasoningTokens == 0 {
		t.Errorf("read as %+v", a)
	}
}

// TestScriptedModelSpeaksEveryAPI: a model without an endpoint, such as one that a person plays, gets the conversation,
// and its calls come back in the form of the API that was asked.
func TestScriptedModelSpeaksEveryAPI(t *testing.T) {
	const call = `{"tool_calls": [{"id": "c9", "type": "function", "function": {"name": "read", "arguments": "{\"file\":\"a\"}"}}]}`
	for path, body := range map[string]string{
		"/v1/chat/completions": `{"stream":%t,"messages":[{"role":"user","content":[{"type":"text","text":"x"}]},
			{"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"read","arguments":"{}"}}]},{"role":"tool","tool_call_id":"c1","content":"text"}]}`,
		"/v1/responses": `{"stream":%t,"input":[{"type":"message","role":"user","content":[{"type":"input_text","text":"x"}]},
			{"type":"function_call","call_id":"c1","name":"read","arguments":"{}"},{"type":"function_call_output","call_id":"c1","output":"text"}]}`,
		"/v1/messages": `{"stream":%t,"messages":[{"role":"user","content":"x"},{"role":"assistant","content":[{"type":"tool_use","id":"c1","name":"read","input":{}}]},
			{"role":"user","content":[{"type":"tool_result","tool_use_id":"c1","content":[{"type":"text","text":"text"}]}]}]}`,
	} {
		for _, stream := range []bool{false, true} {
			var asked []llm.Message
			l := connect(t, provider.Scripted(func(m []llm.Message) string { asked = m; return call }), trial.Budget{})
			status, text := l.post(t, path, fmt.Sprintf(body, stream))
			if status != http.StatusOK || !strings.Contains(text, `"c9"`) || !strings.Contains(text, `"name":"read"`) || strings.Contains(text, "event: ") != (stream && path != "/v1/chat/completions") {
				t.Errorf("%s: %d %s", path, status, text)
			}
			want := []llm.Message{{Role: "user", Content: "x"}, {Role: "assistant", ToolCalls: []llm.ToolCall{{ID: "c1", Type: "function", Function: llm.CallFunction{Name: "read", Arguments: "{}"}}}},
				{Role: "tool", Content: "text", ToolCallID: "c1"}}
			assert.Check(t, reflect.DeepEqual(asked, want), "%s: the model was asked %+v", path, asked)
		}
	}
}
