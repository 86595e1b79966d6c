package vanilla

import (
	"context"
	"os"
	"strings"
	"testing"

	"gotest.tools/v3/assert"

	"github.com/lisa-bench/lisa-bench/internal/llm"
	"github.com/lisa-bench/lisa-bench/internal/testcache"
	"github.com/lisa-bench/lisa-bench/internal/toolchain"
	"github.com/lisa-bench/lisa-bench/internal/trial"
	"github.com/lisa-bench/lisa-bench/tools/tooltest"
)

// A lenientSandbox runs nothing: a program fails to compile if it says so.
type lenientSandbox struct{}

func (lenientSandbox) Run(_ context.Context, programs []trial.Program, _ trial.ExecOptions) ([]trial.Result, error) {
	var results []trial.Result
	for _, p := range programs {
		r := trial.Result{ID: p.ID, Outcome: trial.OK}
		if strings.Contains(p.Source, "nope") {
			r.Outcome, r.Diagnostic = trial.CompileError, p.ID+".c:7:2: error: call to undeclared function 'nope'\n"
		}
		results = append(results, r)
	}
	return results, nil
}

func TestConformance(t *testing.T) {
	dir, err := os.MkdirTemp("/tmp", "vanilla")
	assert.NilError(t, err)
	t.Cleanup(func() { os.RemoveAll(dir) })
	tools, err := toolchain.Find(t.Context(), nil)
	assert.NilError(t, err)
	c, err := toolchain.NewCompiler(tools, dir, testcache.Dir("plugins"), 2, nil)
	assert.NilError(t, err)
	tooltest.Run(t, tooltest.Subject{
		Source: "testdata",
		Target: func(dir string) trial.Target {
			return trial.Target{Library: "bell", Language: trial.C, Headers: []string{"bell.h"}, IncludeDirs: []string{dir}, SourceDir: dir}
		},
		New:    func(_ tooltest.T, models *llm.Models) tooltest.Generator { return New(c, models) },
		Exec:   lenientSandbox{},
		Params: map[string]any{"samples": 2},
		// By what is asked, not by turns, so that every run gets the same answers.
		Answer: func(m []llm.Message) string {
			call := "bell_ring(3);"
			if len(m[len(m)-1].Content)%2 == 0 {
				call = "nope();"
			}
			return "```c\n#include <bell.h>\n\nvoid test_sequence(void)\n{\n    // STEP1\n    " + call + "\n}\n```\n"
		},
	})
}
