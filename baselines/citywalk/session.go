package citywalk

import (
	"context"
	"errors"
	"fmt"

	"github.com/lisa-bench/lisa-bench/internal/llm"
	"github.com/lisa-bench/lisa-bench/internal/trial"
)

// checkGroup is how many answers are checked together: enough to share a compiler, few enough
// that the first are checked while the last are awaited.
const checkGroup = 5

// The post-processing passes, with what stands before them.
var passNames = [...]string{"model", "syntax rules", "compile-error rules", "model round"}

// A session is one call of Generate.
type session struct {
	*workbook
	job   trial.Job
	model *llm.Session
	embed bool // an embedding model is configured

	next       int               // index of the next focal function
	broken     []*draft          // of the last round, for the model to mend
	answers    map[[2]string]int // by stage and outcome
	asked      llm.Attempts
	generation trial.Generation
	compiled   [len(passNames)]int
}

// A draft is one test file on its way into the suite.
type draft struct {
	id     string // of the request that asked for it
	focal  *focal
	source string // as a model sees it; program makes of it what is compiled

	outcome    trial.Outcome
	diagnostic string
	compiled   [len(passNames)]bool // after each pass
}

// run does round after round.
func (s *session) run(ctx context.Context) (trial.StopReason, error) {
	if stop := s.job.Ledger.Stop(); stop != "" {
		return stop, nil
	}
	if err := s.index(ctx); err != nil {
		return s.ended(err)
	}
	for round := 1; ; round++ {
		if stop := s.job.Ledger.Stop(); stop != "" {
			return stop, s.finish()
		}
		if s.next == len(s.focals) && len(s.broken) == 0 {
			return trial.StopExhausted, nil
		}
		if err := s.round(ctx, round); err != nil {
			return s.ended(err)
		}
	}
}

// ended tells the end of a budget from trouble.
func (s *session) ended(err error) (trial.StopReason, error) {
	var budget *llm.BudgetError
	switch {
	case errors.As(err, &budget):
		return budget.Reason, s.finish()
	case errors.Is(err, trial.ErrBudget):
		return s.job.Ledger.Stop(), nil
	}
	return "", err
}

// index prepares the retrieval of documents.
func (s *session) index(ctx context.Context) (err error) {
	if s.options.Intentions {
		s.intents, err = newRetriever(ctx, s.model, s.embed, s.project.passages(s.target.Documents), s.focals)
	}
	return err
}

// round asks for corrected versions of what the last round left and for new test files, all at
// once, and takes what comes.
func (s *session) round(ctx context.Context, round int) error {
	mending, fresh := s.broken, s.focals[s.next:s.next+s.samples()]
	requests, err := s.requests(round, mending, fresh)
	if err != nil {
		return err
	}
	var mended, drafts []*draft
	for i, res := range s.model.Round(ctx, requests) {
		if res.Err != nil {
			return s.cutShort(ctx, res.Err, mended, drafts)
		}
		if i < len(mending) {
			mended = append(mended, s.mended(mending[i], res.Answer))
			if len(mended) == checkGroup || i == len(mending)-1 {
				if err := s.settle(ctx, mended); err != nil {
					return err
				}
				s.broken, mended = s.broken[len(mended):], nil
			}
			continue
		}
		f := fresh[i-len(mending)]
		s.next++
		if d := s.draft(f, requests[i].ID, res.Answer); d != nil {
			drafts = append(drafts, d)
		}
		if len(drafts) == checkGroup || i == len(requests)-1 {
			if err := s.first(ctx, drafts); err != nil {
				return err
			}
			drafts = nil
		}
	}
	s.job.Log.Info("round", "round", round, "functions", s.next, "of", len(s.focals), "programs", s.generation.Final.Programs, "to_mend", len(s.broken))
	return nil
}

