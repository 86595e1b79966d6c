package experiments

import (
	"cmp"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"time"

	"github.com/lisa-bench/lisa-bench/bench/lisabench"
	"github.com/lisa-bench/lisa-bench/internal/llm"
)

// maxConcurrency and maxTries catch slips of the keyboard.
const (
	maxConcurrency = 1000
	maxTries       = 100
)

// variable is what an environment variable is named like, and a key is not.
var variable = regexp.MustCompile(`^[A-Z_][A-Z0-9_]*$`)

// The parameters of every tool that asks a model: which one, and what of the library it is not shown. The tool
// does not get them.
const (
	paramModel     = "model"
	paramObfuscate = "obfuscate"
)

// ObfuscateNames has a library's identifiers renamed in all that a model reads, and back in what it writes.
const ObfuscateNames = "names"

// asks reports whether a tool of the part can ask a model, as far as the part says: one from outside may have a
// parameter of that name for itself.
func (p Part) asks(tool string) bool {
	return !slices.ContainsFunc(p.Tools, func(t ToolSpec) bool { return t.Name == tool && t.IsExternal() && !t.Model })
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
		if !asksModel([]ToolSpec{t}, known) || slices.ContainsFunc(t.expand(), func(v Variant) bool { return v.Params[paramModel] != nil }) {
			continue
		}
		sweep := map[string][]any{paramModel: values}
		maps.Copy(sweep, t.Sweep)
		e.Tools[i].Sweep = sweep
	}
	if e.LLM != nil {
		e.LLM.Model = cmp.Or(e.LLM.Model, e.Models[0])
	}
	e.Models = nil
}

// models checks the llm block, and that it is there if a tool asks a model.
func (d *document) models(e *Experiment, known Known) {
	stages := map[string]bool{} // of the experiment's tools
	var names []string          // of every tool's
	var asked []string          // models that tools choose themselves
	for _, k := range known.Tools {
		names = append(names, k.Stages...)
		i := slices.IndexFunc(e.Tools, func(t ToolSpec) bool { return t.Name == k.Name })
		if i < 0 {
			continue
		}
		if !k.UsesModel {
			if !e.Tools[i].IsExternal() {
				d.asksNone(i, e.Tools[i])
			}
			continue
		}
		for _, s := range k.Stages {
			stages[s] = true
		}
		asked = append(asked, d.chosen(i, e.Tools[i])...)
		if e.LLM == nil {
			d.wrong([]any{"tools", i}, "tool %s asks a model: give llm, with provider, model and prices (docs/howto/models.md)", k.Name)
		}
	}
	if e.LLM == nil {
		return
	}
	slices.Sort(names)
	names = slices.Compact(names)
	c := e.LLM
	d.oneOf("llm.provider", c.Provider, llm.Providers, "llm", "provider")
	d.place(c)
	d.settings("llm", c.Settings, "llm")
	first := map[string]int{}
	for i, s := range c.Stages {
		what := fmt.Sprintf("llm.stages[%d]", i)
		d.oneOf(what, s.Name, names, "llm", "stages", i, "name")
		if j, twice := first[s.Name]; twice {
			was, _ := d.find("llm", "stages", j)
			d.wrong([]any{"llm", "stages", i}, "%s: stage %s is listed twice, first at %s", what, s.Name, d.at(was))
		}
		first[s.Name] = i
		d.settings(what, s.Settings, "llm", "stages", i)
	}
	for i, m := range c.Cutoffs {
		if _, err := time.Parse(time.DateOnly, m.Day); m.Model == "" || err != nil {
			d.wrong([]any{"llm", "cutoffs", i}, "llm.cutoffs[%d]: needs a model and a day such as 2024-10-01", i)
		}
	}
	d.prices(c, stages, asked)
	d.limits(c.Limits)
}

// place checks where the answers come from.
func (d *document) place(c *llm.Config) {
	switch c.Provider {
	case llm.ProviderOpenAI:
		if err := llm.CheckBaseURL(c.BaseURL); err != nil {
			// An address with a password is not repeated.
			d.wrong([]any{"llm", "base_url"}, "llm.base_url: %v", err)
		}
		if c.APIKeyEnv != "" && !variable.MatchString(c.APIKeyEnv) {
			// It may be the key itself, and is not repeated.
			d.wrong([]any{"llm", "api_key_env"}, "llm.api_key_env: give the name of an environment variable, in capitals, such as %s; never the key", llm.DefaultKeyEnv)
		}
		if c.Dir != "" {
			d.wrong([]any{"llm", "dir"}, "llm.dir: only the providers batch and replay use a directory")
		}
	case llm.ProviderBatch, llm.ProviderReplay:
		if c.Dir == "" {
			d.wrong([]any{"llm"}, "llm.dir: provider %s needs the directory of its cells", c.Provider)
		}
		if c.BaseURL != "" || c.APIKeyEnv != "" {
			d.wrong([]any{"llm"}, "llm: provider %s uses no endpoint: remove base_url and api_key_env", c.Provider)
		}
	}
}

