package sequence

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/lisa-bench/lisa-bench/internal/llm"
	"github.com/lisa-bench/lisa-bench/internal/trial"
	"github.com/lisa-bench/lisa-bench/pipeline/apispec"
)

// TestPrompts shows what a model is asked, in testdata/*.golden.md.
func TestPrompts(t *testing.T) {
	include, err := filepath.Abs("testdata/include")
	if err != nil {
		t.Fatal(err)
	}
	tools, _ := compiler(t)
	target := trial.Target{Library: "counter", Language: trial.C, Description: "A counter that never goes below zero.",
		Headers: []string{"counter.h"}, IncludeDirs: []string{include}, ExcludedAPIs: []string{"counter_dump"}}
	spec, err := apispec.Load(t.Context(), tools.Clang.Path, target)
	if err != nil {
		t.Fatal(err)
	}
	combination := []string{"counter_new", "counter_add_", "counter_value"}
	s := &session{
		job: trial.Job{Target: target}, options: DefaultOptions(), lib: newLibrary(target, spec),
		examples: []string{"#include <counter.h>\n\nvoid test_sequence(void) {}"}, combinations: map[int][]string{1: combination},
		rules: ruleBook{
			given: []trial.Rule{{ID: "a", Text: "Free every counter."}, {ID: "b", Text: "Add through\n  the macro.", APIs: []string{"counter_add"}}},
			mined: []trial.MinedRule{{Text: "Do not print into less than 12 bytes."}},
		},
	}
	broken := &draft{round: 1, source: body(unknown), error: describe(trial.Result{Outcome: trial.CompileError, Diagnostic: "p.c:6:5: error: call to undeclared function 'nope'\n"}, "")}
	silent := &draft{round: 1, source: body(crashes), error: describe(trial.Result{Outcome: trial.Crash, Signal: 11}, "")}
	for name, ask := range map[string]func() ([]llm.Message, error){
		"sequence":     func() ([]llm.Message, error) { return s.sequencePrompt(combination) },
		"repair":       func() ([]llm.Message, error) { return s.repairPrompt(broken) },
		"repair_crash": func() ([]llm.Message, error) { return s.repairPrompt(silent) },
		"rule": func() ([]llm.Message, error) {
			return s.rulePrompt(&recurring{signature: broken.error.signature, failures: []failure{{strings.TrimSpace(broken.source), broken.error.text}}})
		},
		"vanilla": func() ([]llm.Message, error) {
			plain := *s
			plain.vanilla = true
			return plain.sequencePrompt(combination)
		},
	} {
		messages, err := ask()
		if err != nil {
			t.Fatal(err)
		}
		var text strings.Builder
		for _, m := range messages {
			text.WriteString("<!-- " + m.Role + " -->\n\n" + m.Content + "\n")
		}
		golden := filepath.Join("testdata", name+".golden.md")
		if *update {
			if err := os.WriteFile(golden, []byte(text.String()), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(golden)
		if err != nil {
			t.Fatal(err)
		}
		if text.String() != string(want) {
			t.Errorf("%s: the prompt is not the one of %s (-update rewrites it):\n%s", name, golden, text.String())
		}
	}
}
