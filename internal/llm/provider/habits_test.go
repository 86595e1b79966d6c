package provider

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"gotest.tools/v3/assert"

	"github.com/lisa-bench/lisa-bench/internal/llm"
	"github.com/lisa-bench/lisa-bench/internal/llm/wire"
)

// A standIn is an endpoint that answers as OpenAI's does, but for a habit.
type standIn struct {
	mu       sync.Mutex
	habit    func(w http.ResponseWriter, b map[string]any) (answered bool) // nil for none
	requests []map[string]any                                              // bodies, in the order in which they came
}

func (s *standIn) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var b map[string]any
	if err := json.NewDecoder(r.Body).Decode(&b); err != nil {
		sendError(w, 400, "", "no JSON: "+err.Error())
		return
	}
	s.mu.Lock()
	s.requests = append(s.requests, b)
	habit := s.habit
	s.mu.Unlock()
	switch {
	case habit != nil && habit(w, b):
	default:
		good(w)
	}
}

// take gives it another habit.
func (s *standIn) take(habit func(w http.ResponseWriter, b map[string]any) bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.habit = habit
}

// seen are the bodies that came.
func (s *standIn) seen() []map[string]any {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.requests
}

// start opens the models of the stand-in, with more settings.
func (s *standIn) start(t *testing.T, more func(c *llm.Config)) *endpoint {
	t.Helper()
	srv := httptest.NewServer(s)
	t.Cleanup(func() { srv.CloseClientConnections(); srv.Close() })
	c := testConfig(srv.URL)
	if more != nil {
		more(&c)
	}
	return openTest(c)
}

func sendJSON(w http.ResponseWriter, status int, text string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	fmt.Fprint(w, text)
}

// whenever is the habit to answer like this.
func whenever(answer func(w http.ResponseWriter)) func(http.ResponseWriter, map[string]any) bool {
	return func(w http.ResponseWriter, _ map[string]any) bool { answer(w); return true }
}

// saying is the habit to answer with this JSON.
func saying(status int, text string) func(http.ResponseWriter, map[string]any) bool {
	return whenever(func(w http.ResponseWriter) { sendJSON(w, status, text) })
}

// refusingParameter is the habit to refuse a parameter.
func refusingParameter(name, message string) func(http.ResponseWriter, map[string]any) bool {
	return func(w http.ResponseWriter, b map[string]any) bool {
		if v, there := b[name]; there && v != false {
			sendError(w, 400, "unsupported_value", message)
			return true
		}
		return false
	}
}

// firstly is a habit of the first request only.
func firstly(habit func(http.ResponseWriter, map[string]any) bool) func(http.ResponseWriter, map[string]any) bool {
	var n atomic.Int64
	return func(w http.ResponseWriter, b map[string]any) bool { return n.Add(1) == 1 && habit(w, b) }
}

