package citywalk

import (
	"fmt"
	"strings"
	"testing"

	"gotest.tools/v3/assert"

	"github.com/lisa-bench/lisa-bench/internal/trial"
)

var enough = trial.Budget{LLMCalls: 100}

func TestEachFunctionGetsAFileAndThePassesMendIt(t *testing.T) {
	s := stackScript()
	g := mustGenerate(t, setting{library: "stack", config: serve(t, s), budget: enough})
	assert.Check(t, g.stop == trial.StopExhausted && len(g.programs) == 4 && g.how.Repairs == 1,
		"stop %s, %d programs, %d repairs", g.stop, len(g.programs), g.how.Repairs)
	if got, want := passes(g.how), "model 1/4, syntax rules 2/4, compile-error rules 3/4, model round 4/4"; got != want {
		t.Errorf("passes %s, want %s", got, want)
	}
	assert.Check(t, g.how.First.Compiled == 1 && g.how.Final.Compiled == 4 && g.how.Final.Executed == 4,
		"first %+v, final %+v", g.how.First, g.how.Final)
	for i, name := range []string{"stack_new", "stack_free", "stack_push", "stack_pop"} {
		if first, _, _ := strings.Cut(g.programs[i].Source, "\n"); !strings.HasSuffix(first, " "+name) || g.programs[i].Oracle != trial.OracleSpecification {
			t.Errorf("program %d is %q with the oracle %q", i, first, g.programs[i].Oracle)
		}
	}
	if n := s.count("does not compile"); n != 1 {
		t.Errorf("%d requests for a correction", n)
	}
	if text := strings.Join(s.prompts, "\n"); !strings.Contains(text, "call to undeclared function 'stack_top'") {
		t.Error("the request for a correction does not tell the error")
	}
	assert.Check(t, len(g.how.Notes) == 1 && strings.Contains(g.how.Notes[0], "BM25"), "notes %q", g.how.Notes)
}

func TestExecutionFailuresAreNeverMended(t *testing.T) {
	s := stackScript()
	s.tests["stack_pop"] = answer(failingPop)
	g := mustGenerate(t, setting{library: "stack", config: serve(t, s), budget: enough})
	if n := s.count("does not compile"); n != 0 || g.how.Repairs != 0 {
		t.Errorf("%d requests for a correction", n)
	}
	assert.Check(t, g.how.Final.Compiled == 4 && g.how.Final.Executed == 3 && strings.Contains(g.sources(), "FAILS"),
		"final %+v", g.how.Final)
}

func TestWhatStaysBrokenIsKept(t *testing.T) {
	s := stackScript()
	s.fix = func(string) string { return "It looks right to me." }
	g := mustGenerate(t, setting{library: "stack", config: serve(t, s), budget: enough})
	if len(g.programs) != 4 || g.how.Final.Compiled != 3 || !strings.Contains(g.programs[3].Source, "stack_top") {
		t.Errorf("final %+v", g.how.Final)
	}
	if got := answers(g.how); got != "citywalk code 4, citywalk-fix prose 1" {
		t.Errorf("answers %s", got)
	}
}

func TestAnswersWithoutAProgram(t *testing.T) {
	s := stackScript()
	s.tests["stack_new"], s.tests["stack_pop"] = "", "I'm sorry, I can't help with that."
	g := mustGenerate(t, setting{library: "stack", config: serve(t, s), budget: enough})
	assert.Check(t, g.stop == trial.StopExhausted && len(g.programs) == 2,
		"stop %s, %d programs", g.stop, len(g.programs))
	if got := answers(g.how); got != "citywalk code 2, citywalk refusal 1, citywalk empty 1" {
		t.Errorf("answers %s", got)
	}
}

func answers(g trial.Generation) string {
	var parts []string
	for _, a := range g.Answers {
		parts = append(parts, fmt.Sprintf("%s %s %d", a.Stage, a.Outcome, a.Count))
	}
	return strings.Join(parts, ", ")
}

func TestWithoutFixing(t *testing.T) {
	s := stackScript()
	off := map[string]any{"fixing": false}
	g := mustGenerate(t, setting{library: "stack", config: serve(t, s), budget: enough, params: off})
	assert.Check(t, passes(g.how) == "model 1/4" && len(g.ran) == 4 && s.count("does not compile") <= 0,
		"without fixing: %s, %d runs", passes(g.how), len(g.ran))
}

func TestParameters(t *testing.T) {
	for _, c := range []struct {
		params map[string]any
		want   string
	}{
		{map[string]any{"intention": false}, `citywalk: unknown parameter "intention"; known are configuration, cross_file, fixing, functions, guidelines, intentions`},
		{map[string]any{"fixing": 0}, "citywalk: fixing is 0, want true or false"},
		{map[string]any{"fixing": false}, ""},
	} {
		got := ""
		if _, err := (&Tool{}).Settings(c.params); err != nil {
			got = err.Error()
		}
		assert.Check(t, got == c.want, "%v: %q, want %q", c.params, got, c.want)
	}
}
