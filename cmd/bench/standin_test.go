package main

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
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

// standInScale is the environment variable that has the whole of TestStandIn done: the factor by which latencies and
// limits in time are shortened, 200 for instance.
const standInScale = "LISA_BENCH_STANDIN"

// standInPrices are those of the paper's models, in dollars per million tokens.
var standInPrices = map[string]struct{ in, out float64 }{"gpt-5-mini": {0.25, 2}, "gpt-5.1": {1.25, 10}}

// standInExperiment has a stage of the paper each: its budgets are replaced.
const standInExperiment = `name: standin
trials: 1
budget: BUDGET
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

// balance compares what the records of a run say with what the endpoint has sold: in an undisturbed run to the cent. A
// killed run has also paid for what was on its way, of which nobody can know.
func balance(t *testing.T, run string, e *llmtest.Endpoint, undisturbed bool) {
	t.Helper()
	data, err := results.Load(run)
	assert.NilError(t, err)
	var calls, tokens, programs, sold, soldTokens int64
	dollars, soldFor := 0.0, 0.0
	for _, c := range data.Cells {
		if c.Record == nil { // a machine without a network cannot fetch the fuzzers' harnesses
			t.Logf("%s is incomplete: %+v", c.Cell.ID(), c.Incomplete)
			if undisturbed || c.Cell.Tool != "ossfuzz" {
				t.Errorf("%s is incomplete", c.Cell.ID())
			}
			continue
		}
		u := c.Record.Usage
		calls, tokens, dollars, programs = calls+u.LLMCalls, tokens+u.Tokens, dollars+u.Dollars, programs+u.Programs
		suite := programsOf(t, run, c.Cell.ID())
		if int64(len(suite)) != u.Programs {
			t.Errorf("%s: %d programs in the suite, %d in the ledger", c.Cell.ID(), len(suite), u.Programs)
		}
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
	case undisturbed && (tokens != soldTokens || math.Abs(dollars-soldFor) > 1e-6):
		t.Error("the ledger is not what was sold")
	case tokens > soldTokens || dollars > soldFor+1e-6:
		t.Error("the ledger has more than was sold")
	}
}

// TestStandIn runs LISA's cells through an endpoint with realistic answers, latencies and troubles: no program is
// lost, budgets are kept, kills cost nothing that was answered, and the ledger is what the endpoint has sold. With
// the environment variable it has the paper's budgets, scaled, and runs paper's quick profile too.
func TestStandIn(t *testing.T) {
	scale, kills, budget := 1000.0, 4, "{programs: 6}"
	full := os.Getenv(standInScale)
	if full != "" {
		kills = 10
		var err error
		if scale, err = strconv.ParseFloat(full, 64); err != nil {
			t.Fatal(err)
		}
		budget = fmt.Sprintf("{time: %s, dollars: 300}", time.Duration(3*float64(time.Hour)/scale))
	}
	l := lab{cache: testcache.Dir(""), experiment: filepath.Join(t.TempDir(), "standin.yaml")}
	t.Setenv(llm.DefaultKeyEnv, "none")
	prepare := func(t *testing.T, budget string) *llmtest.Endpoint {
		e := standIn(t, scale)
		writeFile(t, l.experiment, strings.NewReplacer("URL", e.URL, "BUDGET", budget).Replace(standInExperiment))
		return e
	}
	t.Run("whole", func(t *testing.T) {
		e, run := prepare(t, budget), filepath.Join(t.TempDir(), "run")
		s := l.start(t, run)
		s.expect(t, exitOK, "models answer: 2 requests")
		balance(t, run, e, full == "")
	})
	t.Run("killed", func(t *testing.T) {
		if testing.Short() {
			t.Skip("TestRun/killed is enough for a short test")
		}
		e, run := prepare(t, budget), filepath.Join(t.TempDir(), "run")
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
	t.Run("paper", func(t *testing.T) {
		if full == "" {
			t.Skip(standInScale + " is not set")
		}
		e, run := prepare(t, budget), filepath.Join(t.TempDir(), "run")
		// Most of the time of the whole profile goes into the confirmation of bugs on disguised builds, of which the
		// endpoint knows nothing. So each library has one.
		plan := start(t, run, "plan", "paper", "--profile", "quick", "--resolved")
		plan.expect(t, exitOK)
		experiment := filepath.Join(t.TempDir(), "paper.yaml")
		writeFile(t, experiment, regexp.MustCompile(`bugs: \[([^],]+), .*\]`).ReplaceAllString(plan.out.String(), "bugs: [$1]"))
		began := time.Now()
		s := start(t, run, "run", experiment, "--set", "llm.base_url="+e.URL, "--set", "llm.api_key_env="+llm.DefaultKeyEnv,
			"--cache", l.cache, "--dir", run, "--fresh")
		<-s.exited
		t.Logf("ended after %s", time.Since(began).Round(time.Second))
		balance(t, run, e, false)
	})
}
