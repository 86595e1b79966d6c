package llm

import (
	"context"
	"fmt"
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

// A Failure is one failed try as a transcript keeps it.
type Failure struct {
	Fault   Fault  `json:"fault"`
	Status  int    `json:"status,omitempty"` // of HTTP
	Message string `json:"message"`
	Usage   *Usage `json:"usage,omitempty"` // what it cost; nil for nothing
}

// Paid is what failed tries cost together.
func Paid(tries ...Failure) Usage {
	var sum Usage
	for _, f := range tries {
		if f.Usage != nil {
			sum = sum.Plus(*f.Usage)
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
func (e *Error) paid() Usage { return Paid(append(slices.Clone(e.Earlier), e.Failure)...) }

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

// Sleep waits, unless ctx ends before.
func Sleep(ctx context.Context, d time.Duration) error {
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
