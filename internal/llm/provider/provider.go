// Package provider opens the access to models that an experiment's llm block asks for: an endpoint with the interface
// of OpenAI, asked within its limits and as often as is useful, a directory that anybody answers (package batch), or the
// answers of an earlier run.
package provider

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math"
	"math/rand/v2"
	"mime"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/tidwall/gjson"
	"golang.org/x/sync/errgroup"
	"golang.org/x/sync/semaphore"
	"golang.org/x/time/rate"

	"github.com/lisa-bench/lisa-bench/internal/llm"
	"github.com/lisa-bench/lisa-bench/internal/llm/batch"
	"github.com/lisa-bench/lisa-bench/internal/llm/wire"
)

// Open checks the configuration and returns the access to its models; nothing is sent. getenv reads the
// variable with the key. A missing key is an *llm.Error; a replay without a directory of recordings is an error
// too.
func Open(c llm.Config, getenv func(string) string, log *slog.Logger) (*llm.Models, error) {
	c = c.WithDefaults()
	switch c.Provider {
	case llm.ProviderReplay:
		return llm.NewModels(c, llm.Provider{})
	case llm.ProviderBatch:
		return llm.NewModels(c, llm.Provider{Waits: true, Client: func(cell string, c llm.Config) (llm.Client, error) {
			return batch.Open(c, cell, log)
		}})
	}
	var key string
	if c.APIKeyEnv != "" {
		if key = strings.TrimSpace(getenv(c.APIKeyEnv)); key == "" {
			message := fmt.Sprintf("no API key for %s: the variable %s is not set", c.BaseURL, c.APIKeyEnv)
			return nil, &llm.Error{Fault: llm.FaultKey, Message: message, Hint: "set it, or name another variable in llm.api_key_env"}
		}
	}
	return newEndpoint(c, key, log).models()
}

// models is a run's access to the endpoint.
func (e *endpoint) models() (*llm.Models, error) {
	client := func(string, llm.Config) (llm.Client, error) { return e, nil }
	return llm.NewModels(e.config, llm.Provider{Client: client, Check: e.check})
}

// Scripted returns a model that a function answers, for checks of tools. It is called for one request of a round
// after the other, and costs a dollar for a million tokens. An answer that is an object with tool_calls, as the API
// has them, is these calls.
func Scripted(answer func(messages []llm.Message) string) *llm.Models {
	const name = "scripted"
	c := llm.Config{Settings: llm.Settings{Model: name}, Prices: []llm.Price{{Model: name, Input: new(1.0), Output: new(1.0)}}}
	m, _ := llm.NewModels(c, llm.Provider{Client: func(string, llm.Config) (llm.Client, error) { return scripted(answer), nil }})
	return m
}

type scripted func(messages []llm.Message) string

// Round implements llm.Client.
func (s scripted) Round(ctx context.Context, rs []llm.Request, deliver func(i int, r llm.Result)) {
	for i, r := range rs {
		text := make(chan string, 1)
		go func() { text <- s(wire.Whole(r).Messages) }()
		select {
		case words := <-text:
			var calls gjson.Result
			if strings.HasPrefix(words, `{"tool_calls":`) && gjson.Valid(words) {
				words, calls = "", gjson.Get(words, "tool_calls")
			}
			answer, err := wire.ReadShort(words, calls, r, math.MaxInt)
			deliver(i, llm.Result{Answer: answer, Err: err})
		case <-ctx.Done():
			deliver(i, llm.Result{Err: context.Cause(ctx)})
		}
	}
}

// The waits between tries: the first, the longest, and the longest that an endpoint can ask for.
const (
	firstWait   = time.Second
	mostWait    = time.Minute
	longestWait = 15 * time.Minute
)

// An endpoint is an OpenAI-compatible API. One serves all cells of a run, which keep its limits together.
type endpoint struct {
	config llm.Config // with its defaults
	key    string
	client *http.Client
	log    *slog.Logger
	first  time.Duration                                          // wait between two tries
	ask    func(context.Context, llm.Request) (llm.Answer, error) // one try; an error is not classified yet
	warned sync.Map                                               // what was told

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
		config: c, key: key, log: log, first: firstWait,
		client:   &http.Client{Transport: connections, CheckRedirect: sameMethod},
		underWay: semaphore.NewWeighted(int64(c.Limits.TotalConcurrency)),
		requests: perMinute(c.Limits.RequestsPerMinute, max(1, c.Limits.RequestsPerMinute/60)),
		tokens:   perMinute(c.Limits.TokensPerMinute, c.Limits.TokensPerMinute),
	}
	e.ask = e.post
	return e
}

