package llm

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"mime"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"

	"golang.org/x/time/rate"
)

// The waits between tries: the first, the longest, and the longest that an endpoint can ask for.
const (
	firstWait   = time.Second
	mostWait    = time.Minute
	longestWait = 15 * time.Minute
)

// An endpoint is an OpenAI-compatible API. One serves all cells of a run, which keep its limits together.
type endpoint struct {
	config Config  // with its defaults
	key    *secret // fmt does not follow a pointer in a struct
	client *http.Client
	log    *slog.Logger
	first  time.Duration                                  // wait between two tries
	ask    func(context.Context, Request) (Answer, error) // one try; an error is not classified yet

	underWay chan struct{} // requests
	requests *rate.Limiter
	tokens   *rate.Limiter
}

// newEndpoint returns the endpoint of a configuration. Requests may come in a burst of what one second allows,
// tokens in a burst of a minute's, for a single request can be that large.
func newEndpoint(c Config, key string, log *slog.Logger) *endpoint {
	connections := http.DefaultTransport.(*http.Transport).Clone()
	connections.MaxIdleConnsPerHost = c.Limits.Concurrency
	perMinute := func(n, burst int) *rate.Limiter {
		if n == 0 {
			return rate.NewLimiter(rate.Inf, 0)
		}
		return rate.NewLimiter(rate.Limit(float64(n)/60), burst)
	}
	e := &endpoint{
		config: c, key: new(secret(key)), client: &http.Client{Transport: connections}, log: log, first: firstWait,
		underWay: make(chan struct{}, c.Limits.Concurrency),
		requests: perMinute(c.Limits.RequestsPerMinute, max(1, c.Limits.RequestsPerMinute/60)),
		tokens:   perMinute(c.Limits.TokensPerMinute, c.Limits.TokensPerMinute),
	}
	e.ask = e.post
	return e
}

// round implements client. A fault that every other request would meet as well ends the round.
func (e *endpoint) round(ctx context.Context, rs []Request, deliver func(i int, r Result)) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var all sync.WaitGroup
	for i, r := range rs {
		all.Go(func() {
			a, err := e.complete(ctx, r)
			var own *Error
			if cause := context.Cause(ctx); err != nil && cause != nil {
				deliver(i, Result{Err: cause, skipped: true})
				return
			}
			if errors.As(err, &own) && own.Fault.hopeless() {
				cancel(err)
			}
			deliver(i, Result{Answer: a, Err: err})
		})
	}
	all.Wait()
}

// complete asks until there is an answer, a fault that does not pass, or no try left. After try n it waits
// firstWait·2^(n-1), at most mostWait, of which up to a random half is taken off; or as long as the endpoint
// asked for, if that is longer. One that asks for more than longestWait is out of its quota.
func (e *endpoint) complete(ctx context.Context, r Request) (Answer, error) {
	var failures []Failure
	for wait := e.first; ; wait = min(2*wait, mostWait) {
		a, err := e.try(ctx, r)
		if err == nil {
			a.Failures = failures
			return a, nil
		}
		var trouble *Error
		if !errors.As(err, &trouble) {
			return Answer{}, err
		}
		trouble.Earlier = failures
		tries := len(failures) + 1
		if !trouble.Fault.passes() || tries >= e.config.Limits.Tries {
			return Answer{}, trouble
		}
		if after := trouble.RetryAfter; after > longestWait {
			const hint = "the endpoint asks to come back in %s; run the same command again to resume"
			trouble.Hint = fmt.Sprintf(hint, after.Round(time.Second))
			return Answer{}, trouble
		}
		failures = append(failures, trouble.Failure)
		pause := max(wait-rand.N(wait/2+1), trouble.RetryAfter)
		e.log.Warn("model did not answer", "request", r.ID, "try", tries, "of", e.config.Limits.Tries,
			"again_in", pause, "reason", trouble.Message)
		if err := sleep(ctx, pause); err != nil {
			return Answer{}, err
		}
	}
}

// try asks once, within the limits. The error is an *Error, unless ctx has ended.
func (e *endpoint) try(ctx context.Context, r Request) (Answer, error) {
	select {
	case e.underWay <- struct{}{}:
		defer func() { <-e.underWay }()
	case <-ctx.Done():
		return Answer{}, context.Cause(ctx)
	}
	if err := sleep(ctx, e.requests.Reserve().Delay()); err != nil {
		return Answer{}, err
	}
	tokens := min(int(r.inputTokens())+r.MaxTokens, e.tokens.Burst())
	if err := sleep(ctx, e.tokens.ReserveN(time.Now(), tokens).Delay()); err != nil {
		return Answer{}, err
	}
	a, err := e.ask(ctx, r)
	var refusal *refused
	if errors.As(err, &refusal) {
		if outcome, ok := refusal.outcome(); ok {
			outcome.WallMs = a.WallMs
			a, err = outcome, nil
		}
	}
	switch {
	case err == nil:
		a.clean(*e.key)
		return a, nil
	case ctx.Err() != nil:
		return Answer{}, context.Cause(ctx)
	}
	trouble := fault(e.config, r, err)
	trouble.Message = e.key.message(trouble.Message)
	if refusal != nil {
		trouble.RetryAfter = refusal.after
	}
	return Answer{}, trouble
}

