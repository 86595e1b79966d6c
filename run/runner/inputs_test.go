package runner

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/lisa-bench/lisa-bench/internal/trial"
)

// A readingTool reads a file that its parameters name.
type readingTool struct {
	feedbackTool
	file string
}

func (r readingTool) Inputs(string, map[string]any) []trial.Input {
	return []trial.Input{{Param: "file", Path: r.file}}
}

func TestInputsAreInTheKey(t *testing.T) {
	p := plan(trial.Budget{Programs: 5}, 1, []string{"a"}, []string{"lib"})
	tool := readingTool{feedbackTool{name: "a"}, filepath.Join(t.TempDir(), "seed.c")}
	dir, exec := t.TempDir(), &hashExecutor{}
	generated := func() bool {
		t.Helper()
		before := exec.runs.Load()
		s, err := session(t.Context(), dir, p, &fakeLab{exec: exec}, 1, tool)
		if err != nil || s.Complete != 1 {
			t.Fatalf("%+v, %v", s, err)
		}
		return exec.runs.Load() > before
	}
	write := func(text string) func() {
		return func() {
			if err := os.WriteFile(tool.file, []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	for _, step := range []struct {
		name   string
		change func()
		again  bool
	}{
		{"first, without the file", func() {}, true},
		{"nothing changed", func() {}, false},
		{"the file appears", write(""), true},
		{"its content changes", write("int x;"), true},
		{"it is written again", write("int x;"), false},
	} {
		step.change()
		if generated() != step.again {
			t.Errorf("%s: generated again: %v", step.name, !step.again)
		}
	}
	tool.file = t.TempDir() // no file
	if _, err := session(t.Context(), dir, p, &fakeLab{exec: exec}, 1, tool); err == nil {
		t.Error("an input that cannot be read is no error")
	}
}
