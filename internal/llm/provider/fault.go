package provider

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"

	"github.com/lisa-bench/lisa-bench/internal/llm"
	"github.com/lisa-bench/lisa-bench/internal/llm/wire"
)

// passes reports a fault that may pass, so that the request is tried again.
func passes(f llm.Fault) bool {
	switch f {
	case llm.FaultKey, llm.FaultQuota, llm.FaultModel, llm.FaultRequest, llm.FaultContentType:
		return false
	}
	return true
}

// hopeless reports a fault that every other request would meet as well.
func hopeless(f llm.Fault) bool {
	return f == llm.FaultUnreachable || !passes(f) && f != llm.FaultRequest
}

// Why a try was ended from this side.
var (
	errStalled        = errors.New("nothing came for the idle timeout")
	errRequestTimeout = errors.New("the answer took longer than the request timeout")
)

// fault says what is wrong with the endpoint at a base URL when a try for a request failed, and what to do.
func fault(c llm.Config, r llm.Request, err error) *llm.Error {
	fail := func(f llm.Fault, hint, format string, args ...any) *llm.Error {
		return &llm.Error{Failure: llm.Failure{Fault: f, Message: c.BaseURL + fmt.Sprintf(format, args...)}, Hint: hint}
	}
	var refusal *wire.Refusal
	var own *llm.Error
	var malformed wire.MalformedError
	var network net.Error
	var op *net.OpError
	switch {
	case errors.As(err, &own):
		return own
	case errors.As(err, &refusal):
		return refusal.Trouble(c.BaseURL, r)
	case errors.Is(err, errStalled):
		return fail(llm.FaultStalled, "raise llm.limits.idle_timeout if the model thinks longer than that", ": nothing came for %s", c.Limits.IdleTimeout)
	case errors.Is(err, errRequestTimeout), errors.Is(err, context.DeadlineExceeded):
		return fail(llm.FaultTimeout, "raise llm.limits.request_timeout if answers take longer than that", ": no answer within %s", c.Limits.RequestTimeout)
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF):
		return fail(llm.FaultCut, "", ": the connection ended before the answer did")
	case errors.As(err, &malformed):
		return fail(llm.FaultMalformed, "", ": the answer is malformed: %v", err)
	case errors.As(err, &op) && op.Op != "dial":
		return fail(llm.FaultCut, "", ": the connection broke: %v", root(err))
	case errors.As(err, &network):
		return fail(llm.FaultUnreachable, "check llm.base_url and the network; run the same command again to resume", ": cannot be reached: %v", root(err))
	}
	return fail(llm.FaultCut, "", ": %v", root(err))
}

// root is the innermost error: the outer ones repeat the address.
func root(err error) error {
	for inner := errors.Unwrap(err); inner != nil; inner = errors.Unwrap(err) {
		err = inner
	}
	return err
}
