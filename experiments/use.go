package experiments

import (
	"fmt"
	"slices"

	"github.com/lisa-bench/lisa-bench/internal/trial"
)

// Auto stands, in the place of a directory, for what a cell of the same run makes.
const Auto = "auto"

// The tools whose cells other cells use.
const (
	SeedTool      = "lisa-api"  // makes programs for a second stage
	KnowledgeTool = "knowledge" // makes a library's knowledge base
)

// SuiteTool is the tool of bench evaluate: a directory of tests.
const SuiteTool = "suite"

// AgentTool is the agent that comes with bench.
const AgentTool = "agent"

// The parameters that may be Auto. A map in the place of Auto has parameters of the tool that makes it.
const (
	paramSeeds     = "seeds"     // of SeedTool, in the same trial
	paramContracts = "contracts" // of KnowledgeTool, made once for all trials
	paramSequences = "sequences" // of SeedTool, in the first trial
)

// A Use is a parameter whose value is what another cell of the plan makes.
type Use struct {
	Param string `json:"param"`
	Cell  string `json:"cell"` // ID
}

// uses finds the parameters of a cell that other cells stand for. It notes them in the cell, and
// returns those other cells, each after what it uses itself. A cell of a tool
// that the part does not name has the part's budget, and is checked for no bugs.
func (p Part) uses(seed trial.Seed, l LibrarySpec, c *Cell) []Cell {
	var made []Cell
	own := map[string]any{} // what is the model's choice is so for all that the cell uses
	if c.Model != "" {
		own[paramModel] = c.Model
	}
	need := func(param, tool string, v Variant, n int) {
		other := p.cell(seed, l, tool, v, n)
		other.Budget, other.Bugs = p.Budget, []string{}
		if t := p.tool(tool); t != nil {
			other.Budget, other.Bugs = p.budget(*t), l.Bugs
		}
		c.Params[param] = Auto
		c.Uses = append(c.Uses, Use{Param: param, Cell: other.ID()})
		made = append(append(made, p.uses(seed, l, &other)...), other)
	}
	if params, is := auto(c.Params[paramSeeds]); is {
		need(paramSeeds, SeedTool, p.seedVariant(merge(own, params)), c.Trial)
	}
	if c.Params["knowledge"] == "none" { // there is nothing to wait for
		delete(c.Params, paramContracts)
	}
	if params, is := auto(c.Params[paramContracts]); is {
		own := merge(own, params)
		need(paramContracts, KnowledgeTool, Variant{Name: nameOf(own), Params: merge(p.knowledgeParams(), own)}, 1)
	}
	if c.Params[paramSequences] == Auto {
		need(paramSequences, SeedTool, p.seedVariant(own), 1)
	}
	return made
}

// Whole is the budget of a cell with that of the seeds that another cell makes for it.
func (p Plan) Whole(c Cell) trial.Budget {
	b := c.Budget
	for _, u := range c.Uses {
		if i := slices.IndexFunc(p.Cells, func(o Cell) bool { return o.ID() == u.Cell && u.Param == paramSeeds }); i >= 0 {
			b = b.Plus(p.Cells[i].Budget)
		}
	}
	return b
}

// auto reports whether a parameter stands for what another cell makes, and with which parameters of its own.
func auto(value any) (params map[string]any, is bool) {
	params, is = value.(map[string]any)
	return params, is || value == Auto
}

// tool returns the part's tool of that name, nil if there is none.
func (p Part) tool(name string) *ToolSpec {
	if i := slices.IndexFunc(p.Tools, ToolSpec{Name: name}.sameName); i >= 0 {
		return &p.Tools[i]
	}
	return nil
}

// knowledgeParams are those of the part's knowledge tool; without one it observes sequences.
func (p Part) knowledgeParams() map[string]any {
	if t := p.tool(KnowledgeTool); t != nil {
		return t.expand()[0].Params
	}
	return map[string]any{paramSequences: Auto}
}

// seedVariant is the part's variant of the tool that makes seeds with those parameters, or one named
// after them.
func (p Part) seedVariant(params map[string]any) Variant {
	base := map[string]any{}
	if t := p.tool(SeedTool); t != nil {
		base = t.Params
		for _, v := range t.expand() {
			if fmt.Sprint(v.Params) == fmt.Sprint(merge(base, params)) { // maps print in the order of their keys
				return v
			}
		}
	}
	return Variant{Name: nameOf(params), Params: merge(base, params)}
}

// nameOf names a variant after its parameters.
func nameOf(params map[string]any) string {
	variant := trial.DefaultVariant
	for _, key := range sortedKeys(params) {
		variant = sweptName(variant, key, params[key])
	}
	return variant
}
