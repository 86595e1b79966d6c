package ossfuzz

import (
	"context"
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"github.com/lisa-bench/lisa-bench/execute/libfuzzer"
	"github.com/lisa-bench/lisa-bench/internal/llm"
	"github.com/lisa-bench/lisa-bench/internal/trial"
	"github.com/lisa-bench/lisa-bench/tools/tooltest"
)

// A waitingFuzzer ends with its context.
type waitingFuzzer struct{ entered func() }

func (w waitingFuzzer) Run(ctx context.Context, _ libfuzzer.Session) (libfuzzer.Report, error) {
	w.entered()
	<-ctx.Done()
	return libfuzzer.Report{}, context.Cause(ctx)
}

// An obedientFuzzer is a fakeFuzzer that notices the end of its context, as libfuzzer.Fuzzer does.
type obedientFuzzer struct{ fakeFuzzer }

func (f *obedientFuzzer) Run(ctx context.Context, s libfuzzer.Session) (libfuzzer.Report, error) {
	if ctx.Err() != nil {
		return libfuzzer.Report{}, context.Cause(ctx)
	}
	return f.fakeFuzzer.Run(ctx, s)
}

func TestConformance(t *testing.T) {
	library := filepath.Join("testdata", "library")
	tooltest.Run(t, tooltest.Subject{
		Source: library,
		Fuzzes: true,
		Target: func(dir string) trial.Target {
			var targets []trial.FuzzTarget
			for _, name := range []string{"a", "b"} {
				targets = append(targets, trial.FuzzTarget{Name: name, Executable: fmt.Sprint("/", name), Seeds: []string{filepath.Join(dir, "seeds")}})
			}
			return trial.Target{Library: "x", Language: trial.C, Headers: []string{"x.h"}, IncludeDirs: []string{dir}, SourceDir: dir, FuzzTargets: targets}
		},
		New: func(tooltest.T, *llm.Models) tooltest.Generator {
			clock := time.Unix(1000, 0)
			return New(&obedientFuzzer{fakeFuzzer{clock: &clock}}, 0)
		},
		Blocked: func(entered func()) tooltest.Generator { return New(waitingFuzzer{entered}, 0) },
	})
}
