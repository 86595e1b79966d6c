package provider

import (
	"context"
	"errors"
	"fmt"
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
	s, err := mustModels(t, e).Session("cell", llm.SessionOptions{Transcript: filepath.Join(dir, llm.TranscriptFile), Ledger: l})
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
		e.config.Limits.Tries, e.config.Limits.RequestTimeout = 1, 24*time.Hour
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
		all := entries(t, dir)
		assert.Check(t, len(all) == 1, "%+v: the answer, and nothing of the requests that were ended", all)
		broken = false
		s, _ = session(t, e, dir)
		for _, r := range s.CompleteAll(t.Context(), requests(4)) {
			assert.NilError(t, r.Err)
		}
		assert.Check(t, asked.Load() == 7, "%d asked: the one answer of before was asked again", asked.Load())
		assert.NilError(t, s.Finish())
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
		sendJSON(w, 200, said(content("your key is "+testKey), "stop"))
	})
	c := testConfig(url)
	c.Limits.Tries = 1
	dir := t.TempDir()
	e := openTest(c)
	s, _ := session(t, e, dir)
	rs := requests(2)
	a, _ := s.Complete(t.Context(), rs[0])
	_, err := s.Complete(t.Context(), rs[1])
	assert.Check(t, a.Text == "your key is "+testKey && err != nil, "%q, %v", a.Text, err)
	all := entries(t, dir)
	all[0].Answer.Text = ""
	for _, text := range []string{err.Error(), fmt.Sprintf("%+v", err), fmt.Sprintf("%+v %#v", e, e), fmt.Sprintf("%+v %+v", all, all[0].Answer)} {
		assert.Check(t, !strings.Contains(text, testKey), "the key is in %s", text)
	}
}
