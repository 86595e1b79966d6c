package llm

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/lisa-bench/lisa-bench/internal/trial"
)

// A BudgetError says that the cell's budget has no room for a request. It was not sent.
type BudgetError struct {
	ID     string
	Reason trial.StopReason
}

func (e *BudgetError) Error() string { return fmt.Sprintf("request %s: %s is used up", e.ID, e.Reason) }

// Unwrap makes the error a trial.ErrBudget.
func (e *BudgetError) Unwrap() error { return trial.ErrBudget }

// SessionOptions are one cell's.
type SessionOptions struct {
	// Transcript is the file that keeps every answer; it is made, or gone on with. "" keeps
	// none, which only a replay may do.
	Transcript string
	// Config is what the cell's requests depend on beside the settings of the stages, such as
	// the tool's parameters and the seed. A transcript with another one is refused.
	Config map[string]string
	Model  string // in place of the experiment's; "" for that one
	Ledger *trial.Ledger
	// Fresh is called before anything is asked that was not recorded, so that a resumed cell's
	// clock can start; may be nil.
	Fresh func()
}

// A Session is one cell's access to models. What its transcript holds already is answered
// from there; what is asked anew is in the transcript, on disk, before it is handed out.
//
// A request costs a call when it is asked, tokens and dollars when its answer is handed out, in
// the order of the round; recorded answers cost what they did. A budget in calls is therefore kept
// exactly, and one in tokens or dollars ends with the round that uses it up.
//
// Safe for concurrent use. Only rounds make the order of what is charged, and with it the
// moment when a budget ends, the same in every run.
type Session struct {
	config Config
	next   Client        // nil for a replay
	pause  func() func() // keeps waiting out of the cell's time until its result is called; nil where it counts
	fresh  func()
	ledger *trial.Ledger
	file   *transcript // nil if nothing is written
	source string      // what may be answered from
	// unpaid is what requests cost, by key, that ended with an error in an earlier session. It is charged with
	// the answer.
	unpaid map[string]Usage

	mu      sync.Mutex
	entries []Entry          // of source
	answers map[string]Entry // of source, by key, not asked for yet
	kept    map[string]bool  // keys that file has an answer for
	asked   map[string]int   // how often, by the key of attempt 0
	serial  int
}

// Request returns a request of a stage with the settings of the experiment.
func (s *Session) Request(stage string, messages ...Message) Request {
	return s.config.For(stage).request(stage, messages...)
}

func (s Settings) request(stage string, messages ...Message) Request {
	return Request{
		Stage: stage, Model: s.Model, Temperature: s.Temperature, Seed: s.Seed,
		ReasoningEffort: s.ReasoningEffort, MaxTokens: s.MaxTokens, Messages: messages,
	}
}

// EmbeddingRequest returns a request of a stage for the embeddings of texts, for a round of its own. Of the
// stage's settings only the model matters to it.
func (s *Session) EmbeddingRequest(stage string, texts ...string) Request {
	return Request{Stage: stage, Model: s.config.For(stage).Model, Texts: texts}
}

// Complete asks a round of one.
func (s *Session) Complete(ctx context.Context, r Request) (Answer, error) {
	res := s.CompleteAll(ctx, []Request{r})[0]
	return res.Answer, res.Err
}

// CompleteAll asks a whole round at once and returns its results in the order of rs, however
// many requests are under way at a time.
func (s *Session) CompleteAll(ctx context.Context, rs []Request) []Result {
	out := make([]Result, len(rs))
	for i, r := range s.Round(ctx, rs) {
		out[i] = r
	}
	return out
}

