package genloop_test

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"gotest.tools/v3/assert"

	"github.com/lisa-bench/lisa-bench/internal/llm"
	"github.com/lisa-bench/lisa-bench/internal/trial"
)

func TestRepairLimits(t *testing.T) {
	for _, c := range []struct {
		name    string
		repairs int
		good    string // a part of the prompt that gets a good program
		told    string
		program string
	}{
		{"none", 0, "repair", "first 0/1, final 0/1, 0 repairs; new code 1", "r01-00-new BROKEN"},
		{"one, in vain", 1, "nothing", "first 0/1, final 0/1, 1 repairs; new code 1, repair code 1", "r01-00-new BROKEN"},
		{"one", 1, "repair 1", "first 0/1, final 1/1, 1 repairs; new code 1, repair code 1", "r01-00-new good"},
		{"the third of three", 3, "repair 3", "first 0/1, final 1/1, 3 repairs; new code 1, repair code 3", "r01-00-new good"},
		{"three, in vain", 3, "repair 4", "first 0/1, final 0/1, 3 repairs; new code 1, repair code 3", "r01-00-new BROKEN"},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := start(t, t.Context(), plan{fresh: 1, rounds: 1, repairs: c.repairs, answer: func(prompt string) string {
				if strings.Contains(prompt, c.good) {
					return code("good")
				}
				return code("BROKEN")
			}})
			if r.err != nil || r.stop != trial.StopExhausted || r.told() != c.told || !slices.Equal(r.programs(), []string{c.program}) {
				t.Errorf("%s, %v: %s; programs %q", r.stop, r.err, r.told(), r.programs())
			}
		})
	}
}

func TestAnswersWithoutAProgram(t *testing.T) {
	r := start(t, t.Context(), plan{fresh: 3, rounds: 1, repairs: 1, answer: func(prompt string) string {
		switch prompt {
		case "new 1.0":
			return "It cannot be done."
		case "new 1.1":
			return code("BROKEN")
		case "new 1.2":
			return code("good")
		}
		return "It is right as it is." // the repair: the program stays
	}})
	if got, want := r.programs(), []string{"r01-02-new good", "r01-01-new BROKEN"}; !slices.Equal(got, want) {
		t.Errorf("programs %q, want %q", got, want)
	}
	if got, want := r.told(), "first 1/2, final 1/2, 1 repairs; new code 2, new prose 1, repair prose 1"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// TestBudgets has a model whose every program fails once. Three are asked for in a round.
func TestBudgets(t *testing.T) {
	for _, c := range []struct {
		name     string
		budget   trial.Budget
		stop     trial.StopReason
		asked    int
		programs int
		told     string
	}{
		{"calls, in the middle of a round", trial.Budget{LLMCalls: 2}, trial.StopLLMCalls, 2, 2, "first 0/2, final 0/2, 0 repairs; new code 2"},
		{"calls, at the end of a round", trial.Budget{LLMCalls: 3}, trial.StopLLMCalls, 3, 3, "first 0/3, final 0/3, 0 repairs; new code 3"},
		{"calls, among repairs", trial.Budget{LLMCalls: 5}, trial.StopLLMCalls, 5, 3, "first 0/3, final 2/3, 2 repairs; new code 3, repair code 2"},
		{"tokens end with a round", trial.Budget{Tokens: 1}, trial.StopTokens, 3, 3, "first 0/3, final 0/3, 0 repairs; new code 3"},
		{"dollars end with a round", trial.Budget{Dollars: 1e-9}, trial.StopDollars, 3, 3, "first 0/3, final 0/3, 0 repairs; new code 3"},
		{"programs", trial.Budget{Programs: 4}, trial.StopPrograms, 8, 4, "first 0/4, final 4/4, 4 repairs; new code 4, repair code 4"},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := start(t, t.Context(), plan{fresh: 3, repairs: 1, budget: c.budget, answer: func(prompt string) string {
				if strings.HasPrefix(prompt, "new") {
					return code("BROKEN")
				}
				return code("good")
			}})
			if r.err != nil || r.stop != c.stop || len(r.prompts) != c.asked || len(r.programs()) != c.programs || r.told() != c.told {
				t.Errorf("%s, %v after %d requests: %d programs, %s", r.stop, r.err, len(r.prompts), len(r.programs()), r.told())
			}
			if last := r.ended[len(r.ended)-1]; !strings.Contains(last, "last=true") {
				t.Errorf("the last round is %s", last)
			}
		})
	}
}

