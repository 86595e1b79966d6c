package llm

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"regexp"
	"strings"
	"time"

	openai "github.com/sashabaranov/go-openai"
)

// A Fault is a kind of trouble with an endpoint.
type Fault string

// The faults. A cell that meets one that does not pass is incomplete; its answers are kept.
const (
	FaultKey         Fault = "key"         // no key, or a wrong one (401, 403)
	FaultQuota       Fault = "quota"       // the account is out of money (402, or 429 insufficient_quota)
	FaultModel       Fault = "model"       // the endpoint has no such model
	FaultRequest     Fault = "request"     // refused for its form, such as a parameter that the model does not take
	FaultUnreachable Fault = "unreachable" // no connection
	FaultRate        Fault = "rate"        // 429
	FaultServer      Fault = "server"      // 5xx, 408, 409, or an error in mid-answer
	FaultStalled     Fault = "stalled"     // nothing came for longer than the idle timeout
	FaultTimeout     Fault = "timeout"     // the answer took longer than the request timeout
	FaultCut         Fault = "cut"         // the connection ended before the answer did
	FaultMalformed   Fault = "malformed"   // not the JSON that the protocol asks for
	FaultContentType Fault = "contenttype" // no API's answer, such as an HTML page
)

// retryable are the faults that may pass.
var retryable = map[Fault]bool{
	FaultUnreachable: true, FaultRate: true, FaultServer: true, FaultStalled: true,
	FaultTimeout: true, FaultCut: true, FaultMalformed: true,
}

// A Failure is one failed try as a transcript keeps it.
type Failure struct {
	Fault   Fault  `json:"fault"`
	Status  int    `json:"status,omitempty"` // of HTTP
	Message string `json:"message"`
}

// An Error is a fault that stayed after all tries. Its text is one line and holds no key.
type Error struct {
	Failure
	Hint       string        // what to do
	RetryAfter time.Duration // asked for by the endpoint; 0 if it asked for nothing
	Earlier    []Failure     // the tries before this one
}

func (e *Error) Error() string {
	s := "llm: " + e.Message
	if n := len(e.Earlier); n > 0 {
		s += fmt.Sprintf(" (after %d tries)", n+1)
	}
	if e.Hint != "" {
		s += ": " + e.Hint
	}
	return s
}

// hopeless reports a fault that every other request would meet as well.
func hopeless(err error) bool {
	var e *Error
	if !errors.As(err, &e) {
		return false
	}
	switch e.Fault {
	case FaultKey, FaultQuota, FaultModel, FaultUnreachable, FaultContentType:
		return true
	}
	return false
}

var errRequestTimeout = errors.New("the answer took longer than the request timeout")

// A malformedError is an answer that is JSON but not what the protocol asks for.
type malformedError struct{ what string }

func (e *malformedError) Error() string { return e.what }

var (
	// tooManyTokens is how endpoints say that a request is longer than the model can read, where
	// they give no code for it (vLLM, llama.cpp, OpenRouter, Anthropic).
	tooManyTokens = regexp.MustCompile(`(?i)context (length|window|size)|maximum context|prompt is too long|too many tokens`)
	// noSuchModel is how endpoints say that they have no such model.
	noSuchModel = regexp.MustCompile(`(?i)model.{0,80}(not found|does not exist|not exist|unknown|not available)|(unknown|invalid|no such) model`)
)

// A refused is an endpoint's answer with an error in it, of HTTP or of a line of a batch.
type refused struct {
	status  int
	code    string
	message string
	api     bool // it had the form of an API's error
}

// refusedBy reads go-openai's errors.
func refusedBy(err error) (refused, bool) {
	var api *openai.APIError
	if errors.As(err, &api) {
		code, _ := api.Code.(string)
		return refused{api.HTTPStatusCode, code, api.Message, true}, true
	}
	var req *openai.RequestError
	if errors.As(err, &req) {
		return refused{req.HTTPStatusCode, "", string(req.Body), false}, true
	}
	return refused{}, false
}

// outcomeOf returns the answer that an error stands for, where it is about this request and
// nothing else: too long a request, or a filter's refusal.
func outcomeOf(err error) (Answer, bool) {
	r, ok := refusedBy(err)
	if !ok {
		return Answer{}, false
	}
	return r.outcome()
}

