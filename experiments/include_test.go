package experiments

import (
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"gotest.tools/v3/assert"

	"github.com/lisa-bench/lisa-bench/bench/lisabench"
	"github.com/lisa-bench/lisa-bench/internal/trial"
	"github.com/lisa-bench/lisa-bench/recordings"
)

const withProfile = small + `profiles:
  quick:
    trials: 2
    budget: {wall: 5s}
  other: {seed: 9}
`

func loadProfile(text, profile string, set ...string) (*Experiment, error) {
	return Load(Source{Name: "x.yaml", Data: []byte(text), Profile: profile}, set, known())
}

func TestProfileTakesThePlaceOfKeys(t *testing.T) {
	e, err := loadProfile(withProfile, "quick", "budget.programs=7")
	assert.NilError(t, err)
	if e.Name != "small-quick" || e.Trials != 2 || e.Seed != 1 || e.Budget.Wall != 5*time.Second || e.Budget.Programs != 7 {
		t.Errorf("got %+v", e)
	}
	text, err := e.YAML()
	assert.Check(t, err == nil && !strings.Contains(string(text), "profiles"),
		"%v: the resolved form holds profiles:\n%s", err, text)
	if e := load(t, withProfile); e.Name != "small" || e.Trials != 1 || e.Budget.Programs != 10 {
		t.Errorf("without a profile: %+v", e)
	}
}

// inDirectory writes experiment files and makes their directory the current one.
func inDirectory(t *testing.T, files map[string]string) {
	t.Helper()
	t.Chdir(t.TempDir())
	for name, text := range files {
		assert.NilError(t, os.WriteFile(name, []byte(text), 0o644))
	}
}

const (
	partA = "name: a\nbudget: {programs: 10, execs: 10}\nlibraries: [{name: cJSON}]\ntools: [{name: randoop}, {name: ossfuzz}]\n"
	partB = "name: b\ntrials: 2\nbudget: {programs: 10, execs: 10}\nlibraries: [{name: zlib}, {name: cJSON}]\ntools: [{name: randoop}]\n"
)

func TestIncludedExperimentsShareCells(t *testing.T) {
	inDirectory(t, map[string]string{"a.yaml": partA, "b.yaml": partB})
	e, err := Load(Source{Name: "x.yaml", Data: []byte("name: x\ninclude: [a.yaml, b.yaml]\n")}, nil, known())
	assert.NilError(t, err)
	p := e.Plan()
	var ids []string
	for _, c := range p.Cells {
		ids = append(ids, c.ID())
	}
	want := []string{
		"randoop.default.cJSON.debian.1", "ossfuzz.default.cJSON.debian.1", "randoop.default.zlib.debian.1",
		"randoop.default.zlib.debian.2", "randoop.default.cJSON.debian.2",
	}
	assert.Check(t, reflect.DeepEqual(ids, want), "cells %v\nwant  %v", ids, want)
	wantParts := []PlannedPart{{Name: "a", Cells: []int{0, 1}}, {Name: "b", Cells: []int{2, 0, 3, 4}, Shared: 1}}
	assert.Check(t, reflect.DeepEqual(p.Parts, wantParts), "parts %+v", p.Parts)
	for i, name := range []string{"a.yaml", "b.yaml"} { // a cell of the whole is the cell of the part alone
		src, err := Read(name)
		assert.NilError(t, err)
		alone, err := Load(src, nil, known())
		assert.NilError(t, err)
		got := p.Of(p.Parts[i])
		assert.Check(t, reflect.DeepEqual(got.Cells, alone.Plan().Cells), "%s: %+v", name, got.Cells)
	}
	if got := e.AllLibraries(); len(got) != 2 || got[0].Name != "cJSON" || len(got[0].Bugs) != 2 {
		t.Errorf("subjects %+v", got)
	}
	est := p.Estimate(1, known())
	assert.Check(t, est.Cells == 5 && est.Programs == 50 && est.Trees == 5, "estimate %+v", est)
	text, err := e.YAML()
	assert.NilError(t, err)
	again := load(t, string(text))
	assert.Check(t, reflect.DeepEqual(again, e), "%s\ngives %+v\nnot   %+v", text, again, e)
}

// What the whole says, in its file or by override, is said to every part.
func TestTheWholeOverridesItsParts(t *testing.T) {
	inDirectory(t, map[string]string{"a.yaml": partA + "profiles: {quick: {budget: {wall: 2s}}}\n", "b.yaml": partB + "profiles: {quick: {budget: {wall: 2s}}}\n"})
	src := Source{Name: "x.yaml", Data: []byte("name: x\nseed: 5\ninclude: [a.yaml, b.yaml]\n"), Profile: "quick"}
	e, err := Load(src, []string{"trials=3", "name=y", "budget.programs=4"}, known())
	assert.NilError(t, err)
	assert.Check(t, e.Name == "y" && e.Seed == 5 && len(e.Parts) == 2 && e.Parts[0].Name == "a" && e.Parts[1].Trials == 3,
		"got %+v", e)
	for _, c := range e.Plan().Cells {
		assert.Check(t, c.Budget.Programs == 4 && c.Budget.Wall == 2*time.Second, "%s: %+v", c.ID(), c.Budget)
	}
	assert.Check(t, e.Timed(), "not timed")
}

