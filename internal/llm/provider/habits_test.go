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
	"time"

	"github.com/lisa-bench/lisa-bench/internal/llm"
	"github.com/lisa-bench/lisa-bench/internal/llm/wire"
)

// A standIn is an endpoint that answers as OpenAI's does, streamed or whole, but for a habit.
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
	case b["stream"] == true:
		good(w)
	default:
		sendJSON(w, 200, `{"model":"m-2026","choices":[{"message":{"content":"Hello"},"finish_reason":"stop"}],"usage":{"prompt_tokens":10,"completion_tokens":7}}`)
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
	return openTest(t, c)
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

// events is the habit to stream these.
func events(list ...string) func(http.ResponseWriter, map[string]any) bool {
	return whenever(func(w http.ResponseWriter) { sse(w, list...) })
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

// TestHabits: answers of endpoints that are not as OpenAI's, but are answers. Each request is made twice; what the
// endpoint does not take is found out once.
func TestHabits(t *testing.T) {
	const verify = "Your organization must be verified to stream this model. Please go to: https://platform.openai.com/settings"
	const limit = "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead."
	stop := finish("stop")
	for _, tt := range []struct {
		name     string
		habit    func(w http.ResponseWriter, b map[string]any) bool
		text     string
		outcome  llm.Outcome
		usage    llm.Usage // tokens of the first answer, if they matter
		requests int       // of two answers; 0 for 2
	}{
		{"10: streaming refused", refusingParameter("stream", verify), "Hello", llm.Answered, llm.Usage{InputTokens: 10, OutputTokens: 7}, 3},
		{"10: streaming refused by its name", refusingParameter("stream", "Unsupported value: 'stream' does not support true"), "Hello", llm.Answered, llm.Usage{}, 3},
		{"27: stream_options refused", refusingParameter("stream_options", "Extra inputs are not permitted: stream_options"), "Hello", llm.Answered, llm.Usage{}, 3},
		{"27: in pydantic's words", firstly(saying(422, `{"detail":[{"type":"extra_forbidden","loc":["body","stream_options"],"msg":"Extra inputs are not permitted"}]}`)), "Hello", llm.Answered, llm.Usage{}, 3},
		{"27: max_tokens refused", refusingParameter("max_tokens", limit), "Hello", llm.Answered, llm.Usage{}, 3},
		{"20: the length under another name", events(delta("int"), finish("MAX_TOKENS"), usageEvent, "[DONE]"), "int", llm.Truncated, llm.Usage{}, 0},
		{"20: model_length", events(delta("int"), finish("model_length"), usageEvent, "[DONE]"), "int", llm.Truncated, llm.Usage{}, 0},
		{"20: a filter under another name", events(delta("int"), finish("SAFETY"), usageEvent, "[DONE]"), "int", llm.Refusal, llm.Usage{}, 0},
		{"20: the end under another name", events(delta("int"), finish("end_turn"), usageEvent, "[DONE]"), "int", llm.Answered, llm.Usage{}, 0},
		{"21: nothing but thoughts", events(delta("<think>int a;</think>\n"), stop, usageEvent, "[DONE]"), "<think>int a;</think>\n", llm.Empty, llm.Usage{}, 0},
		{"23: parts in a stream", events(`{"choices":[{"delta":{"content":[{"type":"thinking","thinking":[{"type":"text","text":"hm"}]},{"type":"text","text":"Hel"}]}}]}`, delta("lo"), stop, usageEvent, "[DONE]"), "Hello", llm.Answered, llm.Usage{}, 0},
		{"23: parts of a whole answer", saying(200, `{"choices":[{"message":{"content":[{"type":"text","text":"Hel"},{"type":"text","text":"lo"}]},"finish_reason":"stop"}]}`), "Hello", llm.Answered, llm.Usage{}, 0},
		{"23: an answer in reasoning_content", events(`{"choices":[{"delta":{"reasoning_content":"Hello"}}]}`, stop, usageEvent, "[DONE]"), "Hello", llm.Answered, llm.Usage{}, 0},
		{"23: content beside reasoning", events(`{"choices":[{"delta":{"reasoning":"hm","content":null}}]}`, delta("Hello"), stop, usageEvent, "[DONE]"), "Hello", llm.Answered, llm.Usage{}, 0},
		{"26: no finish reason", events(delta("Hello"), usageEvent, "[DONE]"), "Hello", llm.Answered, llm.Usage{}, 0},
		{"26: the connection breaks after the end", whenever(func(w http.ResponseWriter) {
			sse(w, delta("Hello"), usageEvent, stop)
			panic(http.ErrAbortHandler)
		}), "Hello", llm.Answered, llm.Usage{}, 0},
		{"26: usage as fraction and text, id as number", saying(200, `{"id":7,"model":8,"choices":[{"message":{"content":"Hello"},"finish_reason":"stop"}],"usage":{"prompt_tokens":10.0,"completion_tokens":"7","prompt_cache_hit_tokens":4}}`), "Hello", llm.Answered, llm.Usage{InputTokens: 10, CachedTokens: 4, OutputTokens: 7}, 0},
		{"26: thoughts in the total only", saying(200, `{"choices":[{"message":{"content":"Hello"},"finish_reason":"stop"}],"usage":{"prompt_tokens":10,"completion_tokens":7,"total_tokens":117}}`), "Hello", llm.Answered, llm.Usage{InputTokens: 10, OutputTokens: 107, ReasoningTokens: 100}, 0},
		{"26: usage that is none", saying(200, `{"choices":[{"message":{"content":"Hello"},"finish_reason":"stop"}],"usage":"n/a"}`), "Hello", llm.Answered, llm.Usage{InputTokens: 10, OutputTokens: 2, Estimated: true}, 0},
		{"26: another content type and a byte order mark", whenever(func(w http.ResponseWriter) {
			w.Header().Set("Content-Type", "text/plain")
			fmt.Fprint(w, "\uFEFF"+`{"choices":[{"message":{"content":"Hello"},"finish_reason":"stop"}]}`)
		}), "Hello", llm.Answered, llm.Usage{}, 0},
		{"26: a stream of another content type", whenever(func(w http.ResponseWriter) {
			fmt.Fprintf(w, "data: %s\n\ndata:%s\n\ndata: [DONE]\n\n", delta("Hello"), stop)
		}), "Hello", llm.Answered, llm.Usage{}, 0},
		{"26: a failed try that was paid", firstly(events(delta("Hel"), usageEvent, `{"error":{"message":"overloaded"}}`)), "Hello", llm.Answered, llm.Usage{InputTokens: 20, CachedTokens: 8, OutputTokens: 14, ReasoningTokens: 6}, 3},
		{"26: a failed try that was paid, by estimate", firstly(events(delta("Hel"))), "Hello", llm.Answered, llm.Usage{InputTokens: 20, CachedTokens: 4, OutputTokens: 8, ReasoningTokens: 3, Estimated: true}, 3},
		{"28: Anthropic's words", saying(400, `{"error":{"message":"prompt is too long: 210000 tokens > 200000 maximum"}}`), "", llm.ContextLength, llm.Usage{}, 0},
		{"28: Google's words", saying(400, `[{"error":{"code":400,"message":"The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).","status":"INVALID_ARGUMENT"}}]`), "", llm.ContextLength, llm.Usage{}, 0},
		{"28: TGI's words", saying(422, "{\"error\":\"Input validation error: `inputs` tokens + `max_new_tokens` must be <= 4096. Given: 5000\"}"), "", llm.ContextLength, llm.Usage{}, 0},
		{"28: OpenRouter's words", saying(400, `{"error":{"message":"Provider returned error","code":400,"metadata":{"raw":"Input length 5000 exceeds the limit"}}}`), "", llm.ContextLength, llm.Usage{}, 0},
		{"28: a gateway's limit", whenever(func(w http.ResponseWriter) { http.Error(w, "<html>", http.StatusRequestEntityTooLarge) }), "", llm.ContextLength, llm.Usage{}, 0},
		{"28: OpenRouter's filter", saying(403, `{"error":{"message":"Input was flagged","code":403}}`), "", llm.Refusal, llm.Usage{}, 0},
		{"28: Alibaba's filter", saying(400, `{"error":{"message":"Input data may contain inappropriate content.","code":"data_inspection_failed"}}`), "", llm.Refusal, llm.Usage{}, 0},
		{"28: in a 200", saying(200, `{"error":{"message":"too much","code":"context_length_exceeded"}}`), "", llm.ContextLength, llm.Usage{}, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s := &standIn{habit: tt.habit}
			e, r := s.start(t, nil), hello
			r.MaxTokens = 100
			for i := range 2 {
				a, err := e.complete(t.Context(), r)
				if err != nil {
					t.Fatal(err)
				}
				if a.Text != tt.text || a.Outcome != tt.outcome {
					t.Errorf("%s %q, want %s %q", a.Outcome, a.Text, tt.outcome, tt.text)
				}
				if i == 0 && tt.usage != (llm.Usage{}) && a.Usage != tt.usage {
					t.Errorf("usage %+v, want %+v", a.Usage, tt.usage)
				}
			}
			if want := max(2, tt.requests); len(s.seen()) != want {
				t.Errorf("%d requests, want %d", len(s.seen()), want)
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
		{"20: an error as an event's end", events(delta("int"), finish("error"), usageEvent, "[DONE]"), llm.FaultServer, 3, `broke off with an error: finish reason "error"`},
		{"20: abort", events(delta("int"), finish("abort"), "[DONE]"), llm.FaultServer, 3, `finish reason "abort"`},
		{"20: DeepSeek's", saying(200, `{"choices":[{"message":{"content":"int"},"finish_reason":"insufficient_system_resource"}]}`), llm.FaultServer, 3, `finish reason "insufficient_system_resource"`},
		{"20: an error beside choices", events(delta("int"), `{"error":{"code":502,"message":"upstream"},"choices":[{"delta":{"content":""},"finish_reason":"error"}]}`), llm.FaultServer, 3, "502 Bad Gateway: upstream"},
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
			_, err := s.start(t, nil).complete(t.Context(), hello)
			var e *llm.Error
			if !errors.As(err, &e) {
				t.Fatalf("error %v", err)
			}
			if e.Fault != tt.fault || len(s.seen()) != tt.tries || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("%s after %d requests: %v\nwant %s after %d: …%s…", e.Fault, len(s.seen()), err, tt.fault, tt.tries, tt.want)
			}
		})
	}
}

