package harness

import (
	"context"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/lisa-bench/lisa-bench/bench/lisabench"
	"github.com/lisa-bench/lisa-bench/execute/sandbox"
	"github.com/lisa-bench/lisa-bench/experiments"
	"github.com/lisa-bench/lisa-bench/tools/exttool"
	"github.com/lisa-bench/lisa-bench/tools/toolcheck"
)

// A Conformance is what the check of one external tool says.
type Conformance struct {
	Tool     string
	Conforms bool
	Findings []toolcheck.Finding
}

// CheckTools holds the external tools of an experiment file, or the one that only names, against
// their contract. It calls each with every tool that is done.
func (e *Env) CheckTools(ctx context.Context, name, only string, each func(Conformance)) (all []Conformance, err error) {
	bench, err := e.LoadBench()
	if err != nil {
		return nil, err
	}
	exp, specs, err := externalsOf(bench, name, only)
	if err != nil {
		return nil, err
	}
	var checker toolcheck.Checker
	if checker.Tools, checker.Compiler, err = e.compiler(ctx, 1); err != nil {
		return nil, err
	}
	checker.Sandbox, err = e.newSandbox(ctx, Workplace{Sandbox: exp.Sandbox, Limits: sandbox.DefaultLimits}, checker.Tools, nil)
	if err != nil {
		return nil, err
	}
	cells := exp.Plan().Cells
	for _, spec := range specs {
		var params map[string]any // of its first variant
		if i := slices.IndexFunc(cells, func(c experiments.Cell) bool { return c.Tool == spec.Name }); i >= 0 {
			params = cells[i].Params
		}
		findings, err := checker.Check(ctx, spec, params)
		if err != nil {
			return nil, err
		}
		c := Conformance{Tool: spec.Name, Findings: findings}
		c.Conforms = !slices.ContainsFunc(findings, func(f toolcheck.Finding) bool { return len(f.Problems) > 0 })
		all = append(all, c)
		each(c)
	}
	return all, nil
}

// externalsOf loads the external tools of a file, or the one that is named.
func externalsOf(bench *lisabench.Bench, name, only string) (*experiments.Experiment, []experiments.ToolSpec, error) {
	src, err := experiments.Read(name)
	if err != nil {
		return nil, nil, err
	}
	exp, err := experiments.Load(src, checkDefaults(src.Data), Known(bench))
	if err != nil {
		return nil, nil, err
	}
	var names []string
	var chosen []experiments.ToolSpec
	for _, t := range exp.Externals() {
		names = append(names, t.Name)
		if only == "" || only == t.Name {
			chosen = append(chosen, t)
		}
	}
	switch {
	case len(names) == 0:
		return nil, nil, Usagef("%s has no external tool, that is, no tool with a command (docs/howto/adding-a-tool.md)", src.Name)
	case len(chosen) == 0:
		return nil, nil, lisabench.NewUnknownError("external tool", only, names)
	}
	for _, t := range chosen {
		if t.Agent != nil {
			return nil, nil, Usagef("tool %s is an agent, which no script can answer: a run with a small budget checks it: "+
				"bench run %s --set 'budget={tokens: 50000}'", t.Name, name)
		}
		if err := (&exttool.Command{Spec: t}).Check(); err != nil {
			return nil, nil, Usagef("%s: %w", src.Name, err)
		}
	}
	return exp, chosen, nil
}

// checkDefaults are overrides for what a file with nothing but tools leaves out of an experiment. None of it
// matters to the check.
func checkDefaults(text []byte) (set []string) {
	var given map[string]yaml.Node
	if yaml.Unmarshal(text, &given) != nil {
		return nil // Load says what is wrong with it
	}
	_, whole := given["include"]
	if _, parts := given["parts"]; whole || parts {
		return nil
	}
	for _, d := range []string{
		"name=check", "budget={programs: 3}", "libraries=[{name: cJSON, bugs: none}]",
		"llm={model: m, prices: [{model: m, input: 0, output: 0}]}",
	} {
		key, _, _ := strings.Cut(d, "=")
		if _, ok := given[key]; !ok {
			set = append(set, d)
		}
	}
	return set
}
