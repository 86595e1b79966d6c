package exttool

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/lisa-bench/lisa-bench/internal/llm"
	"github.com/lisa-bench/lisa-bench/internal/trial"
	"github.com/lisa-bench/lisa-bench/tools/tooltest"
)

func TestConformance(t *testing.T) {
	tests := t.TempDir()
	for _, name := range []string{"a.c", "b.c", "c.cc"} {
		if err := os.WriteFile(filepath.Join(tests, name), []byte("int main(void) { return 0; } // "+name+"\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	library := t.TempDir()
	if err := os.WriteFile(filepath.Join(library, "x.h"), []byte("int x(void);\n"), 0o644); err != nil {
		t.Fatal(err)
	}
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
