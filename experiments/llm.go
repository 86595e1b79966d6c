package experiments

import (
	"fmt"
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

// models checks the llm block, and that it is there if a tool asks a model.
func (d *document) models(e *Experiment, known Known) {
	c, asked := e.LLM, map[string]bool{}
	for i, t := range e.Tools {
		path, k := fmt.Sprintf("tools.%d", i), known.tool(t.Name)
		if k == nil || !k.UsesModel && t.IsExternal() {
			continue
		}
		if k.UsesModel && c == nil {
			d.wrong(path, "tool %s asks a model: give llm, with provider, model and prices (docs/howto/models.md)", k.Name)
			continue
		}
		unchosen := false
		for _, v := range t.expand() {
			value, given := v.Params[paramModel]
			model, _ := value.(string)
			switch {
			case given && !k.UsesModel:
				d.wrong(path, "tool %s asks no model: leave out its parameter %s", t.Name, paramModel)
			case given && model == "":
				d.wrong(path, "model of %s: %v is no name of a model", t.Name, value)
			case given:
				asked[model] = true
			default:
				unchosen = true
			}
		}
		for _, s := range k.Stages {
			if model := c.For(s).Model; model != "" {
				asked[model] = true
			} else if unchosen {
				d.wrong("llm", "llm: stage %s has no model: give llm.model, or a model to the stage in llm.stages", s)
			}
		}
	}
	if c == nil {
		return
	}
	var stages []string
	for _, k := range known.Tools {
		stages = append(stages, k.Stages...)
	}
	slices.Sort(stages)
	stages = slices.Compact(stages)
	for i, s := range c.Stages {
		if !slices.Contains(stages, s.Name) {
			at := fmt.Sprintf("llm.stages.%d.name", i)
			d.wrong(at, "llm.stages[%d]: unknown %q%s", i, s.Name, lisabench.Suggest(s.Name, stages))
		}
	}
	d.unique("llm.stages", namesOf(c.Stages, func(s llm.Stage) string { return s.Name }),
		"stage %s is listed twice, first at %s")
	d.provider(c)
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
	for _, model := range asked {
		if c.Provider == llm.ProviderReplay || slices.Contains(priced, model) {
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
