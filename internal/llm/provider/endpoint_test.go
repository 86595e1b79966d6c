package provider

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"gotest.tools/v3/assert"
	is "gotest.tools/v3/assert/cmp"

	"github.com/lisa-bench/lisa-bench/internal/trial"

	"github.com/lisa-bench/lisa-bench/internal/llm"
)

const testKey = "sk-verysecret0123456789"

var quiet = slog.New(slog.DiscardHandler)

// patience is for servers that answer: it only ends a hang.
const patience = 10 * time.Minute

// testConfig asks the server at url.
func testConfig(url string) llm.Config {
	zero := 0.0
	return llm.Config{
		Provider: llm.ProviderOpenAI, BaseURL: url + "/v1", APIKeyEnv: "TEST_KEY",
		Settings: llm.Settings{Model: "m", MaxTokens: 100},
		Prices:   []llm.Price{{Model: "m", Input: new(2.0), Cached: new(1.0), Output: new(4.0)}, {Model: "free", Input: &zero, Output: &zero}},
		Limits:   llm.Limits{Tries: 3, RequestTimeout: patience, MaxAnswerBytes: 1 << 16},
	}
}

func openTest(c llm.Config) *endpoint {
	e := newEndpoint(c.WithDefaults(), testKey, quiet)
	e.first = time.Millisecond
	return e
}

// ask asks the endpoint of a configuration.
func ask(ctx context.Context, c llm.Config, r llm.Request) (llm.Answer, error) {
	return openTest(c).complete(ctx, r, 3)
}

const goodUsage = `"usage":{"prompt_tokens":10,"completion_tokens":7,"prompt_tokens_details":{"cached_tokens":4},"completion_tokens_details":{"reasoning_tokens":3}}`

// said is a whole answer with a message's fields, after which it finished for a reason.
func said(message, reason string) string {
	return fmt.Sprintf(`{"model":"m-2026","choices":[{"index":0,"message":{%s},"finish_reason":%q}],%s}`, message, reason, goodUsage)
}

// content is the field of a message.
func content(text string) string {
	data, _ := json.Marshal(text)
	return `"role":"assistant","content":` + string(data)
}

func good(w http.ResponseWriter) { sendJSON(w, 200, said(content("Hello"), "stop")) }

func sendError(w http.ResponseWriter, status int, code, message string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	fmt.Fprintf(w, `{"error":{"message":%q,"type":"t","code":%q}}`, message, code)
}

var hello = llm.Request{Stage: "sequence", Model: "m", Messages: []llm.Message{{Role: "user", Content: "Say \"temperature\":1e-45 to <stdio.h>"}}, ID: "q1"}

// serve gives the n-th request, from 1, to handle.
func serve(t *testing.T, handle func(n int, w http.ResponseWriter, r *http.Request)) (url string, requests *atomic.Int64) {
	t.Helper()
	requests = new(atomic.Int64)
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		// A server learns that its client is gone only when it has read the request.
		data, _ := io.ReadAll(r.Body)
		r.Body = io.NopCloser(bytes.NewReader(data))
		handle(int(requests.Add(1)), w, r)
	}))
	t.Cleanup(func() { srv.CloseClientConnections(); srv.Close() })
	return srv.URL, requests
}

func TestRequestOnTheWire(t *testing.T) {
	var body map[string]any
	var auth, path string
	url, _ := serve(t, func(_ int, w http.ResponseWriter, r *http.Request) {
		data, _ := io.ReadAll(r.Body)
		assert.Check(t, json.Unmarshal(data, &body))
		auth, path = r.Header.Get("Authorization"), r.URL.Path
		good(w)
	})
	r := hello
	r.Temperature, r.Seed, r.MaxTokens = new(0.0), new(int64(9)), 77
	a, err := ask(t.Context(), testConfig(url), r)
	assert.NilError(t, err)
	want := llm.Answer{Outcome: llm.Answered, Text: "Hello", FinishReason: "stop", Model: "m-2026",
		Usage: llm.Usage{InputTokens: 10, CachedTokens: 4, OutputTokens: 7, ReasoningTokens: 3}}
	a.WallMs = 0
	assert.Check(t, is.DeepEqual(a, want))
	assert.Check(t, auth == "Bearer "+testKey && path == "/v1/chat/completions", "%s with %q", path, auth)
	assert.Check(t, body["temperature"] == 0.0 && body["seed"] == 9.0 && body["max_tokens"] == 77.0 && body["stream"] == nil,
		"body %v", body)
	assert.Check(t, is.Equal(body["messages"].([]any)[0].(map[string]any)["content"], hello.Messages[0].Content))
}