// TestFormsOfRequests: the settings that say how a request is written, and that nothing is refused before it is sent.
func TestFormsOfRequests(t *testing.T) {
	no := false
	for _, tt := range []struct {
		name    string
		model   string
		effort  string
		more    func(c *llm.Config)
		want    map[string]any
		without []string
	}{
		{"10: stream: false", "m", "", func(c *llm.Config) { c.Stream = &no }, map[string]any{"max_tokens": 100.0}, []string{"stream", "stream_options"}},
		{"27: stream_options: false", "m", "", func(c *llm.Config) { c.StreamOptions = &no }, map[string]any{"stream": true}, []string{"stream_options"}},
		{"27: max_tokens_name", "m", "", func(c *llm.Config) { c.MaxTokensName = "max_completion_tokens" }, map[string]any{"max_completion_tokens": 100.0}, []string{"max_tokens"}},
		{"27: max_tokens_name of a model that reasons", "gpt-5-mini", "", func(c *llm.Config) { c.MaxTokensName = "max_tokens" }, map[string]any{"max_tokens": 100.0}, []string{"max_completion_tokens"}},
		{"27: OpenAI's models that reason have their own name", "gpt-5-mini", "", nil, map[string]any{"max_completion_tokens": 100.0}, []string{"max_tokens"}},
		{"24: a temperature for a chat model", "gpt-5-chat-latest", "", nil, map[string]any{"temperature": 0.5, "stream": true}, nil},
		{"24: no reasoning", "gpt-5.1", "none", nil, map[string]any{"reasoning_effort": "none", "temperature": 0.5}, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := &standIn{}
			r := hello
			r.Model, r.ReasoningEffort, r.Temperature, r.MaxTokens = tt.model, tt.effort, new(0.5), 100
			if _, err := s.start(t, tt.more).complete(t.Context(), r); err != nil {
				t.Fatal(err)
			}
			for name, want := range tt.want {
				if s.seen()[0][name] != want {
					t.Errorf("%s is %v, want %v", name, s.seen()[0][name], want)
				}
			}
			for _, name := range tt.without {
				if v, there := s.seen()[0][name]; there {
					t.Errorf("%s is sent: %v", name, v)
				}
			}
		})
	}
}

