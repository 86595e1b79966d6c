package llm

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/lisa-bench/lisa-bench/internal/trial"
)

// longestWait is the longest wait that an endpoint can ask for.
const longestWait = 15 * time.Minute

// A retry tries again what may pass: rate limits, server errors, timeouts, and answers that
// came cut or malformed. Before try n it waits Base·2^(n-1), at most Max, of which a random
// half is taken off; or as long as the endpoint asked for, if that is longer. One that asks
// for more than Patience is out of its quota, and the request fails.
type retry struct {
	Next  client
	Tries int           // at least 1
	Base  time.Duration // default 1s
	Max   time.Duration // default 60s
	Seed  trial.Seed    // of the jitter
	Log   *slog.Logger
}

// Complete implements Client. The answer, or the error, tells of the tries before.
func (r *retry) Complete(ctx context.Context, req Request) (Answer, error) {
	jitter := r.Seed.Stream("llm/retry/" + req.Key())
	base, most := r.Base, r.Max
	if base == 0 {
		base = time.Second
	}
	if most == 0 {
		most = time.Minute
	}
	var failures []Failure
	for n := 1; ; n++ {
		a, err := r.Next.Complete(ctx, req)
		if err == nil {
			a.Failures = failures
			return a, nil
		}
		var e *Error
		if !errors.As(err, &e) {
			return Answer{}, err
		}
		e.Earlier = failures
		if !retryable[e.Fault] || n >= r.Tries {
			return Answer{}, e
		}
		if e.RetryAfter > longestWait {
			e.Hint = fmt.Sprintf("the endpoint asks to come back in %s; run the same command again to resume", e.RetryAfter.Round(time.Second))
			return Answer{}, e
		}
		failures = append(failures, e.Failure)
		wait := min(base<<min(n-1, 20), most)
		wait -= time.Duration(jitter.Int64N(int64(wait)/2 + 1))
		wait = max(wait, e.RetryAfter)
		r.Log.Warn("model did not answer", "request", req.ID, "try", n, "of", r.Tries, "again_in", wait, "reason", e.Message)
		if err := sleep(ctx, wait); err != nil {
			return Answer{}, err
		}
	}
}

func sleep(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}
