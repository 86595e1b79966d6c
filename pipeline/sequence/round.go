package sequence

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/lisa-bench/lisa-bench/internal/llm"
	"github.com/lisa-bench/lisa-bench/internal/trial"
	"github.com/lisa-bench/lisa-bench/pipeline/ngram"
)

// checkGroup is how many answers are checked together: enough to share a compiler, few enough
// that the first are checked while the last are awaited.
const checkGroup = 5

// A session is one call of Generate.
type session struct {
	job       trial.Job
	options   Options
	vanilla   bool
	lib       *library
	scheduler *ngram.Scheduler
	model     *llm.Session
	checker   *checker
	sink      Sink
	kept      []Kept // of this round, for the sink

	rules        ruleBook
	examples     []string          // the newest last
	combinations map[int][]string  // by round
	best         *draft            // of this round, as an example for later ones
	bestNew      int               // N-grams that it was the first to have
	broken       []*draft          // of the last round, to be repaired
	quiet        int               // rounds in a row without a new N-gram
	barren       int               // rounds in a row without a program for the suite
	answers      map[[2]string]int // by stage and outcome
	asked        llm.Attempts
	generation   trial.Generation
	tokens       int64
	dollars      float64
}

// A draft is one program on its way into the suite.
type draft struct {
	id     string // of the request that asked for it
	round  int
	source string
	calls  []string // of APIs, in the order of execution; nil unless outcome is OK

	outcome trial.Outcome
	error   programError
	// refused is the policy that it breaks; "" for none.
	refused string
}

// maxBarren is after how many rounds in a row without a program the tool gives up: a budget in
// programs alone would let it ask, and pay, for ever.
const maxBarren = 20

// run does round after round.
func (s *session) run(ctx context.Context) (trial.StopReason, error) {
	for round := 1; ; round++ {
		if stop := s.job.Ledger.Stop(); stop != "" {
			return stop, s.finish(ctx, round)
		}
		if left, limited := s.room(); limited && left <= 0 { // the rest of the budget is with the sink
			return trial.StopPrograms, nil
		}
		if q := s.options.QuietRounds; q > 0 && s.quiet >= q {
			return trial.StopExhausted, s.finish(ctx, round)
		}
		if s.barren >= maxBarren {
			s.generation.Notes = append(s.generation.Notes, fmt.Sprintf("The answers of the last %d rounds held no new program: it stopped.", maxBarren))
			return trial.StopExhausted, s.finish(ctx, round)
		}
		err := s.round(ctx, round)
		if err == nil {
			err = s.handOver(ctx, round)
		}
		var budget *llm.BudgetError
		switch {
		case errors.As(err, &budget):
			return budget.Reason, s.finish(ctx, round)
		case errors.Is(err, trial.ErrBudget):
			return s.job.Ledger.Stop(), nil
		case errors.Is(err, llm.ErrNoRecording) && len(s.model.Unused()) == 0:
			return trial.StopRecorded, s.finish(ctx, round)
		case err != nil:
			return "", err
		}
	}
}

// round asks for the repairs and rules that the last round left and for new programs, all at
// once, and takes what comes.
func (s *session) round(ctx context.Context, round int) error {
	now := trial.GenerationRound{Round: round}
	repairs, rules := s.broken, s.rules.due()
	if !s.options.Rules {
		rules = nil
	}
	requests, err := s.requests(round, repairs, rules)
	if err != nil {
		return err
	}
	s.broken = nil
	before := s.scheduler.Round().Distinct
	var fixed, fresh []*draft
	for i, res := range s.model.Round(ctx, requests) {
		if res.Err != nil {
			return s.cutShort(ctx, res.Err, unrepaired(repairs, len(fixed)), fresh, &now)
		}
		s.spend(res.Answer)
		switch {
		case i < len(repairs):
			if fixed = append(fixed, s.repaired(repairs[i], res.Answer)); len(fixed) == len(repairs) {
				if err := s.settle(ctx, fixed, &now); err != nil {
					return err
				}
			}
		case i < len(repairs)+len(rules):
			s.count(StageRule, res.Answer.Outcome)
			s.rules.learn(round, rules[i-len(repairs)], res.Answer)
		default:
			if d := s.draft(round, requests[i].ID, res.Answer); d != nil {
				fresh = append(fresh, d)
			}
			if len(fresh) == checkGroup || i == len(requests)-1 {
				if err := s.first(ctx, fresh, &now); err != nil {
					return err
				}
				fresh = nil
			}
		}
	}
	s.learnExamples()
	s.close(now, before)
	return nil
}

