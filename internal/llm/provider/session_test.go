package provider

import (
	"context"
	"errors"
	"fmt"
	"math"
	"net/http"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"gotest.tools/v3/assert"

	"github.com/lisa-bench/lisa-bench/internal/llm"
	"github.com/lisa-bench/lisa-bench/internal/trial"
)

func requests(n int) []llm.Request {
	rs := make([]llm.Request, n)
	for i := range rs {
		rs[i] = llm.Request{Stage: "sequence", Model: "m", Messages: []llm.Message{{Role: "user", Content: fmt.Sprintf("prompt %d: call\n<deflate> & co", i)}}}
	}
	return rs
}

// session opens a session on a directory's transcript.
func session(t *testing.T, e *endpoint, dir string) (*llm.Session, *trial.Ledger) {
	t.Helper()
	l := trial.NewLedger(trial.Budget{}, trial.Usage{}, time.Now)
	s, err := e.models(t).Session("cell", llm.SessionOptions{Transcript: filepath.Join(dir, llm.TranscriptFile), Ledger: l})
	assert.NilError(t, err)
	return s, l
}

// entries are those of the transcript in a directory.
func entries(t *testing.T, dir string) []llm.Entry {
	t.Helper()
	all, err := llm.ReadTranscript(filepath.Join(dir, llm.TranscriptFile))
	assert.NilError(t, err)
	return all
}

func TestFaultEndsTheRoundAndIsAskedAgainLater(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		broken := true
		var asked atomic.Int64
		e := newEndpoint(testConfig("").WithDefaults(), "", quiet)
		e.config.Limits.Tries = 1
		e.ask = func(ctx context.Context, r llm.Request) (llm.Answer, error) {
			asked.Add(1)
			wait := time.Duration(len(r.ID)) * time.Millisecond << (5 * (r.ID[6] - '0'))
			if r.ID == "q000002" {
				wait = time.Second
			}
			if err := llm.Sleep(ctx, wait); err != nil {
				return llm.Answer{}, err
			}
			if r.ID == "q000002" && broken {
				return llm.Answer{}, refused(401, "wrong key", 0)
			}
			return llm.Answer{Outcome: llm.Answered, Text: "answer to " + r.Messages[0].Content}, nil
		}
		dir := t.TempDir()
		s, _ := session(t, e, dir)
		got := s.CompleteAll(t.Context(), requests(4))
		if got[0].Err != nil || got[1].Err == nil || !errors.Is(got[2].Err, got[1].Err) || !errors.Is(got[3].Err, got[1].Err) {
			t.Fatalf("got %v", got)
		}
		assert.NilError(t, s.Close())
		if all := entries(t, dir); len(all) != 2 || all[1].Error == nil || all[1].ID != "q000002" {
			t.Errorf("%+v: the answer and the fault, and nothing of the requests that they ended", all)
		}
		broken = false
		s, _ = session(t, e, dir)
		for _, r := range s.CompleteAll(t.Context(), requests(4)) {
			assert.NilError(t, r.Err)
		}
		if asked.Load() != 7 {
			t.Errorf("%d asked: the one answer of before was asked again", asked.Load())
		}
		assert.NilError(t, s.Finish())
		if all := entries(t, dir); len(all) != 4 || all[1].Answer == nil || len(all[1].Failures) != 1 || all[1].Failures[0].Fault != llm.FaultKey {
			t.Errorf("%+v", all)
		}
	})
}

// TestNoKeyAnywhere: an endpoint that gives the key back in its errors, and in an answer, which is data and stays as
// it came.
func TestNoKeyAnywhere(t *testing.T) {
	url, _ := serve(t, func(n int, w http.ResponseWriter, r *http.Request) {
		if n == 2 {
			sendError(w, 500, "", "key "+r.Header.Get("Authorization"))
			return
		}
		sse(w, delta("your key is "+testKey), finish("stop"), "[DONE]")
	})
	c := testConfig(url)
	c.Limits.Tries = 1
	dir := t.TempDir()
	e := openTest(t, c)
	s, _ := session(t, e, dir)
	rs := requests(2)
	a, _ := s.Complete(t.Context(), rs[0])
	_, err := s.Complete(t.Context(), rs[1])
	if a.Text != "your key is "+testKey || err == nil {
		t.Errorf("%q, %v", a.Text, err)
	}
	all := entries(t, dir)
	all[0].Answer.Text = ""
	for _, text := range []string{err.Error(), fmt.Sprintf("%+v", err), fmt.Sprintf("%+v", e.cell()), fmt.Sprintf("%+v %+v", all, all[0].Answer)} {
		if strings.Contains(text, testKey) {
			t.Errorf("the key is in %s", text)
		}
	}
}

// TestFailedTriesArePaid: what tries cost that failed counts when they fail, and in a later session with the answer.
func TestFailedTriesArePaid(t *testing.T) {
	stand := &standIn{habit: events(delta("Hel"), usageEvent, `{"error":{"message":"overloaded"}}`)}
	e := stand.start(t, nil)
	dir := t.TempDir()
	const each, price = 17, (6*2 + 4*1 + 7*4) / 1e6 // tokens and dollars
	for _, want := range []struct {
		down   bool
		tokens int64
	}{{true, 3 * each}, {false, 4 * each}, {false, 4 * each}} { // three tries; their answer; the same from the transcript
		if !want.down {
			stand.take(nil)
		}
		s, l := session(t, e, dir)
		_, err := s.Complete(t.Context(), requests(1)[0])
		if (err != nil) != want.down {
			t.Fatal(err)
		}
		got := l.Usage()
		if dollars := float64(want.tokens) / each * price; got.Tokens != want.tokens || math.Abs(got.Dollars-dollars) > 1e-12 {
			t.Errorf("%d tokens and %g dollars, want %d and %g", got.Tokens, got.Dollars, want.tokens, dollars)
		}
		assert.NilError(t, s.Close())
	}
	if len(stand.seen()) != 4 {
		t.Errorf("%d requests", len(stand.seen()))
	}
}

// TestBatchCallsHaveTheKey, and what makes them has it not.
func TestBatchCallsHaveTheKey(t *testing.T) {
	var path, auth string
	url, _ := serve(t, func(_ int, w http.ResponseWriter, r *http.Request) {
		path, auth = r.URL.Path, r.Header.Get("Authorization")
		sendJSON(w, 200, `{"data":[],"has_more":false}`)
	})
	api := openTest(t, testConfig(url)).batches().API
	_, err := api.ListBatch(t.Context(), nil, nil)
	assert.NilError(t, err)
	assert.Equal(t, path+" "+auth, "/v1/batches Bearer "+testKey)
	if strings.Contains(fmt.Sprintf("%+v", *api), testKey) {
		t.Errorf("the key is in %+v", *api)
	}
}
