package harness

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/lisa-bench/lisa-bench/baselines/agent"
	"github.com/lisa-bench/lisa-bench/baselines/citywalk"
	"github.com/lisa-bench/lisa-bench/baselines/ossfuzz"
	"github.com/lisa-bench/lisa-bench/baselines/randoop"
	"github.com/lisa-bench/lisa-bench/baselines/vanilla"
	"github.com/lisa-bench/lisa-bench/bench/lisabench"
	"github.com/lisa-bench/lisa-bench/experiments"
	"github.com/lisa-bench/lisa-bench/internal/llm"
	"github.com/lisa-bench/lisa-bench/internal/llm/provider"
	"github.com/lisa-bench/lisa-bench/internal/toolchain"
	"github.com/lisa-bench/lisa-bench/internal/trial"
	"github.com/lisa-bench/lisa-bench/pipeline/invariant"
	"github.com/lisa-bench/lisa-bench/pipeline/knowledge"
	"github.com/lisa-bench/lisa-bench/pipeline/property"
	"github.com/lisa-bench/lisa-bench/pipeline/sequence"
	"github.com/lisa-bench/lisa-bench/run/runner"
	"github.com/lisa-bench/lisa-bench/run/workshop"
	"github.com/lisa-bench/lisa-bench/tools/agentspace"
	"github.com/lisa-bench/lisa-bench/tools/exttool"
)

// The implementations of interfaces that other packages own and ask for by assertion.
var (
	_ runner.InputReader = (*invariant.Tool)(nil)
	_ runner.InputReader = (*knowledge.Tool)(nil)
	_ runner.Maker       = (*knowledge.Tool)(nil)
	_ runner.ModelUser   = (*exttool.Command)(nil)
	_ runner.Needer      = randoop.Tool{}
	_ runner.Needer      = (*ossfuzz.Tool)(nil)
	_ runner.Needer      = (*exttool.Command)(nil)
	_ runner.Needer      = (*sequence.Tool)(nil)
	_ runner.Needer      = (*invariant.Tool)(nil)
	_ runner.Needer      = (*property.Tool)(nil)
	_ runner.Needer      = (*agent.Tool)(nil)
)

// A Kind is a tool that an experiment may name.
type Kind struct {
	Summary string
	runner.Tool
	also []string // stages of what the tool uses
	make func(workbench) runner.Tool
}

// A workbench is what tools work with.
type workbench struct {
	compiler *toolchain.Compiler
	models   *llm.Models
	fuzzer   ossfuzz.Fuzzer
	timeout  time.Duration // of one input
}

// Kinds are the tools that come with bench.
var Kinds = []Kind{
	{"an agent that reads, writes tests, checks them and sees what they leave unnoticed", &agent.Tool{}, nil,
		func(w workbench) runner.Tool { return &agent.Tool{Compiler: w.compiler, Models: w.models} }},
	{"CITYWALK: one test file for each public function, from its source, documents and callers", &citywalk.Tool{}, nil,
		func(w workbench) runner.Tool { return &citywalk.Tool{Compiler: w.compiler, Models: w.models} }},
	{"makes a library's knowledge base, for cells of lisa to use", knowledgeBase, nil,
		func(w workbench) runner.Tool { return &knowledge.Tool{Compiler: w.compiler, Models: w.models} }},
	{"LISA: API sequences from a model, then invariants as assertions, verified and repaired", &invariant.Tool{}, knowledge.Stages(),
		func(w workbench) runner.Tool { return &invariant.Tool{Compiler: w.compiler, Models: w.models} }},
	{"LISA's first stage: API sequences from a model, guided by N-gram feedback", &sequence.Tool{}, nil,
		func(w workbench) runner.Tool { return &sequence.Tool{Compiler: w.compiler, Models: w.models} }},
	{"property tests over domains from a model, judged by the documents", &property.Tool{}, nil,
		func(w workbench) runner.Tool { return &property.Tool{Compiler: w.compiler, Models: w.models} }},
	{"the library's official libFuzzer harnesses with the seeds and dictionaries of OSS-Fuzz", fuzzing, nil,
		func(w workbench) runner.Tool { return ossfuzz.New(w.fuzzer, w.timeout) }},
	{"feedback-directed random API sequences with values recorded on the reference build", randoop.Tool{}, nil,
		func(w workbench) runner.Tool { return randoop.Tool{Compiler: w.compiler} }},
	{"the model alone: one plain prompt, no feedback and no repair", vanilla.New(nil, nil), nil,
		func(w workbench) runner.Tool { return vanilla.New(w.compiler, w.models) }},
}

// Tools as far as their names and versions go.
var (
	knowledgeBase = &knowledge.Tool{}
	fuzzing       = ossfuzz.New(nil, 0)
)

// Stages are the parts of the tool that ask a model.
func (k Kind) Stages() []string {
	user, ok := k.Tool.(runner.ModelUser)
	if !ok {
		return nil
	}
	return slices.Concat(user.Stages(), k.also)
}

// Kind returns what experiments know of the tool.
func (k Kind) Kind() experiments.ToolKind {
	return experiments.ToolKind{Name: k.Name(), UsesModel: len(k.Stages()) > 0, Fuzzes: k.Tool == fuzzing, OnlyC: k.Tool == randoop.Tool{}, Stages: k.Stages()}
}

