package llm

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"gotest.tools/v3/assert"
	is "gotest.tools/v3/assert/cmp"

	"github.com/lisa-bench/lisa-bench/internal/trial"
)

// A fakeModel answers every request with its own text, after a while.
type fakeModel struct {
	wait        func(r Request) time.Duration // nil: at once
	concurrency int                           // 0: the default
	mu          sync.Mutex
	ids         []string
}

// Round asks all at once, or as many as concurrency says.
func (f *fakeModel) Round(ctx context.Context, rs []Request, deliver func(i int, r Result)) {
	places := make(chan bool, cmp.Or(f.concurrency, 8))
	var all sync.WaitGroup
	for i, r := range rs {
		all.Go(func() {
			places <- true
			defer func() { <-places }()
			a, err := f.complete(ctx, r)
			deliver(i, Result{Answer: a, Err: err})
		})
	}
	all.Wait()
}

func (f *fakeModel) complete(ctx context.Context, r Request) (Answer, error) {
	f.mu.Lock()
	f.ids = append(f.ids, r.ID)
	f.mu.Unlock()
	if f.wait != nil {
		select {
		case <-time.After(f.wait(r)):
		case <-ctx.Done():
			return Answer{}, context.Cause(ctx)
		}
	}
	return Answer{
		Outcome: Answered, Text: "answer to " + r.Messages[0].Content, FinishReason: "stop",
		Usage: Usage{InputTokens: 100, OutputTokens: 50}, WallMs: 5,
	}, nil
}

func (f *fakeModel) asked() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return len(f.ids)
}

func requests(n int) []Request {
	rs := make([]Request, n)
	for i := range rs {
		rs[i] = Request{Stage: "sequence", Model: "m", Messages: []Message{{Role: "user", Content: fmt.Sprintf("prompt %d: call\n<deflate> & co", i)}}}
	}
	return rs
}

func ledger(b trial.Budget) *trial.Ledger { return trial.NewLedger(b, trial.Usage{}, time.Now) }

// session opens a session on dir's transcript.
func session(t *testing.T, dir string, next Client, b trial.Budget) *Session {
	t.Helper()
	s, err := newSession(testConfig(), next, "", SessionOptions{
		Transcript: filepath.Join(dir, TranscriptFile), Config: map[string]string{"cell": "c"}, Ledger: ledger(b),
	})
	assert.NilError(t, err)
	return s
}

func texts(t *testing.T, rs []Result) []string {
	t.Helper()
	var out []string
	for _, r := range rs {
		assert.NilError(t, r.Err)
		out = append(out, r.Answer.Text)
	}
	return out
}

func read(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	assert.NilError(t, err)
	return string(data)
}

func TestRoundsGiveTheSameBytesHoweverTheyAreAnswered(t *testing.T) {
	var want string
	for seed := range uint64(4) {
		synctest.Test(t, func(t *testing.T) {
			random := rand.New(rand.NewPCG(seed, 0))
			var mu sync.Mutex
			f := &fakeModel{wait: func(Request) time.Duration {
				mu.Lock()
				defer mu.Unlock()
				return time.Duration(random.IntN(1000)) * time.Millisecond
			}}
			dir := t.TempDir()
			f.concurrency = 1 + int(seed)*3
			s := session(t, dir, f, trial.Budget{})
			for range 3 {
				all := requests(10)
				for i, text := range texts(t, s.CompleteAll(t.Context(), all)) {
					assert.Check(t, text == "answer to "+all[i].Messages[0].Content, "answer %d: %q", i, text)
				}
			}
			assert.NilError(t, s.Finish())
			got := read(t, s.path)
			if seed == 0 {
				want = got
			}
			assert.Check(t, got == want && strings.Count(got, "\n") == 31 && strings.Contains(got, `call\n<deflate> & co`),
				"transcript of seed %d:\n%s", seed, got)
		})
	}
}

func TestRoundYieldsInOrderAndEarly(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &fakeModel{wait: func(r Request) time.Duration {
			return map[string]time.Duration{"q000001": 2 * time.Second, "q000002": time.Second, "q000003": time.Hour, "q000004": time.Second}[r.ID]
		}}
		s := session(t, t.TempDir(), f, trial.Budget{})
		start := time.Now()
		for i, r := range s.Round(t.Context(), requests(4)) {
			assert.Check(t, r.Err == nil && time.Since(start) == 2*time.Second,
				"result %d after %s: %v", i, time.Since(start), r.Err)
			assert.Check(t, strings.Contains(read(t, s.path), fmt.Sprintf(`{"id":"q%06d"`, i+1)),
				"answer %d is handed out and not in the transcript", i)
			if i == 1 {
				break
			}
		}
		assert.Check(t, is.Equal(time.Since(start), 2*time.Second))
		// The fourth was answered by then, and so is kept and charged; the third was cancelled.
		u := s.ledger.Usage()
		assert.Check(t, u.Tokens == 450 && u.LLMCalls == 4, "charged %+v", u)
		entries, err := ReadTranscript(s.path)
		assert.Check(t, err == nil && len(entries) == 3, "%d entries, %v", len(entries), err)
	})
}

