package citywalk

import (
	"context"

	"github.com/lisa-bench/lisa-bench/internal/llm"
	"github.com/lisa-bench/lisa-bench/internal/trial"
	"github.com/lisa-bench/lisa-bench/pipeline/genloop"
)

// A checker compiles and runs test files in the sandbox.
type checker struct {
	*workbook
	exec trial.Executor
}

// Check sets outcomes and diagnostics.
func (c *checker) Check(ctx context.Context, items []*item) error {
	programs := genloop.Programs(items, c.target.Language)
	for i := range programs {
		programs[i].Source = c.program(programs[i].Source)
	}
	results, err := c.exec.Run(ctx, programs, trial.ExecOptions{})
	if err != nil {
		return err
	}
	for i, it := range items {
		it.Outcome, it.Data.diagnostic = results[i].Outcome, llm.Portable(results[i].Diagnostic)
	}
	return nil
}