// TestOutcomes: what the endpoint answered, each with its typed outcome.
func TestOutcomes(t *testing.T) {
	big := strings.Repeat("0123456789abcde\n", 10<<20/16)
	for _, tt := range []struct {
		name   string
		answer func(w http.ResponseWriter)
		want   llm.Outcome
		detail string
	}{
		{"an answer", good, llm.Answered, ""},
		{"empty", func(w http.ResponseWriter) { sendJSON(w, 200, said(content(" \n"), "stop")) }, llm.Empty, ""},
		{"truncated", func(w http.ResponseWriter) {
			sendJSON(w, 200, `{"choices":[{"message":{"content":"int"},"finish_reason":"length"}]}`)
		}, llm.Truncated, ""},
		{"refusal", func(w http.ResponseWriter) { sendJSON(w, 200, said(`"content":null,"refusal":"I will not."`, "stop")) }, llm.Refusal, "I will not."},
		{"filtered", func(w http.ResponseWriter) { sendJSON(w, 200, said(content("a"), "content_filter")) }, llm.Refusal, ""},
		{"filtered before", func(w http.ResponseWriter) { sendError(w, 400, "content_filter", "filtered") }, llm.Refusal, "filtered"},
		{"context length by code", func(w http.ResponseWriter) { sendError(w, 400, "context_length_exceeded", "too much") }, llm.ContextLength, "too much"},
		{"context length by message", func(w http.ResponseWriter) {
			sendError(w, 400, "", "This model's maximum context length is 4096 tokens")
		}, llm.ContextLength, "This model's maximum context length is 4096 tokens"},
		{"10 MB", func(w http.ResponseWriter) { sendJSON(w, 200, said(content(big), "stop")) }, llm.TooLong, ""},
		{"a little too long", func(w http.ResponseWriter) { sendJSON(w, 200, said(content(big[:5000]), "stop")) }, llm.TooLong, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			url, n := serve(t, func(_ int, w http.ResponseWriter, _ *http.Request) { tt.answer(w) })
			c := testConfig(url)
			c.Limits.MaxAnswerBytes = 1 << 12
			a, err := ask(t.Context(), c, hello)
			assert.NilError(t, err)
			assert.Check(t, a.Outcome == tt.want && a.Detail == tt.detail && n.Load() == 1,
				"%s (%q) after %d requests, want %s (%q)", a.Outcome, a.Detail, n.Load(), tt.want, tt.detail)
			assert.Check(t, len(a.Text) <= 1<<12, "%d bytes of text", len(a.Text))
			assert.Check(t, tt.want != llm.Answered || a.Text == "Hello" && a.Usage.Tokens() == 17, "got %+v", a)
			assert.Check(t, tt.want != llm.Truncated || a.Usage.Estimated && a.Usage.OutputTokens == 1,
				"no usage was reported: %+v", a.Usage)
		})
	}
}