func (d *document) settings(what string, s llm.Settings, path ...any) {
	at := func(key string) []any { return append(slices.Clone(path), key) }
	if t := s.Temperature; t != nil && (*t < 0 || *t > 2) {
		d.wrong(at("temperature"), "%s.temperature: %v is not between 0 and 2", what, *t)
	}
	if r := s.ReasoningEffort; r != "" && !slices.Contains(llm.ReasoningEfforts, r) {
		d.wrong(at("reasoning_effort"), "%s.reasoning_effort: unknown %q%s", what, r, lisabench.Suggest(r, llm.ReasoningEfforts))
	}
	if _, err := time.Parse(time.DateOnly, s.Cutoff); s.Cutoff != "" && err != nil {
		d.wrong(at("cutoff"), "%s.cutoff: %q is not a day such as 2024-10-01", what, s.Cutoff)
	}
	if s.MaxTokens < 0 {
		d.wrong(at("max_tokens"), "%s.max_tokens: %d is negative: omit the key for no limit", what, s.MaxTokens)
	}
}

// prices refuses a stage without a model and a model without a price, which would be taken for
// one that costs nothing.
func (d *document) prices(c *llm.Config, stages map[string]bool, chosen []string) {
	first := map[string]int{}
	var priced []string
	for i, p := range c.Prices {
		what := fmt.Sprintf("llm.prices[%d]", i)
		if p.Model == "" || p.Input == nil || p.Output == nil {
			d.wrong([]any{"llm", "prices", i}, "%s: needs model, input and output, in dollars per million tokens (0 for what costs nothing)", what)
			continue
		}
		for _, v := range []*float64{p.Input, p.Cached, p.Output} {
			if v != nil && *v < 0 {
				d.wrong([]any{"llm", "prices", i}, "%s: %v dollars is no price", what, *v)
			}
		}
		if j, twice := first[p.Model]; twice {
			was, _ := d.find("llm", "prices", j)
			d.wrong([]any{"llm", "prices", i}, "%s: model %s is listed twice, first at %s", what, p.Model, d.at(was))
		}
		first[p.Model] = i
		priced = append(priced, p.Model)
	}
	for _, s := range sortedKeys(stages) {
		model := c.For(s).Model
		if model == "" {
			d.wrong([]any{"llm"}, "llm: stage %s has no model: give llm.model, or a model to the stage in llm.stages", s)
			continue
		}
		chosen = append(chosen, model)
	}
	if c.Provider == llm.ProviderReplay {
		return
	}
	asked := map[string]bool{}
	for _, model := range chosen {
		if !asked[model] && !slices.Contains(priced, model) {
			d.wrong([]any{"llm", "prices"}, "llm.prices: model %q has none%s: add {model: %s, input: …, output: …}, in dollars per million tokens", model, nearModel(model, priced), model)
		}
		asked[model] = true
	}
}

// asksNone refuses parameters of a model in a tool that asks none.
func (d *document) asksNone(i int, t ToolSpec) {
	for _, name := range []string{paramModel, paramObfuscate} {
		if slices.ContainsFunc(t.expand(), func(v Variant) bool { return v.Params[name] != nil }) {
			d.wrong([]any{"tools", i}, "tool %s asks no model: leave out its parameter %s", t.Name, name)
		}
	}
}

// chosen returns the models that a tool's variants ask in place of llm.model.
func (d *document) chosen(i int, t ToolSpec) (models []string) {
	for _, v := range t.expand() {
		switch hidden := v.Params[paramObfuscate]; {
		case hidden == nil || hidden == "none":
		case hidden != ObfuscateNames:
			d.wrong([]any{"tools", i}, "obfuscate of %s: %v is neither none nor %s", t.Name, hidden, ObfuscateNames)
		case t.IsExternal():
			d.wrong([]any{"tools", i}, "obfuscate of %s: a command reads the library itself, so nothing can be hidden from its model", t.Name)
		}
		value, given := v.Params[paramModel]
		model, ok := value.(string)
		if given && (!ok || model == "") {
			d.wrong([]any{"tools", i}, "model of %s: %v is no name of a model", t.Name, value)
		} else if given && !slices.Contains(models, model) {
			models = append(models, model)
		}
	}
	return models
}

// nearModel suggests a model only where there are some.
func nearModel(model string, priced []string) string {
	if len(priced) == 0 {
		return ""
	}
	return lisabench.Suggest(model, priced)
}

func (d *document) limits(l llm.Limits) {
	at := func(key string) []any { return []any{"llm", "limits", key} }
	d.between("llm.limits.concurrency", l.Concurrency, 1, maxConcurrency, at("concurrency")...)
	d.between("llm.limits.tries", l.Tries, 1, maxTries, at("tries")...)
	for _, x := range []struct {
		key string
		n   int
	}{
		{"requests_per_minute", l.RequestsPerMinute}, {"tokens_per_minute", l.TokensPerMinute}, {"max_answer_bytes", l.MaxAnswerBytes},
	} {
		if x.n < 0 {
			d.wrong(at(x.key), "llm.limits.%s: %d is negative: omit the key for the default", x.key, x.n)
		}
	}
	for _, x := range []struct {
		key string
		t   time.Duration
	}{{"idle_timeout", l.IdleTimeout}, {"request_timeout", l.RequestTimeout}} {
		if x.t < 0 {
			d.wrong(at(x.key), "llm.limits.%s: %s is no time to wait", x.key, x.t)
		}
	}
}