func TestResumeAsksNothingTwice(t *testing.T) {
	dir := t.TempDir()
	f := &fakeModel{}
	first := session(t, dir, f, trial.Budget{})
	texts(t, first.CompleteAll(t.Context(), requests(3)))
	if err := first.Close(); err != nil { // as a kill would leave it
		t.Fatal(err)
	}
	fresh := 0
	again, err := newSession(testConfig(), f, "", SessionOptions{
		Transcript: filepath.Join(dir, TranscriptFile), Config: map[string]string{"cell": "c"},
		Ledger: ledger(trial.Budget{}), Fresh: func() { fresh++ },
	})
	assert.NilError(t, err)
	got := again.CompleteAll(t.Context(), requests(3))
	assert.Check(t, fresh == 0 && f.asked() == 3, "fresh %d times, %d requests asked", fresh, f.asked())
	assert.Check(t, got[2].Answer.WallMs == 5 && got[2].Answer.Dollars == 0.0004, "recorded answers %+v", got)
	texts(t, again.CompleteAll(t.Context(), requests(4)[3:]))
	assert.Check(t, fresh == 1 && f.asked() == 4, "fresh %d times, %d requests asked", fresh, f.asked())
	if u := again.ledger.Usage(); u.LLMCalls != 4 || u.Tokens != 600 || u.Dollars < 0.0015999 || u.Dollars > 0.0016001 {
		t.Errorf("charged %+v", u)
	}
}

// TestTheSameAgainIsAnotherAttempt: equal requests get answers of their own, whatever their ids.
func TestTheSameAgainIsAnotherAttempt(t *testing.T) {
	s := session(t, t.TempDir(), &fakeModel{}, trial.Budget{})
	rs := append(append(requests(2), requests(2)...), requests(1)...)
	rs[1].Attempt = 5 // left from elsewhere
	texts(t, s.CompleteAll(t.Context(), rs))
	assert.NilError(t, s.Finish())
	entries, err := ReadTranscript(s.path)
	assert.NilError(t, err)
	for i, want := range []int{0, 0, 1, 1, 2} {
		got := entries[i].Request.Attempt
		assert.Check(t, got == want, "request %d is attempt %d, want %d", i, got, want)
	}
}

func TestBudgetInMidRound(t *testing.T) {
	for _, tt := range []struct {
		name     string
		budget   trial.Budget
		answered []int // of each of three rounds of four
		reason   trial.StopReason
	}{
		{"calls are kept exactly", trial.Budget{LLMCalls: 6}, []int{4, 2, 0}, trial.StopLLMCalls},
		{"tokens end with the round", trial.Budget{Tokens: 700}, []int{4, 4, 0}, trial.StopTokens},
		{"dollars end with the round", trial.Budget{Dollars: 0.0010}, []int{4, 0, 0}, trial.StopDollars},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f := &fakeModel{}
			s := session(t, t.TempDir(), f, tt.budget)
			total := 0
			for round, want := range tt.answered {
				rs := requests(4)
				for i, r := range s.CompleteAll(t.Context(), rs) {
					var over *BudgetError
					switch {
					case i < want && r.Err != nil:
						t.Errorf("round %d, request %d: %v", round, i, r.Err)
					case i >= want && (!errors.As(r.Err, &over) || over.Reason != tt.reason || !errors.Is(r.Err, trial.ErrBudget)):
						t.Errorf("round %d, request %d: %v", round, i, r.Err)
					}
				}
				total += want
			}
			entries, err := ReadTranscript(s.path)
			assert.Check(t, err == nil && len(entries) == total && f.asked() == total,
				"%d asked, %d kept, %v; want %d", f.asked(), len(entries), err, total)
		})
	}
}

func TestModelWithoutPriceIsNeverFree(t *testing.T) {
	f := &fakeModel{}
	s := session(t, t.TempDir(), f, trial.Budget{})
	r := requests(1)[0]
	r.Model = "other"
	_, err := s.Complete(t.Context(), r)
	want := `llm: model "other" has no price: add {model: other, input: …, output: …} to llm.prices, in dollars per million tokens`
	assert.Check(t, err != nil && err.Error() == want && f.asked() == 0, "%d asked, error %v", f.asked(), err)
}

// TestRoundClock: the time of a round's answers is that of so many at once, whatever else is asked meanwhile.
func TestRoundClock(t *testing.T) {
	for _, c := range []struct {
		places int
		ms     []float64
		want   time.Duration
	}{
		{1, []float64{10, 20, 30}, 60 * time.Millisecond},
		{3, []float64{10, 20, 30}, 30 * time.Millisecond},
		{2, []float64{30, 10, 10, 10}, 30 * time.Millisecond},
		{2, []float64{10, 10, 30}, 40 * time.Millisecond},
		{8, nil, 0},
		{8, []float64{0, 0}, 0}, // of a batch
	} {
		clock, sum := make(roundClock, c.places), time.Duration(0)
		for _, ms := range c.ms {
			sum += clock.add(ms)
		}
		assert.Check(t, sum == c.want, "%v at %d places: %s, want %s", c.ms, c.places, sum, c.want)
	}
}
