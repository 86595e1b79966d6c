package citywalk

import (
	"path/filepath"
	"testing"

	"github.com/lisa-bench/lisa-bench/internal/llm"
	"github.com/lisa-bench/lisa-bench/internal/toolchain"
	"github.com/lisa-bench/lisa-bench/internal/trial"
	"github.com/lisa-bench/lisa-bench/tools/tooltest"
)

func TestConformance(t *testing.T) {
	_, c := tools(t)
	source := target(t, "stack").SourceDir
	tooltest.Run(t, tooltest.Subject{
		Source: source,
		Target: func(dir string) trial.Target {
			to := target(t, "stack")
			to.SourceDir, to.IncludeDirs = dir, []string{filepath.Join(dir, "include")}
			return to
		},
		New: func(_ tooltest.T, models *llm.Models) tooltest.Generator {
			return &Tool{Compiler: c, Models: models}
		},
		Exec:   &compilingSandbox{compiler: c, dir: t.TempDir(), flags: toolchain.Flags{IncludeDirs: []string{filepath.Join(source, "include")}}},
		Answer: stackScript().model,
	})
}