// TestHabits: answers of endpoints that are not as OpenAI's, but are answers.
func TestHabits(t *testing.T) {
	for _, tt := range []struct {
		name    string
		habit   func(w http.ResponseWriter, b map[string]any) bool
		text    string
		outcome llm.Outcome
		usage   llm.Usage // if it matters
	}{
		{"20: the length under another name", saying(200, said(content("int"), "MAX_TOKENS")), "int", llm.Truncated, llm.Usage{}},
		{"20: model_length", saying(200, said(content("int"), "model_length")), "int", llm.Truncated, llm.Usage{}},
		{"20: a filter under another name", saying(200, said(content("int"), "SAFETY")), "int", llm.Refusal, llm.Usage{}},
		{"20: the end under another name", saying(200, said(content("int"), "end_turn")), "int", llm.Answered, llm.Usage{}},
		{"21: nothing but thoughts", saying(200, said(content("<think>int a;</think>\n"), "stop")), "<think>int a;</think>\n", llm.Empty, llm.Usage{}},
		{"23: parts", saying(200, said(`"content":[{"type":"thinking","thinking":[{"type":"text","text":"hm"}]},{"type":"text","text":"Hel"},{"type":"text","text":"lo"}]`, "stop")), "Hello", llm.Answered, llm.Usage{}},
		{"23: an answer in reasoning_content", saying(200, said(`"reasoning_content":"Hello"`, "stop")), "Hello", llm.Answered, llm.Usage{}},
		{"23: content beside reasoning", saying(200, said(`"reasoning":"hm","content":"Hello"`, "stop")), "Hello", llm.Answered, llm.Usage{}},
		{"26: no finish reason", saying(200, `{"choices":[{"message":{"content":"Hello"}}]}`), "Hello", llm.Answered, llm.Usage{}},
		{"26: usage as fraction and text, id as number", saying(200, `{"id":7,"model":8,"choices":[{"message":{"content":"Hello"},"finish_reason":"stop"}],"usage":{"prompt_tokens":10.0,"completion_tokens":"7","prompt_cache_hit_tokens":4}}`), "Hello", llm.Answered, llm.Usage{InputTokens: 10, CachedTokens: 4, OutputTokens: 7}},
		{"26: thoughts in the total only", saying(200, `{"choices":[{"message":{"content":"Hello"},"finish_reason":"stop"}],"usage":{"prompt_tokens":10,"completion_tokens":7,"total_tokens":117}}`), "Hello", llm.Answered, llm.Usage{InputTokens: 10, OutputTokens: 107, ReasoningTokens: 100}},
		{"26: usage that is none", saying(200, `{"choices":[{"message":{"content":"Hello"},"finish_reason":"stop"}],"usage":"n/a"}`), "Hello", llm.Answered, llm.Usage{InputTokens: 10, OutputTokens: 2, Estimated: true}},
		{"26: another content type and a byte order mark", whenever(func(w http.ResponseWriter) {
			w.Header().Set("Content-Type", "text/plain")
			fmt.Fprint(w, "\uFEFF"+said(content("Hello"), "stop"))
		}), "Hello", llm.Answered, llm.Usage{}},
		{"28: Anthropic's words", saying(400, `{"error":{"message":"prompt is too long: 210000 tokens > 200000 maximum"}}`), "", llm.ContextLength, llm.Usage{}},
		{"28: Google's words", saying(400, `[{"error":{"code":400,"message":"The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).","status":"INVALID_ARGUMENT"}}]`), "", llm.ContextLength, llm.Usage{}},
		{"28: TGI's words", saying(422, "{\"error\":\"Input validation error: `inputs` tokens + `max_new_tokens` must be <= 4096. Given: 5000\"}"), "", llm.ContextLength, llm.Usage{}},
		{"28: OpenRouter's words", saying(400, `{"error":{"message":"Provider returned error","code":400,"metadata":{"raw":"Input length 5000 exceeds the limit"}}}`), "", llm.ContextLength, llm.Usage{}},
		{"28: a gateway's limit", whenever(func(w http.ResponseWriter) { http.Error(w, "<html>", http.StatusRequestEntityTooLarge) }), "", llm.ContextLength, llm.Usage{}},
		{"28: OpenRouter's filter", saying(403, `{"error":{"message":"Input was flagged","code":403}}`), "", llm.Refusal, llm.Usage{}},
		{"28: Alibaba's filter", saying(400, `{"error":{"message":"Input data may contain inappropriate content.","code":"data_inspection_failed"}}`), "", llm.Refusal, llm.Usage{}},
		{"28: in a 200", saying(200, `{"error":{"message":"too much","code":"context_length_exceeded"}}`), "", llm.ContextLength, llm.Usage{}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s := &standIn{habit: tt.habit}
			a, err := s.start(t, nil).complete(t.Context(), hello, 1)
			if err != nil || a.Text != tt.text || a.Outcome != tt.outcome || tt.usage != (llm.Usage{}) && a.Usage != tt.usage {
				t.Errorf("%+v, %v; want %s %q, usage %+v", a, err, tt.outcome, tt.text, tt.usage)
			}
		})
	}
}