// cutShort ends a round for want of an answer. If only the budget is at its end, what was paid for
// is checked; what does not compile goes into the suite as it is.
func (s *session) cutShort(ctx context.Context, cause error, mended, drafts []*draft) error {
	var budget *llm.BudgetError
	if !errors.As(cause, &budget) {
		return cause
	}
	if len(mended) > 0 {
		if err := s.settle(ctx, mended); err != nil {
			return err
		}
		s.broken = s.broken[len(mended):]
	}
	if err := s.first(ctx, drafts); err != nil {
		return err
	}
	return cause
}

// requests are those of one round, in the order in which their answers take effect.
func (s *session) requests(round int, mending []*draft, fresh []*focal) ([]llm.Request, error) {
	var list []llm.Request
	add := func(stage, id string, messages []llm.Message, err error) error {
		if err != nil {
			return fmt.Errorf("prompt %s: %w", id, err)
		}
		r := s.model.Request(stage, messages...)
		r.ID = id
		s.asked.Number(&r)
		list = append(list, r)
		return nil
	}
	for i, d := range mending {
		messages, err := s.fixPrompt(d)
		if err := add(StageFix, requestID(round, "a-fix", i), messages, err); err != nil {
			return nil, err
		}
	}
	for i, f := range fresh {
		messages, err := s.testPrompt(f)
		if err := add(StageTest, requestID(round, "b-test", i), messages, err); err != nil {
			return nil, err
		}
	}
	return list, nil
}

// requestID names a request in the transcript, so that its lines sort in the order of asking.
func requestID(round int, part string, n int) string {
	return fmt.Sprintf("r%04d-%s%04d", round, part, n+1)
}

// samples is how many functions a round asks for: no more than the budget has room for.
func (s *session) samples() int {
	n := min(s.options.Round, len(s.focals)-s.next)
	if b := s.job.Ledger.Budget().Programs; b > 0 {
		left := b - s.job.Ledger.Usage().Programs - int64(len(s.broken))
		n = int(min(int64(n), max(left, 0)))
	}
	return n
}

// draft makes a draft of an answer, or nil if it holds no program. An answer that was cut off holds
// one as far as it goes: the first pass closes it.
func (s *session) draft(f *focal, id string, a llm.Answer) *draft {
	code := s.code(StageTest, a)
	if code == "" {
		return nil
	}
	return &draft{id: id, focal: f, source: code}
}

// mended is the corrected version of a draft, or the draft itself if the answer has none.
func (s *session) mended(d *draft, a llm.Answer) *draft {
	code := s.code(StageFix, a)
	if code == "" {
		return d
	}
	n := *d
	n.source = s.syntaxRules(d.focal, code)
	return &n
}

func (s *session) code(stage string, a llm.Answer) string {
	code, outcome := llm.Program(a)
	if outcome == llm.Truncated || outcome == llm.TooLong {
		code, _ = llm.ExtractCode(a.Text)
	}
	s.answers[[2]string{stage, string(outcome)}]++
	return code
}

// first takes test files as the model first wrote them through the first two passes. Those that
// still do not compile wait for the third.
func (s *session) first(ctx context.Context, drafts []*draft) error {
	if err := s.try(ctx, drafts, 0); err != nil {
		return err
	}
	for _, d := range drafts {
		s.generation.First.Add(d.outcome)
	}
	if s.options.Fixing {
		if err := s.syntaxPass(ctx, drafts); err != nil {
			return err
		}
		if err := s.rulePass(ctx, drafts); err != nil {
			return err
		}
	}
	for _, d := range drafts {
		if s.options.Fixing && !d.outcome.Compiled() {
			s.broken = append(s.broken, d)
			continue
		}
		if err := s.keep(d); err != nil {
			return err
		}
	}
	return nil
}

