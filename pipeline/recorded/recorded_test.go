package recorded

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"gotest.tools/v3/assert"
	is "gotest.tools/v3/assert/cmp"

	"github.com/lisa-bench/lisa-bench/internal/testcache"
	"github.com/lisa-bench/lisa-bench/internal/toolchain"
	"github.com/lisa-bench/lisa-bench/internal/trial"
	"github.com/lisa-bench/lisa-bench/pipeline/apispec"
	"github.com/lisa-bench/lisa-bench/tools/tooltest"
)

// spoolTarget describes the spool library; box has it with a bug, 0 for none.
func spoolTarget(t *testing.T) trial.Target {
	t.Helper()
	dir, err := filepath.Abs("testdata/include")
	assert.NilError(t, err)
	return trial.Target{Library: "spool", Language: trial.C, Headers: []string{"spool.h"}, IncludeDirs: []string{dir}}
}

func box(t *testing.T, bug int) trial.Executor {
	t.Helper()
	tools, err := toolchain.Find(t.Context(), nil)
	assert.NilError(t, err)
	b := &tooltest.Box{Clang: tools.Clang.Path, Dir: t.TempDir(), Name: "spool", Sources: []string{"testdata/spool.c"},
		IncludeDirs: spoolTarget(t).IncludeDirs, Flags: []string{"-std=gnu17", fmt.Sprintf("-DBUG=%d", bug)}}
	return b.Executor(t)
}

func newRecorder(t *testing.T, exec trial.Executor) *Recorder {
	t.Helper()
	tools, err := toolchain.Find(t.Context(), nil)
	assert.NilError(t, err)
	compiler, err := toolchain.NewCompiler(tools, testcache.Dir("preambles"), testcache.Dir("plugins"), 2, nil)
	assert.NilError(t, err)
	spec, err := apispec.Load(t.Context(), compiler, spoolTarget(t))
	assert.NilError(t, err)
	r, err := New(spoolTarget(t), spec, exec, 2)
	assert.NilError(t, err)
	return r
}

// program is a test that calls the library in body.
func program(body string) trial.Program {
	return trial.Program{ID: "p", Lang: trial.C, Source: "#include <spool.h>\n#include <stdlib.h>\n\nvoid test_spool(void)\n{\n" + body + "}\n"}
}

// all uses every function.
const all = `    spool *s = spool_new("bobbin");
    long sum;
    spool_add(s, "abc", 3, &sum);
    spool_add1(s, 'b');
    (void)spool_ordering(s);
    unsigned char out[16], *reversed = malloc(64);
    s->next_out = out;
    s->avail_out = sizeof out;
    spool_wind(s);
    size_t len = 64;
    spool_reverse(s, reversed, &len);
    char text[32];
    spool_text(s, text, sizeof text);
    spool_ticket(s);
    char *letters = spool_letters(s);
    (void)letters;
    free(reversed);
    spool_free(s);
`

func TestValuesAreAsserted(t *testing.T) {
	tests, err := newRecorder(t, box(t, 0)).Assert(t.Context(), []trial.Program{program(all)})
	assert.NilError(t, err)
	got := tests[0]
	assert.Assert(t, got.Problem == "" && got.Assertions == strings.Count(got.Source, "assert("),
		"%d assertions, problem %q:\n%s", got.Assertions, got.Problem, got.Source)
	for _, want := range []string{
		`case 0:`, // each in its call
		`assert(lisa_r != NULL);`,
		`assert(lisa_r && lisa_r->name && strcmp(lisa_r->name, "bobbin") == 0);`,
		`assert(lisa_a3 && *lisa_a3 == 294);`,
		`assert(lisa_a0 && lisa_a0->stats.weight == 0x1p+1);`,
		`assert(lisa_a0 && lisa_a0->stats.turns == 2);`,
		`assert(lisa_a0 && lisa_a0->label[1] == 52);`,
		`memcmp(lisa_a1, "bcba", 4) == 0);`, // spool_reverse: as many as the call says
		`"abcb", 4) == 0);`,                 // spool_wind: what the pointer has passed
		`"(bobbin)", 8) == 0);`,             // spool_text: up to the NUL
	} {
		assert.Check(t, strings.Contains(got.Source, want), "lacks %s", want)
	}
	for _, never := range []string{
		"strcmp(lisa_r, ", // spool_letters has no NUL
		"next_out == 0x",  // an address
		"lisa_w_spool_free(spool *lisa_a0) {\nint lisa_n = lisa_calls++;\n(void)lisa_n;\nspool_free(lisa_a0);\nswitch", // it is gone
	} {
		assert.Check(t, !strings.Contains(got.Source, never), "has %s", never)
	}
	ticket := got.Source[strings.Index(got.Source, "lisa_w_spool_ticket("):]
	ticket, _, _ = strings.Cut(ticket, "\n}\n")
	assert.Check(t, !strings.Contains(ticket, "assert"), "a value that changes is asserted:\n%s", ticket)
	if !strings.HasSuffix(got.Source, strings.TrimPrefix(program(all).Source, "#include <spool.h>\n#include <stdlib.h>\n")) {
		t.Errorf("the program itself is changed:\n%s", got.Source)
	}
	if t.Failed() {
		t.Log(got.Source)
	}
}

