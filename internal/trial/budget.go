package trial

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"reflect"
	"strings"
	"sync"
	"time"
)

// A Budget is what a tool may spend on one cell. Zero means no limit of that kind;
// at least one limit must be set.
type Budget struct {
	Time     time.Duration `json:"time_ns,omitempty" yaml:"time,omitempty"`                                        // processor time and the time of models' answers: what other cells do at once does not change it
	Wall     time.Duration `json:"wall_ns,omitempty" yaml:"wall,omitempty"`                                        // time on the clock, but for waiting for a batch of answers
	CPU      time.Duration `json:"cpu_ns,omitempty" yaml:"cpu,omitempty"`                                          // processor time of the tool and what it starts
	LLMCalls int64         `json:"llm_calls,omitempty" yaml:"llm_calls,omitempty" jsonschema:"exclusiveMinimum=0"` // answers of models
	Tokens   int64         `json:"tokens,omitempty" yaml:"tokens,omitempty" jsonschema:"exclusiveMinimum=0"`       // of models, input and output
	Dollars  float64       `json:"dollars,omitempty" yaml:"dollars,omitempty" jsonschema:"exclusiveMinimum=0"`     // by the prices of the llm block
	Programs int64         `json:"programs,omitempty" yaml:"programs,omitempty" jsonschema:"exclusiveMinimum=0"`   // test programs added to the suite; no limit to a fuzzer
	Execs    int64         `json:"execs,omitempty" yaml:"execs,omitempty" jsonschema:"exclusiveMinimum=0"`         // inputs that a fuzzer executes; no limit to other tools
}

// NoLimit is a number of programs that no suite reaches, for a tool that ends by itself.
const NoLimit = 1_000_000

// String lists the limits that are set, e.g. "wall 20s, 400 programs", or says that there is none.
func (b Budget) String() string {
	var parts []string
	add := func(set bool, format string, v any) {
		if set {
			parts = append(parts, fmt.Sprintf(format, v))
		}
	}
	add(b.Time > 0, "time %s", b.Time.Round(time.Millisecond))
	add(b.Wall > 0, "wall %s", b.Wall.Round(time.Millisecond))
	add(b.CPU > 0, "CPU %s", b.CPU.Round(time.Millisecond))
	add(b.Programs > 0 && b.Programs < NoLimit, "%s", Count(b.Programs, "program"))
	add(b.Execs > 0, "%d inputs executed", b.Execs)
	add(b.LLMCalls > 0, "%s", Count(b.LLMCalls, "LLM call"))
	add(b.Tokens > 0, "%d tokens", b.Tokens)
	add(b.Dollars > 0, "$%.2f", b.Dollars)
	if parts == nil && b.Programs >= NoLimit {
		return "no limit"
	}
	return strings.Join(parts, ", ")
}

// Count is a number of things in words: "1 program", "2 programs".
func Count[N int | int64](n N, noun string) string {
	if n != 1 {
		noun += "s"
	}
	return fmt.Sprintf("%d %s", n, noun)
}

// Form is the one of two forms that fits a number of things: "1 of 2 cells is", "2 of 2 cells are".
func Form(n int, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}

// GrowsTo reports whether o is b or more of it: no limit of o is below that of b, and none is new.
func (b Budget) GrowsTo(o Budget) bool {
	from, to := reflect.ValueOf(b), reflect.ValueOf(o)
	for i := range from.NumField() {
		x, y := from.Field(i), to.Field(i)
		switch {
		case y.IsZero() || x.Equal(y):
		case x.IsZero(): // there was no limit
			return false
		case x.CanInt() && x.Int() > y.Int(), x.CanFloat() && x.Float() > y.Float(), !x.CanInt() && !x.CanFloat():
			return false
		}
	}
	return true
}

// Timed reports whether the budget is in seconds, so that what a tool makes of it
// depends on the machine's speed.
func (b Budget) Timed() bool { return b.Time > 0 || b.Wall > 0 || b.CPU > 0 }

// Plus returns the limits of two stages together: of each kind that both have the sum, of others none. The
// programs are those of b: a second stage finishes what the first began.
func (b Budget) Plus(o Budget) Budget {
	return Budget{
		Time: sum(b.Time, o.Time), Wall: sum(b.Wall, o.Wall), CPU: sum(b.CPU, o.CPU), LLMCalls: sum(b.LLMCalls, o.LLMCalls),
		Tokens: sum(b.Tokens, o.Tokens), Dollars: sum(b.Dollars, o.Dollars), Programs: b.Programs, Execs: b.Execs,
	}
}

// sum is 0, no limit, if one of two limits is.
func sum[N int64 | float64 | time.Duration](a, b N) N {
	if a == 0 || b == 0 {
		return 0
	}
	return a + b
}

