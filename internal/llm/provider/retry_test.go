package provider

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"gotest.tools/v3/assert"
	is "gotest.tools/v3/assert/cmp"

	"github.com/lisa-bench/lisa-bench/internal/trial"

	"github.com/lisa-bench/lisa-bench/internal/llm"
	"github.com/lisa-bench/lisa-bench/internal/llm/wire"
)

// refused is an error of OpenAI's API, which asks to come back after some time.
func refused(status int, message string, after time.Duration) *wire.Refusal {
	h := http.Header{"Retry-After": {fmt.Sprint(after.Seconds())}}
	return wire.RefusedBy(status, h, fmt.Appendf(nil, `{"error":{"message":%q}}`, message))
}

// testEndpoint asks f in place of an endpoint.
func testEndpoint(l llm.Limits, f func(context.Context, llm.Request) (llm.Answer, error)) *endpoint {
	e := newEndpoint(llm.Config{Limits: l}.WithDefaults(), "", quiet)
	e.ask = f
	return e
}

// TestBackoff: the waits of an endpoint that always fails.
func TestBackoff(t *testing.T) {
	for _, tt := range []struct {
		after    time.Duration // that it asks to wait for
		min, max []time.Duration
		want     string
	}{
		{0, []time.Duration{500 * time.Millisecond, time.Second, 2 * time.Second, 4 * time.Second, 8 * time.Second, 16 * time.Second, 30 * time.Second},
			[]time.Duration{time.Second, 2 * time.Second, 4 * time.Second, 8 * time.Second, 16 * time.Second, 32 * time.Second, time.Minute}, "(after 8 tries)"},
		{7 * time.Minute, slices.Repeat([]time.Duration{7 * time.Minute}, 7), slices.Repeat([]time.Duration{7 * time.Minute}, 7), "(after 8 tries)"},
		{20 * time.Hour, nil, nil, "oops: the endpoint asks to come back in 20h0m0s; run the same command again to resume"},
	} {
		synctest.Test(t, func(t *testing.T) {
			var waits []time.Duration
			last := time.Now()
			e := testEndpoint(llm.Limits{Tries: 8}, func(context.Context, llm.Request) (llm.Answer, error) {
				waits = append(waits, time.Since(last))
				last = time.Now()
				return llm.Answer{}, refused(500, "oops", tt.after)
			})
			_, err := e.complete(t.Context(), hello, 8)
			assert.Assert(t, err != nil && strings.Contains(err.Error(), tt.want) && len(waits) == len(tt.min)+1,
				"after %v: %v", waits, err)
			for i, w := range waits[1:] {
				if w < tt.min[i] || w > tt.max[i] {
					t.Errorf("wait %d is %s, not between %s and %s", i, w, tt.min[i], tt.max[i])
				}
			}
		})
	}
}

func TestRetryAfter(t *testing.T) {
	synctest.Test(t, func(t *testing.T) { // it is midnight, 1 January 2000
		for _, tt := range []struct {
			after string
			want  time.Duration
		}{
			{"20", 20 * time.Second},
			{"1.5", 1500 * time.Millisecond},
			{"Sat, 01 Jan 2000 00:01:30 GMT", 90 * time.Second},
			{"Saturday, 01-Jan-00 00:00:10 GMT", 10 * time.Second}, // RFC 850's form
			{"Fri, 31 Dec 1999 23:59:59 GMT", 0},
			{"", 0}, {"soon", 0}, {"-3", 0}, {"1e300", 0}, {"NaN", 0},
		} {
			h := http.Header{}
			h.Set("Retry-After", tt.after)
			assert.Check(t, is.Equal(wire.RefusedBy(429, h, nil).RetryAfter, tt.want), "%q", tt.after)
		}
	})
}

func TestLimit(t *testing.T) {
	for _, tt := range []struct {
		name   string
		limits llm.Limits
		want   []int // seconds at which requests start
	}{
		{"concurrency of all cells", llm.Limits{TotalConcurrency: 2}, []int{0, 0, 10, 10, 20}},
		{"requests per minute", llm.Limits{RequestsPerMinute: 30}, []int{0, 2, 4, 6, 8}},
		{"tokens per minute", llm.Limits{TokensPerMinute: 1100}, []int{0, 0, 60, 120, 180}}, // two of about 550 tokens, then three of 1,100
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				start := time.Now()
				var mu sync.Mutex
				var got []int
				e := testEndpoint(tt.limits, func(ctx context.Context, _ llm.Request) (llm.Answer, error) {
					mu.Lock()
					got = append(got, int(time.Since(start).Seconds()))
					mu.Unlock()
					return llm.Answer{}, llm.Sleep(ctx, 10*time.Second)
				})
				var all sync.WaitGroup
				for i, tokens := range []int{542, 542, 1092, 1092, 1092} {
					r := requests(1)[0]
					r.MaxTokens = tokens
					all.Go(func() {
						time.Sleep(time.Duration(i) * time.Millisecond) // one after the other
						_, err := e.complete(t.Context(), r, 1)
						assert.Check(t, err)
					})
				}
				all.Wait()
				slices.Sort(got)
				assert.Check(t, slices.Equal(got, tt.want), "started at %v, want %v", got, tt.want)
			})
		})
	}
}

// TestEachCellHasItsOwnRequestsUnderWay: one cell's many requests do not hold back another cell's.
func TestEachCellHasItsOwnRequestsUnderWay(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e := testEndpoint(llm.Limits{Concurrency: 2, TotalConcurrency: 3}, func(ctx context.Context, _ llm.Request) (llm.Answer, error) {
			return llm.Answer{}, llm.Sleep(ctx, 10*time.Second)
		})
		start := time.Now()
		var mu sync.Mutex
		got := map[string]int{} // answers within 10 s, by cell
		var all sync.WaitGroup
		for _, cell := range []string{"a", "b"} {
			all.Go(func() {
				time.Sleep(time.Duration(cell[0]) * time.Millisecond)
				e.Round(t.Context(), requests(4), func(int, llm.Result) {
					mu.Lock()
					defer mu.Unlock()
					if time.Since(start) < 11*time.Second {
						got[cell]++
					}
				})
			})
		}
		all.Wait()
		want := map[string]int{"a": 2, "b": 1}
		assert.Check(t, maps.Equal(got, want), "%v, want %v", got, want)
	})
}

func TestLimitEndsWithItsContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e := testEndpoint(llm.Limits{RequestsPerMinute: 1}, func(context.Context, llm.Request) (llm.Answer, error) { return llm.Answer{}, nil })
		ctx, cancel := context.WithTimeoutCause(t.Context(), time.Second, trial.ErrBudget)
		defer cancel()
		_, first := e.complete(ctx, hello, 1)
		_, err := e.complete(ctx, hello, 1)
		assert.Check(t, first == nil && errors.Is(err, trial.ErrBudget), "%v, then %v", first, err)
	})
}
