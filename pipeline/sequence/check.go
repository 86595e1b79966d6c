package sequence

import (
	"context"

	"github.com/lisa-bench/lisa-bench/internal/toolchain"
	"github.com/lisa-bench/lisa-bench/internal/trial"
	"github.com/lisa-bench/lisa-bench/pipeline/apispec"
	"github.com/lisa-bench/lisa-bench/pipeline/genloop"
	"github.com/lisa-bench/lisa-bench/pipeline/straightline"
)

// A checker finds out whether programs are what they should be: first statically (paper,
// sec:error-detection-repair: they compile; here also: they keep the policy), then by running
// them in the sandbox.
type checker struct {
	syntax straightline.Checker
	exec   trial.Executor
	lang   trial.Language
	dir    string
}

// newChecker returns a checker that may use the directory dir.
func newChecker(c *toolchain.Compiler, job trial.Job, spec *apispec.Spec, dir string) *checker {
	return &checker{syntax: straightline.New(c, job.Target, spec), exec: job.Exec, lang: job.Target.Language, dir: dir}
}

// Check fills the items' outcomes, errors and calls.
func (c *checker) Check(ctx context.Context, items []*item) error {
	units := make([]toolchain.Unit, len(items))
	for i, it := range items {
		units[i] = toolchain.Unit{ID: it.ID, Lang: c.lang, Source: it.Source}
	}
	reports, err := c.syntax.Check(ctx, c.dir, units)
	if err != nil {
		return err
	}
	var runnable []*item
	for i, it := range items {
		d := &it.Data
		d.error, d.refused, d.calls = programError{}, "", nil
		if v := reports[i].Violations; len(v) > 0 {
			it.Outcome, d.refused, d.broken = trial.Policy, straightline.Reason(v), reports[i].Broken()
			d.error = programError{kind: "policy", text: d.refused, signature: "policy: " + string(v[0].Kind)}
			continue
		}
		d.calls = reports[i].APIs()
		runnable = append(runnable, it)
	}
	return c.run(ctx, runnable)
}

// run executes items, and those that crash once more under the sanitizers, for what they say.
func (c *checker) run(ctx context.Context, items []*item) error {
	results, err := c.exec.Run(ctx, genloop.Programs(items, c.lang), trial.ExecOptions{})
	if err != nil {
		return err
	}
	var crashed []*item
	for i, it := range items {
		it.Outcome = results[i].Outcome
		if it.Outcome == trial.Crash {
			crashed = append(crashed, it)
		}
	}
	reports := map[string]string{}
	if len(crashed) > 0 {
		sanitized, err := c.exec.Run(ctx, genloop.Programs(crashed, c.lang), trial.ExecOptions{Sanitize: true})
		if err != nil {
			return err
		}
		for i, it := range crashed {
			reports[it.ID] = sanitized[i].Diagnostic
		}
	}
	for i, it := range items {
		if it.Outcome != trial.OK {
			it.Data.error = describe(results[i], reports[it.ID])
		}
	}
	return nil
}
