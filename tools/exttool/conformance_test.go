package exttool

import (
	"path/filepath"
	"testing"

	"github.com/lisa-bench/lisa-bench/internal/llm"
	"github.com/lisa-bench/lisa-bench/internal/trial"
	"github.com/lisa-bench/lisa-bench/tools/tooltest"
)

func TestConformance(t *testing.T) {
	tests := t.TempDir()
	for _, name := range []string{"a.c", "b.c", "c.cc"} {
		write(t, filepath.Join(tests, name), "int main(void) { return 0; } // "+name+"\n")
	}
	library := t.TempDir()
	write(t, filepath.Join(library, "x.h"), "int x(void);\n")
	tooltest.Run(t, tooltest.Subject{
		Source: library,
		Target: func(dir string) trial.Target {
			return trial.Target{Library: "x", Language: trial.C, Headers: []string{"x.h"}, IncludeDirs: []string{dir}, SourceDir: dir}
		},
		New: func(tooltest.T, *llm.Models) tooltest.Generator {
			return Directory{Path: tests, Oracle: trial.OracleSpecification}
		},
	})
}