// Round asks a whole round at once and yields its results in the order of rs, each as soon as
// it and all before it are there. So the first answers can be worked on while the last
// are awaited. Leaving the loop cancels what is still under way; what was answered by then is
// kept and charged.
func (s *Session) Round(ctx context.Context, rs []Request) iter.Seq2[int, Result] {
	return func(yield func(int, Result) bool) {
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()
		more := true
		clock := make(roundClock, s.config.Limits.WithDefaults().Concurrency)
		for i, result := range s.start(ctx, rs) {
			r := s.await(result)
			var trouble *Error
			if r.Err == nil {
				a := r.Answer
				s.ledger.Charge(trial.Usage{Tokens: a.Usage.Tokens(), Dollars: a.Dollars, Model: clock.add(a.WallMs)})
			} else if errors.As(r.Err, &trouble) && !r.Skipped {
				s.ledger.Charge(trial.Usage{Tokens: trouble.paid().Tokens(), Dollars: r.Answer.Dollars})
			}
			if more && !yield(i, r) {
				more = false
				cancel()
			}
		}
	}
}

// await waits for an answer.
func (s *Session) await(result <-chan Result) Result {
	if s.pause != nil {
		defer s.pause()()
	}
	return <-result
}

// A roundClock is how long a round's answers take when so many requests are under way at a time, one after the
// other as they are asked: when each place is free again, in milliseconds. It is so whatever other cells ask
// meanwhile, and the same again in a replay.
type roundClock []float64

// add returns by how much the round takes longer with one more answer.
func (c roundClock) add(ms float64) time.Duration {
	before, first := slices.Max(c), slices.Index(c, slices.Min(c))
	c[first] += ms
	return time.Duration((slices.Max(c) - before) * float64(time.Millisecond))
}

// start admits the requests in their order, answers what is recorded, and sends the rest. Each gets its result.
func (s *Session) start(ctx context.Context, rs []Request) []chan Result {
	results := make([]chan Result, len(rs))
	var missing []chan Result
	var requests []Request
	for i, r := range rs {
		results[i] = make(chan Result, 1)
		r, result := s.admit(r)
		if result != nil {
			results[i] <- *result
		} else {
			missing, requests = append(missing, results[i]), append(requests, r)
		}
	}
	if len(missing) > 0 {
		s.fresh()
		go s.next.Round(ctx, requests, func(i int, res Result) { missing[i] <- s.keep(requests[i], res) })
	}
	return results
}

// admit checks one request, gives it an ID and the number of its attempt, charges the call, and answers it if it
// is recorded.
func (s *Session) admit(r Request) (Request, *Result) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.serial++
	if r.ID == "" {
		r.ID = requestID(s.serial)
	}
	fail := func(err error) (Request, *Result) { return r, &Result{Err: err} }
	if err := r.Validate(); err != nil {
		return fail(fmt.Errorf("llm: %w", err))
	}
	r.Attempt = 0
	first := r.Key()
	r.Attempt = s.asked[first]
	key := r.Key()
	if stop := s.ledger.Stop(); stop != "" {
		return fail(&BudgetError{r.ID, stop})
	}
	recorded, ok := s.answers[key]
	if !ok && s.next == nil {
		return fail(noRecording(s.source, s.entries, r))
	}
	if _, err := s.config.Dollars(r.Model, Usage{}); err != nil && !ok {
		return fail(err)
	}
	s.asked[first]++
	s.ledger.Charge(trial.Usage{LLMCalls: 1})
	if !ok {
		return r, nil
	}
	delete(s.answers, key)
	return r, s.again(r, recorded)
}

// again hands out a recorded answer. A replay's own transcript gets it too, under the id that
// the request has now. One that was recorded without a price costs what the replay's prices say.
func (s *Session) again(r Request, e Entry) *Result {
	if s.file != nil && !s.kept[e.Key] {
		e.ID = r.ID
		if err := s.file.append(e); err != nil {
			return &Result{Err: err}
		}
		s.kept[e.Key] = true
	}
	a := e.result()
	if dollars, err := s.config.Dollars(r.Model, a.Usage); err == nil && a.Dollars == 0 {
		a.Dollars = dollars
	}
	return &Result{Answer: a}
}

