package provider

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"slices"
	"sync"
	"time"

	"golang.org/x/sync/semaphore"
	"golang.org/x/time/rate"

	"github.com/lisa-bench/lisa-bench/internal/llm"
	"github.com/lisa-bench/lisa-bench/internal/llm/wire"
)

// The waits between tries: the first, the longest, and the longest that an endpoint can ask for.
const (
	firstWait   = time.Second
	mostWait    = time.Minute
	longestWait = 15 * time.Minute
)

// An endpoint is an OpenAI-compatible API. One serves all cells of a run, which keep its limits together.
type endpoint struct {
	config llm.Config   // with its defaults
	key    *wire.Secret // fmt does not follow a pointer in a struct
	client *http.Client
	log    *slog.Logger
	first  time.Duration                                          // wait between two tries
	ask    func(context.Context, llm.Request) (llm.Answer, error) // one try; an error is not classified yet
	forms  sync.Map                                               // of requests, by model, where the endpoint asked for another
	sizes  sync.Map                                               // of the largest request that was answered, by stage and model
	warned sync.Map                                               // of answers without more than reasoning, by stage and model

	pace     pace
	underWay *semaphore.Weighted // requests of all cells
	requests *rate.Limiter
	tokens   *rate.Limiter
}

// newEndpoint returns the endpoint of a configuration. Requests may come in a burst of what one second allows,
// tokens in a burst of a minute's, for a single request can be that large.
func newEndpoint(c llm.Config, key string, log *slog.Logger) *endpoint {
	connections := http.DefaultTransport.(*http.Transport).Clone()
	connections.MaxIdleConnsPerHost = c.Limits.TotalConcurrency
	perMinute := func(n, burst int) *rate.Limiter {
		if n == 0 {
			return rate.NewLimiter(rate.Inf, 0)
		}
		return rate.NewLimiter(rate.Limit(float64(n)/60), burst)
	}
	e := &endpoint{
		config: c, key: new(wire.Secret(key)), log: log, first: firstWait,
		client:   &http.Client{Transport: connections, CheckRedirect: sameMethod},
		underWay: semaphore.NewWeighted(int64(c.Limits.TotalConcurrency)),
		requests: perMinute(c.Limits.RequestsPerMinute, max(1, c.Limits.RequestsPerMinute/60)),
		tokens:   perMinute(c.Limits.TokensPerMinute, c.Limits.TokensPerMinute),
	}
	e.ask = e.post
	return e
}

// sameMethod follows a redirect unless it would make a GET of a request, whose answer would be another page's.
func sameMethod(next *http.Request, before []*http.Request) error {
	const most = 5
	if next.Method != before[0].Method || len(before) > most {
		return http.ErrUseLastResponse
	}
	return nil
}

// A cellOf is the client of one cell. It bounds how many of the cell's requests are under way at once.
type cellOf struct {
	*endpoint
	mine *semaphore.Weighted
}

// cell returns the client of a cell.
func (e *endpoint) cell() llm.Client {
	return cellOf{e, semaphore.NewWeighted(int64(e.config.Limits.Concurrency))}
}

// Round implements llm.Client. A fault that every other request would meet as well ends the round.
func (e cellOf) Round(ctx context.Context, rs []llm.Request, deliver func(i int, r llm.Result)) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var all sync.WaitGroup
	for i, r := range rs {
		all.Go(func() {
			var a llm.Answer
			err := e.mine.Acquire(ctx, 1)
			if err == nil {
				a, err = e.complete(ctx, r)
				e.mine.Release(1)
			}
			var own *llm.Error
			if cause := context.Cause(ctx); err != nil && cause != nil {
				deliver(i, llm.Result{Err: cause, Skipped: true})
				return
			}
			if errors.As(err, &own) && hopeless(own.Fault) {
				cancel(err)
			}
			deliver(i, llm.Result{Answer: a, Err: err})
		})
	}
	all.Wait()
}

// complete asks until there is an answer, a fault that does not pass, or no try left.
func (e *endpoint) complete(ctx context.Context, r llm.Request) (a llm.Answer, err error) {
	failures, err := e.retry(ctx, r.ID, e.config.Limits.Tries, func() error {
		a, err = e.try(ctx, r)
		return err
	})
	if err != nil {
		return llm.Answer{}, err
	}
	a.Failures, a.Usage = failures, a.Usage.Plus(llm.Paid(failures...))
	return a, nil
}

