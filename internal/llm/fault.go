package llm

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"slices"
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
	Usage   *Usage `json:"usage,omitempty"` // what it cost; nil for nothing
}

// paid is what failed tries cost together.
func paid(tries ...Failure) Usage {
	var sum Usage
	for _, f := range tries {
		if f.Usage != nil {
			sum = sum.plus(*f.Usage)
		}
	}
	return sum
}

// An Error is a fault that stayed after all tries. Its text is one line and holds no key.
type Error struct {
	Failure
	Hint       string        // what to do
	RetryAfter time.Duration // asked for by the endpoint; 0 if it asked for nothing
	Earlier    []Failure     // the tries before this one
}

// paid is what all tries cost.
func (e *Error) paid() Usage { return paid(append(slices.Clone(e.Earlier), e.Failure)...) }

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

// A malformedError is an answer that is not what the protocol asks for.
type malformedError string

func (e malformedError) Error() string { return string(e) }

// shownBytes is how much of something unexpected is shown.
const shownBytes = 100

// malformed says why data is not the JSON of an answer, and how it begins.
func malformed(err error, data []byte) error {
	return malformedError(fmt.Sprintf("%v in %s", err, cutText(string(data), shownBytes)))
}

// checkAddress is what to do where no API answers.
const checkAddress = "check llm.base_url; it is what stands before /chat/completions and often ends in /v1"

// fault says what is wrong with the endpoint at a base URL when a try for a request failed, and what to do.
func fault(c Config, r Request, err error) *Error {
	fail := func(f Fault, hint, format string, args ...any) *Error {
		return &Error{Failure: Failure{Fault: f, Message: c.BaseURL + fmt.Sprintf(format, args...)}, Hint: hint}
	}
	var refusal *refused
	var own *Error
	var malformed malformedError
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
	case errors.As(err, &malformed):
		return fail(FaultMalformed, "", ": the answer is malformed: %v", err)
	case errors.As(err, &op) && op.Op != "dial":
		return fail(FaultCut, "", ": the connection broke: %v", root(err))
	case errors.As(err, &network):
		return fail(FaultUnreachable, "check llm.base_url and the network; run the same command again to resume", ": cannot be reached: %v", root(err))
	}
	return fail(FaultCut, "", ": %v", root(err))
}

// root is the innermost error: the outer ones repeat the address.
func root(err error) error {
	for inner := errors.Unwrap(err); inner != nil; inner = errors.Unwrap(err) {
		err = inner
	}
	return err
}