// Format hides the key.
func (e *endpoint) Format(f fmt.State, _ rune) { fmt.Fprint(f, e.config.BaseURL) }

// sameMethod follows a redirect unless it would make a GET of a request, whose answer would be another page's.
func sameMethod(next *http.Request, before []*http.Request) error {
	const most = 5
	if next.Method != before[0].Method || len(before) > most {
		return http.ErrUseLastResponse
	}
	return nil
}

// Round implements llm.Client. A fault that every other request would meet as well ends the round.
func (e *endpoint) Round(ctx context.Context, rs []llm.Request, deliver func(i int, r llm.Result)) {
	all, ctx := errgroup.WithContext(ctx)
	all.SetLimit(e.config.Limits.Concurrency)
	for i, r := range rs {
		all.Go(func() error {
			a, err := e.complete(ctx, r, e.config.Limits.Tries)
			if cause := context.Cause(ctx); err != nil && cause != nil {
				err = cause
			}
			deliver(i, llm.Result{Answer: a, Err: err})
			var own *llm.Error
			if errors.As(err, &own) && (own.Fault == llm.FaultUnreachable || final(own) && own.Fault != llm.FaultRequest) {
				return err
			}
			return nil
		})
	}
	_ = all.Wait() // each request has its result
}

// final reports trouble that does not pass, so that the request is not tried again.
func final(e *llm.Error) bool {
	faults := []llm.Fault{llm.FaultKey, llm.FaultQuota, llm.FaultModel, llm.FaultRequest, llm.FaultContentType}
	return slices.Contains(faults, e.Fault)
}

// complete asks until there is an answer, a fault that does not pass, or no try left. After try n it waits
// firstWait·2^(n-1), at most mostWait, of which up to a random half is taken off; or as long as the endpoint
// asked for, if that is longer. One that asks for more than longestWait is out of its quota.
func (e *endpoint) complete(ctx context.Context, r llm.Request, tries int) (llm.Answer, error) {
	wait := e.first
	for n := 1; ; n++ {
		a, err := e.try(ctx, r)
		var trouble *llm.Error
		if !errors.As(err, &trouble) || ctx.Err() != nil { // which may be another request's
			return a, err
		}
		trouble.Tries = n
		if final(trouble) || n == tries {
			return a, trouble
		}
		if after := trouble.RetryAfter; after > longestWait {
			const hint = "the endpoint asks to come back in %s; run the same command again to resume"
			trouble.Hint = fmt.Sprintf(hint, after.Round(time.Second))
			return a, trouble
		}
		pause := max(wait-rand.N(wait/2+1), trouble.RetryAfter)
		e.once(trouble.Fault, "model did not answer", "request", r.ID, "try", n, "of", tries, "again_in", pause, "reason", trouble.Message)
		if err := llm.Sleep(ctx, pause); err != nil {
			return a, err
		}
		wait = min(2*wait, mostWait)
	}
}

// once warns the first time that it is called for something.
func (e *endpoint) once(about any, message string, args ...any) {
	if _, told := e.warned.LoadOrStore(about, true); !told {
		e.log.Warn(message, args...)
	}
}

// try asks once, within the limits. The error is an *Error, unless ctx has ended.
func (e *endpoint) try(ctx context.Context, r llm.Request) (llm.Answer, error) {
	if e.underWay.Acquire(ctx, 1) != nil {
		return llm.Answer{}, context.Cause(ctx)
	}
	defer e.underWay.Release(1)
	tokens := min(int(r.InputTokens())+r.MaxTokens, e.tokens.Burst())
	delay := max(e.requests.Reserve().Delay(), e.tokens.ReserveN(time.Now(), tokens).Delay())
	if err := llm.Sleep(ctx, delay); err != nil {
		return llm.Answer{}, err
	}
	within, end := context.WithTimeout(ctx, e.config.Limits.RequestTimeout)
	defer end()
	start := time.Now()
	a, err := e.ask(within, r)
	a.WallMs = float64(time.Since(start)) / float64(time.Millisecond)
	var refusal *wire.Refusal
	if errors.As(err, &refusal) {
		if outcome := refusal.Outcome(); outcome != "" {
			return llm.Answer{Outcome: outcome, Detail: wire.Mask(refusal.Message, e.key), WallMs: a.WallMs}, nil
		}
	}
	switch {
	case ctx.Err() != nil:
		return llm.Answer{}, context.Cause(ctx)
	case err != nil:
		return llm.Answer{}, e.trouble(r, err, within.Err() != nil)
	case a.Detail == wire.OnlyThoughts:
		e.once(r.Stage+" "+r.Model, wire.OnlyThoughts+": raise llm.max_tokens, or lower llm.reasoning_effort", "stage", r.Stage,
			"model", r.Model, "request", r.ID, "tokens", a.Usage.OutputTokens)
	}
	return a, nil
}

