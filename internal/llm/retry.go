package llm

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"golang.org/x/sync/semaphore"
	"golang.org/x/time/rate"

	"github.com/lisa-bench/lisa-bench/internal/trial"
)

// The waits between tries: the first, the longest, and the longest that an endpoint can ask for.
const (
	firstWait   = time.Second
	mostWait    = time.Minute
	longestWait = 15 * time.Minute
)

// A retry tries again what may pass: rate limits, server errors, timeouts, and answers that
// came cut or malformed. After try n it waits Base·2^(n-1), at most mostWait, of which up to a random
// half is taken off; or as long as the endpoint asked for, if that is longer. One that asks
// for more than longestWait is out of its quota, and the request fails.
type retry struct {
	Next  client
	Tries int           // at least 1
	Base  time.Duration // the first wait; default firstWait
	Seed  trial.Seed    // of the jitter
	Log   *slog.Logger
}

// Complete implements Client. The answer, or the error, tells of the tries before.
func (r *retry) Complete(ctx context.Context, req Request) (Answer, error) {
	jitter := r.Seed.Stream("llm/retry/" + req.Key())
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
		wait := min(cmp.Or(r.Base, firstWait)<<min(n-1, 20), mostWait)
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

// A limit keeps what is sent to an endpoint below its limits: requests under way, requests
// per minute and tokens per minute. Tokens are the estimated ones of the request and the most
// that its answer may have. One Limit serves all cells of a run.
type limit struct {
	next     client
	underWay *semaphore.Weighted
	requests *rate.Limiter
	tokens   *rate.Limiter
}

// newLimit limits what reaches next. Requests may come in a burst of what one second allows,
// tokens in a burst of a minute's, for a single request can be that large.
func newLimit(next client, l Limits) *limit {
	l = l.WithDefaults()
	out := &limit{next: next, underWay: semaphore.NewWeighted(int64(l.Concurrency))}
	if n := l.RequestsPerMinute; n > 0 {
		out.requests = rate.NewLimiter(rate.Limit(float64(n)/60), max(1, n/60))
	}
	if n := l.TokensPerMinute; n > 0 {
		out.tokens = rate.NewLimiter(rate.Limit(float64(n)/60), n)
	}
	return out
}

// Complete implements Client.
func (l *limit) Complete(ctx context.Context, r Request) (Answer, error) {
	if err := l.underWay.Acquire(ctx, 1); err != nil {
		return Answer{}, causeOf(ctx, err)
	}
	defer l.underWay.Release(1)
	if l.requests != nil {
		if err := l.requests.Wait(ctx); err != nil {
			return Answer{}, l.ended(ctx, err)
		}
	}
	if l.tokens != nil {
		n := min(int(r.inputTokens())+r.MaxTokens, l.tokens.Burst())
		if err := l.tokens.WaitN(ctx, n); err != nil {
			return Answer{}, l.ended(ctx, err)
		}
	}
	return l.next.Complete(ctx, r)
}

// ended gives the reason of an ended wait. A limiter also gives up at once where the
// deadline would come first; then the wait is for the deadline, whose cause says more.
func (l *limit) ended(ctx context.Context, err error) error {
	if _, ok := ctx.Deadline(); ok {
		<-ctx.Done()
	}
	return causeOf(ctx, err)
}