// cutShort ends a round for want of an answer. If only the budget or a recording is at its end,
// what was paid for is checked, and what is still to be repaired will go into the suite as it is.
func (s *session) cutShort(ctx context.Context, cause error, unrepaired, fresh []*draft, now *trial.GenerationRound) error {
	s.broken = append(unrepaired, s.broken...)
	var budget *llm.BudgetError
	if !errors.As(cause, &budget) && !errors.Is(cause, llm.ErrNoRecording) {
		return cause
	}
	if err := s.first(ctx, fresh, now); err != nil {
		return err
	}
	return cause
}

// unrepaired are the drafts whose repairs did not come.
func unrepaired(repairs []*draft, answered int) []*draft {
	if answered >= len(repairs) {
		return nil
	}
	return repairs // those answered are not settled either: a group is settled as a whole
}

// requests are those of one round, in the order in which their answers take effect.
func (s *session) requests(round int, repairs []*draft, rules []*recurring) ([]llm.Request, error) {
	var list []llm.Request
	add := func(stage, id string, messages []llm.Message, err error) error {
		if err != nil {
			return fmt.Errorf("prompt %s: %w", id, err)
		}
		r := s.model.Request(stage, messages...)
		r.ID = id
		list = append(list, r)
		return nil
	}
	for i, d := range repairs {
		messages, err := s.repairPrompt(d)
		if err := add(StageRepair, requestID(round, "a-repair", i), messages, err); err != nil {
			return nil, err
		}
	}
	for i, e := range rules {
		messages, err := s.rulePrompt(e)
		if err := add(StageRule, requestID(round, "b-rule", i), messages, err); err != nil {
			return nil, err
		}
	}
	s.combinations[round] = s.scheduler.Combination(s.job.Seed, round)
	messages, err := s.sequencePrompt(s.combinations[round])
	for i := range s.samples() {
		if err := add(StageSequence, requestID(round, "c-sequence", i), messages, err); err != nil {
			return nil, err
		}
	}
	for i := range list {
		s.asked.Number(&list[i])
	}
	return list, nil
}

// samples is how many programs a round asks for: no more than the budget has room for.
func (s *session) samples() int {
	n := s.options.Samples
	if left, limited := s.room(); limited {
		n = int(min(int64(n), max(left-int64(len(s.broken)), 0)))
	}
	return n
}

// room is how many more programs the budget allows, those that wait for a repair included.
func (s *session) room() (left int64, limited bool) {
	b := s.job.Ledger.Budget().Programs
	left = b - s.job.Ledger.Usage().Programs - int64(len(s.kept))
	if s.sink.Held != nil {
		left -= s.sink.Held()
	}
	return left, b > 0
}

// handOver gives the round's programs to the sink, if there is one.
func (s *session) handOver(ctx context.Context, round int) error {
	if s.sink.Take == nil {
		return nil
	}
	kept := s.kept
	s.kept = nil
	return s.sink.Take(ctx, round, kept)
}

// add puts a program into the suite, or among those for the sink.
func (s *session) add(d *draft) error {
	p := trial.Program{Lang: s.job.Target.Language, Source: "// " + d.id + "\n" + d.source, Refused: d.refused}
	if s.sink.Take == nil {
		return s.job.Suite.Add(p)
	}
	p.ID = d.id
	s.kept = append(s.kept, Kept{Program: p, Outcome: d.outcome})
	return nil
}

// draft makes a draft of an answer, or nil if it holds no program.
func (s *session) draft(round int, id string, a llm.Answer) *draft {
	code, outcome := llm.Program(a)
	s.count(StageSequence, outcome)
	if code == "" {
		return nil
	}
	return &draft{id: id, round: round, source: code}
}

// repaired is the corrected version of a draft, or the draft itself if the answer has none.
func (s *session) repaired(d *draft, a llm.Answer) *draft {
	code, outcome := llm.Program(a)
	s.count(StageRepair, outcome)
	if code == "" {
		return d
	}
	return &draft{id: d.id, round: d.round, source: code}
}

