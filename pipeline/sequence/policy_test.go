package sequence

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/lisa-bench/lisa-bench/internal/llm"
	"github.com/lisa-bench/lisa-bench/internal/trial"
	"github.com/lisa-bench/lisa-bench/pipeline/straightline"
)

// fixes turns each failing program of the tests into one that is right, but for crashes.
func fixes(program string) string {
	switch {
	case strings.Contains(program, "CRASH"):
		return answer(body(crashes))
	case strings.Contains(program, "nope"):
		return answer(body("    counter_reset(c);\n"))
	}
	return answer(body("    counter_reset(c);\n    counter_reset(c);\n"))
}

func TestFailingProgramsAreRepairedOnce(t *testing.T) {
	s := &script{answers: []string{
		answer(body(addsTwice)), answer(body(unknown)), answer(body(loops)), answer(body(crashes)),
		"The function adds two numbers.", "", "Use `counter_new`.\n```python\nprint(1)\n```\n",
	}, repair: fixes}
	g := mustGenerate(t, setting{config: serve(t, s), params: map[string]any{"samples": 7}, budget: trial.Budget{LLMCalls: 10}})
	if g.stop != trial.StopLLMCalls {
		t.Errorf("stopped for %s", g.stop)
	}
	if got, want := outcomes(g.how.First), "4 programs, 1 refused, 2 compiled, 1 executed"; got != want {
		t.Errorf("at first %s, want %s", got, want)
	}
	if got, want := outcomes(g.how.Final), "4 programs, 0 refused, 4 compiled, 3 executed"; got != want {
		t.Errorf("after repair %s, want %s", got, want)
	}
	if got, want := answerCounts(g.how), "sequence code 4, sequence empty 1, sequence no_code 1, sequence prose 1, sequence-repair code 3"; got != want {
		t.Errorf("answers %s, want %s", got, want)
	}
	// The one that broke the policy was not run as it was; the crash was diagnosed, twice.
	if sanitized := slices.DeleteFunc(slices.Clone(g.ran), func(id string) bool { return !strings.HasSuffix(id, " sanitized") }); len(g.ran) != 3+1+3+1 || len(sanitized) != 2 {
		t.Errorf("ran %q", g.ran)
	}
	for _, want := range []string{
		"Type: compile error", "error: call to undeclared function 'nope'",
		"Type: policy", "line 6: for: a loop in a straight-line program",
		"Type: crash\nCode: signal 11", "SEGV on unknown address",
	} {
		if !strings.Contains(strings.Join(s.prompts, "\n"), want) {
			t.Errorf("no repair prompt says %q", want)
		}
	}
}

func TestBrokenPolicyIsKeptAsRefused(t *testing.T) {
	s := &script{answers: []string{answer(body(loops))}, repair: func(string) string { return answer(body(loops)) }}
	g := mustGenerate(t, setting{config: serve(t, s), params: map[string]any{"samples": 1}, budget: trial.Budget{Programs: 1}})
	if len(g.programs) != 1 || !strings.Contains(g.programs[0].Refused, "for: a loop") || len(g.ran) != 0 {
		t.Errorf("suite %+v, ran %q", g.programs, g.ran)
	}
}

func TestARepairWithoutAProgramLeavesTheDraft(t *testing.T) {
	s := &script{answers: []string{answer(body(unknown))}, repair: func(string) string { return "No." }}
	g := mustGenerate(t, setting{config: serve(t, s), params: map[string]any{"samples": 1}, budget: trial.Budget{Programs: 1}})
	if len(g.programs) != 1 || !strings.Contains(g.programs[0].Source, "nope") {
		t.Errorf("suite %+v", g.programs)
	}
}

func TestBudgetEndsInMidRound(t *testing.T) {
	s := &script{answers: []string{answer(body(unknown)), answer(body(addsTwice))}, repair: fixes}
	g := mustGenerate(t, setting{config: serve(t, s), params: map[string]any{"samples": 4}, budget: trial.Budget{LLMCalls: 3}})
	// Three answers are paid for and kept; the repairs cannot be, so the drafts stay as they are.
	if g.stop != trial.StopLLMCalls || g.how.Final.Programs != 3 || g.how.Repairs != 0 {
		t.Errorf("stop %s, %s, %d repairs", g.stop, outcomes(g.how.Final), g.how.Repairs)
	}
}

func TestProgramsBudgetIsExact(t *testing.T) {
	s := &script{answers: []string{answer(body(unknown)), answer(body(addsTwice)), answer(body(crashes))}, repair: fixes}
	g := mustGenerate(t, setting{config: serve(t, s), params: map[string]any{"samples": 4}, budget: trial.Budget{Programs: 10}})
	if g.stop != trial.StopPrograms || len(g.programs) != 10 {
		t.Errorf("stop %s after %d programs", g.stop, len(g.programs))
	}
	if n := s.kinds()["sequence"]; n != 10 {
		t.Errorf("%d programs were asked for", n)
	}
}

