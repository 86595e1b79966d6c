package property

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/lisa-bench/lisa-bench/internal/llm"
	"github.com/lisa-bench/lisa-bench/internal/toolchain"
	"github.com/lisa-bench/lisa-bench/internal/trial"
	"github.com/lisa-bench/lisa-bench/pipeline/apispec"
	"github.com/lisa-bench/lisa-bench/pipeline/genloop"
	"github.com/lisa-bench/lisa-bench/pipeline/survivors"
	"github.com/lisa-bench/lisa-bench/pipeline/suspicion"
)

// A Tool is lisa-prop.
type Tool struct {
	Compiler *toolchain.Compiler
	Models   *llm.Models
}

// Name returns the tool's name in experiments and tables.
func (t *Tool) Name() string { return "lisa-prop" }

// Stages returns the stages in which the tool asks a model.
func (t *Tool) Stages() []string { return []string{stageTest, stageRepair, stageJudge} }

// Needs are the builds that the tool uses: programs are run under the sanitizers, and on mutants if these are
// the feedback.
func (t *Tool) Needs(params map[string]any) trial.Needs {
	o, err := parseOptions(params)
	return trial.Needs{Sanitizer: true, Mutants: err == nil && o.Feedback == feedbackMutants}
}

// Version changes whenever the same seed and answers may give another suite or other prompts.
func (t *Tool) Version() string { return "2" }

// Settings are the values of all parameters of a variant. The error names the first that is unknown or out of range.
func (t *Tool) Settings(params map[string]any) (map[string]any, error) {
	o, err := parseOptions(params)
	return trial.Settings(&o), err
}

// Parameters lists the parameters of a variant.
func (*Tool) Parameters() []trial.Parameter {
	o := defaultOptions()
	return trial.Parameters(&o)
}

// planFile is in the tool's own directory.
const planFile = "plan.txt"

// Generate fills the job's suite until its budget is used up or its plan is done.
func (t *Tool) Generate(ctx context.Context, job trial.Job) (trial.StopReason, error) {
	o, err := parseOptions(job.Params)
	if err != nil {
		return "", err
	}
	spec, err := apispec.Load(ctx, t.Compiler, job.Target)
	if err != nil {
		return "", err
	}
	lib, err := newLibrary(job.Target, spec)
	if err != nil {
		return "", err
	}
	if len(lib.apis) == 0 {
		return "", fmt.Errorf("lisa-prop: library %s has no public function to test", job.Target.Library)
	}
	if n := job.Ledger.Budget().LLMCalls; n > 0 {
		o.Calls = int(n)
	}
	plan := newPlan(spec, job.Target.ExcludedAPIs, o.Calls)
	if err := os.WriteFile(filepath.Join(job.Dir, planFile), []byte(plan.String()), 0o644); err != nil {
		return "", err
	}
	identity := job.Identity(t.Name(), t.Version())
	return genloop.Session(ctx, t.Models, job, identity, func(model *llm.Session) (trial.StopReason, error) {
		p := newPolicy(job, o, lib, plan, suspicion.New(job, t.Compiler))
		if o.Feedback == feedbackMutants {
			if p.survivors, err = survivors.Open(ctx, job.Mutants); err != nil {
				return "", err
			}
		}
		loop := &genloop.Loop[*work]{
			Job: job, Model: model, Prompts: prompts, Checker: p.checker, Policy: p, Stages: t.Stages(), Repairs: o.Repairs,
		}
		stop, err := loop.Run(ctx)
		if err == nil {
			err = p.runOn(ctx)
		}
		if errors.Is(err, trial.ErrBudget) && job.Ledger.Stop() != "" {
			err = nil
		}
		*job.Generation = loop.Generation()
		job.Generation.Properties, job.Generation.Suspicions = p.report(), p.keeper.Suspicions()
		job.Generation.Mutants = p.survivors.Counts()
		return stop, err
	})
}