// everyTool is the real corpus with the tools that the experiments name, also those that are still being
// built.
func everyTool(t *testing.T) Known {
	t.Helper()
	bench, err := lisabench.Load(lisabench.Embedded())
	assert.NilError(t, err)
	sequence := []string{"sequence", "sequence-repair", "sequence-rule"}
	return Known{Libraries: bench.Libraries, Tools: []ToolKind{
		{Name: "randoop"}, {Name: "ossfuzz", Fuzzes: true}, {Name: KnowledgeTool, UsesModel: true, Stages: []string{"knowledge-contracts", "knowledge-judge"}},
		{Name: "lisa-api", UsesModel: true, Stages: sequence}, {Name: "vanilla", UsesModel: true, Stages: sequence[:1]},
		{Name: "lisa", UsesModel: true, Stages: append(sequence[:3:3], "invariant", "invariant-repair")},
		{Name: "lisa-prop", UsesModel: true, Stages: []string{"property", "property-repair", "property-judge"}},
		{Name: "citywalk", UsesModel: true, Stages: []string{"citywalk", "citywalk-fix"}},
		{Name: "agent", UsesModel: true, Stages: []string{"agent"}},
	}}
}

// TestOverridesReachThePartsThatHaveThem: a tool or a stage of some parts only, and one of none.
func TestOverridesReachThePartsThatHaveThem(t *testing.T) {
	inDirectory(t, map[string]string{"a.yaml": partA, "b.yaml": partB})
	whole := Source{Name: "x.yaml", Data: []byte("name: x\ninclude: [a.yaml, b.yaml]\n")}
	e, err := Load(whole, []string{"tools.ossfuzz.budget={execs: 7}", "libraries.zlib.bugs=none"}, known())
	assert.NilError(t, err)
	if a, b := e.Parts[0], e.Parts[1]; a.Tools[1].Budget.Execs != 7 || b.Tools[0].Budget != nil || len(b.Libraries[0].Bugs) != 0 {
		t.Errorf("got %+v and %+v", a, b)
	}
	for set, want := range map[string]string{
		"tools.osfuzz.budget={execs: 7}": `"osfuzz" names nothing`,
		"llm.stages.sequense.model=m":    `unknown "sequense"`,
	} {
		_, err := Load(whole, []string{set}, known())
		assert.Check(t, err != nil && strings.Count(err.Error(), want) == 1, "%s: %v", set, err)
	}
}

// TestPaperExperiments loads every experiment with every profile.
func TestPaperExperiments(t *testing.T) {
	k := everyTool(t)
	list, err := List()
	assert.NilError(t, err)
	files, err := filepath.Glob("*.yaml")
	assert.Check(t, err == nil && len(files) == len(list),
		"%d experiments of %d files (%v)", len(list), len(files), err)
	for _, l := range list {
		for _, profile := range append([]string{""}, l.Profiles...) {
			src, err := Read(l.Name)
			assert.Assert(t, err == nil && l.Description != "",
				"%s: %q, %v: its name is not its file's, or it is not described", l.Name, l.Description, err)
			src.Profile = profile
			e, err := Load(src, nil, k)
			if err != nil {
				t.Errorf("%s %s: %v", l.Name, profile, err)
				continue
			}
			if text, err := e.YAML(); err != nil || strings.Contains(string(text), "model: gpt-5.1\n") && !strings.Contains(string(text), "reasoning_effort") {
				t.Errorf("%s: gpt-5.1 reasons only when told to (%v)", l.Name, err)
			}
			est := e.Plan().Estimate(1, k)
			counted := slices.Contains([]string{"quickstart", "random", "recorded", "auvc", "bug-finding", "paper"}, l.Name)
			assert.Check(t, est.Unclocked <= 0 || counted,
				"%s %s: %d cells without a limit in seconds", l.Name, profile, est.Unclocked)
			assert.Check(t, profile != "quick" || l.Name == "paper" || est.Most.Wall <= 30*time.Minute && est.Most.Dollars <= 20,
				"%s quick: %s and %v dollars are not quick", l.Name, est.Most.Wall, est.Most.Dollars)
		}
	}
}

