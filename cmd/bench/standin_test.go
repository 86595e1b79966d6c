package main

import (
	"math"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"gotest.tools/v3/assert"

	"github.com/lisa-bench/lisa-bench/internal/llm"
	"github.com/lisa-bench/lisa-bench/internal/llm/llmtest"
)

// standInPrices are those of the paper's models, in dollars per million tokens.
var standInPrices = map[string]struct{ in, out float64 }{"gpt-5-mini": {0.25, 2}, "gpt-5.1": {1.25, 10}, "text-embedding-3-small": {0.02, 0}}

// standInExperiment has a stage of the paper each.
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
// first token of 2 s, then 80 tokens a second) shortened by a factor, with the troubles that endpoints have.
func standIn(t *testing.T, scale float64) *llmtest.Endpoint {
	t.Helper()
	e := llmtest.ServeModels(t, recordedModel(t, filepath.Join("..", "..", "recordings", "*", "transcripts", "*.gz"),
		filepath.Join("..", "..", "recordings", "knowledge", "*.gz"), filepath.Join("testdata", "lisa", "*", llm.TranscriptFile)))
	var mu sync.Mutex
	chance := rand.New(rand.NewPCG(1, 2))
	e.Pause = func(text string) time.Duration {
		mu.Lock()
		defer mu.Unlock()
		seconds := 2*math.Exp(chance.NormFloat64()/2) + float64(len(text))/4/80
		return time.Duration(seconds / scale * float64(time.Second))
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

// balance compares what the records of an undisturbed run say with what the endpoint has sold.
func balance(t *testing.T, run string, e *llmtest.Endpoint) {
	t.Helper()
	var tokens, programs, soldTokens int64
	dollars, soldFor := 0.0, 0.0
	for cell, r := range records(t, run) {
		if r == nil {
			t.Errorf("%s is incomplete", cell)
			continue
		}
		tokens, dollars, programs = tokens+r.Usage.Tokens, dollars+r.Usage.Dollars, programs+r.Usage.Programs
		if suite := programsOf(t, run, cell); int64(len(suite)) != r.Usage.Programs {
			t.Errorf("%s: %d programs in the suite, %d in the ledger", cell, len(suite), r.Usage.Programs)
		}
	}
	for model, p := range e.Sold() {
		soldTokens += p.Input + p.Output
		soldFor += (float64(p.Input)*standInPrices[model].in + float64(p.Output)*standInPrices[model].out) / 1e6
	}
	assert.Check(t, programs > 0 && tokens == soldTokens && math.Abs(dollars-soldFor) <= 1e-6,
		"%d programs; %d tokens of %d, $%.4f of $%.4f", programs, tokens, soldTokens, dollars, soldFor)
}

// TestStandIn runs LISA's cells through an endpoint with realistic answers, latencies and troubles: no program is
// lost, budgets are kept, and the ledger is what the endpoint has sold.
func TestStandIn(t *testing.T) {
	e := standIn(t, 1000)
	l := newLab(t, strings.Replace(standInExperiment, "URL", e.URL, 1))
	t.Setenv(llm.DefaultKeyEnv, "none")
	run := filepath.Join(t.TempDir(), "run")
	l.start(t, run).expect(t, exitOK, "models answer: 2 requests")
	balance(t, run, e)
}
