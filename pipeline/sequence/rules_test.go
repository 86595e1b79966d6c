package sequence

import (
	"strings"
	"testing"

	"gotest.tools/v3/assert"
	is "gotest.tools/v3/assert/cmp"

	"github.com/lisa-bench/lisa-bench/internal/llm"
	"github.com/lisa-bench/lisa-bench/internal/trial"
)

func TestErrorSignatures(t *testing.T) {
	report := "=================\n==7==ERROR: AddressSanitizer: heap-use-after-free on address 0x6020\n" +
		"    #0 0x55d4 in __asan_memcpy (/x+0x1)\n    #1 0x7f00 in cJSON_GetStringValue cJSON.c:99:3\n    #2 0x7f01 in test_sequence p.c:9\n"
	for _, c := range []struct {
		name   string
		result trial.Result
		report string
		want   string
	}{
		{"compiler", trial.Result{Outcome: trial.CompileError, Diagnostic: "In file included from p.c:1:\np.c:12:5: error: too few arguments to function call, expected 3, have 2\n"}, "",
			"compile error: too few arguments to function call, expected N, have N"},
		{"header", trial.Result{Outcome: trial.CompileError, Diagnostic: "p.c:1:10: fatal error: 'zlibx.h' file not found\n"}, "",
			"compile error: 'zlibx.h' file not found"},
		{"linker", trial.Result{Outcome: trial.LinkError, Diagnostic: "p.c:(.text+0x1b): undefined reference to `inflateFoo'\n"}, "",
			"link error: `inflateFoo'"},
		{"crash, diagnosed", trial.Result{Outcome: trial.Crash, Signal: 11}, report, "crash: heap-use-after-free in cJSON_GetStringValue"},
		{"undefined behaviour", trial.Result{Outcome: trial.Crash, Signal: 11}, "inflate.c:99:3: runtime error: shift exponent 40 is too large\n", "crash: shift exponent N is too large"},
		{"crash", trial.Result{Outcome: trial.Crash, Signal: 6}, "", "crash: signal 6"},
		{"assertion", trial.Result{Outcome: trial.Assertion, Assertion: &trial.AssertionFailure{File: "p.c", Line: 3, Func: "f", Expr: "n == 12"}}, "", "assertion: n == N"},
		{"timeout", trial.Result{Outcome: trial.Timeout}, "", "timeout"},
		{"status", trial.Result{Outcome: trial.NonzeroExit, ExitCode: 3}, "", "nonzero exit: exit status 3"},
	} {
		assert.Check(t, is.Equal(describe(c.result, c.report).signature, c.want), c.name)
	}
}

func FuzzParseRule(f *testing.F) {
	f.Add("RULE: Free it.")
	f.Add("**RULE: a**\r\n")
	f.Fuzz(func(t *testing.T, text string) {
		if r := parseRule(text); strings.ContainsAny(r, "\n\r") || len(r) > maxRule+1 {
			t.Errorf("%q is no line of a prompt", r)
		}
	})
}

func FuzzDescribe(f *testing.F) {
	f.Add("p.c:1:2: error: x\n", "==1==ERROR: AddressSanitizer: SEGV on\n #0 0x1 in f a.c\n")
	f.Fuzz(func(t *testing.T, diagnostic, report string) {
		for _, o := range []trial.Outcome{trial.CompileError, trial.LinkError, trial.Crash} {
			e := describe(trial.Result{Outcome: o, Diagnostic: diagnostic, Signal: 11}, report)
			if e.signature == "" || strings.Contains(e.signature, "\n") || len(e.text) > maxErrorBytes+10 {
				t.Errorf("%s: %+v", o, e)
			}
		}
	})
}

// TestNoRuleIsTheErrorItself: what failed becomes a rule where the model gives none.
func TestNoRuleIsTheErrorItself(t *testing.T) {
	p := &policy{}
	for _, id := range []string{"a", "b"} {
		p.recur(&item{ID: id, Data: draft{error: programError{signature: "crash: SEGV in inflate"}}})
	}
	assert.Assert(t, len(p.errors) == 1 && len(p.errors[0].programs) == 2)
	p.mine(4, p.errors[0], llm.Answer{Text: "I do not know."})
	if r := p.mined[0]; r.Text != "Avoid what fails with: crash: SEGV in inflate" || r.Origin != "template" || r.Round != 4 {
		t.Errorf("rule %+v", r)
	}
}

func TestOptions(t *testing.T) {
	for name, c := range map[string]struct {
		value any
		want  string
	}{
		"ngram_order": {2.5, "lisa-api: ngram_order is 2.5, want a whole number from 2 to 8"},
		"repair":      {"no", "lisa-api: repair is no, want true or false"},
		"ngrams":      {3, `lisa-api: unknown parameter "ngrams"; known are alpha_min, angles, epsilon, example_pool, examples, feedback, ngram_order, quiet_rounds, repair, rule_threshold, rules, samples`},
		"epsilon":     {2.0, "lisa-api: epsilon is 2, want a number above 0 and at most 1"},
	} {
		_, err := new(Tool).options(map[string]any{name: c.value})
		assert.Check(t, is.Error(err, c.want))
	}
	o, err := new(Tool).options(map[string]any{"feedback": false, "ngram_order": 4.0})
	assert.Check(t, err == nil && o.Order == 4 && !o.Feedback, "%+v, %v", o, err)
}
