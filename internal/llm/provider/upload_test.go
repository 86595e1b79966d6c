package provider_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/lisa-bench/lisa-bench/internal/llm"
	"github.com/lisa-bench/lisa-bench/internal/llm/llmtest"
	"github.com/lisa-bench/lisa-bench/internal/llm/provider"
	"github.com/lisa-bench/lisa-bench/internal/trial"
)

// A way to an endpoint is a call of it, so that a test's clock can be virtual. It ends with the process at the n-th
// call, which reaches the endpoint or not.
type way struct {
	endpoint *batchAPI
	n        int
	reaches  bool
	kill     context.CancelFunc

	mu    sync.Mutex
	calls int
}

func (w *way) RoundTrip(r *http.Request) (*http.Response, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.calls++
	if w.calls == w.n && !w.reaches {
		w.kill()
	}
	if err := r.Context().Err(); err != nil {
		return nil, err
	}
	rec := httptest.NewRecorder()
	w.endpoint.ServeHTTP(rec, r)
	if w.calls == w.n {
		w.kill()
		return nil, errors.New("killed")
	}
	return rec.Result(), nil
}

// uploading is a run of two cells, which ask two rounds each, on a batch directory; it may be killed.
func uploading(t *testing.T, dir string, w *way, tries int) (answers []string, dollars float64, err error) {
	t.Helper()
	c := w.endpoint.Config()
	c.Provider, c.Upload, c.Dir, c.BaseURL, c.Limits.Tries = llm.ProviderBatch, true, dir, "http://endpoint/v1", tries
	c.Stages = []llm.Stage{{Name: "other", Settings: llm.Settings{Model: "other"}}}
	c.Prices = append(c.Prices, llm.Price{Model: "other", Input: new(2.0), Output: new(2.0)})
	m, err := provider.OpenThrough(c, w)
	if err != nil {
		t.Fatal(err)
	}
	ctx, kill := context.WithCancel(t.Context())
	defer kill()
	w.kill = kill
	var mu sync.Mutex
	var cells sync.WaitGroup
	for _, cell := range []string{"a", "b"} {
		cells.Go(func() {
			spent := trial.NewLedger(trial.Budget{Programs: 100, Time: time.Second}, trial.Usage{}, time.Now)
			s, failed := m.Session(cell, llm.SessionOptions{Transcript: filepath.Join(dir, cell, llm.TranscriptFile), Ledger: spent})
			if failed != nil {
				t.Error(failed)
				return
			}
			for round := range 2 {
				var rs []llm.Request
				for i := range 3 {
					stage := []string{"sequence", "sequence", "other"}[i]
					rs = append(rs, s.Request(stage, llm.Message{Role: "user", Content: fmt.Sprintf("prompt %d of round %d", i, round)}))
				}
				for _, r := range s.CompleteAll(ctx, rs) {
					mu.Lock()
					answers, err = append(answers, r.Answer.Text), errors.Join(err, r.Err)
					mu.Unlock()
				}
			}
			mu.Lock()
			defer mu.Unlock()
			dollars += spent.Usage().Dollars
			if u := spent.Usage(); u.Model != 0 || u.Wall != 0 {
				t.Errorf("waiting is time: %+v", u)
			}
			err = errors.Join(err, s.Close())
		})
	}
	cells.Wait()
	return answers, dollars, err
}

func echo(_ string, m []llm.Message) string { return "```c\n// " + m[0].Content + "\n```" }

// TestUpload: the batches of all cells are under way together, one for each model, and they cost what the endpoint
// sold.
func TestUpload(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e := newBatchAPI(t)
		answers, dollars, err := uploading(t, t.TempDir(), &way{endpoint: e}, 3)
		if err != nil || len(answers) != 12 {
			t.Fatalf("%q, %v", answers, err)
		}
		if n := len(e.batches); n != 8 {
			t.Errorf("%d batches for two rounds of two models, of two cells", n)
		}
		checkSold(t, e, dollars, 12)
	})
}

