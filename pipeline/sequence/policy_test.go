package sequence

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"gotest.tools/v3/assert"

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
	assert.Check(t, g.stop == trial.StopLLMCalls, "stopped for %s", g.stop)
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
		assert.Check(t, strings.Contains(strings.Join(s.prompts, "\n"), want), "no repair prompt says %q", want)
	}
}

func TestBrokenPolicyIsKeptAsRefused(t *testing.T) {
	s := &script{answers: []string{answer(body(loops))}, repair: func(string) string { return answer(body(loops)) }}
	g := mustGenerate(t, setting{config: serve(t, s), params: map[string]any{"samples": 1}, budget: trial.Budget{Programs: 1}})
	assert.Check(t, len(g.programs) == 1 && strings.Contains(g.programs[0].Refused, "for: a loop") && len(g.ran) == 0,
		"suite %+v, ran %q", g.programs, g.ran)
}

func TestExamplesAndRulesComeFromEarlierRounds(t *testing.T) {
	s := &script{answers: []string{answer(body(unknown)), answer(body(addsTwice + adds)), answer(body(unknown))}, repair: fixes,
		rule: "Sure.\nRULE: Never call nope, which does not exist\n"}
	g := mustGenerate(t, setting{config: serve(t, s), budget: trial.Budget{Programs: 12},
		params: map[string]any{"samples": 3, "rule_threshold": 3, "example_pool": 5},
		rules:  []trial.Rule{{ID: "a", Text: "Free every counter."}}})
	assert.Assert(t, len(g.how.Rules) == 1, "rules %+v", g.how.Rules)
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
		assert.Check(t, !strings.Contains(strings.Join(s.prompts, "\n"), c.gone),
			"without %s: a prompt has %q", c.off, c.gone)
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
	assert.Check(t, strings.HasPrefix(without, first), "the first round differs, although nothing was learnt before it")
	assert.Check(t, with != without, "no round differs:\n%s", with)
}

// TestVanillaAsksPlainly: the model alone is told what a test is, as LISA is, and held to it.
func TestVanillaAsksPlainly(t *testing.T) {
	s := &script{answers: []string{answer(body(loops)), answer(body(unknown))}}
	g := mustGenerate(t, setting{config: serve(t, s), vanilla: true, rules: []trial.Rule{{ID: "a", Text: "Free every counter."}},
		params: map[string]any{"samples": 2}, budget: trial.Budget{Programs: 6}})
	if got, want := outcomes(g.how.Final), "6 programs, 3 refused, 0 compiled, 0 executed"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	assert.Check(t, len(g.how.Lost) == 1 && g.how.Lost[0] == (trial.NamedCount{Name: "straight", Count: 3}),
		"lost %+v", g.how.Lost)
	for _, r := range straightline.Rules {
		assert.Check(t, strings.Contains(s.prompts[0], r.Text), "the prompt does not tell %q", r.Text)
	}
	for _, word := range []string{"STEP", "Free every", "Example", "corrected", "one of"} {
		assert.Check(t, !strings.Contains(strings.Join(s.prompts, "\n"), word), "a prompt says %q", word)
	}
}