// TestCheckedAsTimeEnds: the suite takes programs that were begun in time, though the last check uses up the budget.
func TestCheckedAsTimeEnds(t *testing.T) {
	r := start(t, t.Context(), plan{fresh: 2, budget: trial.Budget{CPU: 1}, check: func(_ context.Context, l *trial.Ledger) error {
		l.Charge(trial.Usage{CPU: 1})
		return nil
	}})
	assert.Check(t, r.err == nil && r.stop == trial.StopCPU && len(r.programs()) == 2,
		"%s, %v: programs %q", r.stop, r.err, r.programs())
}

func TestARecordingEnds(t *testing.T) {
	p := plan{fresh: 2, repairs: 1, budget: trial.Budget{LLMCalls: 5}, answer: func(prompt string) string {
		if prompt == "new 1.1" {
			return code("BROKEN")
		}
		return code("good")
	}}
	live := start(t, t.Context(), p)
	p.config, p.budget.LLMCalls = live.replay(t), 100
	again := start(t, t.Context(), p)
	assert.Check(t, again.err == nil && again.stop == trial.StopRecorded,
		"a recording that is used up: %s, %v", again.stop, again.err)
	if !slices.Equal(again.programs(), live.programs()) || again.told() != live.told() || again.transcript(t) != live.transcript(t) {
		t.Errorf("replayed otherwise: %q and %s, want %q and %s", again.programs(), again.told(), live.programs(), live.told())
	}
	p.fresh = 1 // and asks for something that was not recorded while answers are left
	other := start(t, t.Context(), p)
	var incomplete *trial.IncompleteError
	assert.Check(t, errors.As(other.err, &incomplete) && errors.Is(other.err, llm.ErrNoRecording),
		"another course of questions: %s, %v", other.stop, other.err)
}

// TestTheOrderOfAnswersDoesNotMatter compares requests one by one with eight at a time.
func TestTheOrderOfAnswersDoesNotMatter(t *testing.T) {
	var runs []*run
	for _, jobs := range []int{1, 8} {
		runs = append(runs, start(t, t.Context(), plan{fresh: 8, rounds: 3, repairs: 2, jobs: jobs, answer: func(prompt string) string {
			if strings.Contains(prompt, ".3") || strings.Contains(prompt, "repair 1") {
				return code("CRASH")
			}
			return code("from " + prompt)
		}}))
	}
	a, b := runs[0], runs[1]
	if !slices.Equal(a.programs(), b.programs()) || a.told() != b.told() || a.transcript(t) != b.transcript(t) {
		t.Errorf("one at a time: %s, %q\neight: %s, %q", a.told(), a.programs(), b.told(), b.programs())
	}
	if !slices.Equal(a.settled, b.settled) || !slices.Equal(a.groups, b.groups) || !slices.Equal(a.ended, b.ended) {
		t.Errorf("one at a time: %q, %q\neight: %q, %q", a.settled, a.groups, b.settled, b.groups)
	}
}

// TestCheckedTogether: the items of a round are checked together, those that the policy changed once more. They wait
// in the order of their questions all the same.
func TestCheckedTogether(t *testing.T) {
	answers := map[string]string{"new 1.0": code("a"), "new 1.1": code("b BROKEN CRASH"), "new 1.2": code("c CRASH"), "new 1.3": "no program", "new 1.5": code("f BROKEN")}
	r := start(t, t.Context(), plan{fresh: 7, rounds: 2, repairs: 1, excludes: true, answer: func(prompt string) string {
		return cmp.Or(answers[prompt], code("x"))
	}})
	want := []string{"a,b BROKEN CRASH,c CRASH,x,f BROKEN,x", "b  CRASH,f", "x,x,x,x,x,x,x,x,x"}
	assert.DeepEqual(t, r.groups, want)
	text := r.transcript(t) // in the order of the questions
	if one, two := strings.Index(text, "repair 1 of r01-01-new: b  CRASH"), strings.Index(text, "repair 1 of r01-02-new: c CRASH"); one < 0 || two < one {
		t.Errorf("the repairs are at %d and %d", one, two)
	}
	assert.Equal(t, r.told(), "first 10/13, final 13/13, 2 repairs; new code 13, new prose 1, repair code 2")
	assert.DeepEqual(t, r.ended, []string{
		"1 last=false first=6 final=4 kept=4", "2 last=false first=7 final=9 kept=13", "3 last=true first=0 final=0 kept=13",
	})
}

