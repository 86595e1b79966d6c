package sequence

import (
	"context"

	"github.com/lisa-bench/lisa-bench/internal/toolchain"
	"github.com/lisa-bench/lisa-bench/internal/trial"
	"github.com/lisa-bench/lisa-bench/pipeline/apispec"
	"github.com/lisa-bench/lisa-bench/pipeline/straightline"
)

// A checker finds out whether drafts are what they should be: first statically (paper,
// sec:error-detection-repair: they compile; here also: they keep the policy), then by running
// them in the sandbox.
type checker struct {
	syntax  straightline.Checker
	exec    trial.Executor
	lang    trial.Language
	dir     string
	enforce bool // refuse what breaks the policy
}

// newChecker returns a checker that may use the directory dir.
func newChecker(c *toolchain.Compiler, job trial.Job, spec *apispec.Spec, dir string, enforce bool) *checker {
	return &checker{
		syntax: straightline.Checker{
			Compiler: c, API: spec,
			Flags: toolchain.Flags{IncludeDirs: job.Target.IncludeDirs, Defines: job.Target.Defines},
		},
		exec: job.Exec, lang: job.Target.Language, dir: dir, enforce: enforce,
	}
}

// check fills the drafts' outcomes, errors and calls.
func (c *checker) check(ctx context.Context, drafts []*draft) error {
	if len(drafts) == 0 {
		return nil
	}
	units := make([]toolchain.Unit, len(drafts))
	for i, d := range drafts {
		units[i] = toolchain.Unit{ID: d.id, Lang: c.lang, Source: d.source}
	}
	reports, err := c.syntax.Check(ctx, c.dir, units)
	if err != nil {
		return err
	}
	var runnable []*draft
	for i, d := range drafts {
		if v := reports[i].Violations; c.enforce && len(v) > 0 {
			d.outcome, d.refused = trial.Policy, straightline.Reason(v)
			d.error = programError{kind: "policy", text: d.refused, signature: "policy: " + string(v[0].Kind)}
			continue
		}
		d.calls = reports[i].APIs()
		runnable = append(runnable, d)
	}
	return c.run(ctx, runnable)
}

// run executes drafts, those that crash once more under the sanitizers.
func (c *checker) run(ctx context.Context, drafts []*draft) error {
	results, err := c.exec.Run(ctx, c.programs(drafts), trial.ExecOptions{})
	if err != nil {
		return err
	}
	var crashed []*draft
	for i, d := range drafts {
		d.outcome = results[i].Outcome
		if d.outcome == trial.Crash {
			crashed = append(crashed, d)
		}
	}
	diagnoses, err := c.diagnose(ctx, crashed)
	if err != nil {
		return err
	}
	for i, d := range drafts {
		if d.outcome != trial.OK {
			d.error = describe(results[i], diagnoses[d])
		}
	}
	return nil
}

// diagnose returns what the sanitizers say of drafts that crash.
func (c *checker) diagnose(ctx context.Context, drafts []*draft) (map[*draft]string, error) {
	reports := map[*draft]string{}
	if len(drafts) == 0 {
		return reports, nil
	}
	results, err := c.exec.Run(ctx, c.programs(drafts), trial.ExecOptions{Sanitize: true})
	if err != nil {
		return nil, err
	}
	for i, d := range drafts {
		reports[d] = results[i].Diagnostic
	}
	return reports, nil
}

func (c *checker) programs(drafts []*draft) []trial.Program {
	programs := make([]trial.Program, len(drafts))
	for i, d := range drafts {
		programs[i] = trial.Program{ID: d.id, Lang: c.lang, Source: d.source}
	}
	return programs
}
