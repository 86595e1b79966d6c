package genloop

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/lisa-bench/lisa-bench/internal/llm"
	"github.com/lisa-bench/lisa-bench/internal/trial"
)

// A Loop is one stage of a generator at work in one cell. The fields say what the generator is;
// they do not change once it runs. It is not safe for concurrent use.
type Loop[T any] struct {
	Job     trial.Job
	Model   *llm.Session
	Prompts Prompts
	Checker Checker[T]
	Policy  Policy[T]

	Stages  []string // of its questions, in the order in which a record lists their answers
	Repairs int      // how often an item is asked about again; 0: never
	Barren  int      // rounds in a row that keep no program, after which it stops; 0: never

	// Add takes what is kept, and Held tells how much of it the job's suite does not have yet.
	// Both nil: it goes into the suite.
	Add  func(it *Item[T], p trial.Program) error
	Held func() int

	waiting []*Item[T]                // for the next round's questions
	answers map[trial.AnswerCount]int // by what they are, without a count
	told    trial.Generation          // but for the answers
	kept    int                       // programs
	barren  int                       // rounds in a row
	tokens  int64
	dollars float64
}

// Run does round after round, first about items that wait already, until the budget, the
// recording or the questions are at their end. Items that still wait then are settled without
// another answer. Each call counts its rounds from 1; what Generation tells is of all of them.
//
// The error is for what is no program's fault. The end of the budget is none, unless nothing but
// the context knows of it.
func (l *Loop[T]) Run(ctx context.Context, waiting ...*Item[T]) (trial.StopReason, error) {
	if l.answers == nil {
		l.answers = map[trial.AnswerCount]int{}
	}
	l.waiting, l.barren = waiting, 0
	for n := 1; ; n++ {
		stop, err := l.round(ctx, n)
		if stop == "" && err == nil {
			continue
		}
		if err != nil {
			stop, err = l.reason(err)
		}
		if err == nil {
			err = l.leave(ctx, n)
		}
		if closed := l.Job.Ledger.Stop(); errors.Is(err, trial.ErrBudget) && closed != "" {
			return closed, nil
		}
		return stop, err
	}
}

// reason tells the end of a budget or of a recording from trouble.
func (l *Loop[T]) reason(err error) (trial.StopReason, error) {
	var budget *llm.BudgetError
	switch {
	case errors.As(err, &budget):
		return budget.Reason, nil
	case errors.Is(err, llm.ErrNoRecording) && len(l.Model.Unused()) == 0:
		return trial.StopRecorded, nil
	}
	return "", err
}

// round does one round, unless there is a reason to stop.
func (l *Loop[T]) round(ctx context.Context, n int) (trial.StopReason, error) {
	if stop := l.stop(); stop != "" {
		return stop, nil
	}
	r := &Round[T]{N: n, Waiting: l.waiting, loop: l, answered: map[*Item[T]]bool{}}
	l.waiting = nil
	questions, err := l.Policy.Ask(ctx, r)
	before := l.kept
	if err == nil {
		err = l.ask(ctx, r, questions)
	}
	unanswered := slices.DeleteFunc(slices.Clone(r.Waiting), func(it *Item[T]) bool { return r.answered[it] })
	l.waiting = append(unanswered, l.waiting...) // what was not answered goes on waiting
	if err != nil {
		return "", err
	}
	if len(questions) == 0 {
		return trial.StopExhausted, nil
	}
	if l.barren++; l.kept > before {
		l.barren = 0
	}
	return "", l.end(ctx, r)
}

// stop returns the reason to ask nothing more, or "".
func (l *Loop[T]) stop() trial.StopReason {
	if stop := l.Job.Ledger.Stop(); stop != "" {
		return stop
	}
	if left, limited := l.room(); limited && left <= 0 { // the rest of the budget is held
		return trial.StopPrograms
	}
	if l.Barren > 0 && l.barren >= l.Barren {
		l.told.Notes = append(l.told.Notes, fmt.Sprintf("The answers of the last %d rounds held no new program: it stopped.", l.Barren))
		return trial.StopExhausted
	}
	return ""
}