// syntaxPass is the first pass. It never makes a file that compiles one that does not.
func (s *session) syntaxPass(ctx context.Context, drafts []*draft) error {
	var changed, before []*draft
	for _, d := range drafts {
		source := s.syntaxRules(d.focal, d.source)
		if source == d.source {
			continue
		}
		old := *d
		changed, before = append(changed, d), append(before, &old)
		d.source = source
	}
	if err := s.try(ctx, changed, 1); err != nil {
		return err
	}
	for i, d := range changed {
		if before[i].outcome.Compiled() && !d.outcome.Compiled() {
			*d = *before[i]
		}
	}
	markPass(drafts, 1)
	return nil
}

// rulePass is the second pass, on what does not compile.
func (s *session) rulePass(ctx context.Context, drafts []*draft) error {
	for range fixRounds {
		var changed []*draft
		for _, d := range drafts {
			if d.outcome.Compiled() {
				continue
			}
			if source := s.compileErrors(d.source, d.diagnostic); source != d.source {
				d.source = source
				changed = append(changed, d)
			}
		}
		if len(changed) == 0 {
			break
		}
		if err := s.try(ctx, changed, 2); err != nil {
			return err
		}
	}
	markPass(drafts, 2)
	return nil
}

// markPass notes which drafts compile after a pass.
func markPass(drafts []*draft, pass int) {
	for _, d := range drafts {
		d.compiled[pass] = d.outcome.Compiled()
	}
}

// settle checks the model's corrections and keeps them, whatever they have become.
func (s *session) settle(ctx context.Context, drafts []*draft) error {
	s.generation.Repairs += len(drafts)
	if err := s.try(ctx, drafts, 3); err != nil {
		return err
	}
	for _, d := range drafts {
		if err := s.keep(d); err != nil {
			return err
		}
	}
	return nil
}

// try compiles and runs drafts in the sandbox. What becomes of one that runs is noted and nothing
// else: only errors of the compiler and the linker are mended.
func (s *session) try(ctx context.Context, drafts []*draft, pass int) error {
	if len(drafts) == 0 {
		return nil
	}
	programs := make([]trial.Program, len(drafts))
	for i, d := range drafts {
		programs[i] = trial.Program{ID: d.id, Lang: s.target.Language, Source: s.program(d.source)}
	}
	results, err := s.job.Exec.Run(ctx, programs, trial.ExecOptions{})
	if err != nil {
		return err
	}
	for i, d := range drafts {
		d.outcome, d.diagnostic = results[i].Outcome, llm.Portable(results[i].Diagnostic)
		d.compiled[pass] = d.outcome.Compiled()
	}
	return nil
}

// keep adds a test file to the suite. Its expected values are argued from documents and code, not
// recorded.
func (s *session) keep(d *draft) error {
	p := trial.Program{
		Lang: s.target.Language, Oracle: trial.OracleSpecification,
		Source: "// " + d.id + " " + d.focal.spec.Canonical() + "\n" + s.program(d.source),
	}
	if err := s.job.Suite.Add(p); err != nil {
		return err
	}
	s.generation.Final.Add(d.outcome)
	d.compiled[3] = d.outcome.Compiled()
	for i, ok := range d.compiled {
		if ok {
			s.compiled[i]++
		}
	}
	return nil
}

// finish keeps what still waits for a correction that will not come.
func (s *session) finish() error {
	for len(s.broken) > 0 {
		err := s.keep(s.broken[0])
		if errors.Is(err, trial.ErrBudget) {
			return nil
		}
		if err != nil {
			return err
		}
		s.broken = s.broken[1:]
	}
	return nil
}

// report hands over how the generation went.
func (s *session) report() {
	g := s.generation
	for _, stage := range []string{StageTest, StageFix} {
		for _, o := range llm.Outcomes {
			if n := s.answers[[2]string{stage, string(o)}]; n > 0 {
				g.Answers = append(g.Answers, trial.AnswerCount{Stage: stage, Outcome: string(o), Count: n})
			}
		}
	}
	for i, name := range passNames {
		if i == 0 || s.options.Fixing {
			g.Passes = append(g.Passes, trial.Pass{Name: name, Compiled: s.compiled[i], Programs: g.Final.Programs})
		}
	}
	*s.job.Generation = g
}
