package experiments

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/lisa-bench/lisa-bench/internal/llm"
	"github.com/lisa-bench/lisa-bench/internal/trial"
)

// A Plan is an experiment's cells in the order in which they are started.
type Plan struct {
	Name    string        `json:"name"`
	Seed    trial.Seed    `json:"seed"`
	Test    Test          `json:"test"`
	Sandbox string        `json:"sandbox"`
	LLM     *llm.Config   `json:"llm,omitempty"`
	Cells   []Cell        `json:"cells"`
	Parts   []PlannedPart `json:"parts,omitempty"` // only of an experiment with parts
}

// A PlannedPart says which cells a part needs.
type PlannedPart struct {
	Name   string `json:"name"`
	Cells  []int  `json:"cells"`  // indices into the plan's
	Shared int    `json:"shared"` // how many of them parts before it need too
}

// A Cell is a planned cell with all that is particular to it.
type Cell struct {
	trial.Cell
	Model  string         `json:"model,omitempty"` // that its tool asks, if it is not llm.model
	Params map[string]any `json:"params,omitempty"`
	Budget trial.Budget   `json:"budget"`
	Bugs   []string       `json:"bugs"`
	Uses   []Use          `json:"uses,omitempty"`
}

// Plan expands the experiment. The order is trial, part, library, tool, variant: whatever changes
// on the machine during a run meets all tools alike. A tool's variants have the same seed
// in the same trial, so that they can be compared in pairs. A cell of several parts is planned once, and
// a cell that others use before them.
func (e *Experiment) Plan() Plan {
	p := Plan{Name: e.Name, Seed: e.Seed, Test: e.Test, Sandbox: e.Sandbox, LLM: e.LLM}
	parts := e.parts()
	planned := make([]PlannedPart, len(parts))
	trials := 0
	for i, part := range parts {
		planned[i].Name = part.Name
		trials = max(trials, part.Trials)
	}
	index := map[string]int{}
	for n := 1; n <= trials; n++ {
		for i, part := range parts {
			if n > part.Trials {
				continue
			}
			for _, c := range part.cells(e.Seed, n) {
				at, known := index[c.ID()]
				switch {
				case !known:
					at = len(p.Cells)
					index[c.ID()] = at
					p.Cells = append(p.Cells, c)
				case slices.Contains(planned[i].Cells, at):
					continue // several cells of the part use it
				default:
					planned[i].Shared++
				}
				if len(p.Cells[at].Bugs) == 0 {
					p.Cells[at].Bugs = c.Bugs
				}
				planned[i].Cells = append(planned[i].Cells, at)
			}
		}
	}
	if len(e.Parts) > 0 {
		p.Parts = planned
	}
	return p
}

// cells returns the cells of one trial, each after those that it uses.
func (p Part) cells(seed trial.Seed, n int) []Cell {
	var cells []Cell
	for _, l := range p.Libraries {
		for _, t := range p.Tools {
			if len(t.Libraries) > 0 && !slices.Contains(t.Libraries, l.Name) {
				continue
			}
			for _, v := range t.expand() {
				c := p.cell(seed, l, t.Name, v, n)
				c.Budget, c.Bugs = p.budget(t), l.Bugs
				cells = append(append(cells, p.uses(seed, l, &c)...), c)
			}
		}
	}
	return cells
}

// cell names a cell. The seed is that of all variants of its tool.
func (p Part) cell(seed trial.Seed, l LibrarySpec, tool string, v Variant, n int) Cell {
	c := trial.Cell{Tool: tool, Variant: v.Name, Library: l.Name, Edition: string(l.Edition), Trial: n,
		Seed: seed.Derive(fmt.Sprintf("%s/%s/%s/%d", tool, l.Name, l.Edition, n))}
	planned := Cell{Cell: c, Params: filled(v.Params, c)}
	if p.asks(tool) {
		planned.Model, _ = planned.Params[paramModel].(string)
		delete(planned.Params, paramModel)
	}
	return planned
}

// filled puts the cell's own names into parameters that are text, such as the path of what another
// run made for the same library.
func filled(params map[string]any, c trial.Cell) map[string]any {
	names := strings.NewReplacer("{library}", c.Library, "{edition}", c.Edition, "{trial}", strconv.Itoa(c.Trial))
	out := maps.Clone(params)
	for key, v := range out {
		if text, ok := v.(string); ok {
			out[key] = names.Replace(text)
		}
	}
	return out
}

// Of returns the plan of one part alone.
func (p Plan) Of(part PlannedPart) Plan {
	own := p
	own.Name, own.Parts, own.Cells = part.Name, nil, nil
	for _, i := range part.Cells {
		own.Cells = append(own.Cells, p.Cells[i])
	}
	return own
}

// maxVariantName leaves room for the rest of a cell's directory name, of at most 255 bytes.
const maxVariantName = 120

// expand returns the tool's variants, each with all its parameters: every variant with every
// combination of the swept values, the first key varying slowest.
func (t ToolSpec) expand() []Variant {
	base := t.Variants
	if len(base) == 0 {
		base = []Variant{{Name: trial.DefaultVariant}}
	}
	var out []Variant
	for _, v := range base {
		row := []Variant{{Name: v.Name, Params: t.params(v)}}
		for _, key := range sortedKeys(t.Sweep) {
			var next []Variant
			for _, r := range row {
				for _, value := range t.Sweep[key] {
					next = append(next, Variant{sweptName(r.Name, key, value), merge(r.Params, map[string]any{key: value})})
				}
			}
			row = next
		}
		out = append(out, row...)
	}
	return out
}

// params are those of a variant, with the tool's.
func (t ToolSpec) params(v Variant) map[string]any {
	params := merge(t.Params, v.Params)
	if _, given := params[paramContracts]; !given && t.Knowledge != "" {
		params[paramContracts] = t.Knowledge
	}
	return params
}

// unsafe is what does not belong into a directory's name.
var unsafe = regexp.MustCompile(`[^A-Za-z0-9_.+-]`)

// sweptName is "key=value", after the variant's own name where it has one.
func sweptName(variant, key string, value any) string {
	part := key + "=" + unsafe.ReplaceAllString(fmt.Sprint(value), "-")
	if variant == trial.DefaultVariant {
		return part
	}
	return strings.Join([]string{variant, part}, ",")
}

func merge(under, over map[string]any) map[string]any {
	out := map[string]any{}
	maps.Copy(out, under)
	maps.Copy(out, over)
	return out
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