// first checks programs as the model first wrote them. Those that fail wait for their repair.
func (s *session) first(ctx context.Context, drafts []*draft, now *trial.GenerationRound) error {
	if err := s.checker.check(ctx, drafts); err != nil {
		return err
	}
	for _, d := range drafts {
		now.First.Add(d.outcome)
		s.generation.First.Add(d.outcome)
		if d.outcome == trial.OK || !s.options.Repair {
			if err := s.keep(d, now); err != nil {
				return err
			}
			continue
		}
		s.rules.note(d)
		s.broken = append(s.broken, d)
	}
	return nil
}

// settle checks repaired programs and keeps them, whatever they have become.
func (s *session) settle(ctx context.Context, drafts []*draft, now *trial.GenerationRound) error {
	s.generation.Repairs += len(drafts)
	if err := s.checker.check(ctx, drafts); err != nil {
		return err
	}
	for _, d := range drafts {
		if err := s.keep(d, now); err != nil {
			return err
		}
	}
	return nil
}

// keep adds a program to the suite, and tells the scheduler of it if it is right.
func (s *session) keep(d *draft, now *trial.GenerationRound) error {
	if err := s.add(d); err != nil {
		return err
	}
	now.Final.Add(d.outcome)
	s.generation.Final.Add(d.outcome)
	if d.outcome == trial.OK {
		found := s.scheduler.Observe(d.calls)
		if s.best == nil || found.New > s.bestNew {
			s.best, s.bestNew = d, found.New
		}
	} else if !s.options.Repair {
		s.rules.note(d)
	}
	return nil
}

// finish keeps what still waits for a repair that will not come, and hands over what is left.
func (s *session) finish(ctx context.Context, round int) error {
	for _, d := range s.broken {
		err := s.keep(d, &trial.GenerationRound{})
		if errors.Is(err, trial.ErrBudget) {
			break
		}
		if err != nil {
			return err
		}
	}
	s.broken = nil
	return s.handOver(ctx, round)
}

// learnExamples puts the round's program with the most new N-grams among the examples of the
// next prompts.
func (s *session) learnExamples() {
	if s.best == nil {
		return
	}
	s.examples = append(s.examples, s.best.source)
	s.examples = s.examples[max(0, len(s.examples)-s.options.Pool):]
	s.best, s.bestNew = nil, 0
}

// close notes the round.
func (s *session) close(now trial.GenerationRound, gramsBefore int) {
	state := s.scheduler.Round()
	now.APIs = slices.Clone(s.combinations[now.Round])
	now.NewGrams, now.Grams = state.Distinct-gramsBefore, state.Distinct
	now.Skew, now.Alpha, now.Gini = state.Skew, state.Alpha, state.Gini
	now.Programs, now.Tokens, now.Dollars = s.generation.Final.Programs, s.tokens, s.dollars
	if s.barren++; now.Programs > s.programsBefore() {
		s.barren = 0
	}
	s.generation.Rounds = append(s.generation.Rounds, now)
	if now.NewGrams > 0 {
		s.quiet = 0
	} else {
		s.quiet++
	}
	s.job.Log.Info("round", "round", now.Round, "apis", now.APIs, "programs", now.Programs, "new_grams", now.NewGrams, "alpha", now.Alpha)
}

// programsBefore is how many programs the rounds before have put into the suite.
func (s *session) programsBefore() int {
	if n := len(s.generation.Rounds); n > 0 {
		return s.generation.Rounds[n-1].Programs
	}
	return 0
}

func (s *session) spend(a llm.Answer) {
	s.tokens += a.Usage.Tokens()
	s.dollars += a.Dollars
}

func (s *session) count(stage string, o llm.Outcome) {
	s.answers[[2]string{stage, string(o)}]++
}

// report hands over how the generation went.
func (s *session) report() {
	g := s.generation
	g.Rules = s.rules.mined
	for _, stage := range []string{StageSequence, StageRepair, StageRule} {
		for _, o := range llm.Outcomes {
			if n := s.answers[[2]string{stage, string(o)}]; n > 0 {
				g.Answers = append(g.Answers, trial.AnswerCount{Stage: stage, Outcome: string(o), Count: n})
			}
		}
	}
	*s.job.Generation = g
}