// TestFindsBugs runs the same test, as it is, with values asserted and with values printed, on libraries with
// a bug each. The last one is not of values.
func TestFindsBugs(t *testing.T) {
	plain := program(all)
	recorder := newRecorder(t, box(t, 0))
	tests, err := recorder.Assert(t.Context(), []trial.Program{plain})
	assert.NilError(t, err)
	printed, err := recorder.Print(t.Context(), []trial.Program{plain, program("    abort();\n")})
	assert.NilError(t, err)
	assert.Assert(t, printed[0].Problem == "" && printed[1].Problem == "it ends with crash when its values are printed",
		"problems: %q, %q", printed[0].Problem, printed[1].Problem)
	for bug := range 9 {
		t.Run(fmt.Sprint(bug), func(t *testing.T) {
			t.Parallel()
			asserting := plain
			asserting.Source = tests[0].Source
			results, err := box(t, bug).Run(t.Context(), []trial.Program{plain, asserting, printed[0].Program}, trial.ExecOptions{Stdout: true})
			assert.NilError(t, err)
			before, after := trial.OK, trial.Assertion
			switch bug {
			case 0:
				after = trial.OK
			case 8:
				before, after = trial.Crash, trial.Crash
			}
			if results[0].Outcome != before || results[1].Outcome != after {
				t.Errorf("without assertions %s, with them %s; want %s, %s", results[0].Outcome, results[1].Outcome, before, after)
			}
			assert.Check(t, is.Equal(printed[0].Differs(results[2]), bug != 0), "printed values differ")
		})
	}
}

// TestOutputThatIsCut: what was cut off is unknown, and a value that is not there otherwise is missing.
func TestOutputThatIsCut(t *testing.T) {
	p := Printed{values: Reading{1: "10", 2: "20"}}
	long := strings.Repeat("a line of the library's\n", trial.MaxStdout/24+1)
	for _, tt := range []struct {
		name, stdout string
		want         bool
	}{
		{"the same", "@1 10\n@2 20\n", false},
		{"another value", "@1 10\n@2 21\n", true},
		{"a value is missing", "@1 10\n", true},
		{"a value is cut off", ("@1 10\n" + long)[:trial.MaxStdout], false},
		{"within a value", ("@1 10\n" + long)[:trial.MaxStdout-4] + "@2 2", false},
		{"another one before", ("@1 11\n" + long)[:trial.MaxStdout], true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			assert.Check(t, is.Equal(p.Differs(trial.Result{Outcome: trial.OK, Stdout: tt.stdout}), tt.want), "differs")
		})
	}
}

func TestProgramsThatCannotBeRecorded(t *testing.T) {
	tests, err := newRecorder(t, box(t, 0)).Assert(t.Context(), []trial.Program{
		program("    (void)0;\n"),
		program("    spool_free(spool_new(NULL));\n    abort();\n"),
		program("    spool *spool_new(const char *);\n    static int mark;\n    mark++;\n    spool_free(spool_new(\"x\"));\n"),
	})
	assert.NilError(t, err)
	for i, want := range []string{"no value is the same in all runs", "it ends with crash when its values are printed", ""} {
		assert.Check(t, tests[i].Problem == want && (tests[i].Assertions == 0) == (want != ""),
			"program %d: %q, %d assertions, want %q", i, tests[i].Problem, tests[i].Assertions, want)
	}
}

// changing passes until tests assert something.
type changing struct{ trial.Executor }

func (c changing) Run(ctx context.Context, programs []trial.Program, o trial.ExecOptions) ([]trial.Result, error) {
	results, err := c.Executor.Run(ctx, programs, o)
	for i := range results {
		if o.Perturb && strings.Contains(programs[i].Source, "assert(lisa_") {
			results[i].Outcome = trial.Flaky
		}
	}
	return results, err
}

func TestATestThatDoesNotPassLosesItsAssertions(t *testing.T) {
	p := program("    spool_free(spool_new(\"x\"));\n")
	tests, err := newRecorder(t, changing{box(t, 0)}).Assert(t.Context(), []trial.Program{p})
	if err != nil || tests[0] != (Test{Source: p.Source, Problem: "it ends with flaky when its values are asserted"}) {
		t.Errorf("%+v, %v", tests, err)
	}
}

func TestCXXIsRefused(t *testing.T) {
	target := spoolTarget(t)
	target.Language = trial.CXX
	if _, err := New(target, &apispec.Spec{}, nil, 1); err == nil || !strings.Contains(err.Error(), "library spool is in c++") {
		t.Errorf("got %v", err)
	}
}