// TestPlanOfThePaper: what ends a cell is its time, the bug that the paper names is planned, and Daikon can be had.
func TestPlanOfThePaper(t *testing.T) {
	k := everyTool(t)
	plan := func(set ...string) Plan {
		src, err := Read("paper")
		assert.NilError(t, err)
		e, err := Load(src, set, k)
		assert.NilError(t, err)
		return e.Plan()
	}
	p := plan()
	t.Run("time ends a cell", func(t *testing.T) {
		for _, c := range p.Cells {
			b := c.Budget
			assert.Check(t, b.Tokens <= 0 && b.LLMCalls <= 0 && b.Programs <= 0, "%s: %s", c.ID(), b)
			about, _ := p.about(c, *k.tool(c.Tool))
			switch {
			case c.Tool == "citywalk" || c.Tool == KnowledgeTool: // which end when their work is done
			case (about.Model + about.Processor).Round(time.Minute) != c.Budget.Time:
				t.Errorf("%s: ends after about %s of %s", c.ID(), about.Model+about.Processor, c.Budget)
			}
		}
	})
	t.Run("sqlite-7", func(t *testing.T) {
		checked := 0
		for _, c := range p.Cells {
			if c.Library != "sqlite3" || len(c.Bugs) == 0 {
				continue
			}
			checked++
			assert.Check(t, len(c.Bugs) == 5 && slices.Contains(c.Bugs, "sqlite-7"), "%s: %v", c.ID(), c.Bugs)
		}
		assert.Check(t, checked != 0, "no cell of sqlite3 has bugs")
	})
	t.Run("Daikon", func(t *testing.T) {
		for _, c := range plan("tools.lisa.params.contracts={daikon: daikon.jar}").Cells {
			assert.Check(t, c.Tool != KnowledgeTool || c.Params["daikon"] == "daikon.jar" && c.Variant == "daikon=daikon.jar",
				"%s: parameters %v", c.ID(), c.Params)
			if c.Tool == "lisa" && c.Params["knowledge"] != "none" && !slices.ContainsFunc(c.Uses, func(u Use) bool {
				return u.Param == "contracts" && strings.HasPrefix(u.Cell, "knowledge.daikon=daikon.jar.")
			}) {
				t.Errorf("%s uses %v", c.ID(), c.Uses)
			}
		}
	})
}

// TestRecordedHasAllRecordings: the experiment that replays them all leaves none out, but those of further trials, of
// other budgets and of ablations: beside one trial of each tool they would make a tool's sums and ranks hard to
// compare.
func TestRecordedHasAllRecordings(t *testing.T) {
	src, err := Read("recorded")
	assert.NilError(t, err)
	names, err := fs.Glob(recordings.Experiments, "*/experiment.yaml")
	assert.Assert(t, err == nil && len(names) != 0, "no recordings (%v)", err)
	for _, n := range names {
		apart := slices.ContainsFunc([]string{"trials/", "ablation-", "lisa-prop-more-", "lisa-more-", "lisa-prop-brief/", "agent-brief/"}, func(p string) bool { return strings.HasPrefix(n, p) })
		assert.Check(t, strings.Contains(string(src.Data), "\n  - recordings/"+n+"\n") != apart,
			"%s includes recordings/%s: %v", src.Name, n, apart)
	}
}

// TestLimitsAlone: an including file, a profile and an override set some keys of llm, and the other keys stay.
func TestLimitsAlone(t *testing.T) {
	const model = "name: m\nbudget: {dollars: 1}\nlibraries: [{name: cJSON}]\ntools: [{name: lisa}]\n" +
		"llm: {model: big, prices: [{model: big, input: 1, output: 1}], limits: {tries: 9}}\n"
	inDirectory(t, map[string]string{"a.yaml": partA, "m.yaml": model})
	mixed := "name: x\ninclude: [a.yaml, m.yaml]\nllm: {limits: {concurrency: 3}}\n"
	for _, tt := range []struct{ text, profile string }{
		{mixed, ""}, {model + "profiles: {p: {llm: {limits: {concurrency: 3}}}}\n", "p"},
	} {
		e, err := loadProfile(tt.text, tt.profile, "llm.stages.sequence.model=big", "llm.stages.sequence.seed=4", "trials=2")
		assert.NilError(t, err)
		if c := e.LLM; c.Model != "big" || c.Limits.Concurrency != 3 || c.Limits.Tries != 9 || *c.For("sequence").Seed != 4 {
			t.Errorf("got %+v", c)
		}
	}
}

// TestOnlyAndScale: a first run with some libraries and a part of the budgets can grow into the whole.
func TestOnlyAndScale(t *testing.T) {
	inDirectory(t, map[string]string{"a.yaml": partA, "b.yaml": partB})
	read := func() *Experiment {
		e, err := Load(Source{Name: "x.yaml", Data: []byte("name: x\ninclude: [a.yaml, b.yaml]\n")}, []string{"budget.wall=3h"}, known())
		assert.NilError(t, err)
		return e
	}
	e := read()
	assert.NilError(t, e.Only("libraries=zlib"))
	e.ChangeBudgets(func(b trial.Budget) trial.Budget { return b.Scale(0.25) })
	want := trial.Budget{Wall: 45 * time.Minute, Programs: 3, Execs: 3}
	if cells := e.Plan().Cells; len(e.Parts) != 1 || len(cells) != 2 || cells[0].Library != "zlib" || cells[0].Budget != want {
		t.Errorf("got %+v", e)
	}
	if g, err := Grown(e.Plan(), read().Plan()); err != nil || g != "3 more cells, 2 cells with a larger budget" {
		t.Errorf("%s, %v", g, err)
	}
	for arg, want := range map[string]string{"libraries=zlip": `unknown library "zlip", did you mean "zlib"?`, "tools=x": "--only tools=x: give libraries=NAME,…"} {
		err := read().Only(arg)
		assert.Check(t, err != nil && err.Error() == want, "%s: %v", arg, err)
	}
}