func TestExamplesAndRulesComeFromEarlierRounds(t *testing.T) {
	s := &script{answers: []string{answer(body(unknown)), answer(body(addsTwice + adds)), answer(body(unknown))}, repair: fixes,
		rule: "Sure.\nRULE: Never call nope, which does not exist\n"}
	g := mustGenerate(t, setting{config: serve(t, s), budget: trial.Budget{Programs: 12},
		params: map[string]any{"samples": 3, "rule_threshold": 3, "example_pool": 5},
		rules:  []trial.Rule{{ID: "a", Text: "Free every counter."}}})
	if len(g.how.Rules) != 1 {
		t.Fatalf("rules %+v", g.how.Rules)
	}
	r := g.how.Rules[0]
	if r.Text != "Never call nope, which does not exist." || r.Origin != "model" || len(r.Programs) < 3 || r.Signature != "compile error: call to undeclared function 'nope'" {
		t.Errorf("rule %+v", r)
	}
	var first, last string
	for _, p := range s.prompts {
		if strings.Contains(p, "# API Combination") {
			if first == "" {
				first = p
			}
			last = p
		}
	}
	if !strings.Contains(first, "- Free every counter.") || strings.Contains(first, "# Successful Examples") {
		t.Errorf("first prompt:\n%s", first)
	}
	if !strings.Contains(last, "# Successful Examples") || !strings.Contains(last, "counter_add(c, 3)") || !strings.Contains(last, "- "+r.Text) {
		t.Errorf("last prompt:\n%s", last)
	}
}

func TestAblations(t *testing.T) {
	rules := []trial.Rule{{ID: "a", Text: "Free every counter."}}
	for _, c := range []struct {
		off  string
		gone string // from every prompt
		kind string // of prompt that is never sent
	}{
		{"rules", "# Project Rules", "rule"},
		{"rules", "#include <counter.h>\n\nAPI", "rule"},
		{"repair", "corrected version", "repair"},
		{"examples", "# Successful Examples", ""},
	} {
		s := &script{answers: []string{answer(body(addsTwice)), answer(body(unknown))}, repair: fixes, rule: "RULE: x"}
		mustGenerate(t, setting{config: serve(t, s), rules: rules, budget: trial.Budget{Programs: 12},
			params: map[string]any{"samples": 4, "rule_threshold": 2, c.off: false}})
		if strings.Contains(strings.Join(s.prompts, "\n"), c.gone) {
			t.Errorf("without %s: a prompt has %q", c.off, c.gone)
		}
		if n := s.kinds()[c.kind]; n > 0 {
			t.Errorf("without %s: %d %s prompts", c.off, n, c.kind)
		}
	}
}

func TestFeedbackChangesTheCombinations(t *testing.T) {
	combinations := func(params map[string]any) string {
		s := &script{answers: []string{answer(body(addsTwice)), answer(body("    counter_reset(c);\n"))}}
		params["samples"] = 2
		g := mustGenerate(t, setting{config: serve(t, s), params: params, budget: trial.Budget{Programs: 16}})
		var text []string
		for _, r := range g.how.Rounds {
			text = append(text, fmt.Sprint(r.APIs))
		}
		return strings.Join(text, "\n")
	}
	with, without := combinations(map[string]any{}), combinations(map[string]any{"feedback": false})
	first, _, _ := strings.Cut(with, "\n")
	if !strings.HasPrefix(without, first) {
		t.Error("the first round differs, although nothing was learnt before it")
	}
	if with == without {
		t.Errorf("no round differs:\n%s", with)
	}
}

// TestVanillaAsksPlainly: the model alone is told what a test is, as LISA is, and held to it.
func TestVanillaAsksPlainly(t *testing.T) {
	s := &script{answers: []string{answer(body(loops)), answer(body(unknown))}}
	g := mustGenerate(t, setting{config: serve(t, s), vanilla: true, rules: []trial.Rule{{ID: "a", Text: "Free every counter."}},
		params: map[string]any{"samples": 2}, budget: trial.Budget{Programs: 6}})
	if got, want := outcomes(g.how.Final), "6 programs, 3 refused, 0 compiled, 0 executed"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if len(g.how.Lost) != 1 || g.how.Lost[0] != (trial.NamedCount{Name: "straight", Count: 3}) {
		t.Errorf("lost %+v", g.how.Lost)
	}
	for _, r := range straightline.Rules {
		if !strings.Contains(s.prompts[0], r.Text) {
			t.Errorf("the prompt does not tell %q", r.Text)
		}
	}
	for _, word := range []string{"STEP", "Free every", "Example", "corrected", "one of"} {
		if strings.Contains(strings.Join(s.prompts, "\n"), word) {
			t.Errorf("a prompt says %q", word)
		}
	}
}

