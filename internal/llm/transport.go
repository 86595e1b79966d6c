package llm

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"strconv"
	"strings"
	"time"

	openai "github.com/sashabaranov/go-openai"
)

// errStalled and errTooLong end a response's body early.
var (
	errStalled = errors.New("nothing came for the idle timeout")
	errTooLong = errors.New("more came than an answer may have")
)

// smallestTemperature is what go-openai puts for the temperature 0, which it would leave out.
var smallestTemperature, zeroTemperature = []byte(`"temperature":1e-45`), []byte(`"temperature":0`)

// withZeroTemperature mends a request's body. The pattern cannot be part of a text, where
// quotes are escaped.
func withZeroTemperature(body []byte) []byte {
	return bytes.Replace(body, smallestTemperature, zeroTemperature, 1)
}

// A transport is what go-openai sends its requests through. It watches over the bytes: their
// content type, their number, and how long none came.
type transport struct {
	client *http.Client
	idle   time.Duration
	now    func() time.Time
}

// reply is what a transport tells about a response beside its body. Each request has its own.
type reply struct {
	retryAfter time.Duration
	maxBytes   int64
}

type replyKey struct{}

// Do implements openai.HTTPDoer.
func (t *transport) Do(req *http.Request) (*http.Response, error) {
	about, _ := req.Context().Value(replyKey{}).(*reply)
	if req.Body != nil {
		body, err := io.ReadAll(req.Body)
		if err != nil {
			return nil, err
		}
		body = withZeroTemperature(body)
		req.Body, req.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
		req.GetBody = func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(body)), nil }
	}
	ctx, cancel := context.WithCancelCause(req.Context())
	watch := time.AfterFunc(t.idle, func() { cancel(errStalled) })
	resp, err := t.client.Do(req.WithContext(ctx))
	if err != nil {
		watch.Stop()
		err = causeOf(ctx, err)
		cancel(nil)
		return nil, err
	}
	resp.Body = &watchedBody{ReadCloser: resp.Body, ctx: ctx, cancel: cancel, watch: watch, idle: t.idle, left: about.maxBytes}
	if resp.StatusCode != http.StatusOK {
		about.retryAfter = retryAfter(resp.Header, t.now())
		return resp, nil
	}
	if err := t.admit(req, resp); err != nil {
		resp.Body.Close()
		return nil, err
	}
	return resp, nil
}

// admit refuses what is no API's answer, and makes a stream of an answer that came whole
// because the endpoint does not stream.
func (t *transport) admit(req *http.Request, resp *http.Response) error {
	kind, _, _ := mime.ParseMediaType(resp.Header.Get("Content-Type"))
	streaming := req.Header.Get("Accept") == "text/event-stream"
	switch {
	case kind == "text/event-stream" && streaming, kind == "application/json" && !streaming:
		return nil
	case kind == "application/json":
		return unstream(resp)
	}
	return &Error{
		Failure: Failure{FaultContentType, resp.StatusCode, fmt.Sprintf("%s answered with %q, which is no model's answer", req.URL.Redacted(), kind)},
		Hint:    "check llm.base_url; it is what stands before /chat/completions and often ends in /v1",
	}
}

// unstream replaces a whole answer by the one event that a stream would have.
func unstream(resp *http.Response) error {
	data, err := io.ReadAll(resp.Body)
	resp.Body.Close()
	if err != nil {
		return err
	}
	var whole openai.ChatCompletionResponse
	if err := json.Unmarshal(data, &whole); err != nil {
		return err
	}
	event := openai.ChatCompletionStreamResponse{Model: whole.Model}
	if whole.Usage != (openai.Usage{}) {
		event.Usage = &whole.Usage
	}
	for _, c := range whole.Choices {
		event.Choices = append(event.Choices, openai.ChatCompletionStreamChoice{
			Index: c.Index, FinishReason: c.FinishReason,
			Delta: openai.ChatCompletionStreamChoiceDelta{Content: c.Message.Content, Refusal: c.Message.Refusal},
		})
	}
	line, err := json.Marshal(event)
	if err != nil {
		return err
	}
	resp.Body = io.NopCloser(strings.NewReader("data: " + string(line) + "\n\ndata: [DONE]\n\n"))
	return nil
}

// A watchedBody ends when nothing came for the idle timeout, or more than an answer may have.
type watchedBody struct {
	io.ReadCloser
	ctx    context.Context
	cancel context.CancelCauseFunc
	watch  *time.Timer
	idle   time.Duration
	left   int64
}

func (b *watchedBody) Read(p []byte) (int, error) {
	if b.left <= 0 {
		return 0, errTooLong
	}
	n, err := b.ReadCloser.Read(p[:min(int64(len(p)), b.left)])
	b.left -= int64(n)
	if n > 0 {
		b.watch.Reset(b.idle)
	}
	if err != nil && err != io.EOF {
		err = causeOf(b.ctx, err)
	}
	return n, err
}

func (b *watchedBody) Close() error {
	b.watch.Stop()
	b.cancel(nil)
	return b.ReadCloser.Close()
}

// causeOf returns why ctx ended, if it did, and otherwise err.
func causeOf(ctx context.Context, err error) error {
	if cause := context.Cause(ctx); cause != nil {
		return cause
	}
	return err
}

// retryAfter reads the header of RFC 9110, section 10.2.3: seconds or a date. OpenAI's
// retry-after-ms is more exact and goes first. 0 if there is none.
func retryAfter(h http.Header, now time.Time) time.Duration {
	if ms, err := strconv.ParseFloat(h.Get("Retry-After-Ms"), 64); err == nil && ms > 0 && ms < 1e10 {
		return time.Duration(ms * float64(time.Millisecond))
	}
	text := h.Get("Retry-After")
	if s, err := strconv.ParseFloat(text, 64); err == nil && s > 0 && s < 1e7 {
		return time.Duration(s * float64(time.Second))
	}
	if at, err := http.ParseTime(text); err == nil {
		return max(0, at.Sub(now))
	}
	return 0
}
