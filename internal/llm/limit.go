package llm

import (
	"context"

	"golang.org/x/sync/semaphore"
	"golang.org/x/time/rate"
)

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
