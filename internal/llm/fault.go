package llm

import (
	"context"
	"fmt"
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
	FaultServer      Fault = "server"      // 5xx, 408, 409, or an answer that ended for no known reason
	FaultTimeout     Fault = "timeout"     // the answer took longer than the request timeout
	FaultCut         Fault = "cut"         // the connection ended before the answer did
	FaultMalformed   Fault = "malformed"   // not the JSON that the protocol asks for
	FaultContentType Fault = "contenttype" // no API's answer, such as an HTML page
)

// An Error is a fault that stayed after all tries. Its text is one line and holds no key.
type Error struct {
	Fault      Fault
	Message    string
	Hint       string        // what to do
	RetryAfter time.Duration // asked for by the endpoint; 0 if it asked for nothing
	Tries      int           // 0 and 1 are the same
}

func (e *Error) Error() string {
	s := "llm: " + e.Message
	if e.Tries > 1 {
		s += fmt.Sprintf(" (after %d tries)", e.Tries)
	}
	if e.Hint != "" {
		s += ": " + e.Hint
	}
	return s
}

// Sleep waits, unless ctx ends before.
func Sleep(ctx context.Context, d time.Duration) error {
	if d <= 0 {
		return context.Cause(ctx)
	}
	select {
	case <-time.After(d):
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}
