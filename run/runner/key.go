package runner

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/lisa-bench/lisa-bench/experiments"
	"github.com/lisa-bench/lisa-bench/internal/trial"
	"github.com/lisa-bench/lisa-bench/results"
)

// cellKeys returns the key of what a cell's tool makes, and the key of the cell's record,
// which covers the first. They differ so that a changed evaluation measures a suite again
// without making it again.
func (r *run) cellKeys(c experiments.Cell, tool Tool, k Keys) (generation results.Generation, record string, err error) {
	inputs, err := contents(r.inputs(tool, c))
	if err != nil {
		return generation, "", fmt.Errorf("cell %s: %w", c.ID(), err)
	}
	used := r.usedKeys(c)
	key := func(b trial.Budget) string {
		made := trial.Key("generation", trial.SuiteSchema, c.Cell, c.Params, b, tool.Version(), k.Generate,
			r.Plan.Test.Timeout, r.Plan.Sandbox, r.modelSettings(tool, c), inputs)
		if used != nil {
			made = trial.Key("uses", made, used)
		}
		return made
	}
	generation = results.Generation{Key: key(c.Budget), Budget: c.Budget, KeyOf: key}
	record = trial.Key("record", trial.RecordSchema, generation.Key, k.Evaluate, r.Evaluator.Version(), c.Bugs, r.Plan.Test.Repeats)
	if n := r.Plan.Test.Mutants; n != 0 { // records without mutants keep their key
		record = trial.Key("mutants", record, n)
	}
	if r.Plan.Test.Explain {
		record = trial.Key("explain by line", record)
	}
	return generation, record, nil
}

// contents are the names and contents of files. One that is not there is left to the tool, which
// knows whether it is needed.
func contents(inputs []trial.Input) (list []any, err error) {
	for _, in := range inputs {
		data, err := os.ReadFile(in.Path)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
		list = append(list, filepath.Base(in.Path), err == nil, data)
	}
	return list, nil
}

// modelSettings are how the stages of a tool ask their models, and what that costs. Where the
// answers come from makes no difference.
func (r *run) modelSettings(tool Tool, c experiments.Cell) []any {
	user, ok := tool.(ModelUser)
	if !ok || r.Plan.LLM == nil || len(user.Stages()) == 0 {
		return nil
	}
	var list []any
	config := r.Plan.LLM.With(c.Model)
	for _, stage := range user.Stages() {
		list = append(list, stage, config.For(stage))
	}
	return append(list, r.Plan.LLM.Prices)
}
