package sequence

import (
	"strings"
	"testing"

	"github.com/lisa-bench/lisa-bench/internal/llm"
	"github.com/lisa-bench/lisa-bench/internal/trial"
	"github.com/lisa-bench/lisa-bench/tools/tooltest"
)

func TestConformance(t *testing.T) {
	_, c := compiler(t)
	tooltest.Run(t, tooltest.Subject{
		Source: "testdata/include",
		Target: func(dir string) trial.Target {
			return trial.Target{Library: "counter", Language: trial.C, Headers: []string{"counter.h"}, IncludeDirs: []string{dir}, SourceDir: dir}
		},
		New: func(_ tooltest.T, models *llm.Models) tooltest.Generator {
			return &Tool{Compiler: c, Models: models}
		},
		Exec:   &fakeSandbox{},
		Params: map[string]any{"samples": 2},
		// By what is asked, not by turns, so that every run gets the same answers.
		Answer: func(m []llm.Message) string {
			switch text := m[len(m)-1].Content; {
			case strings.Contains(text, "fails. Write a corrected version"):
				return answer(body(addsTwice))
			case len(text)%2 == 0:
				return answer(body(unknown))
			}
			return answer(body(adds))
		},
	})
}
