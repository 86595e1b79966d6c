package provider

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"gotest.tools/v3/assert"
	is "gotest.tools/v3/assert/cmp"

	"github.com/lisa-bench/lisa-bench/internal/llm"
)

// mustModels opens the models of an endpoint.
func mustModels(t *testing.T, e *endpoint) *llm.Models {
	t.Helper()
	m, err := e.models()
	assert.NilError(t, err)
	return m
}

// TestPreflight: what a tiny request says before a run of what would end it: the fault, its words, and what to do.
func TestPreflight(t *testing.T) {
	reject := func(status int, code, message string) func(http.ResponseWriter, map[string]any) bool {
		return whenever(func(w http.ResponseWriter) { sendError(w, status, code, message) })
	}
	for _, tt := range []struct {
		name  string
		habit func(w http.ResponseWriter, b map[string]any) bool
		more  func(c *llm.Config)
		want  string // of the error, after the address; "" for none
		tries int
	}{
		{name: "all is well", tries: 1},
		{"wrong key", reject(401, "invalid_api_key", "Incorrect API key provided: "+testKey), nil,
			" answered 401 Unauthorized: Incorrect API key provided: [key]: the endpoint rejects the key: check the variable that llm.api_key_env names", 1},
		{"unknown model", reject(404, "model_not_found", "The model `m` does not exist"), nil,
			" answered 404 Not Found: The model `m` does not exist: give stage \"sequence\" a model that the endpoint has instead of \"m\"", 1},
		{"refused parameter", refusingParameter("temperature", "Unsupported value: 'temperature' does not support 0.5 with this model."), nil,
			" answered 400 Bad Request: Unsupported value: 'temperature' does not support 0.5 with this model.: the endpoint rejects the request: check the settings of stage \"sequence\" in llm", 1},
		{"no quota", reject(429, "insufficient_quota", "You exceeded your current quota"), nil,
			" answered 429 Too Many Requests: You exceeded your current quota: the account has no credit left; run the same command again to resume", 1},
		{"wrong path", whenever(func(w http.ResponseWriter) { http.Error(w, "<html>nothing here</html>", 404) }), nil,
			" answered 404 Not Found: <html>nothing here</html>: check llm.base_url; it is what stands before /chat/completions and often ends in /v1", 1},
		{"timeout", whenever(func(http.ResponseWriter) { time.Sleep(300 * time.Millisecond) }), func(c *llm.Config) { c.Limits.RequestTimeout = 50 * time.Millisecond },
			": no answer within 50ms: raise llm.limits.request_timeout if answers take longer than that", 1},
		{"unreachable", nil, func(c *llm.Config) { c.BaseURL = "http://127.0.0.1:1/v1" },
			": cannot be reached: connection refused: check llm.base_url and the network; run the same command again to resume", 0},
		{"no TLS", nil, func(c *llm.Config) { c.BaseURL = strings.Replace(c.BaseURL, "http:", "https:", 1) },
			": cannot be reached: http: server gave HTTP response to HTTPS client: check llm.base_url and the network; run the same command again to resume", 0},
		{"a server's fault that passes", firstly(reject(500, "", "oops")), nil, "", 2},
		{"no price", nil, func(c *llm.Config) { c.Prices = nil }, `llm: model "m" has no price: add {model: m, input: …, output: …} to llm.prices, in dollars per million tokens`, 1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s := &standIn{habit: tt.habit}
			srv := httptest.NewServer(s)
			t.Cleanup(func() { srv.CloseClientConnections(); srv.Close() })
			c := testConfig(srv.URL)
			c.Temperature = new(0.5)
			if tt.more != nil {
				tt.more(&c)
			}
			checks := mustModels(t, openTest(c)).Preflight(t.Context(), map[string][]string{"": {"sequence", "sequence-repair"}})
			assert.Assert(t, len(checks) == 1 && len(checks[0].Stages) == 2, "%+v", checks)
			got := ""
			if err := checks[0].Err; err != nil {
				got = strings.TrimPrefix(strings.TrimPrefix(err.Error(), "llm: "+c.BaseURL), "llm: "+srv.URL)
			}
			assert.Check(t, got == tt.want && len(s.seen()) == tt.tries,
				"after %d requests: %s\nwant after %d: %s", len(s.seen()), got, tt.tries, tt.want)
			if tt.want == "" && checks[0].Dollars == 0 {
				t.Errorf("%+v", checks[0])
			}
		})
	}
}

// TestPreflightAsksEachModelOnce: stages with the same settings share a request.
func TestPreflightAsksEachModelOnce(t *testing.T) {
	s := &standIn{}
	srv := httptest.NewServer(s)
	defer srv.Close()
	c := testConfig(srv.URL)
	c.Stages = []llm.Stage{{Name: "invariant", Settings: llm.Settings{ReasoningEffort: "low"}}, {Name: "x", Settings: llm.Settings{Model: "free"}}}
	stages := []string{"sequence", "invariant", "invariant-repair", "x"}
	checks := mustModels(t, openTest(c)).Preflight(t.Context(), map[string][]string{"": stages, "free": stages})
	assert.Check(t, len(checks) == 4 && len(s.seen()) == 4, "%d requests: %v", len(s.seen()), checks)
	for _, check := range checks {
		assert.Check(t, check.Err)
	}
	assert.Check(t, is.Equal(checks[0].String(), "m, at most 100 tokens (sequence, invariant-repair)"))
	m, err := Open(llm.Config{Provider: llm.ProviderBatch, Dir: t.TempDir()}, nil, quiet)
	assert.Check(t, err == nil && m.Preflight(t.Context(), map[string][]string{"": stages}) == nil,
		"a directory was checked: %v", err)
}