func (r refused) outcome() (Answer, bool) {
	a := Answer{Detail: secret("").message(r.message), Usage: Usage{}}
	switch {
	case r.status != http.StatusBadRequest && r.status != http.StatusRequestEntityTooLarge:
		return Answer{}, false
	case r.code == "context_length_exceeded", tooManyTokens.MatchString(r.message):
		a.Outcome = ContextLength
	case r.code == "content_filter", r.code == "content_policy_violation":
		a.Outcome = Refusal
	default:
		return Answer{}, false
	}
	return a, true
}

// fault says what is wrong with the endpoint when a try failed with err.
func (e *endpoint) fault(err error, r Request) *Error {
	var own *Error
	if errors.As(err, &own) {
		return own
	}
	if re, ok := refusedBy(err); ok {
		return re.fault(e, r)
	}
	fail := func(f Fault, hint, format string, args ...any) *Error {
		return &Error{Failure: Failure{Fault: f, Message: e.secret.message(e.url + ": " + fmt.Sprintf(format, args...))}, Hint: hint}
	}
	var syntax *json.SyntaxError
	var mistyped *json.UnmarshalTypeError
	var malformed *malformedError
	var network net.Error
	var op *net.OpError
	switch {
	case errors.Is(err, errStalled):
		return fail(FaultStalled, "raise llm.limits.idle_timeout if the model thinks longer than that", "nothing came for %s", e.limits.IdleTimeout)
	case errors.Is(err, errRequestTimeout), errors.Is(err, context.DeadlineExceeded):
		return fail(FaultTimeout, "raise llm.limits.request_timeout if answers take longer than that", "no answer within %s", e.limits.RequestTimeout)
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF):
		return fail(FaultCut, "", "the connection ended before the answer did")
	case errors.As(err, &syntax), errors.As(err, &mistyped), errors.As(err, &malformed), errors.Is(err, errTooLong):
		return fail(FaultMalformed, "", "the answer is malformed: %v", err)
	case errors.As(err, &op) && op.Op != "dial":
		return fail(FaultCut, "", "the connection broke: %v", root(err))
	case errors.As(err, &network):
		return fail(FaultUnreachable, "check llm.base_url and the network; run the same command again to resume", "cannot be reached: %v", root(err))
	}
	return fail(FaultCut, "", "%v", root(err))
}

// root is the innermost error: the outer ones repeat the address.
func root(err error) error {
	for {
		inner := errors.Unwrap(err)
		if inner == nil {
			return err
		}
		err = inner
	}
}

// fault says what a refusal means, and what to do.
func (r refused) fault(e *endpoint, req Request) *Error {
	fail := func(f Fault, hint string) *Error {
		text := fmt.Sprintf("%s answered %d %s", e.url, r.status, http.StatusText(r.status))
		if r.status == 0 {
			text = e.url + " broke off with an error"
		}
		if r.message != "" && r.api {
			text += ": " + r.message
		}
		return &Error{Failure: Failure{f, r.status, e.secret.message(text)}, Hint: hint}
	}
	switch {
	case r.status == http.StatusUnauthorized, r.status == http.StatusForbidden:
		return fail(FaultKey, "the endpoint rejects the key: check the variable that llm.api_key_env names")
	case r.status == http.StatusPaymentRequired, r.code == "insufficient_quota":
		return fail(FaultQuota, "the account has no credit left; run the same command again to resume")
	case r.status == http.StatusNotFound && !r.api:
		return fail(FaultContentType, "check llm.base_url; it is what stands before /chat/completions and often ends in /v1")
	case r.status == http.StatusNotFound, r.code == "model_not_found", r.status == http.StatusBadRequest && noSuchModel.MatchString(r.message):
		return fail(FaultModel, fmt.Sprintf("give stage %q a model that the endpoint has instead of %q", req.Stage, req.Model))
	case r.status == http.StatusTooManyRequests:
		return fail(FaultRate, "lower llm.limits.requests_per_minute, tokens_per_minute or concurrency")
	case r.status == 0, r.status >= 500, r.status == http.StatusRequestTimeout, r.status == http.StatusConflict, r.status == http.StatusTooEarly:
		return fail(FaultServer, "the endpoint reports a server error; run the same command again to resume")
	}
	return fail(FaultRequest, fmt.Sprintf("the endpoint rejects the request: check the settings of stage %q in llm", strings.TrimSpace(req.Stage)))
}
