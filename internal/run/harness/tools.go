package harness

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/lisa-bench/lisa-bench/baselines/citywalk"
	"github.com/lisa-bench/lisa-bench/baselines/ossfuzz"
	"github.com/lisa-bench/lisa-bench/baselines/randoop"
	"github.com/lisa-bench/lisa-bench/baselines/vanilla"
	"github.com/lisa-bench/lisa-bench/bench/lisabench"
	"github.com/lisa-bench/lisa-bench/experiments"
	"github.com/lisa-bench/lisa-bench/internal/exec/libfuzzer"
	"github.com/lisa-bench/lisa-bench/internal/exec/testrun"
	"github.com/lisa-bench/lisa-bench/internal/llm"
	"github.com/lisa-bench/lisa-bench/internal/run/runner"
	"github.com/lisa-bench/lisa-bench/internal/run/subject"
	"github.com/lisa-bench/lisa-bench/internal/tools/exttool"
	"github.com/lisa-bench/lisa-bench/metrics"
	"github.com/lisa-bench/lisa-bench/pipeline/invariant"
	"github.com/lisa-bench/lisa-bench/pipeline/knowledge"
	"github.com/lisa-bench/lisa-bench/pipeline/property"
	"github.com/lisa-bench/lisa-bench/pipeline/sequence"
)

// The implementations of the interfaces that other packages own.
var (
	_ runner.Tool        = randoop.Tool{}
	_ runner.Tool        = (*ossfuzz.Tool)(nil)
	_ runner.Tool        = exttool.Directory{}
	_ runner.Tool        = (*exttool.Command)(nil)
	_ runner.ModelUser   = (*exttool.Command)(nil)
	_ runner.Tool        = (*sequence.Tool)(nil)
	_ runner.ModelUser   = (*sequence.Tool)(nil)
	_ runner.Tool        = (*citywalk.Tool)(nil)
	_ runner.ModelUser   = (*citywalk.Tool)(nil)
	_ runner.Tool        = (*invariant.Tool)(nil)
	_ runner.ModelUser   = (*invariant.Tool)(nil)
	_ runner.InputReader = (*invariant.Tool)(nil)
	_ runner.Tool        = (*knowledge.Tool)(nil)
	_ runner.ModelUser   = (*knowledge.Tool)(nil)
	_ runner.Maker       = (*knowledge.Tool)(nil)
	_ runner.InputReader = (*knowledge.Tool)(nil)
	_ runner.Tool        = (*property.Tool)(nil)
	_ runner.ModelUser   = (*property.Tool)(nil)
	_ runner.Needer      = randoop.Tool{}
	_ runner.Needer      = (*ossfuzz.Tool)(nil)
	_ runner.Needer      = (*exttool.Command)(nil)
	_ runner.Needer      = (*sequence.Tool)(nil)
	_ runner.Needer      = (*invariant.Tool)(nil)
	_ runner.Needer      = (*property.Tool)(nil)
	_ runner.Preparer    = (*subject.Workshop)(nil)
	_ runner.Evaluator   = subject.Evaluator{}
	_ metrics.TestRunner = (*testrun.Engine)(nil)
	_ metrics.FuzzRunner = (*libfuzzer.Fuzzer)(nil)
)

// A Kind is a tool that an experiment may name.
type Kind struct {
	Name, Summary string
	Stages        []string      // that ask a model
	Version       func() string // changes with what the tool asks, or makes of the same answers
	// settings are the values of all parameters, as they take effect; the error says which is refused.
	settings func(params map[string]any) (map[string]any, error)
}

// Kind returns what experiments know of the tool.
func (k Kind) Kind() experiments.ToolKind {
	return experiments.ToolKind{Name: k.Name, UsesModel: len(k.Stages) > 0, Fuzzes: k.Name == fuzzing.Name(), Stages: k.Stages}
}

// Kinds are the tools that come with bench.
var Kinds = []Kind{
	{"citywalk", "CITYWALK: one test file for each public function, from its source, documents and callers", cityWalk.Stages(), cityWalk.Version, cityWalk.Settings},
	{experiments.KnowledgeTool, "makes a library's knowledge base, for cells of lisa to use", knowledge.Stages(), knowledgeBase.Version, knowledgeBase.Settings},
	{"lisa", "LISA: API sequences from a model, then invariants as assertions, verified and repaired", append(lisa.Stages(), knowledge.Stages()...), lisa.Version, lisa.Settings},
	{experiments.SeedTool, "LISA's first stage: API sequences from a model, guided by N-gram feedback", lisaAPI.Stages(), lisaAPI.Version, lisaAPI.Settings},
	{"lisa-prop", "property tests over domains from a model, judged by the documents", lisaProp.Stages(), lisaProp.Version, lisaProp.Settings},
	{"ossfuzz", "the library's official libFuzzer harnesses with the seeds and dictionaries of OSS-Fuzz", nil, fuzzing.Version, noParams},
	{"randoop", "feedback-directed random API sequences with values recorded on the reference build", nil, randoop.Tool{}.Version, randoop.Tool{}.Settings},
	{"vanilla", "the model alone: one plain prompt, no feedback and no repair", plainModel.Stages(), plainModel.Version, plainModel.Settings},
}

