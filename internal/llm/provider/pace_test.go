package provider

import (
	"bytes"
	"log/slog"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/lisa-bench/lisa-bench/internal/llm"
)

// TestPace: what an endpoint says of its limits keeps the next request back for as long as it takes to fit.
func TestPace(t *testing.T) {
	for _, tt := range []struct {
		name, headers string
		tokens        int64
		want          time.Duration
	}{
		{"room", "Remaining-Requests 1, Limit-Requests 60, Reset-Requests 59s, Remaining-Tokens 5000, Limit-Tokens 6000, Reset-Tokens 10s", 5000, 0},
		{"no request left", "Remaining-Requests 0, Limit-Requests 60, Reset-Requests 1m0s", 1, time.Second},
		{"a daily limit", "Remaining-Requests 0, Limit-Requests 200, Reset-Requests 24h", 1, 7*time.Minute + 12*time.Second},
		{"too few tokens", "Remaining-Tokens 1000, Limit-Tokens 6000, Reset-Tokens 50s", 3000, 20 * time.Second},
		{"more tokens than the limit", "Remaining-Tokens 1000, Limit-Tokens 6000, Reset-Tokens 50s", 9000, 50 * time.Second},
		{"seconds, and no limit named", "Remaining-Requests 0, Reset-Requests 1.5", 1, 1500 * time.Millisecond},
		{"longer than anybody waits", "Remaining-Requests 0, Limit-Requests 1, Reset-Requests 24h", 1, 0},
		{"nonsense", "Remaining-Requests none, Reset-Requests soon", 1, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				h := http.Header{}
				for _, field := range strings.Split(tt.headers, ", ") {
					name, value, _ := strings.Cut(field, " ")
					h.Set("x-ratelimit-"+name, value)
				}
				var p pace
				p.heed(h, tt.tokens)
				start := time.Now()
				if err := p.wait(t.Context()); err != nil || time.Since(start).Round(time.Millisecond) != tt.want {
					t.Errorf("waits %s, want %s: %v", time.Since(start), tt.want, err)
				}
			})
		})
	}
}

// TestRetryAfterIsForAll: a request of another cell waits as well, though it was refused nothing.
func TestRetryAfterIsForAll(t *testing.T) {
	refused := make(chan time.Time, 1)
	s := &standIn{habit: firstly(whenever(func(w http.ResponseWriter) {
		w.Header().Set("Retry-After-Ms", "300")
		sendError(w, 429, "", "slow down")
		refused <- time.Now()
	}))}
	e := s.start(t, func(c *llm.Config) { c.Limits.Tries = 1 })
	if _, err := e.complete(t.Context(), hello); err == nil {
		t.Fatal("the first request was answered")
	}
	_, err := e.complete(t.Context(), hello)
	if waited := time.Since(<-refused); err != nil || waited < 300*time.Millisecond {
		t.Errorf("answered after %s: %v", waited, err)
	}
}

// TestDeadEndpointIsOneLine, however many requests meet it.
func TestDeadEndpointIsOneLine(t *testing.T) {
	var log bytes.Buffer
	e := (&standIn{}).start(t, func(c *llm.Config) { c.BaseURL = "http://127.0.0.1:1/v1" })
	e.log = slog.New(slog.NewTextHandler(&log, nil))
	for range 3 { // cells
		e.cell().Round(t.Context(), requests(8), func(_ int, r llm.Result) {
			if r.Err == nil {
				t.Error("an answer")
			}
		})
	}
	if n := strings.Count(log.String(), "\n"); n != 1 || !strings.Contains(log.String(), "connection refused") {
		t.Errorf("%d lines:\n%s", n, log.String())
	}
}