// TestFaults: what an endpoint can do, each with its fault and one line that says what to do.
func TestFaults(t *testing.T) {
	for _, tt := range []struct {
		name   string
		answer func(w http.ResponseWriter, r *http.Request)
		fault  llm.Fault
		tries  int64
		want   string // after "llm: URL"
	}{
		{"wrong key", func(w http.ResponseWriter, r *http.Request) {
			sendError(w, 401, "invalid_api_key", "Incorrect API key provided: sk-very*******6789, "+strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ")+".")
		}, llm.FaultKey, 1, " answered 401 Unauthorized: Incorrect API key provided: [key], [key].: the endpoint rejects the key: check the variable that llm.api_key_env names"},
		{"no money", func(w http.ResponseWriter, _ *http.Request) { sendError(w, 429, "insufficient_quota", "pay") },
			llm.FaultQuota, 1, " answered 429 Too Many Requests: pay: the account has no credit left; run the same command again to resume"},
		{"unknown model", func(w http.ResponseWriter, _ *http.Request) {
			sendError(w, 404, "model_not_found", "The model `m` does not exist")
		}, llm.FaultModel, 1, " answered 404 Not Found: The model `m` does not exist: give stage \"sequence\" a model that the endpoint has instead of \"m\""},
		{"wrong address", func(w http.ResponseWriter, r *http.Request) { http.NotFound(w, r) },
			llm.FaultContentType, 1, " answered 404 Not Found: 404 page not found: check llm.base_url; it is what stands before /chat/completions and often ends in /v1"},
		{"web page", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "<!doctype html><title>Log in</title>") },
			llm.FaultContentType, 1, `/chat/completions answered with "text/html", which is no model's answer: <!doctype html><title>Log in</title>: check llm.base_url; it is what stands before /chat/completions and often ends in /v1`},
		{"parameter", func(w http.ResponseWriter, _ *http.Request) {
			sendError(w, 400, "unsupported_parameter", "Unsupported\nparameter: 'seed'")
		}, llm.FaultRequest, 1, " answered 400 Bad Request: Unsupported parameter: 'seed': the endpoint rejects the request: check the settings of stage \"sequence\" in llm"},
		{"500 for ever", func(w http.ResponseWriter, _ *http.Request) { sendError(w, 500, "", "oops") },
			llm.FaultServer, 3, " answered 500 Internal Server Error: oops (after 3 tries): the endpoint reports a server error; run the same command again to resume"},
		{"gateway's page", func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "<html>", http.StatusBadGateway) },
			llm.FaultServer, 3, " answered 502 Bad Gateway: <html> (after 3 tries): the endpoint reports a server error; run the same command again to resume"},
		{"429 for ever", func(w http.ResponseWriter, _ *http.Request) { sendError(w, 429, "rate_limit_exceeded", "slow down") },
			llm.FaultRate, 3, " answered 429 Too Many Requests: slow down (after 3 tries): lower llm.limits.requests_per_minute, tokens_per_minute or concurrency"},
		{"an error in place of an answer", func(w http.ResponseWriter, _ *http.Request) {
			sendJSON(w, 200, `{"error":{"message":"overloaded","type":"t"}}`)
		},
			llm.FaultServer, 3, " gave no answer: overloaded (after 3 tries): the endpoint reports a server error; run the same command again to resume"},
		{"malformed", func(w http.ResponseWriter, _ *http.Request) { sendJSON(w, 200, `{"choices":[}`) },
			llm.FaultMalformed, 3, ": the answer is malformed: invalid character '}' looking for beginning of value in {\"choices\":[} (after 3 tries)"},
		{"malformed whole", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			fmt.Fprint(w, `{"choices":7}`)
		}, llm.FaultMalformed, 3, ": the answer is malformed: a response without choices in {\"choices\":7} (after 3 tries)"},
		{"connection dies", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "1000")
			fmt.Fprint(w, `{"choices"`)
		}, llm.FaultCut, 3, ": the connection ended before the answer did (after 3 tries)"},
		{"no end", func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }, llm.FaultTimeout, 3,
			": no answer within 150ms (after 3 tries): raise llm.limits.request_timeout if answers take longer than that"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			url, n := serve(t, func(_ int, w http.ResponseWriter, r *http.Request) { tt.answer(w, r) })
			c := testConfig(url)
			if tt.fault == llm.FaultTimeout {
				c.Limits.RequestTimeout = 150 * time.Millisecond
			}
			_, err := ask(t.Context(), c, hello)
			var e *llm.Error
			assert.Assert(t, errors.As(err, &e), "error %v", err)
			assert.Check(t, e.Fault == tt.fault && n.Load() == tt.tries,
				"fault %s after %d requests, want %s after %d", e.Fault, n.Load(), tt.fault, tt.tries)
			want := "llm: " + url + "/v1" + tt.want
			assert.Check(t, err.Error() == want, "got  %s\nwant %s", err, want)
		})
	}
}

func TestNoKey(t *testing.T) {
	c := testConfig("http://127.0.0.1:1")
	c.APIKeyEnv = "NO_SUCH_KEY"
	_, err := Open(c, func(string) string { return "" }, quiet)
	want := "llm: no API key for http://127.0.0.1:1/v1: the variable NO_SUCH_KEY is not set: set it, or name another variable in llm.api_key_env"
	assert.Check(t, err != nil && err.Error() == want, "got  %v\nwant %s", err, want)
	c.APIKeyEnv = ""
	_, err = Open(c, func(string) string { return "" }, quiet)
	assert.NilError(t, err, "an endpoint without keys")
}

func TestAnswersAfterFaults(t *testing.T) {
	url, n := serve(t, func(n int, w http.ResponseWriter, _ *http.Request) {
		switch n {
		case 1:
			w.Header().Set("Retry-After", "0.02")
			sendError(w, 429, "rate_limit_exceeded", "slow down")
		case 2:
			fmt.Fprint(w, "{")
		default:
			good(w)
		}
	})
	a, err := ask(t.Context(), testConfig(url), hello)
	assert.Assert(t, err == nil && a.Text == "Hello" && n.Load() == 3, "%+v, %v after %d", a, err, n.Load())
}

func TestCancellationIsPrompt(t *testing.T) {
	for name, handle := range map[string]func(w http.ResponseWriter, r *http.Request){
		"before the answer": func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() },
		"between tries": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Retry-After", "600")
			sendError(w, 429, "", "slow down")
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			arrived := make(chan struct{}, 8)
			url, _ := serve(t, func(_ int, w http.ResponseWriter, r *http.Request) { arrived <- struct{}{}; handle(w, r) })
			ctx, cancel := context.WithCancelCause(t.Context())
			began := time.Now()
			go func() {
				<-arrived
				time.Sleep(30 * time.Millisecond) // most likely it waits by then
				cancel(trial.ErrBudget)
			}()
			_, err := ask(ctx, testConfig(url), hello)
			took := time.Since(began)
			assert.Check(t, took <= patience/2, "ended after %s", took)
			assert.Check(t, errors.Is(err, trial.ErrBudget), "error %v", err)
		})
	}
}