// room is how many more programs the budget allows, those that wait included.
func (l *Loop[T]) room() (left int, limited bool) {
	b := l.Job.Ledger.Budget().Programs
	left = int(b - l.Job.Ledger.Usage().Programs)
	if l.Held != nil {
		left -= l.Held()
	}
	return left, b > 0
}

// ask sends a round's questions all at once, takes the answers in the order of the questions and settles all items
// together: if the budget or the recording is at its end, those that were paid for.
func (l *Loop[T]) ask(ctx context.Context, r *Round[T], questions []Question[T]) error {
	var requests []llm.Request
	for _, q := range questions {
		messages := q.Messages
		if messages == nil {
			var err error
			if messages, err = l.Prompts.Messages(q.Prompt, q.Page); err != nil {
				return fmt.Errorf("prompt of %s: %w", q.ID, err)
			}
		}
		request := l.Model.Request(q.Stage, messages...)
		request.ID = q.ID
		requests = append(requests, request)
	}
	var answered []*Item[T]
	var end error
	for i, res := range l.Model.Round(ctx, requests) {
		if end = res.Err; end != nil {
			if _, trouble := l.reason(end); trouble != nil {
				return trouble
			}
			break
		}
		if l.answer(r, questions[i], res.Answer) {
			answered = append(answered, questions[i].Item)
		}
	}
	return errors.Join(l.settle(ctx, r, answered), end)
}

// answer reads an answer and counts it. It reports whether the question's item is to be checked.
func (l *Loop[T]) answer(r *Round[T], q Question[T], a llm.Answer) (check bool) {
	l.tokens += a.Usage.Tokens()
	l.dollars += a.Dollars
	if it := q.Item; it != nil {
		r.answered[it] = true
		if it.ID == "" {
			it.ID = q.ID
		}
	}
	var outcome llm.Outcome
	if q.Read != nil {
		outcome, check = q.Read(a)
	} else {
		var code string
		code, outcome = llm.Program(a)
		check = q.Item.Put(code)
	}
	l.answers[trial.AnswerCount{Stage: q.Stage, Outcome: string(outcome)}]++
	if check && q.Item.Repairs > 0 {
		l.told.Repairs++
	}
	return check
}

// settle checks items, those that the policy mends again, and has the policy decide on all.
func (l *Loop[T]) settle(ctx context.Context, r *Round[T], items []*Item[T]) error {
	for todo := items; len(todo) > 0; {
		if err := l.Checker.Check(ctx, todo); err != nil {
			return err
		}
		var changed []*Item[T]
		for _, it := range todo {
			if !it.checked {
				it.checked = true
				r.First.Add(it.Outcome)
				l.told.First.Add(it.Outcome)
			}
			if mended, err := l.Policy.Mend(it); err != nil {
				return err
			} else if mended {
				changed = append(changed, it)
			}
		}
		todo = changed
	}
	for _, it := range items {
		if err := l.Policy.Settle(r, it); err != nil {
			return err
		}
	}
	return nil
}

// leave settles what waits for answers that will not come.
func (l *Loop[T]) leave(ctx context.Context, n int) error {
	r := &Round[T]{N: n, Last: true, loop: l}
	waiting := l.waiting
	l.waiting = nil
	for _, it := range waiting {
		err := l.Policy.Settle(r, it)
		if errors.Is(err, trial.ErrBudget) {
			break // the suite takes no more
		}
		if err != nil {
			return err
		}
	}
	return l.end(ctx, r)
}

func (l *Loop[T]) end(ctx context.Context, r *Round[T]) error {
	r.Programs, r.Tokens, r.Dollars = l.kept, l.tokens, l.dollars
	return l.Policy.End(ctx, r)
}

// Generation tells how it went so far: answers, programs before and after repair, repairs, and
// notes.
func (l *Loop[T]) Generation() trial.Generation {
	g := l.told
	for _, stage := range l.Stages {
		for _, o := range llm.Outcomes {
			count := trial.AnswerCount{Stage: stage, Outcome: string(o)}
			if count.Count = l.answers[count]; count.Count > 0 {
				g.Answers = append(g.Answers, count)
			}
		}
	}
	return g
}