// Limit is how much of the budget's clock (see Usage.On) it allows, 0 if it is not in seconds.
func (b Budget) Limit() time.Duration { return cmp.Or(b.Time, b.Wall) }

// Untimed returns the budget without its limits in seconds.
func (b Budget) Untimed() Budget {
	b.Time, b.Wall, b.CPU = 0, 0, 0
	return b
}

// Scale returns the budget with each limit multiplied by factor. Counts are rounded up, and times are rounded up to
// seconds.
func (b Budget) Scale(factor float64) Budget {
	v := reflect.ValueOf(&b).Elem()
	for i := range v.NumField() {
		switch f := v.Field(i); {
		case f.CanFloat():
			f.SetFloat(f.Float() * factor)
		case f.Type() == reflect.TypeFor[time.Duration]():
			f.SetInt(int64(math.Ceil(time.Duration(f.Int()).Seconds()*factor)) * int64(time.Second))
		default:
			f.SetInt(int64(math.Ceil(float64(f.Int()) * factor)))
		}
	}
	return b
}

// Usage is what was spent.
type Usage struct {
	Wall     time.Duration `json:"wall_ns"` // but for Waited
	CPU      time.Duration `json:"cpu_ns"`
	Model    time.Duration `json:"model_ns,omitempty"`  // in which models answered; 0 for answers of a batch
	Waited   time.Duration `json:"waited_ns,omitempty"` // for a batch of answers; no budget counts it
	LLMCalls int64         `json:"llm_calls,omitempty"`
	Tokens   int64         `json:"tokens,omitempty"`
	Dollars  float64       `json:"dollars,omitempty"`
	Programs int64         `json:"programs"`
	Execs    int64         `json:"execs,omitempty"` // inputs that a fuzzer executed
}

// Plus returns the sum of u and v.
func (u Usage) Plus(v Usage) Usage {
	return Usage{
		Wall: u.Wall + v.Wall, CPU: u.CPU + v.CPU, Model: u.Model + v.Model, Waited: u.Waited + v.Waited, LLMCalls: u.LLMCalls + v.LLMCalls,
		Tokens: u.Tokens + v.Tokens, Dollars: u.Dollars + v.Dollars, Programs: u.Programs + v.Programs, Execs: u.Execs + v.Execs,
	}
}

// On is what was spent on the clock of a budget: processor and model time where it is in those, else
// wall time.
func (u Usage) On(b Budget) time.Duration {
	if b.Time > 0 {
		return u.CPU + u.Model
	}
	return u.Wall
}

// String lists what was used of each kind.
func (u Usage) String() string {
	parts := []string{Count(u.Programs, "program"), u.Wall.Round(time.Second).String() + " wall"}
	if u.CPU > 0 {
		parts = append(parts, u.CPU.Round(time.Second).String()+" CPU")
	}
	if u.LLMCalls > 0 {
		parts = append(parts, Count(u.LLMCalls, "LLM call"), fmt.Sprintf("%d tokens", u.Tokens))
	}
	if u.Dollars > 0 {
		parts = append(parts, fmt.Sprintf("$%.2f", u.Dollars))
	}
	return strings.Join(parts, ", ")
}

// A StopReason says why generation ended.
type StopReason string

// The stop reasons of a cell's generation.
const (
	StopTime      StopReason = "budget:time"
	StopWall      StopReason = "budget:wall"
	StopCPU       StopReason = "budget:cpu"
	StopLLMCalls  StopReason = "budget:llm_calls"
	StopTokens    StopReason = "budget:tokens"
	StopDollars   StopReason = "budget:dollars"
	StopPrograms  StopReason = "budget:programs"
	StopExecs     StopReason = "budget:execs"
	StopExhausted StopReason = "exhausted" // the tool has nothing more to try
	StopRecorded  StopReason = "recorded"  // a replay is at the end of what was recorded
)

// ErrBudget is the cause of a context that a Ledger ended.
var ErrBudget = errors.New("budget used up")

// A Ledger counts what one cell spends against its budget. It is the only judge of
// when a tool stops. Safe for concurrent use.
type Ledger struct {
	budget Budget
	now    func() time.Time

	mu      sync.Mutex
	started time.Time
	before  time.Duration // waited in earlier sessions
	usage   Usage         // Wall holds only what earlier sessions of a resumed cell spent
	waiting time.Time     // since when; zero while nothing is waited for
}

// NewLedger starts a ledger at now(); before is what an interrupted session of the same
// cell already spent.
func NewLedger(b Budget, before Usage, now func() time.Time) *Ledger {
	return &Ledger{budget: b, now: now, started: now(), usage: before, before: before.Waited}
}

// Budget returns what the cell may spend in all.
func (l *Ledger) Budget() Budget { return l.budget }

