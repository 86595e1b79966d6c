// Package agent is the smallest agent that is fair: one conversation with a model that calls functions.
//
// It consumes a library's documents and headers, by way of a workspace (tools/agentspace), and answers of a model with
// calls of functions: read, search and write files, check tests, see gaps, keep suspicions, end. It leaves what passed
// check. When the conversation is full, old results are cut; when that does not help, it begins anew with the model's
// own summary. Every turn is in the transcript, and a replay makes the same suite.
package agent

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/lisa-bench/lisa-bench/experiments"
	"github.com/lisa-bench/lisa-bench/internal/llm"
	"github.com/lisa-bench/lisa-bench/internal/toolchain"
	"github.com/lisa-bench/lisa-bench/internal/trial"
	"github.com/lisa-bench/lisa-bench/pipeline/genloop"
	"github.com/lisa-bench/lisa-bench/tools/agentspace"
)

// Tool implements runner.Tool.
type Tool struct {
	Compiler *toolchain.Compiler
	Models   *llm.Models
}

// stage is the only part that asks.
const stage = "agent"

// Name returns the tool's name in an experiment.
func (t *Tool) Name() string { return experiments.AgentTool }

// Stages returns the parts that ask a model.
func (t *Tool) Stages() []string { return []string{stage} }

// Version is part of the cells' keys; it changes with the prompts and the loop.
func (t *Tool) Version() string { return "1" }

// Needs are the builds that the workspace uses.
func (t *Tool) Needs(params map[string]any) trial.Needs {
	o, _ := parseOptions(params) // Settings tells what is wrong
	return agentspace.Needs(o.Feedback)
}

// options are the parameters of a variant (trial.Parameter).
type options struct {
	Feedback string `param:"feedback" values:"none,coverage,mutants,all" doc:"What gaps tells."`
	Context  int    `param:"context" values:"8000,2000000" doc:"Estimated tokens of a request, above which the conversation is cut."`
}

func defaultOptions() options { return options{Feedback: agentspace.FeedbackAll, Context: 120_000} }

func parseOptions(params map[string]any) (options, error) {
	o := defaultOptions()
	if err := trial.SetParams(params, &o); err != nil {
		return o, fmt.Errorf("agent: %w", err)
	}
	return o, nil
}

// Settings returns the values of all parameters; the error says which is refused.
func (t *Tool) Settings(params map[string]any) (map[string]any, error) {
	o, err := parseOptions(params)
	return trial.Settings(&o), err
}

// Parameters are those of a variant.
func (*Tool) Parameters() []trial.Parameter {
	o := defaultOptions()
	return trial.Parameters(&o)
}

//go:embed prompts/*.tmpl
var promptFiles embed.FS

var prompts = genloop.ParsePrompts(promptFiles)

// Generate holds the conversation.
func (t *Tool) Generate(ctx context.Context, job trial.Job) (trial.StopReason, error) {
	o, err := parseOptions(job.Params)
	if err != nil {
		return "", err
	}
	space, err := agentspace.Open(ctx, t.Compiler, job, o.Feedback)
	if err != nil {
		return "", err
	}
	return genloop.Session(ctx, t.Models, job, job.Identity(t.Name(), t.Version()), func(model *llm.Session) (trial.StopReason, error) {
		c := &conversation{job: job, options: o, space: space, model: model, outcomes: map[llm.Outcome]int{}}
		stop, err := c.hold(ctx)
		if ended := space.Finish(ctx); err == nil {
			err = ended
		}
		for _, outcome := range slices.Sorted(maps.Keys(c.outcomes)) {
			job.Generation.Answers = append(job.Generation.Answers,
				trial.AnswerCount{Stage: stage, Outcome: string(outcome), Count: c.outcomes[outcome]})
		}
		if closed := job.Ledger.Stop(); errors.Is(err, trial.ErrBudget) && closed != "" {
			return closed, nil
		}
		return stop, err
	})
}