// TestSecondOpinion: an item may wait for an answer that is no program, and be dropped after it.
func TestSecondOpinion(t *testing.T) {
	r := start(t, t.Context(), plan{fresh: 2, rounds: 1, repairs: 1, opinions: true, answer: func(prompt string) string {
		switch {
		case strings.HasPrefix(prompt, "new"):
			return code("CRASH")
		case strings.HasPrefix(prompt, "opinion of r01-00"):
			return "repair"
		case strings.HasPrefix(prompt, "opinion"):
			return "the library is wrong"
		}
		return code("good")
	}})
	if got, want := r.told(), "first 0/2, final 1/1, 1 repairs; new code 2, repair code 1, opinion answered 2"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if want := []string{"r01-00-new good"}; !slices.Equal(r.programs(), want) {
		t.Errorf("programs %q, want %q", r.programs(), want)
	}
}

func TestBarrenRounds(t *testing.T) {
	good := map[string]bool{"new 3.0": true}
	r := start(t, t.Context(), plan{fresh: 1, barren: 4, answer: func(prompt string) string {
		if good[prompt] {
			return code("good")
		}
		return "No."
	}})
	assert.Check(t, r.stop == trial.StopExhausted && len(r.prompts) == 3+4 && len(r.job.Generation.Notes) == 1,
		"%s after %d requests, notes %q", r.stop, len(r.prompts), r.job.Generation.Notes)
}

func TestCancellation(t *testing.T) {
	t.Run("while it checks", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		r := start(t, ctx, plan{fresh: 2, check: func(ctx context.Context, _ *trial.Ledger) error {
			cancel()
			return context.Cause(ctx)
		}})
		assert.Check(t, errors.Is(r.err, context.Canceled) && r.stop == "" && len(r.programs()) == 0,
			"%q, %v: programs %q", r.stop, r.err, r.programs())
	})
	t.Run("while it asks", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		r := start(t, ctx, plan{fresh: 2, answer: func(string) string {
			cancel()
			return code("good")
		}})
		assert.Check(t, errors.Is(r.err, context.Canceled) && len(r.ended) == 0,
			"%q, %v: rounds %q", r.stop, r.err, r.ended)
	})
	t.Run("by its wall time", func(t *testing.T) { // that only the context knows of
		ctx, cancel := context.WithCancelCause(t.Context())
		r := start(t, ctx, plan{fresh: 2, check: func(ctx context.Context, _ *trial.Ledger) error {
			cancel(trial.ErrBudget)
			return context.Cause(ctx)
		}})
		assert.Check(t, errors.Is(r.err, trial.ErrBudget), "%q, %v", r.stop, r.err)
		if text := r.transcript(t); strings.Index(text, "r01-00") > strings.Index(text, "r01-01") {
			t.Error("the transcript is not finished")
		}
	})
}

func TestTroubleWithTheModel(t *testing.T) {
	r := start(t, t.Context(), plan{fresh: 1, config: &llm.Config{
		Provider: llm.ProviderOpenAI, BaseURL: "http://127.0.0.1:1/v1", Settings: llm.Settings{Model: "m"},
		Prices: []llm.Price{{Model: "m", Input: new(1.0), Output: new(1.0)}}, Limits: llm.Limits{Tries: 1},
	}})
	var incomplete *trial.IncompleteError
	assert.Check(t, errors.As(r.err, &incomplete) && incomplete.Kind == "model", "%q, %v", r.stop, r.err)
}
