package harness

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/lisa-bench/lisa-bench/experiments"
	"github.com/lisa-bench/lisa-bench/internal/trial"
)

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
func Variants(exp *experiments.Experiment) ([]Variant, error) {
	var list []Variant
	plan := exp.Plan()
	for _, c := range plan.Cells {
		v := Variant{Tool: c.Tool, Variant: c.Variant}
		if slices.ContainsFunc(list, func(o Variant) bool { return o.Tool == v.Tool && o.Variant == v.Variant }) {
			continue
		}
		var err error
		if v.Differs, err = differs(plan, c); err != nil {
			return nil, err
		}
		list = append(list, v)
	}
	return list, distinct(plan)
}

// distinct refuses cells that would do the same under two names.
func distinct(plan experiments.Plan) error {
	type work struct {
		cell   trial.Cell // without variant and seed
		budget trial.Budget
		bugs   string
	}
	type variant struct {
		experiments.Cell
		settings map[string]any
	}
	known := map[work][]variant{}
	for _, c := range plan.Cells {
		w := work{c.Cell, c.Budget, strings.Join(c.Bugs, " ")}
		w.cell.Variant, w.cell.Seed = "", 0
		settings, err := settingsOf(c)
		if err != nil {
			return err
		}
		for _, o := range known[w] {
			if reflect.DeepEqual(o.settings, settings) {
				return fmt.Errorf("variants %s and %s of %s would do the same on %s%s", o.Variant, c.Variant, c.Tool, c.Library, hint(o.Cell, c))
			}
		}
		known[w] = append(known[w], variant{c, settings})
	}
	return nil
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
func differs(plan experiments.Plan, c experiments.Cell) (string, error) {
	own, err := settingsOf(c)
	if err != nil {
		return "", err
	}
	base := c
	base.Params, base.Uses, base.Model = nil, nil, ""
	for _, o := range plan.Cells {
		if o.Tool != c.Tool || o.Variant != trial.DefaultVariant {
			continue
		}
		if o.Library == c.Library && o.Edition == c.Edition && o.Trial == c.Trial {
			base = o
			break
		}
		base.Params, base.Uses, base.Model = o.Params, o.Uses, o.Model // of another library
	}
	values, err := settingsOf(base)
	if err != nil {
		return "", err
	}
	var words []string
	if text := difference(values, own); text != "" {
		words = append(words, text)
	}
	if base.Budget != c.Budget {
		words = append(words, "its budget")
	}
	if !slices.Equal(base.Bugs, c.Bugs) {
		words = append(words, "the bugs that it is checked for")
	}
	return strings.Join(words, "; "), nil
}

// difference is a phrase about each value that is not that of base.
func difference(base, own map[string]any) string {
	var words []string
	for _, name := range slices.Sorted(maps.Keys(own)) {
		v := own[name]
		if reflect.DeepEqual(v, base[name]) {
			continue
		}
		if phrase, ok := phrases[fmt.Sprintf("%s=%v", name, v)]; ok {
			words = append(words, phrase)
		} else if was := fmt.Sprint(base[name]); base[name] != nil && was != "" {
			words = append(words, fmt.Sprintf("%s %v, not %s", name, v, was))
		} else if v != "" {
			words = append(words, fmt.Sprintf("%s %v", name, v))
		}
	}
	return strings.Join(words, "; ")
}