// TestRawBodiesFollowWhatTheEndpointRefuses: what a program from outside has written is sent in the form that the
// endpoint takes, is recorded as it was, and is answered as a stream all the same.
func TestRawBodiesFollowWhatTheEndpointRefuses(t *testing.T) {
	for _, tt := range []struct{ refused, message string }{
		{"stream", "streaming is not supported"},
		{"stream_options", "Extra inputs are not permitted: stream_options"},
		{"max_tokens", "Unsupported parameter: use max_completion_tokens, not max_tokens"},
	} {
		s := &standIn{habit: refusingParameter(tt.refused, tt.message)}
		e := s.start(t, nil)
		own := llm.Request{Stage: "agent", Model: "m", MaxTokens: 100}
		r, err := wire.PassOn(own, llm.Chat, []byte(`{"stream": true, "max_tokens": 7, "messages": [{"role": "user", "content": "x"}]}`), nil)
		if err != nil {
			t.Fatal(err)
		}
		const asked = `{"stream":true,"max_tokens":100,"messages":[{"role":"user","content":"x"}],"model":"m"}`
		if string(r.Body) != asked {
			t.Errorf("recorded %s", r.Body)
		}
		a, err := e.complete(t.Context(), r)
		if err != nil || len(s.seen()) != 2 {
			t.Fatalf("%s: %d requests, %v", tt.refused, len(s.seen()), err)
		}
		if sent := s.seen()[1]; sent[tt.refused] != nil || fmt.Sprint(sent["messages"]) != "[map[content:x role:user]]" {
			t.Errorf("%s: sent again: %v", tt.refused, sent)
		}
		if kind, text := wire.Reply(r, a); kind != "text/event-stream" || !strings.HasPrefix(string(text), "data: {") || a.Text != "Hello" {
			t.Errorf("%s: %s %s", tt.refused, kind, text)
		}
	}
}

