package sequence

import (
	"context"
	"path/filepath"
	"slices"

	"github.com/lisa-bench/lisa-bench/internal/toolchain"
	"github.com/lisa-bench/lisa-bench/internal/trial"
	"github.com/lisa-bench/lisa-bench/pipeline/genloop"
	"github.com/lisa-bench/lisa-bench/pipeline/straightline"
)

// A checker finds out whether programs are what they should be: first statically (paper,
// sec:error-detection-repair: they compile; here also: they keep the policy), then by running
// them in the sandbox.
type checker struct {
	syntax straightline.Checker
	job    trial.Job
}

// Check fills the items' outcomes, errors and calls.
func (c *checker) Check(ctx context.Context, items []*item) error {
	units := make([]toolchain.Unit, len(items))
	for i, it := range items {
		units[i] = toolchain.Unit{ID: it.ID, Lang: c.job.Target.Language, Source: it.Source}
	}
	reports, err := c.syntax.Check(ctx, filepath.Join(c.job.Dir, "syntax"), units)
	if err != nil {
		return err
	}
	var runnable []*item
	for i, it := range items {
		d := &it.Data
		d.error, d.refused, d.broken, d.calls = programError{}, "", nil, nil
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
	results, err := trial.Execute(ctx, c.job.Exec, genloop.Programs(items, c.job.Target.Language), trial.ExecOptions{})
	if err != nil {
		return err
	}
	var crashed []*item
	for i, it := range items {
		if it.Outcome = results[i].Outcome; it.Outcome == trial.Crash {
			crashed = append(crashed, it)
		} else if it.Outcome != trial.OK {
			it.Data.error = describe(results[i], "")
		}
	}
	sanitized, err := trial.Execute(ctx, c.job.Exec, genloop.Programs(crashed, c.job.Target.Language), trial.ExecOptions{Sanitize: true})
	for i, it := range crashed {
		if err == nil {
			it.Data.error = describe(results[slices.Index(items, it)], sanitized[i].Diagnostic)
		}
	}
	return err
}
