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
	config  Config
	next    client // nil for a replay
	fresh   func()
	ledger  *trial.Ledger
	file    *transcript // nil if nothing is written
	replays parsed      // what may be answered from, of source
	source  string

	mu       sync.Mutex
	recorded map[string]Entry // by key, not asked for yet
	own      map[string]bool  // keys that file has
	asked    map[string]string
	ids      map[string]bool
	serial   int
}

// Request returns a request of a stage with the settings of the experiment.
func (s *Session) Request(stage string, messages ...Message) Request {
	c := s.config.For(stage)
	return Request{
		Stage: stage, Model: c.Model, Temperature: c.Temperature, Seed: c.Seed,
		ReasoningEffort: c.ReasoningEffort, MaxTokens: c.MaxTokens, Messages: messages,
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

// A slot is one request of a round.
type slot struct {
	request Request
	result  Result
	ready   chan struct{} // closed when result is there; nil if it was from the start
}

// Round asks a whole round at once and yields its results in the order of rs, each as soon as
// it and all before it are there. So the first answers can be worked on while the last
// are awaited. Leaving the loop cancels what is still under way; what was answered by then is
// kept and charged.
func (s *Session) Round(ctx context.Context, rs []Request) iter.Seq2[int, Result] {
	return func(yield func(int, Result) bool) {
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()
		slots, done := s.start(ctx, rs)
		more := true
		clock := newRoundClock(s.config.Limits.WithDefaults().Concurrency)
		for i, sl := range slots {
			if sl.ready != nil {
				s.await(sl.ready)
			}
			if a := sl.result.Answer; sl.result.Err == nil {
				s.ledger.Charge(trial.Usage{Tokens: a.Usage.Tokens(), Dollars: a.Dollars, Model: clock.add(a.WallMs)})
			}
			if more && !yield(i, sl.result) {
				more = false
				cancel()
			}
		}
		s.await(done)
	}
}

// await waits for an answer. A batch may take a day, which does not count as the cell's time.
func (s *Session) await(ready <-chan struct{}) {
	if _, ok := s.next.(*batch); ok {
		defer s.ledger.Wait()()
	}
	<-ready
}

// A roundClock is how long a round's answers take when so many requests are under way at a time, one after
// the other as they are asked. It is so whatever other cells ask meanwhile, and the same again in a replay.
type roundClock struct {
	free []float64 // when each place is free again, in milliseconds
	last float64
}

func newRoundClock(places int) *roundClock { return &roundClock{free: make([]float64, max(1, places))} }

// add returns by how much the round takes longer with one more answer.
func (c *roundClock) add(ms float64) time.Duration {
	first := slices.Index(c.free, slices.Min(c.free))
	c.free[first] += ms
	was := c.last
	c.last = slices.Max(c.free)
	return time.Duration((c.last - was) * float64(time.Millisecond))
}

// start admits the requests in their order, answers what is recorded, and sends the rest.
func (s *Session) start(ctx context.Context, rs []Request) (slots []*slot, done chan struct{}) {
	done = make(chan struct{})
	var missing []*slot
	var requests []Request
	for _, r := range rs {
		sl := s.admit(r)
		slots = append(slots, sl)
		if sl.ready != nil {
			missing, requests = append(missing, sl), append(requests, sl.request)
		}
	}
	if len(missing) == 0 {
		close(done)
		return slots, done
	}
	s.fresh()
	go func() {
		defer close(done)
		s.next.round(ctx, requests, func(i int, res Result) {
			missing[i].result = s.keep(missing[i].request, res)
			close(missing[i].ready)
		})
	}()
	return slots, done
}

// admit checks one request, charges the call, and answers it if it is recorded.
func (s *Session) admit(r Request) *slot {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.serial++
	if r.ID == "" {
		r.ID = fmt.Sprintf("q%06d", s.serial)
	}
	fail := func(err error) *slot { return &slot{request: r, result: Result{Err: err}} }
	if err := r.Validate(); err != nil {
		return fail(fmt.Errorf("llm: %w", err))
	}
	key := r.Key()
	if first, twice := s.asked[key]; twice {
		return fail(fmt.Errorf("llm: request %s is the same as %s: requests that are meant to differ need another Attempt", r.ID, first))
	}
	if s.ids[r.ID] {
		return fail(fmt.Errorf("llm: two requests have the id %s", r.ID))
	}
	if stop := s.ledger.Stop(); stop != "" {
		return fail(&BudgetError{r.ID, stop})
	}
	if e, ok := s.recorded[key]; ok {
		delete(s.recorded, key)
		s.asked[key], s.ids[r.ID] = r.ID, true
		s.ledger.Charge(trial.Usage{LLMCalls: 1})
		return &slot{request: r, result: s.again(r, e)}
	}
	if s.next == nil {
		return fail(noRecording(s.source, s.replays.entries, r))
	}
	if _, err := s.config.Dollars(r.Model, Usage{}); err != nil {
		return fail(err)
	}
	s.asked[key], s.ids[r.ID] = r.ID, true
	s.ledger.Charge(trial.Usage{LLMCalls: 1})
	return &slot{request: r, ready: make(chan struct{})}
}

// again hands out a recorded answer. A replay's own transcript gets it too, under the id that
// the request has now.
func (s *Session) again(r Request, e Entry) Result {
	if s.file != nil && !s.own[e.Key] {
		e.ID = r.ID
		if err := s.file.append(e); err != nil {
			return Result{Err: err}
		}
		s.own[e.Key] = true
	}
	return Result{Answer: e.result()}
}

// keep writes what became of a request to the transcript.
func (s *Session) keep(r Request, res Result) Result {
	entry := Entry{ID: r.ID, Key: r.Key(), Request: r}
	var fault *Error
	switch {
	case res.Err == nil:
		a := &res.Answer
		var err error
		if a.Dollars, err = s.config.Dollars(r.Model, a.Usage); err != nil {
			return Result{Err: err}
		}
		entry.Answer, entry.Failures, entry.Dollars, entry.WallMs = a, a.Failures, a.Dollars, a.WallMs
	case errors.As(res.Err, &fault) && !res.skipped:
		entry.Error, entry.Failures = &fault.Failure, fault.Earlier
	default:
		s.forget(r)
		return res
	}
	if err := s.file.append(entry); err != nil {
		return Result{Err: err}
	}
	if res.Err != nil {
		s.forget(r)
	}
	return res
}

// forget lets a request be asked again that got no answer.
func (s *Session) forget(r Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.asked, r.Key())
	delete(s.ids, r.ID)
}

// Unused returns the ids of the recorded answers that nobody has asked for, in the order of the
// transcript. After a replay there must be none.
func (s *Session) Unused() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	var out []string
	for _, e := range s.replays.entries {
		if _, ok := s.recorded[e.Key]; ok && e.Answer != nil {
			out = append(out, e.ID)
		}
	}
	return out
}

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
func newSession(c Config, next client, source string, o SessionOptions) (s *Session, err error) {
	s = &Session{
		config: c, next: next, fresh: o.Fresh, ledger: o.Ledger, source: source,
		recorded: map[string]Entry{}, own: map[string]bool{}, asked: map[string]string{}, ids: map[string]bool{},
	}
	if s.fresh == nil {
		s.fresh = func() {}
	}
	config := c.describe()
	maps.Copy(config, o.Config)
	if source != "" {
		if s.replays, err = readTranscript(source); err != nil {
			return nil, fmt.Errorf("replay: %w", err)
		}
		if err := checkConfig(source, s.replays.config, config); err != nil {
			return nil, err
		}
	}
	switch {
	case o.Transcript != "":
		var p parsed
		if s.file, p, err = openTranscript(o.Transcript, config); err != nil {
			return nil, err
		}
		for _, e := range p.entries {
			s.own[e.Key] = s.own[e.Key] || e.Answer != nil
		}
		if source == "" {
			s.source, s.replays = o.Transcript, p
		}
	case next != nil:
		return nil, errors.New("llm: a session that asks a model needs a transcript")
	}
	for _, e := range s.replays.entries {
		if _, ok := s.recorded[e.Key]; !ok && e.Answer != nil {
			s.recorded[e.Key] = e
		}
	}
	return s, nil
}
