package invariant

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/lisa-bench/lisa-bench/internal/llm"
	"github.com/lisa-bench/lisa-bench/internal/trial"
	"github.com/lisa-bench/lisa-bench/tools/tooltest"
)

// oneStep is a seed that the model asserts in one request.
const oneStep = `#include <tally.h>

void test_sequence(void)
{
    // STEP1
    tally t;
    tally_open(&t, 2);
    int rc = tally_add(&t, 5);
    (void)rc;
}
`

func TestConformance(t *testing.T) {
	_, c := compiler(t)
	var seeds []string
	for _, n := range []string{"5", "6", "7", "8"} {
		seeds = append(seeds, strings.Replace(oneStep, "5)", n+")", 1))
	}
	m := &byStep{edits: map[string][2]string{"1": {"(void)rc;", "assert(rc == TALLY_OK);\n    assert(t.count == 1);"}}}
	tooltest.Run(t, tooltest.Subject{
		Source: "testdata",
		Target: func(dir string) trial.Target {
			to := target(t)
			to.SourceDir, to.IncludeDirs = dir, []string{filepath.Join(dir, "include")}
			return to
		},
		New: func(_ tooltest.T, models *llm.Models) tooltest.Generator {
			return &Tool{Compiler: c, Models: models}
		},
		Exec:   tallyBox().Executor(t),
		Answer: m.model,
		Params: map[string]any{"seeds": writeSeeds(t, seeds)},
	})
}