// retry does something until it succeeds, has trouble that does not pass, or has no try left. After try n it waits
// firstWait·2^(n-1), at most mostWait, of which up to a random half is taken off; or as long as the endpoint
// asked for, if that is longer. One that asks for more than longestWait is out of its quota. It returns what failed.
func (e *endpoint) retry(ctx context.Context, what string, tries int, do func() error) (failures []llm.Failure, err error) {
	for wait := e.first; ; wait = min(2*wait, mostWait) {
		err := do()
		var trouble *llm.Error
		if !errors.As(err, &trouble) || ctx.Err() != nil { // which may be another request's
			return failures, err
		}
		trouble.Earlier = failures
		if !passes(trouble.Fault) || len(failures)+1 >= tries {
			return failures, trouble
		}
		if after := trouble.RetryAfter; after > longestWait {
			const hint = "the endpoint asks to come back in %s; run the same command again to resume"
			trouble.Hint = fmt.Sprintf(hint, after.Round(time.Second))
			return failures, trouble
		}
		failures = append(failures, trouble.Failure)
		pause := max(wait-rand.N(wait/2+1), trouble.RetryAfter)
		level := slog.LevelDebug
		if e.pace.news(trouble.Fault) { // once for all requests that meet it
			level = slog.LevelWarn
		}
		e.log.Log(ctx, level, "model did not answer", "request", what, "try", len(failures), "of", tries,
			"again_in", pause, "reason", trouble.Message)
		if err := llm.Sleep(ctx, pause); err != nil {
			return failures, err
		}
	}
}

// try asks once, within the limits. The error is an *Error, unless ctx has ended.
func (e *endpoint) try(ctx context.Context, r llm.Request) (llm.Answer, error) {
	if e.underWay.Acquire(ctx, 1) != nil {
		return llm.Answer{}, context.Cause(ctx)
	}
	defer e.underWay.Release(1)
	if err := llm.Sleep(ctx, e.requests.Reserve().Delay()); err != nil {
		return llm.Answer{}, err
	}
	tokens := min(int(r.InputTokens())+r.MaxTokens, e.tokens.Burst())
	if err := llm.Sleep(ctx, e.tokens.ReserveN(time.Now(), tokens).Delay()); err != nil {
		return llm.Answer{}, err
	}
	if err := e.pace.wait(ctx); err != nil {
		return llm.Answer{}, err
	}
	a, err := e.ask(ctx, r)
	var refusal *wire.Refusal
	if errors.As(err, &refusal) {
		e.pace.hold(refusal.RetryAfter)
		if outcome := refusal.Outcome(e.larger(r)); outcome != "" {
			a, err = llm.Answer{Outcome: outcome, Detail: e.key.Message(refusal.Message), Usage: a.Usage, WallMs: a.WallMs}, nil
		}
	}
	switch {
	case err == nil:
		e.pace.answered()
		e.note(r, a)
		return a, nil
	case ctx.Err() != nil:
		return llm.Answer{}, context.Cause(ctx)
	}
	trouble := e.trouble(r, err)
	if a.Usage.Tokens() > 0 {
		trouble.Usage = &a.Usage
	}
	return llm.Answer{}, trouble
}

// trouble says what an error of the endpoint means for a request, without keys.
func (e *endpoint) trouble(r llm.Request, err error) *llm.Error {
	out := fault(e.config, r, err)
	out.Message = e.key.Message(out.Message)
	return out
}

// larger reports a request of some size that is larger than all that were answered before with the same
// settings: if it is refused, then most likely for that.
func (e *endpoint) larger(r llm.Request) bool {
	const some = 4000 // tokens; the smallest windows of models in use have 4,096
	answered, ok := e.sizes.Load([2]string{r.Stage, r.Model})
	return ok && r.InputTokens() > max(some, answered.(int64))
}

// note remembers how large a request could be. It warns of the key in an answer, and once of answers that are cut
// off before they begin.
func (e *endpoint) note(r llm.Request, a llm.Answer) {
	kind := [2]string{r.Stage, r.Model}
	if answered, ok := e.sizes.Load(kind); a.Outcome != llm.ContextLength && (!ok || r.InputTokens() > answered.(int64)) {
		e.sizes.Store(kind, r.InputTokens())
	}
	if e.key.In(a.Text) {
		e.log.Warn("an answer holds the API key, and is kept as it came: do not publish it", "request", r.ID)
	}
	if a.Outcome != llm.Truncated || a.Detail != wire.OnlyThoughts {
		return
	}
	if _, before := e.warned.LoadOrStore(kind, true); !before {
		e.log.Warn(wire.OnlyThoughts+": raise llm.max_tokens, or lower llm.reasoning_effort", "stage", r.Stage,
			"model", r.Model, "request", r.ID, "tokens", a.Usage.OutputTokens)
	}
}

// formOf is the form in which the endpoint wants a model's requests, as far as that is known.
func (e *endpoint) formOf(model string) wire.Form {
	if known, ok := e.forms.Load(model); ok {
		return known.(wire.Form)
	}
	return wire.FormOf(e.config)
}

