package llm

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"mime"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"

	"golang.org/x/sync/semaphore"
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
	forms  sync.Map                                       // of requests, by model, where the endpoint asked for another
	sizes  sync.Map                                       // of the largest request that was answered, by stage and model
	warned sync.Map                                       // of answers without more than reasoning, by stage and model

	pace     pace
	underWay *semaphore.Weighted // requests of all cells
	requests *rate.Limiter
	tokens   *rate.Limiter
}

// newEndpoint returns the endpoint of a configuration. Requests may come in a burst of what one second allows,
// tokens in a burst of a minute's, for a single request can be that large.
func newEndpoint(c Config, key string, log *slog.Logger) *endpoint {
	connections := http.DefaultTransport.(*http.Transport).Clone()
	connections.MaxIdleConnsPerHost = c.Limits.TotalConcurrency
	perMinute := func(n, burst int) *rate.Limiter {
		if n == 0 {
			return rate.NewLimiter(rate.Inf, 0)
		}
		return rate.NewLimiter(rate.Limit(float64(n)/60), burst)
	}
	e := &endpoint{
		config: c, key: new(secret(key)), log: log, first: firstWait,
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
func (e *endpoint) cell() client {
	return cellOf{e, semaphore.NewWeighted(int64(e.config.Limits.Concurrency))}
}

// round implements client. A fault that every other request would meet as well ends the round.
func (e cellOf) round(ctx context.Context, rs []Request, deliver func(i int, r Result)) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var all sync.WaitGroup
	for i, r := range rs {
		all.Go(func() {
			var a Answer
			err := e.mine.Acquire(ctx, 1)
			if err == nil {
				a, err = e.complete(ctx, r)
				e.mine.Release(1)
			}
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

// complete asks until there is an answer, a fault that does not pass, or no try left.
func (e *endpoint) complete(ctx context.Context, r Request) (a Answer, err error) {
	failures, err := e.retry(ctx, r.ID, e.config.Limits.Tries, func() error {
		a, err = e.try(ctx, r)
		return err
	})
	if err != nil {
		return Answer{}, err
	}
	a.Failures, a.Usage = failures, a.Usage.plus(paid(failures...))
	return a, nil
}

// retry does something until it succeeds, has trouble that does not pass, or has no try left. After try n it waits
// firstWait·2^(n-1), at most mostWait, of which up to a random half is taken off; or as long as the endpoint
// asked for, if that is longer. One that asks for more than longestWait is out of its quota. It returns what failed.
func (e *endpoint) retry(ctx context.Context, what string, tries int, do func() error) (failures []Failure, err error) {
	for wait := e.first; ; wait = min(2*wait, mostWait) {
		err := do()
		var trouble *Error
		if !errors.As(err, &trouble) || ctx.Err() != nil { // which may be another request's
			return failures, err
		}
		trouble.Earlier = failures
		if !trouble.Fault.passes() || len(failures)+1 >= tries {
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
		if err := sleep(ctx, pause); err != nil {
			return failures, err
		}
	}
}

// try asks once, within the limits. The error is an *Error, unless ctx has ended.
func (e *endpoint) try(ctx context.Context, r Request) (Answer, error) {
	if e.underWay.Acquire(ctx, 1) != nil {
		return Answer{}, context.Cause(ctx)
	}
	defer e.underWay.Release(1)
	if err := sleep(ctx, e.requests.Reserve().Delay()); err != nil {
		return Answer{}, err
	}
	tokens := min(int(r.InputTokens())+r.MaxTokens, e.tokens.Burst())
	if err := sleep(ctx, e.tokens.ReserveN(time.Now(), tokens).Delay()); err != nil {
		return Answer{}, err
	}
	if err := e.pace.wait(ctx); err != nil {
		return Answer{}, err
	}
	a, err := e.ask(ctx, r)
	var refusal *refused
	if errors.As(err, &refusal) {
		e.pace.hold(refusal.after)
		if outcome := refusal.outcome(e.larger(r)); outcome != "" {
			a, err = Answer{Outcome: outcome, Detail: e.key.message(refusal.message), Usage: a.Usage, WallMs: a.WallMs}, nil
		}
	}
	switch {
	case err == nil:
		a.clean()
		e.pace.answered()
		e.note(r, a)
		return a, nil
	case ctx.Err() != nil:
		return Answer{}, context.Cause(ctx)
	}
	trouble := e.trouble(r, err)
	if a.Usage.Tokens() > 0 {
		trouble.Usage = &a.Usage
	}
	return Answer{}, trouble
}

// trouble says what an error of the endpoint means for a request, without keys.
func (e *endpoint) trouble(r Request, err error) *Error {
	out := fault(e.config, r, err)
	out.Message = e.key.message(out.Message)
	var refusal *refused
	if errors.As(err, &refusal) {
		out.RetryAfter = refusal.after
	}
	return out
}

// larger reports a request of some size that is larger than all that were answered before with the same
// settings: if it is refused, then most likely for that.
func (e *endpoint) larger(r Request) bool {
	const some = 4000 // tokens; the smallest windows of models in use have 4,096
	answered, ok := e.sizes.Load([2]string{r.Stage, r.Model})
	return ok && r.InputTokens() > max(some, answered.(int64))
}

// note remembers how large a request could be. It warns of the key in an answer, and once of answers that are cut
// off before they begin.
func (e *endpoint) note(r Request, a Answer) {
	kind := [2]string{r.Stage, r.Model}
	if answered, ok := e.sizes.Load(kind); a.Outcome != ContextLength && (!ok || r.InputTokens() > answered.(int64)) {
		e.sizes.Store(kind, r.InputTokens())
	}
	if e.key.in(a.Text) {
		e.log.Warn("an answer holds the API key, and is kept as it came: do not publish it", "request", r.ID)
	}
	if a.Outcome != Truncated || a.Detail != onlyThoughts {
		return
	}
	if _, before := e.warned.LoadOrStore(kind, true); !before {
		e.log.Warn(onlyThoughts+": raise llm.max_tokens, or lower llm.reasoning_effort", "stage", r.Stage,
			"model", r.Model, "request", r.ID, "tokens", a.Usage.OutputTokens)
	}
}

// formOf is the form in which the endpoint wants a model's requests, as far as that is known.
func (e *endpoint) formOf(model string) form {
	if known, ok := e.forms.Load(model); ok {
		return known.(form)
	}
	return e.config.form()
}

// post sends a request and reads its answer, in the form that the endpoint wants. Where it refuses that, and
// names what it does not take, the request is sent again without, and so are the model's later ones.
func (e *endpoint) post(ctx context.Context, r Request) (Answer, error) {
	for f := e.formOf(r.Model); ; {
		stream := f.streams(r)
		body, err := f.body(r, stream)
		if err != nil {
			return Answer{}, err
		}
		a, err := e.send(ctx, r, body, stream)
		var refusal *refused
		if !errors.As(err, &refusal) {
			return a, err
		}
		next := f.after(refusal, body)
		if next == f {
			return a, err
		}
		e.forms.Store(r.Model, next)
		e.log.Info("endpoint wants another form of request", "model", r.Model, "stream", !next.whole,
			"stream_options", !next.noUsage, "max_tokens_name", next.limit, "reason", e.key.message(refusal.message))
		f = next
	}
}

// send is post in one form. It ends where nothing came for the idle timeout, and where more came than an answer
// may have. An answer that is not streamed gives no sign of life before it is complete. With an error comes what
// was paid.
func (e *endpoint) send(ctx context.Context, r Request, body []byte, stream bool) (Answer, error) {
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

// A pulse is a reader that calls alive when something has come.
type pulse struct {
	io.Reader
	alive func()
}

func (p pulse) Read(b []byte) (int, error) {
	n, err := p.Reader.Read(b)
	p.alive()
	return n, err
}

// exchange is send within its timeouts.
func (e *endpoint) exchange(ctx context.Context, r Request, body []byte, stream bool, alive func()) (Answer, error) {
	resp, err := e.call(ctx, http.MethodPost, pathOf(r), r, body)
	if err != nil {
		return Answer{}, err
	}
	defer resp.Body.Close()
	alive()
	// A stream wraps each token, of some four bytes, in some 250 bytes of JSON.
	most := e.config.Limits.MaxAnswerBytes
	content := &io.LimitedReader{R: pulse{resp.Body, alive}, N: 64<<10 + 64*int64(most)}
	if r.Body == nil || stream != r.Streams() { // else a program from outside gets the answer as it came
		return e.read(bufio.NewReader(content), content, r, resp)
	}
	var raw strings.Builder
	a, err := e.read(bufio.NewReader(io.TeeReader(content, &raw)), content, r, resp)
	a.Raw = raw.String()
	return a, err
}

// call makes one call of the endpoint for a request. An answer with another status than 200 is a *refused.
func (e *endpoint) call(ctx context.Context, method, path string, r Request, body []byte) (*http.Response, error) {
	p := API(path).protocol()
	base := strings.TrimSuffix(strings.TrimRight(e.config.BaseURL, "/"), p.notBelow)
	req, err := http.NewRequestWithContext(ctx, method, base+path, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	req.Header.Set("Content-Type", "application/json")
	for name, value := range r.Header {
		req.Header.Set(name, value)
	}
	if *e.key != "" {
		req.Header.Set(p.keyHeader, p.keyPrefix+string(*e.key))
	}
	resp, err := e.client.Do(req)
	if err != nil {
		return nil, err
	}
	e.pace.heed(resp.Header, r.InputTokens()+int64(r.MaxTokens))
	if resp.StatusCode == http.StatusOK {
		return resp, nil
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(io.LimitReader(resp.Body, 1<<20))
	if err != nil {
		return nil, err
	}
	refusal := refusedBy(resp.StatusCode, text)
	if to := resp.Header.Get("Location"); to != "" {
		refusal.message = "it has moved to " + to
	}
	refusal.after = retryAfter(resp.Header)
	return nil, refusal
}

// noBytes stand before an answer: a byte order mark, and what keeps connections alive.
const noBytes = "\xEF\xBB\xBF \t\r\n"

// streamed is how a stream begins.
var streamed = regexp.MustCompile(`^(:|data:|event:|id:|retry:)`)

// read tells by the first bytes what came, for not every endpoint has the right content type.
func (e *endpoint) read(in *bufio.Reader, content *io.LimitedReader, r Request, resp *http.Response) (Answer, error) {
	most := e.config.Limits.MaxAnswerBytes
	first, err := in.ReadByte()
	for err == nil && strings.IndexByte(noBytes, first) >= 0 {
		first, err = in.ReadByte()
	}
	if err != nil {
		return Answer{}, err
	}
	if err := in.UnreadByte(); err != nil {
		return Answer{}, err
	}
	kind, _, _ := mime.ParseMediaType(resp.Header.Get("Content-Type"))
	if kind == "application/json" || first == '{' || first == '[' {
		text, err := io.ReadAll(in)
		if err != nil {
			return Answer{}, err
		}
		return whole(text, r, most)
	}
	start, _ := in.Peek(len("event:"))
	if len(r.Texts) == 0 && (kind == "text/event-stream" || streamed.Match(start)) {
		return stream(in, content, r, most)
	}
	start, _ = in.Peek(shownBytes)
	words := fmt.Sprintf("%s answered with %q, which is no model's answer: %s", resp.Request.URL.Redacted(), kind, start)
	failure := Failure{Fault: FaultContentType, Status: resp.StatusCode, Message: words}
	return Answer{}, &Error{Failure: failure, Hint: checkAddress}
}

// stream reads server-sent events (html.spec.whatwg.org, "Server-sent events"), each in one line, from a reader
// of content. What breaks after the reason of the answer's end is no matter.
func stream(in *bufio.Reader, content *io.LimitedReader, r Request, most int) (Answer, error) {
	var a reading
	fail := func(err error) (Answer, error) { return Answer{Usage: a.paid(r)}, err }
	for a.text.Len() <= most {
		line, err := in.ReadBytes('\n')
		data, is := bytes.CutPrefix(line, []byte("data:"))
		data = bytes.TrimSpace(data)
		ended, saidSo := a.answer.FinishReason != "", string(data) == "[DONE]"
		switch {
		case saidSo && a.answer.Usage.Tokens() > 0, ended && (saidSo || err != nil), errors.Is(err, io.EOF) && content.N <= 0:
			return a.end(r, most, content.N <= 0)
		case saidSo, errors.Is(err, io.EOF):
			return fail(io.ErrUnexpectedEOF)
		case err != nil:
			return fail(err)
		case !is && !bytes.HasPrefix(line, []byte("{")):
			continue
		}
		if err := a.add(data); err != nil {
			return fail(err)
		}
	}
	return a.end(r, most, true)
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
