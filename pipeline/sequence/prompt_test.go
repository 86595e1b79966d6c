package sequence

import (
	"path/filepath"
	"strings"
	"testing"

	"gotest.tools/v3/assert"
	"gotest.tools/v3/golden"

	"github.com/lisa-bench/lisa-bench/internal/trial"
	"github.com/lisa-bench/lisa-bench/pipeline/apispec"
)

// TestPrompts shows what a model is asked, in testdata/*.golden.md.
func TestPrompts(t *testing.T) {
	include, err := filepath.Abs("testdata/include")
	assert.NilError(t, err)
	_, c := compiler(t)
	target := trial.Target{Library: "counter", Language: trial.C, Description: "A counter that never goes below zero.",
		Headers: []string{"counter.h"}, IncludeDirs: []string{include}, ExcludedAPIs: []string{"counter_dump"},
		Rules: []trial.Rule{{ID: "a", Text: "Free every counter."}, {ID: "b", Text: "Add through\n  the macro.", APIs: []string{"counter_add"}}}}
	spec, err := apispec.Load(t.Context(), c, target)
	assert.NilError(t, err)
	combination := []string{"counter_new", "counter_add_", "counter_value"}
	s := &policy{
		job: trial.Job{Target: target}, options: DefaultOptions(), lib: newLibrary(target, spec),
		examples: []string{"#include <counter.h>\n\nvoid test_sequence(void) {}"}, combination: combination,
		mined: []trial.MinedRule{{Text: "Do not print into less than 12 bytes."}},
	}
	failed := func(source string, r trial.Result) *item {
		return &item{Source: source, Data: draft{combination: combination, error: describe(r, "")}}
	}
	broken := failed(body(unknown), trial.Result{Outcome: trial.CompileError, Diagnostic: "p.c:6:5: error: call to undeclared function 'nope'\n"})
	silent := failed(body(crashes), trial.Result{Outcome: trial.Crash, Signal: 11})
	recurs := &recurring{signature: broken.Data.error.signature, failures: []failure{{strings.TrimSpace(broken.Source), broken.Data.error.text}}}
	plain := *s
	plain.vanilla = true
	_, sequence := s.sequencePage()
	_, vanilla := plain.sequencePage()
	for name, c := range map[string]struct {
		prompt string
		page   page
	}{
		"sequence":     {"sequence", sequence},
		"repair":       {"repair", s.repairPage(broken)},
		"repair_crash": {"repair", s.repairPage(silent)},
		"rule":         {"rule", s.rulePage(recurs)},
		"vanilla":      {"vanilla", vanilla},
	} {
		messages, err := prompts.Messages(c.prompt, c.page)
		assert.NilError(t, err)
		var text strings.Builder
		for _, m := range messages {
			text.WriteString("<!-- " + m.Role + " -->\n\n" + m.Content + "\n")
		}
		golden.Assert(t, text.String(), name+".golden.md")
	}
}