// TestHabitsOfFaults: what is no answer, in forms other than OpenAI's, keeps its status and its words.
func TestHabitsOfFaults(t *testing.T) {
	for _, tt := range []struct {
		name  string
		habit func(w http.ResponseWriter, b map[string]any) bool
		fault llm.Fault
		tries int
		want  string
	}{
		{"20: an error as the reason", saying(200, said(content("int"), "error")), llm.FaultServer, 3, `gave no answer: finish reason "error"`},
		{"20: DeepSeek's", saying(200, said(content("int"), "insufficient_system_resource")), llm.FaultServer, 3, `finish reason "insufficient_system_resource"`},
		{"20: an error beside choices", saying(200, `{"error":{"code":502,"message":"upstream"},"choices":[{"message":{"content":""},"finish_reason":"error"}]}`), llm.FaultServer, 3, "502 Bad Gateway: upstream"},
		{"25: a text", saying(400, `{"error":"no such parameter"}`), llm.FaultRequest, 1, "400 Bad Request: no such parameter"},
		{"25: a list", saying(401, `[{"error":{"code":401,"message":"who are you"}}]`), llm.FaultKey, 1, "401 Unauthorized: who are you"},
		{"25: a message that is an object", saying(429, `{"error":{"message":{"text":"slow down"}}}`), llm.FaultRate, 3, `429 Too Many Requests: {"text":"slow down"}`},
		{"25: no error's form", saying(503, `{"reason":"maintenance"}`), llm.FaultServer, 3, `503 Service Unavailable: {"reason":"maintenance"}`},
		{"25: a key refused in a 200", saying(200, `{"error":{"message":"bad key","code":401}}`), llm.FaultKey, 1, "401 Unauthorized: bad key"},
		{"25: a limit by name in a 200", saying(200, `{"error":{"message":"slow down","type":"rate_limit_error"}}`), llm.FaultRate, 3, "429 Too Many Requests: slow down"},
		{"25: FastAPI knows no such path", saying(404, `{"detail":"Not Found"}`), llm.FaultContentType, 1, "404 Not Found: Not Found: check llm.base_url"},
		{"25: vLLM has no such model", saying(404, `{"object":"error","message":"The model m does not exist."}`), llm.FaultModel, 1, "404 Not Found: The model m does not exist."},
		{"25: a redirect", whenever(func(w http.ResponseWriter) {
			w.Header().Set("Location", "https://example.org/login")
			w.WriteHeader(http.StatusFound)
		}), llm.FaultContentType, 1, "302 Found: it has moved to https://example.org/login: check llm.base_url"},
		{"25: a text in place of an answer", whenever(func(w http.ResponseWriter) { fmt.Fprint(w, "no upstream") }), llm.FaultContentType, 1, "which is no model's answer: no upstream"},
		{"27: a value that is too large is none of the names", saying(400, `{"error":{"message":"max_tokens is too large: 100. This model supports at most 16.","param":"max_tokens"}}`), llm.FaultRequest, 1, "max_tokens is too large"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s := &standIn{habit: tt.habit}
			_, err := s.start(t, nil).complete(t.Context(), hello, 3)
			var e *llm.Error
			assert.Assert(t, errors.As(err, &e), "error %v", err)
			assert.Check(t, e.Fault == tt.fault && len(s.seen()) == tt.tries && strings.Contains(err.Error(), tt.want),
				"%s after %d requests: %v\nwant %s after %d: …%s…", e.Fault, len(s.seen()), err, tt.fault, tt.tries, tt.want)
		})
	}
}

