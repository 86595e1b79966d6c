package runner

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/lisa-bench/lisa-bench/internal/toolchain"
	"github.com/lisa-bench/lisa-bench/internal/trial"
	"github.com/lisa-bench/lisa-bench/results"
)

// A replayClock stands still while a resumed cell repeats what earlier sessions did, so that
// the repetition costs nothing of the budget.
type replayClock struct {
	now func() time.Time

	mu     sync.Mutex
	frozen time.Time // zero once it runs
	lost   time.Duration
}

func (c *replayClock) freeze() { c.frozen = c.now() }

func (c *replayClock) thaw() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.frozen.IsZero() {
		c.lost, c.frozen = c.now().Sub(c.frozen), time.Time{}
	}
}

// at is the time without that of the repetition.
func (c *replayClock) at() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.frozen.IsZero() {
		return c.frozen
	}
	return c.now().Add(-c.lost)
}

// An answer is the journalled result of one execution.
type answer struct {
	Key    string       `json:"key"`
	Result trial.Result `json:"result"`
	// Compiler is the processor time of the compilers of the whole call, in the first of its answers.
	Compiler time.Duration `json:"compiler_ns,omitempty"`
}

// A replayExecutor executes what earlier sessions did not, and journals it; the rest is
// answered from the journal. It charges the CPU time of programs and compilers either way.
type replayExecutor struct {
	inner  trial.Executor
	store  *results.Cell
	fresh  func() // called before anything is executed
	ledger *trial.Ledger

	mu       sync.Mutex
	answers  map[string]answer
	attempts map[string]int
}

func newReplayExecutor(inner trial.Executor, store *results.Cell, fresh func()) (*replayExecutor, error) {
	x := &replayExecutor{
		inner: inner, store: store, fresh: fresh,
		answers: map[string]answer{}, attempts: map[string]int{},
	}
	for _, e := range store.Events {
		if e.Kind != eventExecuted {
			continue
		}
		var batch []answer
		if err := store.Decode(e, &batch); err != nil {
			return nil, err
		}
		for _, a := range batch {
			x.answers[a.Key] = a
		}
	}
	return x, nil
}

// Run implements trial.Executor. One call is one event: a kill loses whole calls only.
func (x *replayExecutor) Run(ctx context.Context, programs []trial.Program, o trial.ExecOptions) ([]trial.Result, error) {
	out := make([]trial.Result, len(programs))
	keys, missing, cpu := x.recall(programs, o, out)
	if len(missing) > 0 {
		x.fresh()
		todo := make([]trial.Program, len(missing))
		for k, i := range missing {
			todo[k] = programs[i]
		}
		var compilers atomic.Int64
		got, err := trial.Execute(toolchain.WithMeter(ctx, func(d time.Duration) { compilers.Add(int64(d)) }), x.inner, todo, o)
		if err != nil {
			return nil, err
		}
		batch := make([]answer, len(missing))
		for k, i := range missing {
			batch[k] = answer{Key: keys[i], Result: asJournalled(got[k])}
			out[i] = batch[k].Result
		}
		batch[0].Compiler = time.Duration(compilers.Load())
		cpu += batch[0].Compiler
		if err := x.store.Journal.Append(eventExecuted, "", x.ledger.Elapsed(), batch); err != nil {
			return nil, err
		}
	}
	for i := range out {
		out[i].ID = programs[i].ID
		cpu += out[i].CPU()
	}
	x.ledger.Charge(trial.Usage{CPU: cpu})
	return out, nil
}

// asJournalled returns the result as a resumed session will read it: JSON has no bytes that
// are not UTF-8, and a program may print any. Both sessions must see the same.
func asJournalled(r trial.Result) trial.Result {
	for _, text := range []*string{&r.Diagnostic, &r.Stdout, &r.Stderr} {
		*text = strings.ToValidUTF8(*text, "\uFFFD")
	}
	return r
}

// recall fills in the answers that are known and returns the indexes of those that are not.
// A program's key holds how often it was run before. The third run of a program is another
// fact than the first. compilers is the processor time of those of the answers.
func (x *replayExecutor) recall(programs []trial.Program, o trial.ExecOptions, out []trial.Result) (keys []string, missing []int, compilers time.Duration) {
	x.mu.Lock()
	defer x.mu.Unlock()
	for i, p := range programs {
		content := trial.Key(o, p.Lang, p.Source)[:32]
		x.attempts[content]++
		key := fmt.Sprintf("%s.%d", content, x.attempts[content])
		keys = append(keys, key)
		if a, ok := x.answers[key]; ok {
			delete(x.answers, key)
			out[i] = a.Result
			compilers += a.Compiler
			continue
		}
		missing = append(missing, i)
	}
	return keys, missing, compilers
}
