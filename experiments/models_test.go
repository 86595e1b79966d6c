package experiments

import (
	"reflect"
	"testing"

	"gotest.tools/v3/assert"
)

const comparing = `name: comparing
budget: {dollars: 1}
libraries: [{name: cJSON}]
tools:
  - {name: lisa, variants: [{name: default}, {name: bare, params: {rules: false}}], params: {seeds: auto}, sweep: {model: [a, b]}}
  - {name: lisa-api, sweep: {model: [a, b]}}
  - {name: vanilla, params: {model: vendor/c}}
  - {name: randoop, budget: {programs: 3}}
llm:
  cutoff: 2023-01-01
  cutoffs: [{model: b, day: 2024-06-30}]
  stages: [{name: embed, model: e}]
  prices:
    - {model: a, input: 1, output: 1}
    - {model: b, input: 1, output: 1}
    - {model: vendor/c, input: 1, output: 1}
    - {model: e, input: 1, output: 1}
`

// Every tool that asks a model has a variant for each of the models; what it uses is of the same model.
func TestModelsAreVariants(t *testing.T) {
	e, err := Load(Source{Name: "x.yaml", Data: []byte(comparing)}, nil, known())
	assert.NilError(t, err)
	type planned struct{ cell, model, uses string }
	var got []planned
	for _, c := range e.Plan().Cells {
		assert.Check(t, c.Params["model"] == nil, "%s: the tool gets the parameter model", c.ID())
		p := planned{cell: c.Tool + "/" + c.Variant, model: c.Model}
		for _, u := range c.Uses {
			p.uses = u.Cell
		}
		got = append(got, p)
	}
	want := []planned{
		{"lisa-api/model=a", "a", ""}, {"lisa/model=a", "a", "lisa-api.model=a.cJSON.debian.1"},
		{"lisa-api/model=b", "b", ""}, {"lisa/model=b", "b", "lisa-api.model=b.cJSON.debian.1"},
		{"lisa/bare,model=a", "a", "lisa-api.model=a.cJSON.debian.1"}, {"lisa/bare,model=b", "b", "lisa-api.model=b.cJSON.debian.1"},
		{"vanilla/default", "vendor/c", ""}, {"randoop/default", "", ""},
	}
	assert.Check(t, reflect.DeepEqual(got, want), "got  %v\nwant %v", got, want)
	for _, c := range []struct{ model, stage, asked, cutoff string }{
		{"b", "sequence", "b", "2024-06-30"}, {"vendor/c", "sequence", "vendor/c", ""}, {"b", "embed", "e", ""},
	} {
		if s := e.LLM.With(c.model).For(c.stage); s.Model != c.asked || s.Cutoff != c.cutoff {
			t.Errorf("with %q stage %s asks %q of %q, want %q of %q", c.model, c.stage, s.Model, s.Cutoff, c.asked, c.cutoff)
		}
	}
	text, err := e.YAML()
	assert.NilError(t, err)
	if again, err := Load(Source{Name: "x.yaml", Data: text}, nil, known()); err != nil || !reflect.DeepEqual(again.Plan(), e.Plan()) {
		t.Errorf("%s\nplans otherwise: %v", text, err)
	}
}
