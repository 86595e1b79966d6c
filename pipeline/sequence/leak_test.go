package sequence

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"gotest.tools/v3/assert"

	"github.com/lisa-bench/lisa-bench/internal/trial"
	"github.com/lisa-bench/lisa-bench/pipeline/apispec"
)

// asked are the prompts of a run in which programs fail, succeed and differ in what they call, in an
// order that does not depend on which request arrives first.
func asked(t *testing.T, off map[string]any, answers ...string) []string {
	t.Helper()
	s := &script{answers: answers, repair: fixes, rule: "RULE: mined rule"}
	params := map[string]any{"samples": 1, "rule_threshold": 2}
	maps.Copy(params, off)
	mustGenerate(t, setting{config: serve(t, s), params: params, budget: trial.Budget{Programs: 6}, rules: []trial.Rule{{ID: "r", Text: "given rule"}}})
	slices.Sort(s.prompts)
	return s.prompts
}

// TestSwitchedOffPartsReachNoPrompt: what a part would tell the model is in the prompts with it, and in
// none without it.
func TestSwitchedOffPartsReachNoPrompt(t *testing.T) {
	answers := []string{answer(body(unknown)), answer(body(adds)), answer(body(addsTwice))}
	for _, c := range []struct {
		part  string
		tells []string
	}{
		{"rules", []string{"given rule", "mined rule", "# Project Rules", "Headers of the library:", "keep failing in the same way"}},
		{"examples", []string{"# Successful Examples"}},
		{"repair", []string{"Write a corrected version", "undeclared function"}},
	} {
		with := strings.Join(asked(t, nil, answers...), "\n")
		without := strings.Join(asked(t, map[string]any{c.part: false}, answers...), "\n")
		for _, text := range c.tells {
			if c.part == "repair" && text == "undeclared function" { // the rules, which stay, are made of errors too
				without = strings.Join(asked(t, map[string]any{c.part: false, "rules": false}, answers...), "\n")
			}
			assert.Check(t, strings.Contains(with, text), "with %s no prompt has %q", c.part, text)
			assert.Check(t, !strings.Contains(without, text), "without %s a prompt has %q", c.part, text)
		}
	}
}

// TestAngles: of several programs for one combination, each is asked to differ in its own way, or all are asked alike.
func TestAngles(t *testing.T) {
	for _, angles := range []bool{true, false} {
		for _, p := range asked(t, map[string]any{"samples": 2, "angles": angles, "repair": false}, answer(body(adds))) {
			if strings.HasPrefix(p, "# Task") && strings.Contains(p, "Make this one differ: ") != angles {
				t.Errorf("angles %v: a prompt says\n%s", angles, p)
			}
		}
	}
}

// TestWithoutFeedbackNothingIsLearnt: with every part off, no prompt depends on what was answered.
func TestWithoutFeedbackNothingIsLearnt(t *testing.T) {
	off := map[string]any{"feedback": false, "rules": false, "examples": false, "repair": false}
	one, other := []string{answer(body(addsTwice))}, []string{answer(body(adds)), answer(body(unknown)), answer(body("    counter_reset(c);\n    counter_value(c);\n    counter_reset(c);\n"))}
	assert.Check(t, slices.Equal(asked(t, off, one...), asked(t, off, other...)), "the prompts depend on the answers")
	off["feedback"] = true
	assert.Check(t, !slices.Equal(asked(t, off, one...), asked(t, off, other...)),
		"with feedback they do not: this test shows nothing")
}

// TestWithoutFeedbackGramsChooseNoExample: a later program with more N-grams is the example with
// feedback only. Nor do N-grams end the rounds.
func TestWithoutFeedbackGramsChooseNoExample(t *testing.T) {
	for _, feedback := range []bool{true, false} {
		s := &script{answers: []string{answer(body(adds)), answer(body(addsTwice))}, repair: fixes}
		g := mustGenerate(t, setting{config: serve(t, s), params: map[string]any{"samples": 2, "feedback": feedback, "quiet_rounds": 1}, budget: trial.Budget{Programs: 8}})
		if quiet := g.stop == trial.StopExhausted; quiet != feedback {
			t.Errorf("feedback %v: stopped for %s", feedback, g.stop)
		}
		first := g.programs[0] // of the first round
		if strings.Contains(g.programs[1].Source, "counter_add(c, 2)") == strings.Contains(first.Source, "counter_add(c, 2)") {
			t.Fatalf("the answers did not differ:\n%s%s", first.Source, g.programs[1].Source)
		}
		_, code, _ := strings.Cut(first.Source, "\n")
		want := code // without feedback, the first that is right
		if feedback {
			want = body(addsTwice)
		}
		if !slices.ContainsFunc(s.prompts, func(p string) bool {
			_, examples, found := strings.Cut(p, "# Successful Examples")
			return found && strings.Contains(examples, strings.TrimSpace(want))
		}) {
			t.Errorf("feedback %v: no prompt has the example\n%s", feedback, want)
		}
	}
}

// TestConstantsBetrayNoDocuments: which constants a prompt shows first depends on the documents only
// where these are shown.
func TestConstantsBetrayNoDocuments(t *testing.T) {
	f := &apispec.Function{Name: "f", Doc: "Returns F_LAST.", Result: &apispec.Type{Kind: apispec.Void, Name: "void"}}
	spec := &apispec.Spec{Functions: []*apispec.Function{f}, Constants: []*apispec.Constant{{Name: "F_FIRST"}, {Name: "F_LAST"}}}
	for documented, want := range map[bool]string{true: "#define F_LAST 0", false: "#define F_FIRST 0"} {
		if _, types := Describe(trial.Target{Language: trial.C}, spec, []string{"f"}, documented); len(types) != 2 || types[0] != want {
			t.Errorf("documented %v: %q", documented, types)
		}
	}
}
