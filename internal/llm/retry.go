package llm

import (
	"context"
	"errors"
	"time"

	"github.com/lisa-bench/lisa-bench/internal/trial"
)

// A Retry tries again what may pass: rate limits, server errors, timeouts, and answers that
// came cut or malformed. Before try n it waits Base·2^(n-1), at most Max, of which a random
// half is taken off; or as long as the endpoint asked for, if that is longer.
type Retry struct {
	Next  Client
	Tries int           // at least 1
	Base  time.Duration // default 1s
	Max   time.Duration // default 60s
	Seed  trial.Seed    // of the jitter
}

// Complete implements Client. The answer, or the error, tells of the tries before.
func (r *Retry) Complete(ctx context.Context, req Request) (Answer, error) {
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
		failures = append(failures, e.Failure)
		wait := min(base<<min(n-1, 20), most)
		wait -= time.Duration(jitter.Int64N(int64(wait)/2 + 1))
		if err := sleep(ctx, max(wait, e.RetryAfter)); err != nil {
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
