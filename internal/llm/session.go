package llm

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/lisa-bench/lisa-bench/internal/durable"
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
	source string       // what may be answered from
	path   string       // of the own transcript
	log    *durable.Log // of the own transcript; nil if nothing is written

	mu      sync.Mutex
	entries []Entry          // of source
	answers map[string]Entry // of source, by key, not asked for yet
	kept    map[string]bool  // keys in the own transcript
	last    Entry            // of the own transcript
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
		clock := make(roundClock, s.config.WithDefaults().Limits.Concurrency)
		for i, result := range s.start(ctx, rs) {
			r := s.await(result)
			if a := r.Answer; r.Err == nil {
				s.ledger.Charge(trial.Usage{Tokens: a.Usage.Tokens(), Dollars: a.Dollars, Model: clock.add(a.WallMs)})
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
	e.ID = r.ID
	if err := s.record(e); err != nil {
		return &Result{Err: err}
	}
	a := *e.Answer
	a.Dollars, a.WallMs = e.Dollars, e.WallMs
	if dollars, err := s.config.Dollars(r.Model, a.Usage); err == nil && a.Dollars == 0 {
		a.Dollars = dollars
	}
	return &Result{Answer: a}
}

// keep writes an answer to the transcript.
func (s *Session) keep(r Request, res Result) Result {
	if res.Err != nil {
		return res
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	a := &res.Answer
	if a.Dollars, res.Err = s.config.Dollars(r.Model, a.Usage); res.Err == nil {
		res.Err = s.record(Entry{ID: r.ID, Key: r.Key(), Request: r, Answer: a, Dollars: a.Dollars, WallMs: a.WallMs})
	}
	return res
}

// record appends an entry to the own transcript, if there is one that has no such entry. It survives a power failure
// when record returns. The caller holds the lock.
func (s *Session) record(e Entry) error {
	if s.log == nil || s.kept[e.Key] {
		return nil
	}
	text, err := Line(e.after(s.last))
	if err != nil {
		return fmt.Errorf("%s: %w", s.path, err)
	}
	s.last, s.kept[e.Key] = e, true
	return s.log.Append(text, true)
}

// Unused returns the ids of the recorded answers that nobody has asked for, in the order of the
// transcript. After a replay there must be none.
func (s *Session) Unused() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	var out []string
	for _, e := range s.entries {
		if _, ok := s.answers[e.Key]; ok {
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
	if s.log == nil {
		return nil
	}
	return s.log.Close()
}

// Finish closes the transcript of a cell whose generation is done, with its entries in the
// order of their ids: the same requests and answers give the same bytes, whatever was asked at once or again.
func (s *Session) Finish() error {
	if err := s.Close(); err != nil || s.log == nil {
		return err
	}
	p, err := readTranscript(s.path)
	if err != nil {
		return err
	}
	slices.SortStableFunc(p.entries, func(a, b Entry) int {
		return cmp.Or(strings.Compare(a.ID, b.ID), strings.Compare(a.Key, b.Key))
	})
	out, err := Line(header{transcriptFormat, p.config})
	var last Entry
	for _, e := range p.entries {
		text, failed := Line(e.after(last))
		out, err, last = append(out, text...), errors.Join(err, failed), e
	}
	if err != nil {
		return err
	}
	return durable.WriteFile(s.path, out)
}

// newSession opens the transcripts. source is the one that a replay answers from, "" otherwise.
func newSession(c Config, next Client, source string, o SessionOptions) (*Session, error) {
	s := &Session{
		config: c, next: next, fresh: o.Fresh, ledger: o.Ledger, source: source, path: o.Transcript,
		answers: map[string]Entry{}, kept: map[string]bool{}, asked: map[string]int{},
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
	if s.path != "" {
		own, err := s.open(config)
		if err != nil {
			return nil, err
		}
		if source == "" {
			s.source, s.entries = s.path, own
		}
	} else if next != nil {
		return nil, errors.New("llm: a session that asks a model needs a transcript")
	}
	for _, e := range s.entries {
		if _, ok := s.answers[e.Key]; !ok {
			s.answers[e.Key] = e
		}
	}
	return s, nil
}

// open opens or makes the own transcript and returns what it holds.
func (s *Session) open(config map[string]string) ([]Entry, error) {
	var p parsed
	log, err := durable.OpenLog(s.path, func(r io.Reader) (size int64, err error) {
		p, err = parseTranscript(r, s.path)
		return p.size, err
	})
	if err != nil {
		return nil, err
	}
	if p.config == nil {
		var text []byte
		if text, err = Line(header{transcriptFormat, config}); err == nil {
			err = log.Append(text, true)
		}
	} else if err = checkConfig(s.path, p.config, config); err != nil {
		err = fmt.Errorf("%w: go back to it, or move the file away to ask everything again", err)
	}
	if err != nil {
		log.Close()
		return nil, err
	}
	s.log = log
	for _, e := range p.entries {
		s.last, s.kept[e.Key] = e, true
	}
	return p.entries, nil
}
