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

// passes reports a fault that may pass, so that the request is tried again.
func (f Fault) passes() bool {
	switch f {
	case FaultKey, FaultQuota, FaultModel, FaultRequest, FaultContentType:
		return false
	}
	return true
}

// hopeless reports a fault that every other request would meet as well.
func (f Fault) hopeless() bool { return f == FaultUnreachable || !f.passes() && f != FaultRequest }

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

// Why a try was ended from this side.
var (
	errStalled        = errors.New("nothing came for the idle timeout")
	errRequestTimeout = errors.New("the answer took longer than the request timeout")
)

// A malformedError is an answer that is JSON but not what the protocol asks for.
type malformedError struct{ what string }

func (e *malformedError) Error() string { return e.what }

// checkAddress is what to do where no API answers.
const checkAddress = "check llm.base_url; it is what stands before /chat/completions and often ends in /v1"

var (
	// tooManyTokens is how endpoints say that a request is longer than the model can read, where
	// they give no code for it (vLLM, llama.cpp, OpenRouter, Anthropic).
	tooManyTokens = regexp.MustCompile(`(?i)context (length|window|size)|maximum context|prompt is too long|too many tokens`)
	// noSuchModel is how endpoints say that they have no such model.
	noSuchModel = regexp.MustCompile(`(?i)model.{0,80}(not found|does not exist|not exist|unknown|not available)|(unknown|invalid|no such) model`)
)

// A refused is an endpoint's answer with an error in it: of HTTP, in a stream, or in a line of a batch.
type refused struct {
	status  int // 0 where the status promised an answer
	code    string
	message string
	api     bool          // it had the form of an API's error
	after   time.Duration // that it asks to wait for; 0 if it asks for nothing
}

func (e *refused) Error() string { return fmt.Sprintf("%d %s %s", e.status, e.code, e.message) }

// outcome returns the answer that an error stands for, where it is about this request and
// nothing else: too long a request, or a filter's refusal.
func (e *refused) outcome() (Answer, bool) {
	a := Answer{Detail: secret("").message(e.message)}
	switch {
	case e.status != http.StatusBadRequest && e.status != http.StatusRequestEntityTooLarge:
		return Answer{}, false
	case e.code == "context_length_exceeded", tooManyTokens.MatchString(e.message):
		a.Outcome = ContextLength
	case e.code == "content_filter", e.code == "content_policy_violation":
		a.Outcome = Refusal
	default:
		return Answer{}, false
	}
	return a, true
}

// fault says what is wrong with the endpoint at a base URL when a try for a request failed, and what to do.
func fault(c Config, r Request, err error) *Error {
	fail := func(f Fault, hint, format string, args ...any) *Error {
		return &Error{Failure: Failure{Fault: f, Message: c.BaseURL + fmt.Sprintf(format, args...)}, Hint: hint}
	}
	var refusal *refused
	var own *Error
	var syntax *json.SyntaxError
	var mistyped *json.UnmarshalTypeError
	var malformed *malformedError
	var network net.Error
	var op *net.OpError
	switch {
	case errors.As(err, &own):
		return own
	case errors.As(err, &refusal):
		f, hint := refusal.fault(r)
		out := fail(f, hint, "%s", refusal.words())
		out.Status = refusal.status
		return out
	case errors.Is(err, errStalled):
		return fail(FaultStalled, "raise llm.limits.idle_timeout if the model thinks longer than that", ": nothing came for %s", c.Limits.IdleTimeout)
	case errors.Is(err, errRequestTimeout), errors.Is(err, context.DeadlineExceeded):
		return fail(FaultTimeout, "raise llm.limits.request_timeout if answers take longer than that", ": no answer within %s", c.Limits.RequestTimeout)
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF):
		return fail(FaultCut, "", ": the connection ended before the answer did")
	case errors.As(err, &syntax), errors.As(err, &mistyped), errors.As(err, &malformed):
		return fail(FaultMalformed, "", ": the answer is malformed: %v", err)
	case errors.As(err, &op) && op.Op != "dial":
		return fail(FaultCut, "", ": the connection broke: %v", root(err))
	case errors.As(err, &network):
		return fail(FaultUnreachable, "check llm.base_url and the network; run the same command again to resume", ": cannot be reached: %v", root(err))
	}
	return fail(FaultCut, "", ": %v", root(err))
}

// words are what the endpoint answered, to follow its address.
func (e *refused) words() string {
	text := fmt.Sprintf(" answered %d %s", e.status, http.StatusText(e.status))
	if e.status == 0 {
		text = " broke off with an error"
	}
	if e.message != "" && e.api {
		text += ": " + e.message
	}
	return text
}

// fault says what a refusal means, and what to do.
func (e *refused) fault(r Request) (Fault, string) {
	switch {
	case e.status == http.StatusUnauthorized, e.status == http.StatusForbidden:
		return FaultKey, "the endpoint rejects the key: check the variable that llm.api_key_env names"
	case e.status == http.StatusPaymentRequired, e.code == "insufficient_quota":
		return FaultQuota, "the account has no credit left; run the same command again to resume"
	case e.status == http.StatusNotFound && !e.api:
		return FaultContentType, checkAddress
	case e.status == http.StatusNotFound, e.code == "model_not_found", e.status == http.StatusBadRequest && noSuchModel.MatchString(e.message):
		return FaultModel, fmt.Sprintf("give stage %q a model that the endpoint has instead of %q", r.Stage, r.Model)
	case e.status == http.StatusTooManyRequests:
		return FaultRate, "lower llm.limits.requests_per_minute, tokens_per_minute or concurrency"
	case e.status == 0, e.status >= 500, e.status == http.StatusRequestTimeout, e.status == http.StatusConflict, e.status == http.StatusTooEarly:
		return FaultServer, "the endpoint reports a server error; run the same command again to resume"
	}
	return FaultRequest, fmt.Sprintf("the endpoint rejects the request: check the settings of stage %q in llm", strings.TrimSpace(r.Stage))
}

// root is the innermost error: the outer ones repeat the address.
func root(err error) error {
	for inner := errors.Unwrap(err); inner != nil; inner = errors.Unwrap(err) {
		err = inner
	}
	return err
}