// Tools as far as their names and parameters go.
var (
	cityWalk   = &citywalk.Tool{}
	lisa       = &invariant.Tool{}
	lisaAPI    = &sequence.Tool{}
	lisaProp   = &property.Tool{}
	plainModel = vanilla.New(nil, nil)
	fuzzing    = ossfuzz.New(nil, 0)

	knowledgeBase = &knowledge.Tool{}
)

// Stages returns the parts of a tool that ask a model, whether it comes with bench or is one of the
// experiment's own.
func Stages(exp *experiments.Experiment, tool string) []string {
	for _, t := range Kinds {
		if t.Name == tool {
			return t.Stages
		}
	}
	for _, t := range exp.Externals() {
		if t.Name == tool {
			return (&exttool.Command{Spec: t}).Stages()
		}
	}
	return nil
}

// noParams are the settings of a tool that takes none.
func noParams(params map[string]any) (map[string]any, error) {
	if len(params) == 0 {
		return nil, nil
	}
	return nil, fmt.Errorf("the tool takes no parameters; got %s", strings.Join(slices.Sorted(maps.Keys(params)), ", "))
}

// Known is what an experiment may name.
func Known(bench *lisabench.Bench) experiments.Known {
	k := experiments.Known{Libraries: bench.Libraries}
	for _, t := range Kinds {
		k.Tools = append(k.Tools, t.Kind())
	}
	return k
}

// Load loads an experiment file with its profile, if one is named, and its overrides.
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
	if err := checkParams(exp); err != nil {
		return nil, Usagef("%s: %w", src.Name, err)
	}
	if _, err := Variants(exp); err != nil {
		return nil, Usagef("%s: %w", src.Name, err)
	}
	return exp, nil
}

// checkParams asks the tools whether they know their parameters, and whether commands can be started,
// before anything is built.
func checkParams(exp *experiments.Experiment) error {
	for _, c := range exp.Plan().Cells {
		if _, err := settingsOf(c); err != nil {
			return err
		}
	}
	for _, t := range exp.Externals() {
		if err := exttool.NewCommand(exttool.Command{Spec: t}).Check(); err != nil {
			return err
		}
	}
	return nil
}

// asksModels reports whether a tool of the experiment does.
func asksModels(exp *experiments.Experiment) bool {
	return slices.ContainsFunc(exp.Plan().Cells, func(c experiments.Cell) bool { return len(Stages(exp, c.Tool)) > 0 })
}

// tools returns what the experiment can name. Models are opened only if a tool asks them, and
// so before anything is built: a missing key is known at once.
func (x *Execution) tools(ctx context.Context, e *Env, shop *subject.Workshop) ([]runner.Tool, error) {
	tools := []runner.Tool{randoop.Tool{Compiler: shop.Compiler}, ossfuzz.New(shop.Fuzzer, x.Experiment.Test.Timeout)}
	if x.Experiment.LLM == nil || !asksModels(x.Experiment) {
		return x.externals(ctx, e, shop, tools, nil)
	}
	models, err := llm.Open(*x.Experiment.LLM, llm.Env{Getenv: e.Getenv, Now: e.Now, Seed: x.Experiment.Seed, Log: e.Log})
	if err != nil {
		return nil, &UsageError{err}
	}
	return x.externals(ctx, e, shop, append(tools,
		&invariant.Tool{Compiler: shop.Compiler, Models: models},
		&sequence.Tool{Compiler: shop.Compiler, Models: models},
		&knowledge.Tool{Compiler: shop.Compiler, Models: models},
		vanilla.New(shop.Compiler, models),
		&citywalk.Tool{Compiler: shop.Compiler, Models: models},
		&property.Tool{Compiler: shop.Compiler, Models: models},
	), models)
}

// externals adds the experiment's commands to tools. They run in the experiment's sandbox, which
// shows them none of what it shows to test programs.
func (x *Execution) externals(ctx context.Context, e *Env, shop *subject.Workshop, tools []runner.Tool, models *llm.Models) ([]runner.Tool, error) {
	specs := x.Experiment.Externals()
	if len(specs) == 0 {
		return tools, nil
	}
	place := Workplace{Sandbox: x.Experiment.Sandbox, Limits: subject.TestLimits(x.Experiment.Test.Timeout)}
	box, err := e.newSandbox(ctx, place, shop.Tools, nil)
	if err != nil {
		return nil, err
	}
	for _, spec := range specs {
		tools = append(tools, exttool.NewCommand(exttool.Command{
			Spec: spec, Sandbox: box, Models: models, CC: shop.Tools.Clang.Path, CXX: shop.Tools.ClangXX.Path,
		}))
	}
	return tools, nil
}
