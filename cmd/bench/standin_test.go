package main

import (
	"math"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"gotest.tools/v3/assert"

	"github.com/lisa-bench/lisa-bench/internal/llm"
	"github.com/lisa-bench/lisa-bench/internal/llm/llmtest"
	"github.com/lisa-bench/lisa-bench/internal/testcache"
	"github.com/lisa-bench/lisa-bench/results"
)

// standInPrices are those of the paper's models, in dollars per million tokens.
var standInPrices = map[string]struct{ in, out float64 }{"gpt-5-mini": {0.25, 2}, "gpt-5.1": {1.25, 10}, "text-embedding-3-small": {0.02, 0}}

// standInExperiment has the stages of the paper.
const standInExperiment = `name: standin
trials: 1
budget: {programs: 6}
test: {timeout: 1m}
libraries: [{name: cJSON, edition: debian, bugs: [cjson-1, cjson-5]}]
tools:
  - {name: lisa, knowledge: auto, params: {seeds: auto}}
llm:
  base_url: URL
  model: gpt-5-mini
  stages:
    - {name: invariant, model: gpt-5.1}
    - {name: invariant-repair, model: gpt-5.1}
  prices:
    - {model: gpt-5-mini, input: 0.25, output: 2}
    - {model: gpt-5.1, input: 1.25, output: 10}
`

// standIn starts an endpoint that answers from the recordings, after the latencies of OpenAI's models (a lognormal
// first token of 2 s, then 80 tokens a second) shortened a thousandfold, with the troubles that endpoints have.
func standIn(t *testing.T) *llmtest.Endpoint {
	t.Helper()
	e := llmtest.ServeModels(t, recordedModel(t, filepath.Join("..", "..", "recordings", "*", "transcripts", "*.gz"),
		filepath.Join("..", "..", "recordings", "knowledge", "*.gz"), filepath.Join("testdata", "lisa", "*", llm.TranscriptFile)))
	var mu sync.Mutex
	chance := rand.New(rand.NewPCG(1, 2))
	e.Pause = func(text string) time.Duration {
		mu.Lock()
		defer mu.Unlock()
		seconds := 2*math.Exp(chance.NormFloat64()/2) + float64(len(text))/4/80
		return time.Duration(seconds / 1000 * float64(time.Second))
	}
	habits := []llmtest.Habit{llmtest.RateLimited, llmtest.Broken, llmtest.Cut, llmtest.Null, llmtest.Reasoning, llmtest.TwoBlocks,
		llmtest.NoUsage, llmtest.TooLong}
	e.Habit = func(n int64) llmtest.Habit { // every fifth request meets the next one
		if n%5 != 0 {
			return ""
		}
		return habits[n/5%int64(len(habits))]
	}
	return e
}

// balance compares what the records of a run say with what the endpoint has sold: in an undisturbed run to the cent. A
// killed run has also paid for what was on its way, of which nobody can know.
func balance(t *testing.T, run string, e *llmtest.Endpoint, undisturbed bool) {
	t.Helper()
	data, err := results.Load(run)
	assert.NilError(t, err)
	var calls, tokens, programs, tries, sold, soldTokens int64
	dollars, soldFor := 0.0, 0.0
	for _, c := range data.Cells {
		assert.Assert(t, c.Record != nil, "%s is incomplete: %+v", c.Cell.ID(), c.Incomplete)
		u := c.Record.Usage
		calls, tokens, dollars, programs = calls+u.LLMCalls, tokens+u.Tokens, dollars+u.Dollars, programs+u.Programs
		if entries, err := llm.ReadTranscript(filepath.Join(c.Dir, llm.TranscriptFile)); err == nil {
			for _, e := range entries {
				tries += 1 + int64(len(e.Failures))
			}
		}
		suite := programsOf(t, run, c.Cell.ID())
		assert.Check(t, int64(len(suite)) == u.Programs,
			"%s: %d programs in the suite, %d in the ledger", c.Cell.ID(), len(suite), u.Programs)
		t.Logf("%s: %s; %d programs, %d calls, %d tokens, $%.4f, model %s, processor %s", c.Cell.ID(), c.Record.Stop, u.Programs,
			u.LLMCalls, u.Tokens, u.Dollars, u.Model.Round(time.Second), u.CPU.Round(time.Second))
	}
	for model, p := range e.Sold() {
		sold, soldTokens = sold+p.Answers, soldTokens+p.Input+p.Output
		soldFor += (float64(p.Input)*standInPrices[model].in + float64(p.Output)*standInPrices[model].out) / 1e6
	}
	t.Logf("ledger: %d calls, %d tokens, $%.4f; endpoint: %d requests, %d answers, %d tokens, $%.4f", calls, tokens, dollars,
		e.Asked.Load(), sold, soldTokens, soldFor)
	switch {
	case programs == 0:
		t.Error("no programs")
	case undisturbed && tries != e.Asked.Load():
		t.Errorf("%d tries in transcripts", tries)
	case undisturbed && (tokens != soldTokens || math.Abs(dollars-soldFor) > 1e-6):
		t.Error("the ledger is not what was sold")
	case tokens > soldTokens || dollars > soldFor+1e-6:
		t.Error("the ledger has more than was sold")
	}
}

// TestStandIn runs LISA's cells through an endpoint with realistic answers, latencies and troubles: no program is
// lost, budgets are kept, kills cost nothing that was answered, and the ledger is what the endpoint has sold.
func TestStandIn(t *testing.T) {
	kills := 4
	if testing.Short() {
		kills = 2
	}
	l := lab{cache: testcache.Dir(""), experiment: filepath.Join(t.TempDir(), "standin.yaml")}
	t.Setenv(llm.DefaultKeyEnv, "none")
	prepare := func(t *testing.T) *llmtest.Endpoint {
		e := standIn(t)
		writeFile(t, l.experiment, strings.Replace(standInExperiment, "URL", e.URL, 1))
		return e
	}
	t.Run("whole", func(t *testing.T) {
		e, run := prepare(t), filepath.Join(t.TempDir(), "run")
		s := l.start(t, run)
		s.expect(t, exitOK, "models answer: 2 requests")
		balance(t, run, e, true)
	})
	t.Run("killed", func(t *testing.T) {
		e, run := prepare(t), filepath.Join(t.TempDir(), "run")
		for range kills {
			asked := e.Asked.Load()
			s := l.start(t, run)
			s.await(t, "requests", func() bool { return e.Asked.Load() > asked+8 })
			s.signal(syscall.SIGKILL)
			<-s.exited
		}
		l.start(t, run).expect(t, exitOK)
		balance(t, run, e, false)
	})
}
