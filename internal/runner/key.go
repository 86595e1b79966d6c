package runner

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"

	"github.com/lisa-bench/lisa-bench/experiments"
	"github.com/lisa-bench/lisa-bench/internal/trial"
)

// cellKeys returns the key of what a cell's tool makes, and the key of the cell's record,
// which covers the first. They differ so that a changed evaluation measures a suite again
// without making it again.
func (r *run) cellKeys(c experiments.Cell, tool Tool, k Keys) (generation, record string) {
	generation = hash("generation", trial.SuiteSchema, c.Cell, c.Params, c.Budget, tool.Version(), k.Generate,
		r.Plan.Test.Timeout, r.Plan.Sandbox, r.modelSettings(tool))
	record = hash("record", trial.RecordSchema, generation, k.Evaluate, r.Evaluator.Version(), c.Bugs, r.Plan.Test.Repeats)
	return generation, record
}

// modelSettings are how the stages of a tool ask their models, and what that costs. Where the
// answers come from makes no difference.
func (r *run) modelSettings(tool Tool) []any {
	user, ok := tool.(ModelUser)
	if !ok || r.Plan.LLM == nil || len(user.Stages()) == 0 {
		return nil
	}
	var list []any
	for _, stage := range user.Stages() {
		list = append(list, stage, r.Plan.LLM.For(stage))
	}
	return append(list, r.Plan.LLM.Prices)
}

// hash is over the JSON of its parts, which has the keys of maps sorted.
func hash(parts ...any) string {
	data, err := json.Marshal(parts)
	if err != nil {
		panic(fmt.Sprintf("runner: key of %v: %v", parts, err)) // parts come from YAML and JSON
	}
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}
