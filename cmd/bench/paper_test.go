package main

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"gotest.tools/v3/assert"

	"github.com/lisa-bench/lisa-bench/bench/lisabench"
	"github.com/lisa-bench/lisa-bench/experiments"
	"github.com/lisa-bench/lisa-bench/run/harness"
)

// TestPaperIncludesWhatCanBeRun asks for every experiment of the paper whose tools exist to be part of the
// whole, with parameters that its tools know.
func TestPaperIncludesWhatCanBeRun(t *testing.T) {
	bench, err := lisabench.Load(lisabench.Embedded())
	assert.NilError(t, err)
	list, err := experiments.List()
	assert.NilError(t, err)
	whole, err := harness.Load(bench, "paper", "", nil)
	assert.NilError(t, err)
	for _, l := range list {
		for _, profile := range append([]string{""}, l.Profiles...) {
			_, err := harness.Load(bench, l.Name, profile, nil)
			assert.Check(t, err == nil, "%s %s: %v", l.Name, profile, err)
		}
		ofThePaper := !slices.Contains([]string{"quickstart", "random", "recorded", "paper", "oracles", "properties", "knowledge"}, l.Name)
		if ofThePaper && !slices.ContainsFunc(whole.Parts, func(p experiments.Part) bool { return p.Name == l.Name }) {
			t.Errorf("experiments/paper.yaml does not include %s, whose tools exist now", l.Name)
		}
	}
}

// byBatch has the settings with which the howto runs the paper's experiments by batch, at half the list prices.
var byBatch = []string{
	"llm.provider=batch", "llm.dir=batches", "budget={programs: 800, dollars: 60}",
	"tools.lisa.budget={programs: 250, dollars: 300}", "llm.prices=[{model: gpt-5-mini, input: 0.125, output: 1}, " +
		"{model: gpt-5.1, input: 0.625, output: 5}]",
}

// TestCostsOfThePaper holds the howto's table of hours and dollars to what bench plan prints.
func TestCostsOfThePaper(t *testing.T) {
	bench, err := lisabench.Load(lisabench.Embedded())
	assert.NilError(t, err)
	places := []struct{ experiment, place string }{
		{"success", "tab:successful_rate"}, {"coverage", "tab:coverage_comparison"}, {"auvc", "fig:auvc_comparison"},
		{"ablation", "tab:ablation_lisa1"}, {"bug-finding", "tab:bug_finding"}, {"ngram", "tab:ngram_sensitivity"},
		{"variance", "tab:variance, without its bugs"}, {"variance-bugs", "tab:variance, its bugs"},
		{"bug-finding-ossfuzz", "tab:bug_finding, column OSS-Fuzz"}, {"paper", "all of them, shared cells once"},
	}
	var b strings.Builder
	b.WriteString("| experiment | place in the paper | cells | hours | dollars | cells | hours | dollars | dollars by batch |\n")
	b.WriteString("|---|---|---|---|---|---|---|---|---|\n| | | *1 trial* | | | *3 trials* | | | *1 / 3 trials* |\n")
	for _, p := range places {
		estimate := func(trials int, set ...string) experiments.Estimate {
			set = append(set, fmt.Sprintf("trials=%d", trials))
			if p.experiment == "bug-finding-ossfuzz" { // it asks no model, and its budget stays
				set = set[len(set)-1:]
			}
			exp, err := harness.Load(bench, p.experiment, "", set)
			assert.NilError(t, err)
			return exp.Plan().Estimate(2, harness.Known(bench))
		}
		fmt.Fprintf(&b, "| `%s` | %s |", p.experiment, p.place)
		for _, trials := range []int{1, 3} {
			e := estimate(trials)
			fmt.Fprintf(&b, " %d | %.0f / %.0f | %.0f / %.0f |", e.Cells, e.About.Wall.Hours(), e.Most.Wall.Hours(), e.About.Dollars, e.Most.Dollars)
		}
		batch := slices.Clone(byBatch)
		if !slices.Contains([]string{"auvc", "bug-finding", "variance-bugs", "paper"}, p.experiment) {
			batch = slices.DeleteFunc(batch, func(set string) bool { return strings.HasPrefix(set, "tools.lisa.") })
		}
		fmt.Fprintf(&b, " %.0f / %.0f |\n", estimate(1, batch...).About.Dollars, estimate(3, batch...).About.Dollars)
	}
	sameBlock(t, "../../docs/howto/reproducing-the-paper.md", "costs", b.String())
}
