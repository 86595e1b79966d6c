package llm

import (
	"context"
	"errors"
	"net/http"
	"reflect"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/lisa-bench/lisa-bench/internal/trial"
)

// A clientFunc is a Client.
type clientFunc func(ctx context.Context, r Request) (Answer, error)

func (f clientFunc) Complete(ctx context.Context, r Request) (Answer, error) { return f(ctx, r) }

// waits returns when each try came, after the first, for a client that always fails.
func waits(t *testing.T, seed trial.Seed, tries int, asked time.Duration) []time.Duration {
	t.Helper()
	var out []time.Duration
	synctest.Test(t, func(t *testing.T) {
		last := time.Now()
		c := &retry{Tries: tries, Seed: seed, Log: quiet, Next: clientFunc(func(context.Context, Request) (Answer, error) {
			out = append(out, time.Since(last))
			last = time.Now()
			return Answer{}, &Error{Failure: Failure{Fault: FaultServer}, RetryAfter: asked}
		})}
		var e *Error
		if _, err := c.Complete(t.Context(), requests(1)[0]); !errors.As(err, &e) || len(e.Earlier) != tries-1 {
			t.Errorf("error %v", err)
		}
	})
	return out[1:]
}

func TestBackoff(t *testing.T) {
	got := waits(t, 1, 9, 0)
	for i, w := range got {
		full := min(time.Second<<i, time.Minute)
		if w < full/2 || w > full {
			t.Errorf("wait %d is %s, not between %s and %s", i, w, full/2, full)
		}
	}
	if !reflect.DeepEqual(got, waits(t, 1, 9, 0)) || reflect.DeepEqual(got, waits(t, 2, 9, 0)) {
		t.Error("the waits do not come from the seed")
	}
	for _, w := range waits(t, 1, 4, 7*time.Minute) {
		if w != 7*time.Minute {
			t.Errorf("waited %s when 7 minutes were asked for", w)
		}
	}
}

func TestNobodyWaitsForHours(t *testing.T) {
	n := 0
	c := &retry{Tries: 5, Log: quiet, Next: clientFunc(func(context.Context, Request) (Answer, error) {
		n++
		return Answer{}, &Error{Failure: Failure{Fault: FaultRate, Status: 429, Message: "daily limit"}, RetryAfter: 20 * time.Hour}
	})}
	_, err := c.Complete(t.Context(), hello)
	want := "llm: daily limit: the endpoint asks to come back in 20h0m0s; run the same command again to resume"
	if n != 1 || err == nil || err.Error() != want {
		t.Errorf("after %d tries: %v", n, err)
	}
}

func TestRetryAfter(t *testing.T) {
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	for _, tt := range []struct {
		after, ms string
		want      time.Duration
	}{
		{"20", "", 20 * time.Second},
		{"1.5", "", 1500 * time.Millisecond},
		{"Sun, 01 Mar 2026 12:01:30 GMT", "", 90 * time.Second},
		{"Sunday, 01-Mar-26 12:00:10 GMT", "", 10 * time.Second}, // RFC 850's form
		{"Sun, 01 Mar 2026 11:00:00 GMT", "", 0},
		{"2", "250", 250 * time.Millisecond},
		{"", "", 0}, {"soon", "", 0}, {"-3", "", 0}, {"1e300", "", 0}, {"NaN", "NaN", 0},
	} {
		h := http.Header{}
		h.Set("Retry-After", tt.after)
		h.Set("Retry-After-Ms", tt.ms)
		if got := retryAfter(h, now); got != tt.want {
			t.Errorf("%q, %q ms: %s, want %s", tt.after, tt.ms, got, tt.want)
		}
	}
}

// TestRetryAfterReachesTheWait goes through a real server.
func TestRetryAfterReachesTheWait(t *testing.T) {
	now := time.Now().UTC().Truncate(time.Second)
	for name, value := range map[string]string{"seconds": "11", "date": now.Add(11 * time.Second).Format(http.TimeFormat)} {
		t.Run(name, func(t *testing.T) {
			url, _ := serve(t, func(_ int, w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Retry-After", value)
				apiError(w, 429, "", "slow down")
			})
			c := testConfig(url).WithDefaults()
			e := newEndpoint(c, "", func() time.Time { return now })
			var fault *Error
			if _, err := e.Complete(t.Context(), hello); !errors.As(err, &fault) || fault.RetryAfter != 11*time.Second {
				t.Errorf("error %+v", err)
			}
		})
	}
}

func TestLimit(t *testing.T) {
	for _, tt := range []struct {
		name   string
		limits Limits
		want   []int // seconds at which requests start
	}{
		{"concurrency", Limits{Concurrency: 2}, []int{0, 0, 10, 10, 20}},
		{"requests per minute", Limits{RequestsPerMinute: 30}, []int{0, 2, 4, 6, 8}},
		{"tokens per minute", Limits{TokensPerMinute: 1100}, []int{0, 0, 60, 120, 180}}, // two of about 550 tokens, then three of 1,100
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				start := time.Now()
				var mu sync.Mutex
				var got []int
				c := newLimit(clientFunc(func(ctx context.Context, _ Request) (Answer, error) {
					mu.Lock()
					got = append(got, int(time.Since(start).Seconds()))
					mu.Unlock()
					return Answer{}, sleep(ctx, 10*time.Second)
				}), tt.limits)
				var all sync.WaitGroup
				for i := range 5 {
					r := requests(1)[0]
					r.MaxTokens = 542
					if i > 1 {
						r.MaxTokens = 1092
					}
					all.Go(func() {
						if tt.limits.TokensPerMinute > 0 {
							time.Sleep(time.Duration(i) * time.Millisecond)
						}
						if _, err := c.Complete(t.Context(), r); err != nil {
							t.Error(err)
						}
					})
				}
				all.Wait()
				slices.Sort(got)
				if !reflect.DeepEqual(got, tt.want) {
					t.Errorf("started at %v, want %v", got, tt.want)
				}
			})
		})
	}
}

func TestLimitEndsWithItsContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newLimit(clientFunc(func(context.Context, Request) (Answer, error) { return Answer{}, nil }), Limits{RequestsPerMinute: 1})
		ctx, cancel := context.WithTimeoutCause(t.Context(), time.Second, trial.ErrBudget)
		defer cancel()
		if _, err := c.Complete(ctx, hello); err != nil {
			t.Fatal(err)
		}
		start := time.Now()
		_, err := c.Complete(ctx, hello)
		if !errors.Is(err, trial.ErrBudget) || time.Since(start) != time.Second {
			t.Errorf("after %s: %v", time.Since(start), err)
		}
	})
}
