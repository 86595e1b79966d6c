package harness

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/lisa-bench/lisa-bench/experiments"
	"github.com/lisa-bench/lisa-bench/internal/llm"
	"github.com/lisa-bench/lisa-bench/internal/llm/provider"
	"github.com/lisa-bench/lisa-bench/internal/toolchain"
	"github.com/lisa-bench/lisa-bench/internal/trial"
)

// preflight asks every model that cells of x without a record may ask, once with each stage's settings, before anything
// is fetched or built. The error names what does not answer.
func (x *Execution) preflight(ctx context.Context, e *Env, models *llm.Models) error {
	checks := models.Preflight(ctx, stagesOf(x.Experiment, func(c trial.Cell) bool {
		_, err := os.Stat(filepath.Join(x.Dir, "cells", c.ID(), "record.json"))
		return err != nil && (x.Choice == nil || x.Choice(c))
	}))
	var wrong []error
	var tokens int64
	dollars := 0.0
	for _, c := range checks {
		tokens, dollars = tokens+c.Usage.Tokens(), dollars+c.Dollars
		if c.Err != nil {
			wrong = append(wrong, fmt.Errorf("%s: %w", c, c.Err))
		}
	}
	switch {
	case len(checks) == 0:
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case len(wrong) > 0:
		return &UsageError{fmt.Errorf("a model does not answer, and nothing was started:\n%w", errors.Join(wrong...))}
	default:
		fmt.Fprintf(e.Stderr, "models answer: %s, %d tokens, $%.4f, which no cell pays\n", trial.Count(len(checks), "request"), tokens, dollars)
	}
	return nil
}

// stagesOf returns the stages that cells may ask, by the model that the cells name in place of the experiment's.
func stagesOf(exp *experiments.Experiment, of func(trial.Cell) bool) map[string][]string {
	stages := map[string][]string{}
	for _, c := range exp.Plan().Cells {
		if !of(c.Cell) {
			continue
		}
		for _, stage := range Stages(exp, c.Tool) {
			if !slices.Contains(stages[c.Model], stage) {
				stages[c.Model] = append(stages[c.Model], stage)
			}
		}
	}
	return stages
}

// DiagnoseModels asks every model of an experiment as a run would before it starts.
func (e *Env) DiagnoseModels(ctx context.Context, exp *experiments.Experiment) (list []Diagnosis, sound bool) {
	if exp.LLM == nil || !asksModels(exp) {
		return nil, true
	}
	models, err := provider.Open(*exp.LLM, e.Getenv, e.Log)
	if err != nil {
		return []Diagnosis{{Program: toolchain.Program{Name: "model", Problem: err.Error()}}}, false
	}
	sound = true
	for _, c := range models.Preflight(ctx, stagesOf(exp, func(trial.Cell) bool { return true })) {
		d := Diagnosis{Program: toolchain.Program{Name: "model", Path: c.Settings.String(), NeededFor: strings.Join(c.Stages, ", "),
			Version: fmt.Sprintf("%d tokens, $%.4f", c.Usage.Tokens(), c.Dollars)}}
		if c.Err != nil {
			d.Problem, d.Version, sound = c.Err.Error(), "", false
		}
		list = append(list, d)
	}
	return list, sound
}
