package experiments

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"gotest.tools/v3/assert"
	is "gotest.tools/v3/assert/cmp"
	"gotest.tools/v3/golden"

	"github.com/lisa-bench/lisa-bench/bench/lisabench"
	"github.com/lisa-bench/lisa-bench/internal/trial"
)

// known is a small corpus; its bugs are not the real ones.
func known() Known {
	here := &lisabench.Reintroduce{Strategy: lisabench.EditTree}
	gone := &lisabench.Reintroduce{Strategy: lisabench.Absent, Reason: "fixed before the package"}
	bug := func(id string, s lisabench.Selection, debian *lisabench.Reintroduce) *lisabench.Bug {
		return &lisabench.Bug{ID: id, Date: "2025-03-0" + id[len(id)-1:], Selection: s, Upstream: here, Debian: debian}
	}
	return Known{
		Libraries: []*lisabench.Library{
			{Name: "cJSON", Debian: &lisabench.DebianPin{}, Upstream: &lisabench.UpstreamPin{}, Bugs: []*lisabench.Bug{
				bug("cJSON-1", lisabench.Protocol, here), bug("cJSON-2", lisabench.Protocol, gone), bug("cJSON-3", lisabench.Extended, here),
				bug("cJSON-4", lisabench.FreshlyAdded, here),
			}},
			{Name: "zlib", Debian: &lisabench.DebianPin{}, Bugs: []*lisabench.Bug{bug("zlib-1", lisabench.Protocol, here)}},
		},
		Tools: []ToolKind{
			{Name: "randoop"}, {Name: "ossfuzz", Fuzzes: true},
			{Name: "lisa", UsesModel: true, Stages: []string{"sequence", "sequence-repair"}},
			{Name: SeedTool, UsesModel: true, Stages: []string{"sequence"}},
			{Name: KnowledgeTool, UsesModel: true, Stages: []string{"knowledge-judge"}},
			{Name: "vanilla", UsesModel: true, Stages: []string{"sequence", "embed"}},
		},
	}
}

const small = `name: small
budget: {programs: 10}
libraries:
  - name: cJSON
tools:
  - name: randoop
`

func load(t *testing.T, text string, overrides ...string) *Experiment {
	t.Helper()
	e, err := Load(Source{Name: "x.yaml", Data: []byte(text)}, overrides, known())
	assert.NilError(t, err)
	return e
}

func TestDefaults(t *testing.T) {
	want := &Experiment{
		Name: "small", Seed: 1, Trials: 1, Budget: trial.Budget{Programs: 10},
		Test: Test{Timeout: 30 * time.Second, Repeats: 3}, Sandbox: "bwrap",
		Libraries: []LibrarySpec{{Name: "cJSON", Edition: "debian", Bugs: Bugs{"cJSON-1", "cJSON-3"}}},
		Tools:     []ToolSpec{{Name: "randoop"}},
	}
	assert.Check(t, is.DeepEqual(load(t, small), want))
}

func TestOverridesHaveTypes(t *testing.T) {
	e := load(t, small, "trials=3", "budget.wall=1m30s", "tools.randoop.params.depth=4", "tools.0.params.exact=true",
		"tools.randoop.sweep={size: [1, 2.5]}", "libraries.cJSON.bugs=[cJSON-3]", "seed=18446744073709551615", "test.timeout=5s")
	if e.Trials != 3 || e.Budget.Wall != 90*time.Second || e.Budget.Programs != 10 || e.Test.Timeout != 5*time.Second || e.Test.Repeats != 3 {
		t.Errorf("got %+v", e)
	}
	if want := map[string]any{"depth": 4, "exact": true}; !reflect.DeepEqual(e.Tools[0].Params, want) {
		t.Errorf("params %#v", e.Tools[0].Params)
	}
	if want := []any{1, 2.5}; !reflect.DeepEqual(e.Tools[0].Sweep["size"], want) {
		t.Errorf("sweep %#v", e.Tools[0].Sweep)
	}
	assert.Check(t, e.Seed == 1<<64-1 && reflect.DeepEqual(e.Libraries[0].Bugs, Bugs{"cJSON-3"}),
		"seed %d, bugs %v", e.Seed, e.Libraries[0].Bugs)
}

func TestBugs(t *testing.T) {
	for value, want := range map[string]Bugs{
		"cJSON-3,cJSON-1": {"cJSON-1", "cJSON-3"},
		"cJSON-3":         {"cJSON-3"},
		"available":       {"cJSON-1", "cJSON-3"}, "protocol": {"cJSON-1"}, "none": {}, "[]": {},
		"[cJSON-3, cJSON-1]": {"cJSON-1", "cJSON-3"}, "since:2025-03-02": {"cJSON-3"}, "since:2025-03-04": {},
		"available,libraries.0.edition=debian-fresh":           {"cJSON-1", "cJSON-3", "cJSON-4"},
		"{since: 2025-03-02},libraries.0.edition=debian-fresh": {"cJSON-3", "cJSON-4"},
	} {
		value, edition, _ := strings.Cut(value, ",libraries")
		overrides := []string{"libraries.cJSON.bugs=" + value}
		if edition != "" {
			overrides = append(overrides, "libraries"+edition)
		}
		got := load(t, small, overrides...).Libraries[0].Bugs
		assert.Check(t, reflect.DeepEqual(got, want), "bugs: %s is %v, want %v", value, got, want)
	}
}

