package randoop

import (
	"testing"

	"github.com/lisa-bench/lisa-bench/internal/llm"
	"github.com/lisa-bench/lisa-bench/internal/tools/tooltest"
	"github.com/lisa-bench/lisa-bench/internal/trial"
)

func TestConformance(t *testing.T) {
	if testing.Short() {
		t.Skip("runs several hundred programs")
	}
	c := compiler(t)
	tooltest.Run(t, tooltest.Subject{
		Source: ringDir(t),
		Target: func(dir string) trial.Target {
			to := ringTarget(t)
			to.SourceDir, to.IncludeDirs = dir, []string{dir}
			return to
		},
		New:  func(tooltest.T, *llm.Models) tooltest.Generator { return Tool{Compiler: c} },
		Exec: buildRing(t, 0),
	})
}
