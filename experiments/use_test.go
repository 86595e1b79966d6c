package experiments

import (
	"slices"
	"strings"
	"testing"

	"gotest.tools/v3/assert"

	"github.com/lisa-bench/lisa-bench/internal/trial"
)

const withUses = `name: uses
trials: 2
budget: {programs: 10}
libraries: [{name: cJSON, bugs: available}]
llm: {model: m, prices: [{model: m, input: 0, output: 0}]}
tools:
  - name: lisa
    knowledge: auto
    params: {seeds: auto}
    budget: {programs: 5}
    variants:
      - {name: default}
      - {name: no_knowledge, params: {knowledge: none}}
      - {name: other_seeds, params: {seeds: {repair: false}}}
      - {name: real_daikon, params: {contracts: {daikon: d.jar}}}
      - {name: own_files, params: {seeds: s, contracts: k}}
`

// TestPlanHasWhatCellsUse expects seeds once for each trial and set of parameters, the knowledge base
// once for all, and each before whatever uses it.
func TestPlanHasWhatCellsUse(t *testing.T) {
	e, err := Load(Source{Name: "x.yaml", Data: []byte(withUses)}, nil, known())
	assert.NilError(t, err)
	var got []string
	for _, c := range e.Plan().Cells {
		line := c.Tool + "." + c.Variant + "." + string(rune('0'+c.Trial))
		for _, u := range c.Uses {
			line += " " + u.Param + "=" + strings.ReplaceAll(u.Cell, ".cJSON.debian", "")
		}
		got = append(got, line)
		switch made := c.Tool != "lisa"; {
		case made && (len(c.Bugs) > 0 || c.Budget.Programs != 10):
			t.Errorf("%s is checked for %v within %+v: it only makes what others use", line, c.Bugs, c.Budget)
		case !made && (len(c.Bugs) == 0 || c.Budget.Programs != 5):
			t.Errorf("%s is checked for %v within %+v", line, c.Bugs, c.Budget)
		}
		for _, u := range c.Uses {
			assert.Check(t, c.Params[u.Param] == Auto, "%s: %s is %v", line, u.Param, c.Params[u.Param])
		}
	}
	want := []string{
		"lisa-api.default.1",
		"knowledge.default.1 sequences=lisa-api.default.1",
		"lisa.default.1 seeds=lisa-api.default.1 contracts=knowledge.default.1",
		"lisa.no_knowledge.1 seeds=lisa-api.default.1",
		"lisa-api.repair=false.1",
		"lisa.other_seeds.1 seeds=lisa-api.repair=false.1 contracts=knowledge.default.1",
		"knowledge.daikon=d.jar.1 sequences=lisa-api.default.1",
		"lisa.real_daikon.1 seeds=lisa-api.default.1 contracts=knowledge.daikon=d.jar.1",
		"lisa.own_files.1",
		"lisa-api.default.2",
		"lisa.default.2 seeds=lisa-api.default.2 contracts=knowledge.default.1",
		"lisa.no_knowledge.2 seeds=lisa-api.default.2",
		"lisa-api.repair=false.2",
		"lisa.other_seeds.2 seeds=lisa-api.repair=false.2 contracts=knowledge.default.1",
		"lisa.real_daikon.2 seeds=lisa-api.default.2 contracts=knowledge.daikon=d.jar.1",
		"lisa.own_files.2",
	}
	assert.Check(t, slices.Equal(got, want), "got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	text, err := e.YAML()
	assert.NilError(t, err)
	again, err := Load(Source{Name: "y.yaml", Data: text}, nil, known())
	assert.Check(t, err == nil && len(again.Plan().Cells) == len(want),
		"the resolved form is another plan: %v\n%s", err, text)
}

// TestUsedCellIsThePartsOwn expects the seeds to be the cell that the experiment has anyway, with its
// budget and bugs.
func TestUsedCellIsThePartsOwn(t *testing.T) {
	text := withUses + "  - {name: lisa-api, budget: {programs: 7}, variants: [{name: default}, {name: plain, params: {repair: false}}]}\n"
	e, err := Load(Source{Name: "x.yaml", Data: []byte(text)}, []string{"trials=1"}, known())
	assert.NilError(t, err)
	seeds := map[string]experimentsCell{}
	for _, c := range e.Plan().Cells {
		if c.Tool == SeedTool {
			seeds[c.Variant] = experimentsCell{c.Budget, len(c.Bugs)}
		}
	}
	if len(seeds) != 2 || seeds["default"].budget.Programs != 7 || seeds["default"].bugs == 0 || seeds["plain"].bugs == 0 {
		t.Errorf("got %+v", seeds)
	}
}

type experimentsCell struct {
	budget trial.Budget
	bugs   int
}

// TestUsedToolNeedsABudget refuses an experiment whose seeds would be made for ever.
func TestUsedToolNeedsABudget(t *testing.T) {
	_, err := Load(Source{Name: "x.yaml", Data: []byte(strings.Replace(withUses, "budget: {programs: 10}\n", "", 1))}, nil, known())
	assert.Check(t, err != nil && strings.Contains(err.Error(), "lisa-api would never stop"),
		"got %v", err)
}
