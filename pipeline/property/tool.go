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
	interpose "github.com/lisa-bench/lisa-bench/pipeline/recorded"
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

// options are the parameters of a variant (trial.Parameter).
type options struct {
	Feedback string `param:"feedback" values:"none,coverage,contracts,mutants" doc:"What new programs are asked for with, beside the plan."`
	Calls    int    `param:"calls" values:"1,10000" doc:"Answers that the plan is made for, if the budget has no limit of them."`
	Wave     int    `param:"wave" values:"1,1000" doc:"New programs that a round asks for."`
	Repairs  int    `param:"repairs" values:"0,10" doc:"Repairs of one program, second opinions included."`
	Seeds    int    `param:"seeds" values:"0,100" doc:"Other seeds with which finished programs run on."`
	Alter    int    `param:"alterations" values:"0,200" doc:"Altered returns that a program is held against; 0: whether it can fail is not looked at."`
}

// The values of the parameter feedback.
const (
	feedbackNone      = "none"
	feedbackCoverage  = "coverage"
	feedbackContracts = "contracts"
	feedbackMutants   = "mutants"
)

func defaultOptions() options {
	return options{Feedback: feedbackContracts, Calls: defaultCalls, Wave: 8, Repairs: 2, Alter: 24}
}

// parseOptions reads a variant's parameters. The error names the first that is unknown or out
// of range.
func parseOptions(params map[string]any) (options, error) {
	o := defaultOptions()
	if err := trial.SetParams(params, &o); err != nil {
		return o, fmt.Errorf("lisa-prop: %w", err)
	}
	return o, nil
}

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
	if err := os.WriteFile(filepath.Join(job.Dir, "plan.txt"), []byte(plan.String()), 0o644); err != nil {
		return "", err
	}
	identity := job.Identity(t.Name(), t.Version())
	return genloop.Session(ctx, t.Models, job, identity, func(model *llm.Session) (trial.StopReason, error) {
		c := &checker{exec: job.Exec, target: job.Target, most: o.Alter}
		if job.Target.Language == trial.C {
			c.functions = interpose.Functions(spec, job.Target.ExcludedAPIs)
		}
		p := &policy{job: job, options: o, lib: lib, plan: plan, checker: c, counts: genloop.Counts{},
			keeper: suspicion.New(job, t.Compiler)}
		if o.Feedback == feedbackMutants {
			if p.survivors, err = survivors.Open(ctx, job.Mutants); err != nil {
				return "", err
			}
		}
		loop := &genloop.Loop[*work]{
			Job: job, Model: model, Prompts: prompts, Checker: c, Policy: p, Stages: t.Stages(), Repairs: o.Repairs,
		}
		stop, err := loop.Run(ctx)
		if err == nil {
			err = p.amplify(ctx)
		}
		if errors.Is(err, trial.ErrBudget) && job.Ledger.Stop() != "" {
			err = nil
		}
		*job.Generation = loop.Generation()
		job.Generation.Properties = &trial.Properties{
			Planned: len(plan.tasks), Asked: p.next, Exclusions: p.counts.List("exclusions"),
			Failures: p.counts.List("failures"), Verdicts: p.counts.List("verdicts"),
		}
		job.Generation.Suspicions = p.keeper.Suspicions()
		job.Generation.Mutants = p.survivors.Counts()
		return stop, err
	})
}