// TestFormsOfRequests: the settings that say how a request is written, and that nothing is refused before it is sent.
func TestFormsOfRequests(t *testing.T) {
	for _, tt := range []struct {
		name    string
		model   string
		effort  string
		more    func(c *llm.Config)
		want    map[string]any
		without []string
	}{
		{"27: max_tokens_name", "m", "", func(c *llm.Config) { c.MaxTokensName = "max_completion_tokens" }, map[string]any{"max_completion_tokens": 100.0}, []string{"max_tokens"}},
		{"27: max_tokens_name of a model that reasons", "gpt-5-mini", "", func(c *llm.Config) { c.MaxTokensName = "max_tokens" }, map[string]any{"max_tokens": 100.0}, []string{"max_completion_tokens"}},
		{"27: OpenAI's models that reason have their own name", "gpt-5-mini", "", nil, map[string]any{"max_completion_tokens": 100.0}, []string{"max_tokens"}},
		{"24: a temperature for a chat model", "gpt-5-chat-latest", "", nil, map[string]any{"temperature": 0.5}, []string{"stream"}},
		{"24: no reasoning", "gpt-5.1", "none", nil, map[string]any{"reasoning_effort": "none", "temperature": 0.5}, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := &standIn{}
			r := hello
			r.Model, r.ReasoningEffort, r.Temperature, r.MaxTokens = tt.model, tt.effort, new(0.5), 100
			_, err := s.start(t, tt.more).complete(t.Context(), r, 1)
			assert.NilError(t, err)
			for name, want := range tt.want {
				assert.Check(t, s.seen()[0][name] == want, "%s: %v", name, s.seen())
			}
			for _, name := range tt.without {
				v, there := s.seen()[0][name]
				assert.Check(t, !there, "%s is sent: %v", name, v)
			}
		})
	}
}

// TestRawBodies: what a program from outside has written is sent and recorded as the experiment has it. An endpoint that does
// not stream is answered for with a stream all the same.
func TestRawBodies(t *testing.T) {
	s := &standIn{}
	own := llm.Request{Stage: "agent", Model: "gpt-5", MaxTokens: 100}
	r, err := wire.PassOn(own, llm.Chat, []byte(`{"stream": true, "max_tokens": 7, "messages": [{"role": "user", "content": "x"}]}`), nil)
	assert.NilError(t, err)
	const asked = `{"stream":true,"max_tokens":100,"messages":[{"role":"user","content":"x"}],"model":"gpt-5"}`
	assert.Check(t, string(r.Body) == asked, "recorded %s", r.Body)
	a, err := s.start(t, nil).complete(t.Context(), r, 1)
	assert.NilError(t, err)
	if sent := s.seen()[0]; sent["stream"] != true || sent["max_completion_tokens"] != 100.0 || fmt.Sprint(sent["messages"]) != "[map[content:x role:user]]" {
		t.Errorf("sent %v", sent)
	}
	kind, text := wire.Reply(r, a)
	assert.Check(t, kind == "text/event-stream" && strings.HasPrefix(string(text), "data: {") && a.Text == "Hello", "%s", text)
}

// TestWarnings: what people have to be told of answers, once.
func TestWarnings(t *testing.T) {
	var log bytes.Buffer
	s := &standIn{habit: saying(200, said(`"reasoning_content":"hm"`, "length"))}
	e := s.start(t, nil)
	e.log = slog.New(slog.NewTextHandler(&log, nil))
	for range 2 {
		a, err := e.complete(t.Context(), hello, 1)
		assert.Check(t, err == nil && a.Outcome == llm.Truncated && a.Detail == wire.OnlyThoughts && a.Text == "",
			"%+v, %v", a, err)
	}
	assert.Check(t, strings.Count(log.String(), "raise llm.max_tokens, or lower llm.reasoning_effort") == 1,
		"log:\n%s", log.String())
}

// TestAnswersAreNotEdited: a key that is a word of C stays one in programs, and is masked in errors.
func TestAnswersAreNotEdited(t *testing.T) {
	s := &standIn{habit: saying(200, said(content("void test_a(void);"), "stop"))}
	e := s.start(t, nil)
	e.key = "test"
	a, err := e.complete(t.Context(), hello, 1)
	assert.Check(t, err == nil && a.Text == "void test_a(void);", "22: %q, %v", a.Text, err)
	s.take(saying(400, `{"error":{"message":"the key test is bad"}}`))
	_, err = e.complete(t.Context(), hello, 1)
	assert.ErrorContains(t, err, "the key [key] is bad")
}