// keep writes what became of a request to the transcript.
func (s *Session) keep(r Request, res Result) Result {
	entry := Entry{ID: r.ID, Key: r.Key(), Request: r}
	var trouble *Error
	switch {
	case res.Err == nil:
		a := &res.Answer
		a.clean()
		a.Usage = a.Usage.Plus(s.unpaid[entry.Key])
		a.Dollars, res.Err = s.config.Dollars(r.Model, a.Usage)
		entry.Answer, entry.Failures, entry.Dollars, entry.WallMs = a, a.Failures, a.Dollars, a.WallMs
	case errors.As(res.Err, &trouble) && !res.Skipped:
		entry.Error, entry.Failures = &trouble.Failure, trouble.Earlier
		dollars, err := s.config.Dollars(r.Model, trouble.paid())
		if err != nil {
			return Result{Err: err}
		}
		entry.Dollars, res.Answer.Dollars = dollars, dollars
	}
	if entry.Answer != nil || entry.Error != nil {
		if err := s.file.append(entry); err != nil {
			return Result{Err: err}
		}
	}
	return res
}

// Unused returns the ids of the recorded answers that nobody has asked for, in the order of the
// transcript. After a replay there must be none.
func (s *Session) Unused() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	var out []string
	for _, e := range s.entries {
		if _, ok := s.answers[e.Key]; ok && e.Answer != nil {
			out = append(out, e.ID)
		}
	}
	return out
}

// RecordedAfter returns, in a replay, the messages of the next recorded request without its first n; nil if none are
// left.
func (s *Session) RecordedAfter(n int) []Message {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.next != nil {
		return nil
	}
	for _, e := range s.entries {
		if e.ID == requestID(s.serial+1) && len(e.Request.Messages) > n {
			return e.Request.Messages[n:]
		}
	}
	return nil
}

// requestID is the ID of the nth request, from 1, that has none of its own.
func requestID(n int) string { return fmt.Sprintf("q%06d", n) }

// Close closes the transcript as it is; a later session goes on with it.
func (s *Session) Close() error {
	if s.file == nil {
		return nil
	}
	return s.file.log.Close()
}

// Finish closes the transcript of a cell whose generation is done, with its entries in the
// order of their ids: the same requests and answers give the same bytes.
func (s *Session) Finish() error {
	if s.file == nil {
		return nil
	}
	if err := s.file.log.Close(); err != nil {
		return err
	}
	return finishTranscript(s.file.path)
}

// newSession opens the transcripts. source is the one that a replay answers from, "" otherwise.
func newSession(c Config, next Client, source string, o SessionOptions) (s *Session, err error) {
	s = &Session{
		config: c, next: next, fresh: o.Fresh, ledger: o.Ledger, source: source,
		answers: map[string]Entry{}, kept: map[string]bool{}, asked: map[string]int{},
		unpaid: map[string]Usage{},
	}
	if s.fresh == nil {
		s.fresh = func() {}
	}
	config := c.describe()
	maps.Copy(config, o.Config)
	if source != "" {
		p, err := readTranscript(source)
		if err != nil {
			return nil, fmt.Errorf("replay: %w", err)
		}
		if err := checkConfig(source, p.config, config); err != nil {
			return nil, fmt.Errorf("%w: a replay needs the experiment that was recorded", err)
		}
		s.entries = p.entries
	}
	switch {
	case o.Transcript != "":
		var p parsed
		if s.file, p, err = openTranscript(o.Transcript, config); err != nil {
			return nil, err
		}
		for _, e := range p.entries {
			s.kept[e.Key] = s.kept[e.Key] || e.Answer != nil
		}
		if source == "" {
			s.source, s.entries = o.Transcript, p.entries
		}
	case next != nil:
		return nil, errors.New("llm: a session that asks a model needs a transcript")
	}
	for _, e := range s.entries {
		if _, ok := s.answers[e.Key]; !ok && e.Answer != nil {
			s.answers[e.Key] = e
		}
		if e.Error != nil {
			s.unpaid[e.Key] = s.unpaid[e.Key].Plus(Paid(append(slices.Clone(e.Failures), *e.Error)...))
		}
	}
	return s, nil
}
