package experiments

import (
	"reflect"
	"strings"
	"testing"
)

const comparing = `name: comparing
budget: {dollars: 1}
libraries: [{name: cJSON}]
tools:
  - {name: lisa, variants: [{name: default}, {name: bare, params: {rules: false}}], params: {seeds: auto}}
  - {name: lisa-api}
  - {name: vanilla, params: {model: vendor/c}}
  - {name: randoop, budget: {programs: 3}}
models: [a, b]
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

func withModels() Known {
	k := known()
	k.Tools = []ToolKind{{Name: "randoop"}}
	for _, name := range []string{"lisa", "lisa-api", "vanilla"} {
		k.Tools = append(k.Tools, ToolKind{Name: name, UsesModel: true, Stages: []string{"sequence", "embed"}})
	}
	return k
}

// Every tool that asks a model has a variant for each of the models; what it uses is of the same model.
func TestModelsAreVariants(t *testing.T) {
	e, err := Load(Source{Name: "x.yaml", Data: []byte(comparing)}, nil, withModels())
	if err != nil {
		t.Fatal(err)
	}
	type planned struct{ cell, model, uses string }
	var got []planned
	for _, c := range e.Plan().Cells {
		if c.Params["model"] != nil {
			t.Errorf("%s: the tool gets the parameter model", c.ID())
		}
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
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got  %v\nwant %v", got, want)
	}
	for _, c := range []struct{ model, stage, asked, cutoff string }{
		{"", "sequence", "a", "2023-01-01"}, {"b", "sequence", "b", "2024-06-30"}, {"vendor/c", "sequence", "vendor/c", ""}, {"b", "embed", "e", ""},
	} {
		if s := e.LLM.With(c.model).For(c.stage); s.Model != c.asked || s.Cutoff != c.cutoff {
			t.Errorf("with %q stage %s asks %q of %q, want %q of %q", c.model, c.stage, s.Model, s.Cutoff, c.asked, c.cutoff)
		}
	}
	text, err := e.YAML()
	if err != nil {
		t.Fatal(err)
	}
	if again, err := Load(Source{Name: "x.yaml", Data: text}, nil, withModels()); err != nil || !reflect.DeepEqual(again.Plan(), e.Plan()) {
		t.Errorf("%s\nplans otherwise: %v", text, err)
	}
}

func TestModelMistakes(t *testing.T) {
	for _, tt := range []struct{ old, new, want string }{
		{"    - {model: b, input: 1, output: 1}\n", "", `llm.prices: model "b" has none`},
		{"model: vendor/c}}", "model: 5}}", "x.yaml:7: model of vanilla: 5 is no name of a model"},
		{"{name: randoop, ", "{name: randoop, params: {model: a}, ", "x.yaml:8: tool randoop asks no model: leave out its parameter model"},
		{"day: 2024-06-30", "day: June", "x.yaml:12: llm.cutoffs[0].day: \"June\" is not a day such as 2024-10-01"},
		{"models: [a, b]", "models: [a, a]", "lisa has two variants that are named model=a"},
	} {
		text := strings.Replace(comparing, tt.old, tt.new, 1)
		if _, err := Load(Source{Name: "x.yaml", Data: []byte(text)}, nil, withModels()); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s:\ngot  %v\nwant %s", tt.new, err, tt.want)
		}
	}
}