// TestFormIsFoundOutByAllAtOnce: a round whose requests are all refused before one has found out why.
func TestFormIsFoundOutByAllAtOnce(t *testing.T) {
	s := &standIn{habit: refusingParameter("stream", "streaming is not supported")}
	rs := requests(20)
	s.start(t, nil).cell().Round(t.Context(), rs, func(_ int, r llm.Result) {
		if r.Err != nil || len(r.Answer.Failures) != 0 {
			t.Errorf("%+v", r)
		}
	})
	if n := len(s.seen()); n <= len(rs) || n > 2*len(rs) {
		t.Errorf("%d requests", n)
	}
}

// TestWholeAnswersMayTakeLong: the idle timeout is for streams.
func TestWholeAnswersMayTakeLong(t *testing.T) {
	s := &standIn{habit: func(http.ResponseWriter, map[string]any) bool { time.Sleep(100 * time.Millisecond); return false }}
	no := false
	e := s.start(t, func(c *llm.Config) { c.Stream, c.Limits.IdleTimeout = &no, time.Millisecond })
	if a, err := e.complete(t.Context(), hello); err != nil || a.Text != "Hello" {
		t.Errorf("%+v, %v", a, err)
	}
}

// TestTooLongByItsSize: a refusal that says nothing is about the size where smaller requests were taken.
func TestTooLongByItsSize(t *testing.T) {
	long := hello
	long.Messages = []llm.Message{{Role: "user", Content: strings.Repeat("word ", 20000)}}
	refuse := func(w http.ResponseWriter, b map[string]any) bool {
		if len(fmt.Sprint(b["messages"])) > 10000 {
			sendError(w, 400, "", "Bad request")
			return true
		}
		return false
	}
	e := (&standIn{habit: refuse}).start(t, nil)
	var trouble *llm.Error
	if _, err := e.complete(t.Context(), long); !errors.As(err, &trouble) || trouble.Fault != llm.FaultRequest {
		t.Errorf("nothing is known yet: %v", err)
	}
	if a, err := e.complete(t.Context(), hello); err != nil || a.Outcome != llm.Answered {
		t.Errorf("%+v, %v", a, err)
	}
	if a, err := e.complete(t.Context(), long); err != nil || a.Outcome != llm.ContextLength || a.Detail != "Bad request" {
		t.Errorf("%+v, %v", a, err)
	}
}

// TestWarnings: what people have to be told of answers, once.
func TestWarnings(t *testing.T) {
	var log bytes.Buffer
	s := &standIn{habit: events(`{"choices":[{"delta":{"reasoning_content":"hm"}}]}`, finish("length"), usageEvent, "[DONE]")}
	e := s.start(t, nil)
	e.log = slog.New(slog.NewTextHandler(&log, nil))
	for range 2 {
		a, err := e.complete(t.Context(), hello)
		if err != nil || a.Outcome != llm.Truncated || a.Detail != wire.OnlyThoughts || a.Text != "" {
			t.Errorf("%+v, %v", a, err)
		}
	}
	if strings.Count(log.String(), "raise llm.max_tokens, or lower llm.reasoning_effort") != 1 {
		t.Errorf("log:\n%s", log.String())
	}
	log.Reset()
	s.take(events(delta("your key: "+testKey), finish("stop"), usageEvent, "[DONE]"))
	if _, err := e.complete(t.Context(), hello); err != nil || !strings.Contains(log.String(), "holds the API key") || strings.Contains(log.String(), testKey) {
		t.Errorf("%v, log:\n%s", err, log.String())
	}
}

// TestAnswersAreNotEdited: a key that is a word of C stays one in programs, and is masked in errors.
func TestAnswersAreNotEdited(t *testing.T) {
	s := &standIn{habit: events(delta("void test_a(void);"), finish("stop"), usageEvent, "[DONE]")}
	e := s.start(t, nil)
	*e.key = "test"
	if a, err := e.complete(t.Context(), hello); err != nil || a.Text != "void test_a(void);" {
		t.Errorf("22: %q, %v", a.Text, err)
	}
	s.take(saying(400, `{"error":{"message":"the key test is bad"}}`))
	if _, err := e.complete(t.Context(), hello); err == nil || !strings.Contains(err.Error(), "the key [key] is bad") {
		t.Errorf("22: %v", err)
	}
}
