package experiments

import (
	"cmp"
	"fmt"
	"maps"
	"regexp"
	"slices"

	"github.com/lisa-bench/lisa-bench/bench/lisabench"
	"github.com/lisa-bench/lisa-bench/internal/llm"
)

// variable is what an environment variable is named like, and a key is not.
var variable = regexp.MustCompile(`^[A-Z_][A-Z0-9_]*$`)

// paramModel is a parameter of every tool that asks a model: which one. The tool does not get it.
const paramModel = "model"

// asks reports whether a tool of the part can ask a model, as far as the part says: one from outside may have a
// parameter of that name for itself.
func (p Part) asks(tool string) bool {
	t := p.tool(tool)
	return t == nil || !t.IsExternal() || t.Model
}

// compare makes the models of the experiment a sweep of every tool that asks one.
func (e *Experiment) compare(known Known) {
	if len(e.Models) == 0 {
		return
	}
	var values []any
	for _, m := range e.Models {
		values = append(values, m)
	}
	for i, t := range e.Tools {
		if asksModel([]ToolSpec{t}, known) && !t.gives(paramModel) {
			sweep := map[string][]any{paramModel: values}
			maps.Copy(sweep, t.Sweep)
			e.Tools[i].Sweep = sweep
		}
	}
	if e.LLM != nil {
		e.LLM.Model = cmp.Or(e.LLM.Model, e.Models[0])
	}
	e.Models = nil
}

// gives reports whether a variant has the parameter.
func (t ToolSpec) gives(param string) bool {
	return slices.ContainsFunc(t.expand(), func(v Variant) bool { return v.Params[param] != nil })
}

// models checks the llm block, and that it is there if a tool asks a model.
func (d *document) models(e *Experiment, known Known) {
	asked := map[string]bool{} // models that tools choose themselves
	for i, t := range e.Tools {
		path := fmt.Sprintf("tools.%d", i)
		k := known.tool(t.Name)
		switch {
		case k == nil:
		case k.UsesModel && e.LLM == nil:
			d.wrong(path, "tool %s asks a model: give llm, with provider, model and prices (docs/howto/models.md)", k.Name)
		case k.UsesModel:
			d.chosen(path, t, asked)
		case !t.IsExternal() && t.gives(paramModel):
			d.wrong(path, "tool %s asks no model: leave out its parameter %s", t.Name, paramModel)
		}
	}
	c := e.LLM
	if c == nil {
		return
	}
	d.provider(c)
	var names []string
	for _, k := range known.Tools {
		names = append(names, k.Stages...)
	}
	slices.Sort(names)
	names = slices.Compact(names)
	for i, s := range c.Stages {
		if !slices.Contains(names, s.Name) {
			at := fmt.Sprintf("llm.stages.%d.name", i)
			d.wrong(at, "llm.stages[%d]: unknown %q%s", i, s.Name, lisabench.Suggest(s.Name, names))
		}
	}
	d.unique("llm.stages", namesOf(c.Stages, func(s llm.Stage) string { return s.Name }),
		"stage %s is listed twice, first at %s")
	for _, s := range stages(e.Tools, known) {
		if model := c.For(s).Model; model != "" {
			asked[model] = true
		} else {
			d.wrong("llm", "llm: stage %s has no model: give llm.model, or a model to the stage in llm.stages", s)
		}
	}
	d.prices(c, sortedKeys(asked))
}

// provider checks where the answers come from.
func (d *document) provider(c *llm.Config) {
	switch c.Provider {
	case llm.ProviderBatch, llm.ProviderReplay:
		if c.Dir == "" {
			d.wrong("llm", "llm.dir: provider %s needs the directory of its cells", c.Provider)
		}
		if c.BaseURL != "" || c.APIKeyEnv != "" {
			d.wrong("llm", "llm: provider %s uses no endpoint: remove base_url and api_key_env", c.Provider)
		}
	}
	if c.Provider == llm.ProviderOpenAI { // neither an address with a password is repeated nor what may be a key
		if err := llm.CheckBaseURL(c.BaseURL); err != nil {
			d.wrong("llm.base_url", "llm.base_url: %v", err)
		}
		if c.APIKeyEnv != "" && !variable.MatchString(c.APIKeyEnv) {
			d.wrong("llm.api_key_env", "llm.api_key_env: give the name of an environment variable, in capitals, "+
				"such as %s; never the key", llm.DefaultKeyEnv)
		}
		if c.Dir != "" {
			d.wrong("llm.dir", "llm.dir: only the providers batch and replay use a directory")
		}
	}
}

// prices refuses a model without a price, which would be taken for one that costs nothing.
func (d *document) prices(c *llm.Config, asked []string) {
	priced := namesOf(c.Prices, func(p llm.Price) string { return p.Model })
	d.unique("llm.prices", priced, "price of model %s is listed twice, first at %s")
	if c.Provider == llm.ProviderReplay {
		return
	}
	for _, model := range asked {
		if slices.Contains(priced, model) {
			continue
		}
		near := ""
		if len(priced) > 0 {
			near = lisabench.Suggest(model, priced)
		}
		d.wrong("llm.prices", "llm.prices: model %q has none%s: add {model: %[1]s, input: …, output: …}, "+
			"in dollars per million tokens", model, near)
	}
}

// chosen adds the models that a tool's variants ask in place of llm.model.
func (d *document) chosen(path string, t ToolSpec, asked map[string]bool) {
	for _, v := range t.expand() {
		value, given := v.Params[paramModel]
		model, ok := value.(string)
		if given && (!ok || model == "") {
			d.wrong(path, "model of %s: %v is no name of a model", t.Name, value)
		} else if given {
			asked[model] = true
		}
	}
}