// post sends a request and reads its answer.
func (e *endpoint) post(ctx context.Context, r llm.Request) (llm.Answer, error) {
	body, err := wire.Body(r, e.config.MaxTokensName)
	if err != nil {
		return llm.Answer{}, err
	}
	call, err := wire.Call(ctx, e.config.BaseURL, e.key, r, body)
	if err != nil {
		return llm.Answer{}, err
	}
	resp, err := e.client.Do(call)
	if err != nil {
		return llm.Answer{}, err
	}
	defer resp.Body.Close()
	most := 1<<20 + 64*int64(e.config.Limits.MaxAnswerBytes) // a stream wraps each token, of some four bytes, in 250 bytes
	text, err := io.ReadAll(io.LimitReader(resp.Body, most))
	start := bytes.TrimLeft(text, "\uFEFF \t\r\n")
	switch {
	case resp.StatusCode != http.StatusOK:
		return llm.Answer{}, wire.RefusedBy(resp.StatusCode, resp.Header, text)
	case err != nil:
		return llm.Answer{}, err
	case int64(len(text)) == most:
		return llm.Answer{Outcome: llm.TooLong, Usage: llm.Usage{InputTokens: r.InputTokens(), OutputTokens: llm.TokensOf(len(text)), Estimated: true}}, nil
	case len(start) == 0:
		return llm.Answer{}, io.ErrUnexpectedEOF
	case start[0] != '{' && start[0] != '[' && !wire.Streamed(start):
		kind, _, _ := mime.ParseMediaType(resp.Header.Get("Content-Type"))
		return llm.Answer{}, &llm.Error{Fault: llm.FaultContentType, Hint: wire.CheckAddress,
			Message: fmt.Sprintf("%s answered with %q, which is no model's answer: %.100s", call.URL.Redacted(), kind, text)}
	}
	read := wire.Read
	if wire.Streamed(start) {
		read = wire.ReadStream
	}
	a, err := read(start, r, e.config.Limits.MaxAnswerBytes)
	if r.Body != nil {
		a.Raw = strings.ToValidUTF8(string(start), "\uFFFD") // a program from outside gets the answer as it came
	}
	return a, err
}

// trouble says what is wrong with the endpoint when a try for a request failed, and what to do. It holds no key.
func (e *endpoint) trouble(r llm.Request, err error, late bool) *llm.Error {
	inner := err // the outer ones repeat the address
	for next := errors.Unwrap(inner); next != nil; next = errors.Unwrap(inner) {
		inner = next
	}
	out := &llm.Error{Fault: llm.FaultCut, Message: fmt.Sprintf("%s: the connection broke: %v", e.config.BaseURL, inner)}
	say := func(f llm.Fault, hint, format string, args ...any) {
		out = &llm.Error{Fault: f, Hint: hint, Message: e.config.BaseURL + fmt.Sprintf(format, args...)}
	}
	var refusal *wire.Refusal
	var malformed wire.MalformedError
	var network net.Error
	var op *net.OpError
	switch {
	case errors.As(err, &out):
	case errors.As(err, &refusal):
		out = refusal.Trouble(e.config.BaseURL, r)
	case late:
		say(llm.FaultTimeout, "raise llm.limits.request_timeout if answers take longer than that", ": no answer within %s", e.config.Limits.RequestTimeout)
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF):
		say(llm.FaultCut, "", ": the connection ended before the answer did")
	case errors.As(err, &malformed):
		say(llm.FaultMalformed, "", ": the answer is malformed: %v", err)
	case errors.As(err, &network) && !(errors.As(err, &op) && op.Op != "dial"):
		say(llm.FaultUnreachable, "check llm.base_url and the network; run the same command again to resume", ": cannot be reached: %v", inner)
	}
	out.Message = wire.Mask(out.Message, e.key)
	return out
}

// check implements llm.Provider: it asks once, and again where the first time's trouble may pass at once.
func (e *endpoint) check(ctx context.Context, r llm.Request) (llm.Answer, error) {
	a, err := e.complete(ctx, r, 1)
	var trouble *llm.Error
	if errors.As(err, &trouble) && (trouble.Fault == llm.FaultRate || trouble.Fault == llm.FaultServer) && trouble.RetryAfter <= mostWait {
		if err = llm.Sleep(ctx, max(e.first, trouble.RetryAfter)); err == nil {
			a, err = e.complete(ctx, r, 1)
		}
	}
	return a, err
}