// TestResumeAsksNothingTwice cuts the transcript as a kill would, at every line.
func TestResumeAsksNothingTwice(t *testing.T) {
	answers := []string{answer(body(addsTwice)), answer(body(unknown)), answer(body(crashes))}
	settings := setting{params: map[string]any{"samples": 3, "rule_threshold": 2}, budget: trial.Budget{Programs: 9}}
	s := &script{answers: answers, repair: fixes, rule: "RULE: Mind the step"}
	settings.config = serve(t, s)
	whole := mustGenerate(t, settings)
	text, err := os.ReadFile(whole.transcript)
	if err != nil {
		t.Fatal(err)
	}
	lines := bytes.SplitAfter(text, []byte("\n"))
	settings.config.Provider, settings.config.BaseURL, settings.config.Dir = llm.ProviderReplay, "", cellOf(t, text)
	for kept := 1; kept < len(lines); kept += 3 {
		settings.transcript = filepath.Join(t.TempDir(), llm.TranscriptFile)
		cut := append(bytes.Join(lines[:kept], nil), []byte(`{"id": "to`)...)
		if err := os.WriteFile(settings.transcript, cut, 0o644); err != nil {
			t.Fatal(err)
		}
		again := generate(t, settings)
		if again.err != nil {
			t.Fatalf("cut after %d lines: %v", kept, again.err)
		}
		if again.sources() != whole.sources() || fmt.Sprint(again.how) != fmt.Sprint(whole.how) {
			t.Errorf("cut after %d lines: another suite", kept)
		}
		if now, err := os.ReadFile(settings.transcript); err != nil || !bytes.Equal(now, text) {
			t.Errorf("cut after %d lines: another transcript (%v)", kept, err)
		}
	}
}

// cellOf makes a directory in which a replay finds the transcript of cell c.
func cellOf(t *testing.T, transcript []byte) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.MkdirAll(filepath.Join(dir, "c"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "c", llm.TranscriptFile), transcript, 0o644); err != nil {
		t.Fatal(err)
	}
	return dir
}

func TestTroubleWithTheModelIsTheCellsReason(t *testing.T) {
	g := generate(t, setting{budget: trial.Budget{Programs: 3}, config: llm.Config{
		Provider: llm.ProviderOpenAI, BaseURL: "http://127.0.0.1:1/v1", Settings: llm.Settings{Model: "m"},
		Prices: []llm.Price{{Model: "m", Input: new(1.0), Output: new(1.0)}}, Limits: llm.Limits{Tries: 1},
	}})
	var incomplete *trial.IncompleteError
	if !errors.As(g.err, &incomplete) || incomplete.Kind != "model" {
		t.Errorf("got %v", g.err)
	}
}

// TestBudgetEndsWithARound: the programs that wait for a repair are in the suite all the same.
func TestBudgetEndsWithARound(t *testing.T) {
	s := &script{answers: []string{answer(body(unknown))}, repair: fixes}
	g := mustGenerate(t, setting{config: serve(t, s), params: map[string]any{"samples": 2}, budget: trial.Budget{LLMCalls: 2}})
	if g.stop != trial.StopLLMCalls || len(g.programs) != 2 {
		t.Errorf("stop %s, %d programs", g.stop, len(g.programs))
	}
}

// TestBarrenRoundsEnd: a budget in programs alone does not let it ask for ever.
func TestBarrenRoundsEnd(t *testing.T) {
	for name, answers := range map[string][]string{
		"prose":          {"The function adds two numbers."},
		"one and prose":  append([]string{answer(body(adds))}, slices.Repeat([]string{"Sorry, no."}, 99)...),
		"the same again": {answer(body(adds))},
	} {
		t.Run(name, func(t *testing.T) {
			s := &script{answers: answers, repair: fixes}
			g := mustGenerate(t, setting{config: serve(t, s), params: map[string]any{"samples": 1}, budget: trial.Budget{Programs: 30}})
			if name == "the same again" {
				if g.stop != trial.StopPrograms || len(g.programs) != 30 {
					t.Errorf("stopped for %s with %d programs: the same program counts each time it is given", g.stop, len(g.programs))
				}
				return
			}
			if g.stop != trial.StopExhausted || !strings.Contains(strings.Join(g.how.Notes, "\n"), "20 rounds") {
				t.Errorf("stopped for %s after %d prompts, notes %q", g.stop, len(s.prompts), g.how.Notes)
			}
		})
	}
}