// post sends a request and reads its answer, in the form that the endpoint wants. Where it refuses that, and
// names what it does not take, the request is sent again without, and so are the model's later ones.
func (e *endpoint) post(ctx context.Context, r llm.Request) (llm.Answer, error) {
	for f := e.formOf(r.Model); ; {
		stream := f.Streams(r)
		body, err := f.Body(r, stream)
		if err != nil {
			return llm.Answer{}, err
		}
		a, err := e.send(ctx, r, body, stream)
		var refusal *wire.Refusal
		if !errors.As(err, &refusal) {
			return a, err
		}
		next := f.After(refusal, body)
		if next == f {
			return a, err
		}
		e.forms.Store(r.Model, next)
		e.log.Info("endpoint wants another form of request", "model", r.Model, "stream", !next.Whole,
			"stream_options", !next.NoUsage, "max_tokens_name", next.Limit, "reason", e.key.Message(refusal.Message))
		f = next
	}
}

// send is post in one form. It ends where nothing came for the idle timeout, and where more came than an answer
// may have. An answer that is not streamed gives no sign of life before it is complete. With an error comes what
// was paid.
func (e *endpoint) send(ctx context.Context, r llm.Request, body []byte, stream bool) (llm.Answer, error) {
	start := time.Now()
	ctx, end := context.WithTimeoutCause(ctx, e.config.Limits.RequestTimeout, errRequestTimeout)
	defer end()
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	alive := func() {}
	if stream || len(r.Texts) > 0 {
		idle := time.AfterFunc(e.config.Limits.IdleTimeout, func() { cancel(errStalled) })
		defer idle.Stop()
		alive = func() { idle.Reset(e.config.Limits.IdleTimeout) }
	}
	a, err := e.exchange(ctx, r, body, stream, alive)
	a.WallMs = float64(time.Since(start)) / float64(time.Millisecond)
	if cause := context.Cause(ctx); err != nil && cause != nil {
		err = cause
	}
	return a, err
}

// A pulse is an answer's body that calls alive when something has come.
type pulse struct {
	io.ReadCloser
	alive func()
}

func (p pulse) Read(b []byte) (int, error) {
	n, err := p.ReadCloser.Read(b)
	p.alive()
	return n, err
}

// exchange is send within its timeouts.
func (e *endpoint) exchange(ctx context.Context, r llm.Request, body []byte, stream bool, alive func()) (llm.Answer, error) {
	call, err := wire.Call(ctx, e.config.BaseURL, *e.key, r, body)
	if err != nil {
		return llm.Answer{}, err
	}
	resp, err := e.do(call, r.InputTokens()+int64(r.MaxTokens))
	if err != nil {
		return llm.Answer{}, err
	}
	defer resp.Body.Close()
	alive()
	resp.Body = pulse{resp.Body, alive}
	raw := r.Body != nil && stream == wire.Streams(r) // a program from outside gets the answer as it came
	return wire.Read(resp, r, e.config.Limits.MaxAnswerBytes, raw)
}

// do makes a call, which costs so many tokens. An answer with another status than 200 is a *wire.Refusal.
func (e *endpoint) do(call *http.Request, tokens int64) (*http.Response, error) {
	resp, err := e.client.Do(call)
	if err != nil {
		return nil, err
	}
	e.pace.heed(resp.Header, tokens)
	if resp.StatusCode == http.StatusOK {
		return resp, nil
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(io.LimitReader(resp.Body, 1<<20))
	if err != nil {
		return nil, err
	}
	return nil, wire.RefusedBy(resp.StatusCode, resp.Header, text)
}

// check implements llm.Provider: it asks once, and again where the first time's trouble may pass at once.
func (e *endpoint) check(ctx context.Context, r llm.Request) (paid llm.Usage, whole bool, err error) {
	a, err := e.try(ctx, r)
	var trouble *llm.Error
	again := []llm.Fault{llm.FaultRate, llm.FaultServer, llm.FaultCut, llm.FaultMalformed}
	if errors.As(err, &trouble) && slices.Contains(again, trouble.Fault) && trouble.RetryAfter <= mostWait {
		paid = llm.Paid(trouble.Failure)
		if err = llm.Sleep(ctx, max(e.first, trouble.RetryAfter)); err == nil {
			a, err = e.try(ctx, r)
		}
	}
	if errors.As(err, &trouble) {
		paid = paid.Plus(llm.Paid(trouble.Failure))
	}
	return paid.Plus(a.Usage), e.formOf(r.Model).Whole && !wire.FormOf(e.config).Whole, err
}