func TestResolvedLoadsToTheSame(t *testing.T) {
	for _, bugs := range []string{"available", "none"} {
		e := load(t, small, "tools.randoop.variants=[{name: a}, {name: b, params: {x: {y: [1, text]}}}]",
			"tools.randoop.budget={wall: 2s, dollars: 0.5}", "libraries.cJSON.bugs="+bugs, "libraries.0.edition=upstream")
		text, err := e.YAML()
		assert.NilError(t, err)
		again := load(t, string(text))
		assert.Check(t, reflect.DeepEqual(again, e), "%s\ngives %+v\nnot   %+v", text, again, e)
	}
}

func TestErrorsFitOnAScreen(t *testing.T) {
	var b strings.Builder
	for range 50 {
		b.WriteString("  - name: nobody\n")
	}
	_, err := Load(Source{Name: "x.yaml", Data: []byte(small + b.String())}, nil, known())
	n := strings.Count(err.Error(), "\n") + 1
	assert.Check(t, n == maxShown+1 && strings.HasSuffix(err.Error(), "… and 79 more"), "%d lines:\n%v", n, err)
}

func TestPlanOfQuickstart(t *testing.T) {
	src, err := Read("quickstart")
	assert.NilError(t, err)
	k := everyTool(t)
	e, err := Load(src, nil, k)
	assert.NilError(t, err)
	assert.Check(t, !e.Timed(), "its figures would be the machine's")
	if slow, err := Load(src, []string{"parts.both.tools.randoop.budget={wall: 5s}"}, k); err != nil || !slow.Timed() {
		t.Errorf("a budget in seconds is timed: %v", err)
	}
	got, err := json.MarshalIndent(map[string]any{"plan": e.Plan(), "estimate": e.Plan().Estimate(2, k)}, "", "  ")
	assert.NilError(t, err)
	golden.Assert(t, string(got)+"\n", "quickstart.plan.json")
}

func TestPlanInterleavesToolsAndPairsVariants(t *testing.T) {
	e := load(t, small+"    variants: [{name: full}, {name: bare, params: {exact: false}}]\n    sweep: {size: [1, 2], mode: [fast]}\n    params: {exact: true}\n  - name: ossfuzz\n", "trials=2", "budget.execs=9")
	var order []string
	seeds := map[trial.Seed]int{}
	for _, c := range e.Plan().Cells {
		order = append(order, c.ID())
		seeds[c.Seed]++
		want := c.Tool == "randoop" && !strings.HasPrefix(c.Variant, "bare")
		assert.Check(t, (c.Params["exact"] == true) == want, "%s: params %v", c.ID(), c.Params)
	}
	var want []string
	for _, n := range []string{"1", "2"} {
		for _, v := range []string{
			"randoop.full,mode=fast,size=1", "randoop.full,mode=fast,size=2",
			"randoop.bare,mode=fast,size=1", "randoop.bare,mode=fast,size=2", "ossfuzz.default",
		} {
			want = append(want, v+".cJSON.debian."+n)
		}
	}
	assert.Check(t, reflect.DeepEqual(order, want), "order %v", order)
	if len(seeds) != 4 { // two tools, two trials
		t.Errorf("%d different seeds", len(seeds))
	}
}

func TestPlanFillsNames(t *testing.T) {
	e := load(t, small+"    params: {seeds: 'runs/{library}.{edition}.{trial}/{suite}', count: 3}\n", "trials=2")
	for _, c := range e.Plan().Cells {
		if want := fmt.Sprintf("runs/cJSON.debian.%d/{suite}", c.Trial); c.Params["seeds"] != want || c.Params["count"] != 3 {
			t.Errorf("%s: params %v, want seeds %s", c.ID(), c.Params, want)
		}
	}
}

func FuzzLoad(f *testing.F) {
	f.Add(small, "trials=2")
	f.Add("a: &x [*x]\n", "tools.0.name=x")
	f.Add("name: x\ntools: {}\n? [a]\n: b\n", "a.b.c={}")
	f.Fuzz(func(t *testing.T, text, set string) {
		e, err := Load(Source{Name: "x.yaml", Data: []byte(text)}, []string{set}, known())
		if err != nil {
			var invalid *Error
			assert.Assert(t, errors.As(err, &invalid), "not the user's to mend: %v", err)
			return
		}
		out, err := e.YAML()
		assert.NilError(t, err)
		again := load(t, string(out))
		assert.Check(t, reflect.DeepEqual(again.Plan(), e.Plan()), "%q: the resolved experiment has another plan", text)
	})
}