// Parameters lists what a variant can change: the tool's own parameters, and the model if it asks one.
func (k Kind) Parameters() []trial.Parameter {
	var list []trial.Parameter
	if t, ok := k.Tool.(interface{ Parameters() []trial.Parameter }); ok {
		list = t.Parameters()
	}
	if len(k.Stages()) > 0 {
		list = append(list, trial.Parameter{Name: "model", Value: "the name of a model", Default: "llm.model", Doc: "The model that is asked in place of llm.model."})
	}
	return list
}

// settings are the values of all parameters, as they take effect; the error says which is refused.
func (k Kind) settings(params map[string]any) (map[string]any, error) {
	if t, ok := k.Tool.(interface {
		Settings(params map[string]any) (map[string]any, error)
	}); ok {
		return t.Settings(params)
	}
	if len(params) > 0 {
		return nil, fmt.Errorf("the tool takes no parameters; got %s", strings.Join(slices.Sorted(maps.Keys(params)), ", "))
	}
	return nil, nil
}

// kindOf returns the tool of that name that comes with bench.
func kindOf(name string) (k Kind, ok bool) {
	i := slices.IndexFunc(Kinds, func(k Kind) bool { return k.Name() == name })
	if i < 0 {
		return Kind{}, false
	}
	return Kinds[i], true
}

// Stages returns the parts of a tool that ask a model, whether it comes with bench or is one of the
// experiment's own.
func Stages(exp *experiments.Experiment, tool string) []string {
	if k, ok := kindOf(tool); ok {
		return k.Stages()
	}
	for _, t := range exp.Externals() {
		if t.Name == tool {
			return (&exttool.Command{Spec: t}).Stages()
		}
	}
	return nil
}

// Known is what an experiment may name.
func Known(bench *lisabench.Bench) experiments.Known {
	k := experiments.Known{Libraries: bench.Libraries}
	for _, t := range Kinds {
		k.Tools = append(k.Tools, t.Kind())
	}
	return k
}

// Load loads an experiment file with its profile, if one is named, and its overrides. It asks the tools whether they know
// their parameters, and whether commands can be started, before anything is built.
func Load(bench *lisabench.Bench, name, profile string, set []string) (*experiments.Experiment, error) {
	src, err := experiments.Read(name)
	if err != nil {
		return nil, err
	}
	src.Profile = profile
	exp, err := experiments.Load(src, set, Known(bench))
	if err != nil {
		return nil, err
	}
	if err := checkCommands(exp); err != nil {
		return nil, Usagef("%s: %w", src.Name, err)
	}
	if _, err := Variants(exp); err != nil {
		return nil, Usagef("%s: %w", src.Name, err)
	}
	return exp, nil
}

func checkCommands(exp *experiments.Experiment) error {
	for _, t := range exp.Externals() {
		if err := (&exttool.Command{Spec: t}).Check(); err != nil {
			return err
		}
	}
	return nil
}

// asksModels reports whether a tool of the experiment does.
func asksModels(exp *experiments.Experiment) bool {
	return slices.ContainsFunc(exp.Plan().Cells, func(c experiments.Cell) bool { return len(Stages(exp, c.Tool)) > 0 })
}

// tools returns what the experiment can name. Models are opened, and asked whether they answer, only if a tool asks
// them, and before anything is built: a wrong key is known at once. Commands run in the experiment's sandbox, which
// shows them none of what it shows to test programs.
func (x *Execution) tools(ctx context.Context, e *Env, shop *workshop.Workshop) (tools []runner.Tool, err error) {
	exp := x.Experiment
	w := workbench{compiler: shop.Compiler, fuzzer: shop.Fuzzer, timeout: exp.Test.Timeout}
	if exp.LLM != nil && asksModels(exp) {
		if w.models, err = provider.Open(*exp.LLM, e.Getenv, e.Log); err != nil {
			return nil, &UsageError{err}
		}
		if err := x.preflight(ctx, e, w.models); err != nil {
			return nil, err
		}
	}
	for _, k := range Kinds {
		if w.models != nil || len(k.Stages()) == 0 {
			tools = append(tools, k.make(w))
		}
	}
	specs := exp.Externals()
	if len(specs) == 0 {
		return tools, nil
	}
	box, err := e.newSandbox(ctx, Workplace{Sandbox: exp.Sandbox, Limits: workshop.TestLimits(exp.Test.Timeout)}, shop.Tools, nil)
	if err != nil {
		return nil, err
	}
	for _, spec := range specs {
		tools = append(tools, &exttool.Command{
			Spec: spec, Sandbox: box, Models: w.models, CC: shop.Tools.Clang.Path, CXX: shop.Tools.ClangXX.Path,
			Space: func(ctx context.Context, job trial.Job, feedback string) (exttool.Space, error) {
				return agentspace.Open(ctx, shop.Compiler, job, feedback)
			}, SpaceNeeds: agentspace.Needs, SpaceVersion: agentspace.Version(),
		})
	}
	return tools, nil
}