// checkSold compares a ledger with what was sold, at the prices of uploading.
func checkSold(t *testing.T, e *batchAPI, dollars float64, answers int64) {
	t.Helper()
	sold := e.Sold()
	first, other := sold[llmtest.ModelName], sold["other"]
	want := float64(first.Input+first.Output+2*(other.Input+other.Output)) / 1e6
	if diff := dollars - want; first.Answers+other.Answers != answers || diff > 1e-12 || diff < -1e-12 {
		t.Errorf("%d answers sold for $%.9f, want %d for $%.9f", first.Answers+other.Answers, want, answers, dollars)
	}
}

// TestUploadSurvivesKills: killed at any call of the endpoint, before it gets there or before its answer does, a run
// goes on with the batches that it has, and nothing is paid twice.
func TestUploadSurvivesKills(t *testing.T) {
	kills := 0
	step := 1
	if testing.Short() {
		step = 4
	}
	for n := 1; ; n += step {
		ended := false
		for _, reaches := range []bool{false, true} {
			synctest.Test(t, func(t *testing.T) {
				e, dir := newBatchAPI(t), t.TempDir()
				w := &way{endpoint: e, n: n, reaches: reaches}
				if _, _, err := uploading(t, dir, w, 3); err == nil {
					ended = true // before the n-th call
					return
				}
				kills++
				answers, dollars, err := uploading(t, dir, &way{endpoint: e}, 3)
				if err != nil || len(answers) != 12 {
					t.Fatalf("killed at call %d: %q, %v", n, answers, err)
				}
				if checkSold(t, e, dollars, 12); t.Failed() {
					t.Fatalf("killed at call %d, reaches %v: %+v", n, reaches, e.batches)
				}
			})
		}
		if ended {
			break
		}
	}
	if kills < 20/step {
		t.Errorf("killed at %d moments only", kills)
	}
}

// TestUploadTakesNoOtherRunsBatch: a run that was killed as it made a batch does not take that of another run with the
// same cells and the same requests.
func TestUploadTakesNoOtherRunsBatch(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e, dir := newBatchAPI(t), t.TempDir()
		if _, _, err := uploading(t, dir, &way{endpoint: e, n: 2}, 3); err == nil {
			t.Fatal("not killed")
		}
		for _, run := range []string{t.TempDir(), dir} {
			if answers, _, err := uploading(t, run, &way{endpoint: e}, 3); err != nil || len(answers) != 12 {
				t.Fatalf("%q, %v", answers, err)
			}
		}
		if n := len(e.batches); n != 16 {
			t.Errorf("%d batches of two runs", n)
		}
	})
}

// TestUploadTriesAgain what was not answered, and gives up.
func TestUploadTriesAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e := newBatchAPI(t)
		habits := map[int64]llmtest.Habit{1: expired, 2: llmtest.RateLimited, 3: llmtest.Broken, 5: llmtest.TooLong, 7: llmtest.NoUsage}
		e.habits = func(n int64) llmtest.Habit { return habits[n] }
		answers, dollars, err := uploading(t, t.TempDir(), &way{endpoint: e}, 2)
		if err != nil || len(answers) != 12 {
			t.Fatalf("%q, %v", answers, err)
		}
		if empty := strings.Count(strings.Join(answers, "|")+"|", "||"); empty > 1 {
			t.Errorf("%q", answers)
		}
		if dollars == 0 {
			t.Error("nothing was paid")
		}
	})
	synctest.Test(t, func(t *testing.T) {
		e := newBatchAPI(t)
		e.habits = func(int64) llmtest.Habit { return expired }
		_, _, err := uploading(t, t.TempDir(), &way{endpoint: e}, 2)
		var trouble *llm.Error
		if !errors.As(err, &trouble) || !strings.Contains(err.Error(), "no answer after 2 batches: completed: not answered: 0 batch_expired This request could not") {
			t.Errorf("%v", err)
		}
	})
}