// post sends a request and reads its answer. It ends where nothing came for the idle timeout, and where more
// came than an answer may have.
func (e *endpoint) post(ctx context.Context, r Request) (Answer, error) {
	start := time.Now()
	ctx, end := context.WithTimeoutCause(ctx, e.config.Limits.RequestTimeout, errRequestTimeout)
	defer end()
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	idle := time.AfterFunc(e.config.Limits.IdleTimeout, func() { cancel(errStalled) })
	defer idle.Stop()
	a, err := e.exchange(ctx, r, func() { idle.Reset(e.config.Limits.IdleTimeout) })
	a.WallMs = float64(time.Since(start)) / float64(time.Millisecond)
	if cause := context.Cause(ctx); err != nil && cause != nil {
		err = cause
	}
	return a, err
}

// exchange is post within its timeouts; alive is called when something has come.
func (e *endpoint) exchange(ctx context.Context, r Request, alive func()) (Answer, error) {
	path, b, most := pathOf(r), bodyOf(r), e.config.Limits.MaxAnswerBytes
	if path == chatPath {
		b.Stream, b.StreamOptions = true, &streamOf{IncludeUsage: true}
	}
	data, err := encode(b)
	if err != nil {
		return Answer{}, err
	}
	url := strings.TrimRight(e.config.BaseURL, "/") + path
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, url, bytes.NewReader(data))
	if err != nil {
		return Answer{}, err
	}
	req.Header.Set("Content-Type", "application/json")
	if *e.key != "" {
		req.Header.Set("Authorization", "Bearer "+string(*e.key))
	}
	resp, err := e.client.Do(req)
	if err != nil {
		return Answer{}, err
	}
	defer resp.Body.Close()
	alive()
	// A stream wraps each token, of some four bytes, in some 250 bytes of JSON.
	content := &io.LimitedReader{R: resp.Body, N: 64<<10 + 64*int64(most)}
	kind, _, _ := mime.ParseMediaType(resp.Header.Get("Content-Type")) // none is one of no API
	switch failed := resp.StatusCode != http.StatusOK; {
	case !failed && kind == "text/event-stream" && path == chatPath:
		return stream(content, r, most, alive)
	case !failed && kind != "application/json":
		words := fmt.Sprintf("%s answered with %q, which is no model's answer", req.URL.Redacted(), kind)
		return Answer{}, &Error{Failure: Failure{FaultContentType, resp.StatusCode, words}, Hint: checkAddress}
	}
	text, err := io.ReadAll(content)
	switch {
	case err != nil:
		return Answer{}, err
	case resp.StatusCode != http.StatusOK:
		refusal := refusedBy(resp.StatusCode, text)
		refusal.after = retryAfter(resp.Header)
		return Answer{}, refusal
	}
	return whole(text, r, most)
}

// refusedBy reads what came instead of an answer.
func refusedBy(status int, text []byte) *refused {
	var p response
	if err := json.Unmarshal(text, &p); err == nil && p.Error != nil {
		return p.Error.refusal(status)
	}
	return &refused{status: status, message: string(text)}
}

// stream reads server-sent events (html.spec.whatwg.org, "Server-sent events"), each in one line.
func stream(content *io.LimitedReader, r Request, most int, alive func()) (Answer, error) {
	var a reading
	lines := bufio.NewReader(content)
	for a.text.Len() <= most {
		line, err := lines.ReadBytes('\n')
		data, is := bytes.CutPrefix(line, []byte("data:"))
		data = bytes.TrimSpace(data)
		done := errors.Is(err, io.EOF) || string(data) == "[DONE]"
		switch {
		case err != nil && !done:
			return Answer{}, err
		case done && content.N > 0 && a.answer.FinishReason == "":
			return Answer{}, io.ErrUnexpectedEOF
		case done:
			return a.end(r, most, content.N <= 0), nil
		}
		alive()
		if !is {
			continue
		}
		var p response
		if err := json.Unmarshal(data, &p); err != nil {
			return Answer{}, err
		}
		if p.Error != nil {
			return Answer{}, p.Error.refusal(0)
		}
		a.add(p)
	}
	return a.end(r, most, true), nil
}

// retryAfter reads the header of RFC 9110, section 10.2.3: seconds or a date. OpenAI's
// retry-after-ms is more exact and goes first. 0 if there is none.
func retryAfter(h http.Header) time.Duration {
	for _, unit := range []struct {
		header string
		each   time.Duration
	}{{"Retry-After-Ms", time.Millisecond}, {"Retry-After", time.Second}} {
		n, err := strconv.ParseFloat(h.Get(unit.header), 64)
		if n *= float64(unit.each); err == nil && n > 0 && n < float64(1000*time.Hour) {
			return time.Duration(n)
		}
	}
	at, err := http.ParseTime(h.Get("Retry-After"))
	if err != nil {
		return 0
	}
	return max(0, time.Until(at))
}

// sleep waits, unless ctx ends before.
func sleep(ctx context.Context, d time.Duration) error {
	if d <= 0 {
		return context.Cause(ctx)
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}
