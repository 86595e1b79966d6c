package invariant

import (
	"slices"
	"strings"
	"testing"

	"gotest.tools/v3/assert"
	is "gotest.tools/v3/assert/cmp"

	"github.com/lisa-bench/lisa-bench/internal/trial"
)

// unfit reads memory that is not its own, which only the sanitizers see.
const unfit = `#include <tally.h>

void test_sequence(void)
{
    // STEP1
    int numbers[2] = {1, 2};
    int n = 3;
    long sum = tally_all(numbers, n);
    (void)sum;
}
`

// finished is sums as LISA leaves it.
var finished = strings.Replace(sums, "    tally_inc(&t);\n", "    tally_inc(&t);\n    assert(t.count == 2); // relational [tally_add.1]: counts\n    assert(t.sum == 6 &&\n           rc == 0);\n", 1)

func TestOracleNone(t *testing.T) {
	g := mustGenerate(t, setting{model: (&byStep{}).model, seeds: []string{sums, finished, unfit}, params: map[string]any{"oracle": "none", "contracts": "nowhere"}})
	assert.Check(t, g.usage.LLMCalls == 0 && g.how.Invariants == nil && g.stop == trial.StopExhausted,
		"%d calls, %+v, stop %s", g.usage.LLMCalls, g.how.Invariants, g.stop)
	for i, want := range []string{sums, sums, unfit} {
		if p := g.programs[i]; p.Source != want || p.Oracle != "" {
			t.Errorf("program %d, oracle %q:\n%s", i+1, p.Oracle, p.Source)
		}
	}
}

func TestOracleRecorded(t *testing.T) {
	g := mustGenerate(t, setting{model: (&byStep{}).model, seeds: []string{sums, finished, unfit}, params: map[string]any{"oracle": "recorded"}})
	assert.Assert(t, g.usage.LLMCalls == 0 && len(g.programs) == 3,
		"%d calls, %d programs", g.usage.LLMCalls, len(g.programs))
	for i, want := range []string{"assert(lisa_r == 6);", "assert(lisa_a0 && lisa_a0->count == 2);", ""} {
		p := g.programs[i]
		if i < 2 && p.Source != g.programs[0].Source || !strings.Contains(p.Source, want) || p.Oracle != trial.OracleReference {
			t.Errorf("program %d, oracle %q:\n%s", i+1, p.Oracle, p.Source)
		}
	}
	assert.Check(t, g.programs[2].Source == unfit, "a program that the sanitizers stop:\n%s", g.programs[2].Source)
	how := g.how.Invariants
	if how.Seeds != 3 || how.Finished != 2 || how.Assertions != strings.Count(g.programs[0].Source, "assert(")*2 || how.Asserted != nil {
		t.Errorf("%+v", how)
	}
}

func TestAssertionsAreAttributed(t *testing.T) {
	m := &byStep{edits: map[string][2]string{
		"1": {"tally_open(&t, 2);", "int opened = tally_open(&t, 2);\n    assert(opened == TALLY_OK); // structural: a limit above 0"},
		"3": {"(void)sum;", "assert(sum ==\n           6);\n    (void)sum;"},
	}}
	g := mustGenerate(t, setting{model: m.model, seeds: []string{unfit, sums}})
	want := []trial.Asserted{
		{Program: 2, First: 13, Last: 13, Kind: "structural", Source: "none cited"},
		{Program: 2, First: 20, Last: 21, Kind: "unnamed", Source: "none cited"},
	}
	if got := g.how.Invariants.Asserted; !slices.Equal(got, want) {
		t.Errorf("%+v\n%s", got, g.programs[1].Source)
	}
	lines := strings.Split(g.programs[1].Source, "\n")
	for _, a := range want {
		if !strings.Contains(lines[a.First-1], "assert(") || !strings.HasSuffix(strings.SplitN(lines[a.Last-1], " //", 2)[0], ");") {
			t.Errorf("lines %d to %d are no assertion", a.First, a.Last)
		}
	}
}

func TestWithoutAssertions(t *testing.T) {
	for name, c := range map[string][2]string{
		"a line":             {"a();\n    assert(x);\nb();\n", "a();\nb();\n"},
		"with a remark":      {"assert(x); // why\nb();", "b();"},
		"several in a row":   {"assert(x);\nassert(y);\nassert(z);\n", ""},
		"after a statement":  {"a(); assert(x);\n", "a(); ;\n"},
		"two on a line":      {"assert(x); assert(y);\nb();", "; ;\nb();"},
		"as a body":          {"if (a) assert(x);\n", "if (a) ;\n"},
		"over two lines":     {"assert(x &&\n  y(\")\"));\nb();", "b();"},
		"in text":            {"puts(\"assert(x);\"); // assert(y);\n", "puts(\"assert(x);\"); // assert(y);\n"},
		"another name":       {"my_assert(x); assert_that(y); static_assert(1);", "my_assert(x); assert_that(y); static_assert(1);"},
		"behind a comment":   {"/* it's\n */ assert(x);\nb('\"');", "/* it's\n */ ;\nb('\"');"},
		"not closed":         {"assert(x;\n", "assert(x;\n"},
		"the include stays":  {"#include <assert.h>\nassert(1);\n", "#include <assert.h>\n"},
		"less indented":      {"a();\n        assert(x);\n  assert(y);\nb();\n", "a();\nb();\n"},
		"blank before paren": {"assert (x);\nb();", "b();"},
	} {
		assert.Check(t, is.Equal(withoutAssertions(c[0]), c[1]), name)
	}
}
