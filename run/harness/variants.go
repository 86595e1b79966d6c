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
