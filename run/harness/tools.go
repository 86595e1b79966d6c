package harness

import (
	"context"
	"fmt"
	"maps"
	"reflect"
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
	_ = []runner.InputReader{(*invariant.Tool)(nil), (*knowledge.Tool)(nil)}
	_ = []runner.Needer{randoop.Tool{}, (*ossfuzz.Tool)(nil), (*exttool.Command)(nil), (*sequence.Tool)(nil), (*invariant.Tool)(nil),
		(*property.Tool)(nil), (*agent.Tool)(nil)}
	_ runner.Maker     = (*knowledge.Tool)(nil)
	_ runner.ModelUser = (*exttool.Command)(nil)
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

// Stages returns the parts of a tool that ask a model, whether it comes with bench or is one of the experiment's own.
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

// tools returns what the experiment can name. Models are opened, and asked whether they answer, only if a tool asks
// them, and before anything is built: a wrong key is known at once. Commands run in the experiment's sandbox, which
// shows them none of what it shows to test programs.
func (x *Execution) tools(ctx context.Context, e *Env, shop *workshop.Workshop) (tools []runner.Tool, err error) {
	exp := x.Experiment
	w := workbench{compiler: shop.Compiler, fuzzer: shop.Fuzzer, timeout: exp.Test.Timeout}
	if exp.LLM != nil && len(stagesOf(exp, nil)) > 0 {
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

// A Variant is one of a tool in a plan.
type Variant struct {
	Tool    string `json:"tool"`
	Variant string `json:"variant"`
	Differs string `json:"differs"` // from the tool's default, in a phrase; "" if in nothing
}

// phrases say what a parameter with that value does, where a name beside a value does not.
var phrases = map[string]string{
	"rules=false":             "no project rules",
	"feedback=false":          "no N-gram feedback",
	"feedback=mutants":        "mutants that no test kills are shown",
	"angles=false":            "programs of one combination are asked for alike",
	"examples=false":          "no examples",
	"repair=false":            "no repair of sequences",
	"inv_repair=false":        "no repair of assertions",
	"keep_failing=true":       "one that fails ends its test",
	"keep_failing=false":      "one that fails is taken out",
	"chunks=false":            "the whole program in one prompt",
	"knowledge=none":          "no knowledge of the APIs",
	"knowledge=daikon":        "what is mined of calls, unfiltered, and no documents",
	"knowledge=daikon_judged": "what a model keeps of what is mined, and no documents",
	"knowledge=documents":     "documents, and nothing mined",
	"oracle=none":             "no assertions",
	"oracle=recorded":         "values of the reference build in place of invariants",
}

// Variants lists a plan's variants, each with what makes it different. Two that would do the same work
// are an error: a table would show one thing twice.
func Variants(exp *experiments.Experiment) (list []Variant, err error) {
	cells := exp.Plan().Cells
	settings := make([]map[string]any, len(cells))
	for i, c := range cells {
		if settings[i], err = settingsOf(c); err != nil {
			return nil, err
		}
		for j, o := range cells[:i] {
			of := o.Cell
			of.Variant, of.Seed = c.Variant, c.Seed
			if of == c.Cell && o.Budget == c.Budget && slices.Equal(o.Bugs, c.Bugs) && reflect.DeepEqual(settings[i], settings[j]) {
				return nil, fmt.Errorf("variants %s and %s of %s would do the same on %s%s", o.Variant, c.Variant, c.Tool, c.Library, hint(o, c))
			}
		}
		v := Variant{Tool: c.Tool, Variant: c.Variant}
		if slices.ContainsFunc(list, func(o Variant) bool { return o.Tool == v.Tool && o.Variant == v.Variant }) {
			continue
		}
		if v.Differs, err = differs(cells, c, settings[i]); err != nil {
			return nil, err
		}
		list = append(list, v)
	}
	return list, nil
}

// hint says what the variants of a tool that is given no knowledge base need to differ.
func hint(cells ...experiments.Cell) string {
	for _, c := range cells {
		if c.Params["knowledge"] != nil && c.Params["contracts"] == nil && c.Params["knowledge"] != "none" {
			return ": there is no knowledge base for them to differ in; give the tool knowledge: auto, or a directory"
		}
	}
	return ""
}

// settingsOf are all that a cell's tool goes by, its defaults filled in and without what has no effect.
func settingsOf(c experiments.Cell) (map[string]any, error) {
	values := maps.Clone(c.Params)
	if k, ok := kindOf(c.Tool); ok {
		var err error
		if values, err = k.settings(c.Params); err != nil {
			return nil, fmt.Errorf("variant %s: %w", c.Variant, err)
		}
	}
	if values == nil {
		values = map[string]any{}
	}
	if c.Model != "" {
		values["model"] = c.Model
	}
	for _, u := range c.Uses {
		if values[u.Param] != nil && values[u.Param] != "" { // it has an effect
			values[u.Param] = strings.Split(u.Cell, "."+c.Library+".")[0] // tool and variant
		}
	}
	return values, nil
}

// differs says in a phrase what makes a cell's variant another than its tool with nothing changed. That
// tool is its variant of that name in the plan, if there is one.
func differs(cells []experiments.Cell, c experiments.Cell, own map[string]any) (string, error) {
	base := c
	base.Params, base.Uses, base.Model = nil, nil, ""
	for _, o := range cells {
		if o.Tool != c.Tool || o.Variant != trial.DefaultVariant {
			continue
		}
		if o.Library == c.Library && o.Edition == c.Edition && o.Trial == c.Trial {
			base = o
			break
		}
		base.Params, base.Uses, base.Model = o.Params, o.Uses, o.Model // of another library
	}
	was, err := settingsOf(base)
	if err != nil {
		return "", err
	}
	var words []string
	for _, name := range slices.Sorted(maps.Keys(own)) {
		v := own[name]
		if reflect.DeepEqual(v, was[name]) {
			continue
		}
		if phrase, ok := phrases[fmt.Sprintf("%s=%v", name, v)]; ok {
			words = append(words, phrase)
		} else if before := fmt.Sprint(was[name]); was[name] != nil && before != "" {
			words = append(words, fmt.Sprintf("%s %v, not %s", name, v, before))
		} else if v != "" {
			words = append(words, fmt.Sprintf("%s %v", name, v))
		}
	}
	if base.Budget != c.Budget {
		words = append(words, "its budget")
	}
	if !slices.Equal(base.Bugs, c.Bugs) {
		words = append(words, "the bugs that it is checked for")
	}
	return strings.Join(words, "; "), nil
}