// Charge adds u; its Wall is ignored, for the ledger's clock counts that.
func (l *Ledger) Charge(u Usage) {
	l.mu.Lock()
	defer l.mu.Unlock()
	u.Wall, u.Waited = 0, 0
	l.usage = l.usage.Plus(u)
}

// Usage returns what has been spent so far.
func (l *Ledger) Usage() Usage {
	l.mu.Lock()
	defer l.mu.Unlock()
	u := l.usage
	now := l.now()
	if !l.waiting.IsZero() {
		u.Waited += now.Sub(l.waiting)
	}
	u.Wall += now.Sub(l.started) - (u.Waited - l.before)
	return u
}

// Wait stops the clock of wall time until the function that it returns is called: whoever answers a batch
// of requests may take a day. It is not for several callers at once.
func (l *Ledger) Wait() (done func()) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.waiting = l.now()
	return func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		l.usage.Waited += l.now().Sub(l.waiting)
		l.waiting = time.Time{}
	}
}

// Elapsed returns the wall time spent so far, earlier sessions included.
func (l *Ledger) Elapsed() time.Duration { return l.Usage().Wall }

// limits are the budget's, and what counts towards each: those of the suite, of time, and of models.
func (l *Ledger) limits() []limit {
	b, u := l.budget, l.Usage()
	return []limit{
		{StopPrograms, float64(b.Programs), float64(u.Programs)}, {StopExecs, float64(b.Execs), float64(u.Execs)},
		{StopTime, float64(b.Time), float64(u.CPU + u.Model)}, {StopWall, float64(b.Wall), float64(u.Wall)},
		{StopCPU, float64(b.CPU), float64(u.CPU)},
		{StopLLMCalls, float64(b.LLMCalls), float64(u.LLMCalls)}, {StopTokens, float64(b.Tokens), float64(u.Tokens)},
		{StopDollars, b.Dollars, u.Dollars},
	}
}

// A limit of 0 allows everything.
type limit struct {
	stop          StopReason // what an end by it is called
	allowed, used float64
}

// How many limits come first that are of the suite, and of the suite or of time.
const (
	ofSuite = 2
	ofTime  = 5
)

// usedUp returns the first of some limits that is used up, or "".
func usedUp(limits []limit) StopReason {
	for _, k := range limits {
		if k.allowed > 0 && k.used >= k.allowed {
			return k.stop
		}
	}
	return ""
}

// Fraction is how much of the limit that is used up the most is used up, 0..1.
func (l *Ledger) Fraction() (most float64) {
	for _, k := range l.limits() {
		if k.allowed > 0 {
			most = max(most, min(1, k.used/k.allowed))
		}
	}
	return most
}

// Full returns the reason why the suite takes no more programs, or "". Other limits bound the work: what
// was begun within them may still be handed in when they are used up.
func (l *Ledger) Full() StopReason { return usedUp(l.limits()[:ofSuite]) }

// Closed returns the reason to begin no more programs, or "": the suite is full, or the time is up. The limits
// of models bound what is asked: what was paid for may still be made into programs when they are used up.
func (l *Ledger) Closed() StopReason { return usedUp(l.limits()[:ofTime]) }

// Stop returns the reason to stop now, or "" while every limit still has room.
func (l *Ledger) Stop() StopReason { return usedUp(l.limits()) }

// Remaining returns the budget less what was spent; a limit that is used up is
// returned as the smallest positive amount, never as 0, which would mean no limit.
func (l *Ledger) Remaining() Budget {
	u, left := l.Usage(), l.budget
	left.Wall = remaining(left.Wall, u.Wall)
	left.Time = remaining(left.Time, u.On(l.budget))
	left.CPU = remaining(left.CPU, u.CPU)
	left.Programs = remaining(left.Programs, u.Programs)
	left.Execs = remaining(left.Execs, u.Execs)
	return left
}

func remaining[N int64 | time.Duration](limit, spent N) N {
	if limit <= 0 {
		return limit
	}
	return max(limit-spent, 1)
}

// Context returns a context that ends, with cause ErrBudget, when the wall budget does.
func (l *Ledger) Context(ctx context.Context) (context.Context, context.CancelFunc) {
	if l.budget.Wall <= 0 {
		return context.WithCancel(ctx)
	}
	ctx, end := context.WithCancelCause(ctx)
	go func() {
		t := time.NewTimer(l.Remaining().Wall)
		defer t.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-t.C:
			}
			left := l.Remaining().Wall
			if left <= 1 {
				end(fmt.Errorf("%w: wall %s", ErrBudget, l.budget.Wall))
				return
			}
			t.Reset(max(left, time.Millisecond)) // it waited for a batch meanwhile, or does still
		}
	}()
	return ctx, func() { end(nil) }
}
