package runner

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/lisa-bench/lisa-bench/internal/toolchain"
	"github.com/lisa-bench/lisa-bench/internal/trial"
	"github.com/lisa-bench/lisa-bench/results"
)

// The runner's kinds of events, beside those of package results.
const (
	eventExecuted = "executed" // Data: []answer, one Executor.Run
	eventMutants  = "mutants"  // Key: of the question; Data: trial.MutantRuns
	eventCovered  = "covered"  // Key: of the question; Data: trial.Covered
	eventTick     = "tick"     // time went by; Data: ticked
)

// ticked is what a tick tells beside the wall time.
type ticked struct {
	Waited time.Duration `json:"waited_ns,omitempty"`
}

// An answer is the journalled result of one execution.
type answer struct {
	Key    string       `json:"key"`
	Result trial.Result `json:"result"`
	// Compiler is the processor time of the compilers of the whole call, in the first of its answers.
	Compiler time.Duration `json:"compiler_ns,omitempty"`
}

// A replay is what earlier sessions journalled of a cell's generation. Its clock stands still while a resumed tool
// repeats what they did, so that the repetition costs nothing of the budget.
type replay struct {
	store *results.Cell
	// Programs, calls and CPU time of earlier sessions are charged again as they are replayed.
	ledger *trial.Ledger
	now    func() time.Time

	mu       sync.Mutex
	frozen   time.Time // zero once the clock runs
	lost     time.Duration
	answers  map[string]answer
	attempts map[string]int
	told     map[string]json.RawMessage // of mutants and coverage, by kind and key
}

func newReplay(store *results.Cell, budget trial.Budget, now func() time.Time) (*replay, error) {
	r := &replay{store: store, now: now, frozen: now(),
		answers: map[string]answer{}, attempts: map[string]int{}, told: map[string]json.RawMessage{}}
	var spent trial.Usage // wall time of earlier sessions, and what they waited for answers
	for _, e := range store.Events {
		spent.Wall = max(spent.Wall, e.Elapsed)
		switch e.Kind {
		case eventTick:
			var t ticked
			if json.Unmarshal(e.Data, &t) == nil {
				spent.Waited = max(spent.Waited, t.Waited)
			}
		case eventExecuted:
			var batch []answer
			if err := store.Decode(e, &batch); err != nil {
				return nil, err
			}
			for _, a := range batch {
				r.answers[a.Key] = a
			}
		case eventMutants, eventCovered:
			r.told[e.Kind+e.Key] = e.Data
		}
	}
	r.ledger = trial.NewLedger(budget, spent, r.clock)
	if len(r.answers) == 0 && !store.Begun() {
		r.fresh() // nothing is journalled that a replay could come to the end of
	}
	return r, nil
}

// fresh starts the clock: what comes now no earlier session did.
func (r *replay) fresh() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.frozen.IsZero() {
		r.lost, r.frozen = r.now().Sub(r.frozen), time.Time{}
	}
}

// clock is the time without that of the repetition.
func (r *replay) clock() time.Time {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.frozen.IsZero() {
		return r.frozen
	}
	return r.now().Add(-r.lost)
}

// A replayExecutor executes what earlier sessions did not, and journals it; the rest is
// answered from the journal. It charges the CPU time of programs and compilers either way.
type replayExecutor struct {
	*replay
	inner trial.Executor
}

// Run implements trial.Executor. One call is one event: a kill loses whole calls only.
func (x *replayExecutor) Run(ctx context.Context, programs []trial.Program, o trial.ExecOptions) ([]trial.Result, error) {
	out := make([]trial.Result, len(programs))
	batch, missing, cpu := x.recall(programs, o, out)
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
		for k, i := range missing {
			batch[k].Result = asJournalled(got[k])
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

// recall fills in the answers that are known and returns the indexes of those that are not, with the keys for their
// answers. A program's key holds how often it was run before. The third run of a program is another
// fact than the first. compilers is the processor time of those of the answers.
func (x *replayExecutor) recall(programs []trial.Program, o trial.ExecOptions, out []trial.Result) (batch []answer, missing []int, compilers time.Duration) {
	x.mu.Lock()
	defer x.mu.Unlock()
	for i, p := range programs {
		content := trial.Key(o, p.Lang, p.Source)[:32]
		x.attempts[content]++
		key := fmt.Sprintf("%s.%d", content, x.attempts[content])
		if a, ok := x.answers[key]; ok {
			delete(x.answers, key)
			out[i] = a.Result
			compilers += a.Compiler
			continue
		}
		batch, missing = append(batch, answer{Key: key}), append(missing, i)
	}
	return batch, missing, compilers
}

// A replayFeedback runs programs on mutants and for coverage as a replayExecutor runs them on the reference.
type replayFeedback struct {
	trial.MutantRunner
	coverage trial.CoverageRunner
	*replay
}

// RunMutants implements trial.MutantRunner. One call is one event.
func (f *replayFeedback) RunMutants(ctx context.Context, programs []trial.Program, ids []int) (trial.MutantRuns, error) {
	runs, err := once(f.replay, eventMutants, programs, ids, func() (trial.MutantRuns, error) {
		return f.MutantRunner.RunMutants(ctx, programs, ids)
	})
	f.ledger.Charge(trial.Usage{CPU: runs.CPU})
	return runs, err
}

// Cover implements trial.CoverageRunner. One call is one event.
func (f *replayFeedback) Cover(ctx context.Context, programs []trial.Program, uncovered bool) (trial.Covered, error) {
	covered, err := once(f.replay, eventCovered, programs, uncovered, func() (trial.Covered, error) {
		return f.coverage.Cover(ctx, programs, uncovered)
	})
	f.ledger.Charge(trial.Usage{CPU: covered.CPU})
	return covered, err
}

// once answers a question about programs from what was told before, or asks and journals it.
func once[T any](r *replay, event string, programs []trial.Program, of any, ask func() (T, error)) (v T, err error) {
	var sources []string
	for _, p := range programs {
		sources = append(sources, string(p.Lang), p.Source)
	}
	key := trial.Key(sources, of)[:32]
	if data, known := r.told[event+key]; known {
		err = json.Unmarshal(data, &v)
		return v, err
	}
	r.fresh()
	if v, err = ask(); err != nil {
		return v, fmt.Errorf("%s for feedback: %w", event, err)
	}
	if r.told[event+key], err = json.Marshal(v); err != nil {
		return v, err
	}
	return v, r.store.Journal.Append(event, key, r.ledger.Elapsed(), v)
}
