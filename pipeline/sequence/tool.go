package sequence

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/lisa-bench/lisa-bench/internal/llm"
	"github.com/lisa-bench/lisa-bench/internal/toolchain"
	"github.com/lisa-bench/lisa-bench/internal/trial"
	"github.com/lisa-bench/lisa-bench/pipeline/apispec"
	"github.com/lisa-bench/lisa-bench/pipeline/genloop"
	"github.com/lisa-bench/lisa-bench/pipeline/ngram"
	"github.com/lisa-bench/lisa-bench/pipeline/straightline"
)

// A Tool is LISA_API.
type Tool struct {
	Compiler *toolchain.Compiler
	Models   *llm.Models
	// Vanilla makes it the paper's Vanilla LLM: one plain prompt, no feedback, no
	// repair (package vanilla).
	Vanilla bool
}

// Name returns the tool's name in experiments and tables.
func (t *Tool) Name() string {
	if t.Vanilla {
		return "vanilla"
	}
	return "lisa-api"
}

// Stages returns the stages in which the tool asks a model.
func (t *Tool) Stages() []string {
	if t.Vanilla {
		return []string{stageSequence}
	}
	return []string{stageSequence, stageRepair, stageRule}
}

// Needs are the builds that the tool uses: what crashes is run under the sanitizers.
func (t *Tool) Needs(map[string]any) trial.Needs { return trial.Needs{Sanitizer: true} }

// Version changes whenever the same seed and answers may give another suite or other prompts.
func (t *Tool) Version() string { return "2" }

// vanillaParams are what a variant of the vanilla tool may change.
var vanillaParams = []string{"samples"}

// Settings are the values of all parameters of a variant. The error names the first that is unknown or out of range.
func (t *Tool) Settings(params map[string]any) (map[string]any, error) {
	o, err := t.options(params)
	return trial.Settings(&o), err
}

// Parameters lists the parameters of a variant.
func (t *Tool) Parameters() []trial.Parameter {
	o := DefaultOptions()
	list := trial.Parameters(&o)
	if t.Vanilla {
		list = slices.DeleteFunc(list, func(p trial.Parameter) bool { return !slices.Contains(vanillaParams, p.Name) })
	}
	return list
}

// options reads a variant's parameters. The error names the first that is unknown or out of range.
func (t *Tool) options(params map[string]any) (Options, error) {
	o := DefaultOptions()
	if err := trial.SetParams(params, &o); err != nil {
		return o, fmt.Errorf("%s: %w", t.Name(), err)
	}
	if !t.Vanilla {
		return o, nil
	}
	for _, name := range slices.Sorted(maps.Keys(params)) {
		if !slices.Contains(vanillaParams, name) {
			return o, fmt.Errorf("vanilla: %s is a parameter of lisa-api only; vanilla takes samples", name)
		}
	}
	o.Rules, o.Feedback, o.Repair, o.Examples = false, false, false, false
	return o, nil
}

// Generate fills the job's suite until its budget is used up, or until QuietRounds have found
// nothing new.
func (t *Tool) Generate(ctx context.Context, job trial.Job) (trial.StopReason, error) {
	o, err := t.options(job.Params)
	if err != nil {
		return "", err
	}
	spec, err := apispec.Load(ctx, t.Compiler, job.Target)
	if err != nil {
		return "", err
	}
	return genloop.Session(ctx, t.Models, job, job.Identity(t.Name(), t.Version()), func(model *llm.Session) (trial.StopReason, error) {
		return t.Seeds(ctx, job, o, Sink{Spec: spec, Model: model})
	})
}

// A Sink is what LISA's second stage shares with the first where both run in one cell: the
// first fills it instead of the suite.
type Sink struct {
	Spec  *apispec.Spec
	Model *llm.Session
	// Take is handed the programs that a round leaves, in order, after each round.
	Take func(ctx context.Context, round int, seeds []Seed) error
	// Held returns how many programs were taken that are not in the job's suite yet.
	Held func() int
}

// A Seed is a program as the stage leaves it: without assertions. Its ID is that of the request it
// answers.
type Seed struct {
	trial.Program
	Outcome trial.Outcome // of the stage's own run; "" if nobody ran it yet
}

// maxBarren is after how many rounds in a row without a program the tool gives up: a budget in
// programs alone would let it ask, and pay, for ever.
const maxBarren = 20

// Seeds runs the stage; programs go into the job's suite unless the sink takes them. The job's
// Generation is filled.
func (t *Tool) Seeds(ctx context.Context, job trial.Job, o Options, sink Sink) (trial.StopReason, error) {
	lib := newLibrary(job.Target, sink.Spec)
	if len(lib.apis) == 0 {
		return "", fmt.Errorf("%s: library %s has no public function to test", t.Name(), job.Target.Library)
	}
	var names []string
	for _, f := range lib.apis {
		names = append(names, f.Canonical())
	}
	p := &policy{
		job: job, options: o, vanilla: t.Vanilla, lib: lib, sink: sink, lost: map[string]int{},
		scheduler: ngram.New(names, ngram.Config{Order: o.Order, AlphaMin: o.AlphaMin, Epsilon: o.Epsilon, Uniform: !o.Feedback}),
	}
	loop := &genloop.Loop[draft]{
		Job: job, Model: sink.Model, Prompts: prompts, Policy: p, Barren: maxBarren,
		Checker: &checker{straightline.New(t.Compiler, job.Target, sink.Spec), job},
		Stages:  []string{stageSequence, stageRepair, stageRule},
	}
	if o.Repair {
		loop.Repairs = 1
	}
	if sink.Take != nil {
		loop.Add, loop.Held = p.hold, func() int { return sink.Held() + len(p.held) }
	}
	stop, err := loop.Run(ctx)
	*job.Generation = loop.Generation()
	job.Generation.Rounds, job.Generation.Rules = p.rounds, p.mined
	for _, r := range straightline.Rules {
		if n := p.lost[r.ID]; n > 0 {
			job.Generation.Lost = append(job.Generation.Lost, trial.NamedCount{Name: r.ID, Count: n})
		}
	}
	return stop, err
}
