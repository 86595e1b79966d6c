package experiments

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/lisa-bench/lisa-bench/bench/lisabench"
	"github.com/lisa-bench/lisa-bench/internal/trial"
)

var update = flag.Bool("update", false, "rewrite golden files")

// known is a small corpus; its bugs are not the real ones.
func known() Known {
	here := &lisabench.Reintroduce{Strategy: lisabench.EditTree}
	gone := &lisabench.Reintroduce{Strategy: lisabench.Absent, Reason: "fixed before the package"}
	bug := func(id string, s lisabench.Selection, debian *lisabench.Reintroduce) *lisabench.Bug {
		return &lisabench.Bug{ID: id, Selection: s, Upstream: here, Debian: debian}
	}
	return Known{
		Libraries: []*lisabench.Library{
			{Name: "cJSON", Debian: &lisabench.DebianPin{}, Upstream: &lisabench.UpstreamPin{}, Bugs: []*lisabench.Bug{
				bug("cJSON-1", lisabench.Protocol, here), bug("cJSON-2", lisabench.Protocol, gone), bug("cJSON-3", lisabench.Extended, here),
			}},
			{Name: "zlib", Debian: &lisabench.DebianPin{}, Bugs: []*lisabench.Bug{bug("zlib-1", lisabench.Protocol, here)}},
		},
		Tools: []ToolKind{{Name: "randoop"}, {Name: "ossfuzz", Fuzzes: true}, {Name: "lisa", UsesModel: true}},
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
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func TestDefaults(t *testing.T) {
	want := &Experiment{
		Name: "small", Seed: 1, Trials: 1, Budget: trial.Budget{Programs: 10},
		Test: Test{Timeout: 30 * time.Second, Repeats: 3}, Sandbox: "bwrap",
		Libraries: []LibrarySpec{{Name: "cJSON", Edition: "debian", Bugs: Bugs{"cJSON-1", "cJSON-3"}}},
		Tools:     []ToolSpec{{Name: "randoop"}},
	}
	if got := load(t, small); !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
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
	if e.Seed != 1<<64-1 || !reflect.DeepEqual(e.Libraries[0].Bugs, Bugs{"cJSON-3"}) {
		t.Errorf("seed %d, bugs %v", e.Seed, e.Libraries[0].Bugs)
	}
}

func TestBugs(t *testing.T) {
	for value, want := range map[string]Bugs{
		"cJSON-3,cJSON-1": {"cJSON-1", "cJSON-3"},
		"cJSON-3":         {"cJSON-3"},
		"available":       {"cJSON-1", "cJSON-3"}, "protocol": {"cJSON-1"}, "none": {}, "[]": {},
		"[cJSON-3, cJSON-1]": {"cJSON-1", "cJSON-3"},
	} {
		if got := load(t, small, "libraries.cJSON.bugs="+value).Libraries[0].Bugs; !reflect.DeepEqual(got, want) {
			t.Errorf("bugs: %s is %v, want %v", value, got, want)
		}
	}
}

func TestResolvedLoadsToTheSame(t *testing.T) {
	for _, bugs := range []string{"available", "none"} {
		e := load(t, small, "tools.randoop.variants=[{name: a}, {name: b, params: {x: {y: [1, text]}}}]",
			"tools.randoop.budget={wall: 2s, dollars: 0.5}", "libraries.cJSON.bugs="+bugs, "libraries.0.edition=upstream")
		text, err := e.YAML()
		if err != nil {
			t.Fatal(err)
		}
		if again := load(t, string(text)); !reflect.DeepEqual(again, e) {
			t.Errorf("%s\ngives %+v\nnot   %+v", text, again, e)
		}
	}
}

// TestRefuses checks each message whole, for it is all that a user sees.
func TestRefuses(t *testing.T) {
	replace := func(old, new string) string {
		if !strings.Contains(small, old) {
			t.Fatalf("small has no %q", old)
		}
		return strings.Replace(small, old, new, 1)
	}
	for _, tt := range []struct {
		name, text string
		set        []string
		want       string
	}{
		{name: "empty file", text: "", want: "x.yaml: empty"},
		{name: "not a map", text: "- a\n", want: "x.yaml:1: not a map of keys"},
		{name: "two documents", text: small + "---\n{}\n", want: "x.yaml: more than one document"},
		{name: "misspelt key", text: small + "trails: 3\n", want: `x.yaml:7: unknown key "trails", did you mean "trials"?`},
		{name: "key in capitals", text: small + "Trials: 3\n", want: `x.yaml:7: unknown key "Trials", did you mean "trials"?`},
		{name: "misspelt key below", text: replace("{programs: 10}", "{programs: 10, wal: 3s}"),
			want: `x.yaml:2: unknown key "wal" in budget, did you mean "wall"?`},
		{name: "key far from any", text: replace("name: cJSON", "name: cJSON\n    xyzzyxyzzy: 1"),
			want: `x.yaml:5: unknown key "xyzzyxyzzy" in libraries[0]` + lisabench.Suggest("xyzzyxyzzy", []string{"bugs", "commit", "commits", "edition", "name"})},
		{name: "key twice", text: small + "name: other\n", want: `x.yaml:7: key "name" is given twice, first at x.yaml:1`},
		{name: "wrong type", text: small + "trials: two\n", want: `x.yaml:7: trials: not a whole number: "two"`},
		{name: "fraction", text: small + "trials: 1.5\n", want: `x.yaml:7: trials: not a whole number: "1.5"`},
		{name: "empty value", text: small + "trials:\n", want: `x.yaml:7: trials: not a whole number: it is empty`},
		{name: "negative seed", text: small + "seed: -1\n", want: `x.yaml:7: seed: -1 is not 0 or more`},
		{name: "no unit", text: replace("programs: 10", "wall: 20"), want: `x.yaml:2: budget.wall: not a duration such as 20s, 5m or 1h30m: "20"`},
		{name: "anchor", text: replace("{programs: 10}", "&b {programs: 10}"),
			want: "x.yaml:2: anchors and aliases are not used in experiments: write it out"},
		{name: "library", text: replace("cJSON", "cjson"), want: `x.yaml:4: unknown library "cjson", did you mean "cJSON"?`},
		{name: "tool", text: replace("randoop", "randop"), want: `x.yaml:6: unknown tool "randop", did you mean "randoop"?`},
		{name: "edition", text: replace("name: cJSON", "name: zlib\n    edition: upstream"),
			want: `x.yaml:5: library zlib has no edition "upstream"` + lisabench.Suggest("upstream", []string{"debian"})},
		{name: "bug", text: small, set: []string{"libraries.cJSON.bugs=[cJSON-9]"},
			want: `--set libraries.cJSON.bugs=[cJSON-9]: unknown bug "cJSON-9" of cJSON, did you mean "cJSON-1"?`},
		{name: "absent bug", text: small, set: []string{"libraries.cJSON.bugs=[cJSON-2]"},
			want: `--set libraries.cJSON.bugs=[cJSON-2]: bug cJSON-2 cannot be had in the debian edition: fixed before the package`},
		{name: "bug twice", text: small, set: []string{"libraries.cJSON.bugs=[cJSON-1, cJSON-1]"},
			want: `--set libraries.cJSON.bugs=[cJSON-1, cJSON-1]: bug cJSON-1 is listed twice`},
		{name: "word for bugs", text: small, set: []string{"libraries.cJSON.bugs=all"},
			want: `--set libraries.cJSON.bugs=all: bugs of cJSON: "all" is none of available, protocol, none, nor a list of ids`},
		{name: "library twice", text: replace("tools:", "  - name: cJSON\ntools:"),
			want: "x.yaml:5: library cJSON (debian) is listed twice, first at x.yaml:4"},
		{name: "tool twice", text: small + "  - name: randoop\n", want: "x.yaml:7: tool randoop is listed twice, first at x.yaml:6: give it variants"},
		{name: "no library", text: replace("  - name: cJSON\n", "  []\n"), want: "x.yaml:4: libraries: none to test"},
		{name: "no budget", text: replace("budget: {programs: 10}\n", ""),
			want: "x.yaml:1: budget: randoop has no limit and would never stop: set one or more of time, wall, cpu, programs"},
		{name: "zero budget", text: replace("programs: 10", "programs: 0"),
			want: "x.yaml:2: budget.programs: 0: must be greater than 0; omit the key for no limit"},
		{name: "negative budget", text: small, set: []string{"budget.wall=-1s"},
			want: "--set budget.wall=-1s: budget.wall: -1s: must be greater than 0"},
		{name: "endless money", text: replace("programs: 10", "dollars: .inf"), want: "x.yaml:2: .inf is not a number"},
		{name: "programs of a fuzzer", text: replace("name: randoop", "name: ossfuzz"),
			want: "x.yaml:2: budget: ossfuzz makes inputs and no programs, so programs would never stop it: give it a budget of its own, with one or more of time, wall, cpu, execs"},
		{name: "execs without fuzzer", text: replace("programs: 10", "execs: 10"),
			want: "x.yaml:2: budget: randoop is no fuzzer, so execs would never stop it: set one or more of time, wall, cpu, programs"},
		{name: "model budget without model", text: replace("programs: 10", "tokens: 10"),
			want: "x.yaml:2: budget: randoop asks no model, so llm_calls, tokens and dollars would never stop it: set one or more of time, wall, cpu, programs"},
		{name: "no trials", text: small, set: []string{"trials=0"}, want: "--set trials=0: trials: 0 is not between 1 and 1000"},
		{name: "no time", text: small, set: []string{"test.timeout=0s"}, want: "--set test.timeout=0s: test.timeout: 0s: must be greater than 0"},
		{name: "sandbox", text: small, set: []string{"sandbox=bwarp"}, want: `--set sandbox=bwarp: sandbox: unknown "bwarp", did you mean "bwrap"?`},
		{name: "override without value", text: small, set: []string{"trials"}, want: "--set trials: not of the form key=value"},
		{name: "override of nothing", text: small, set: []string{"tools.randop.params.x=1"},
			want: `--set tools.randop.params.x=1: "randop" names nothing, did you mean "randoop"?`},
		{name: "override of an unknown key", text: small, set: []string{"budgt.wall=1s"},
			want: `--set budgt.wall=1s: unknown key "budgt", did you mean "budget"?`},
		{name: "sweep over nothing", text: small, set: []string{"tools.randoop.sweep.x=[]"},
			want: "--set tools.randoop.sweep.x=[]: sweep of x over no values"},
		{name: "sweep over too much", text: small, set: []string{"tools.randoop.sweep={" + strings.Join(powers(11), ", ") + "}"},
			want: "--set tools.randoop.sweep={" + strings.Join(powers(11), ", ") + "}: sweep of randoop: more than 1000 variants"},
		{name: "same value swept twice", text: small, set: []string{"tools.randoop.sweep.x=[a/b, a-b]"},
			want: "x.yaml:6: randoop has two variants that are named x=a-b"},
		{name: "swept and fixed", text: small, set: []string{"tools.randoop={name: randoop, variants: [{name: v, params: {x: 1}}], sweep: {x: [2]}}"},
			want: "--set tools.randoop={name: randoop, variants: [{name: v, params: {x: 1}}], sweep: {x: [2]}}: x is swept and also fixed by a variant of randoop"},
		{name: "variant name", text: small, set: []string{"tools.randoop.variants=[{name: a/b}]"},
			want: `--set tools.randoop.variants=[{name: a/b}]: variant name "a/b" of randoop: use up to 64 letters, digits, - and _`},
		{name: "long name", text: replace("name: small", "name: "+strings.Repeat("x", 65)),
			want: `x.yaml:1: name "` + strings.Repeat("x", 65) + `": an experiment needs a name of up to 64 letters, digits, - and _`},
		{name: "experiment name", text: replace("name: small", "name: ../x"),
			want: `x.yaml:1: name "../x": an experiment needs a name of up to 64 letters, digits, - and _`},
		{name: "all at once", text: replace("cJSON", "zlip") + "trails: 1\n", set: []string{"trials=0"},
			want: `x.yaml:4: unknown library "zlip", did you mean "zlib"?
x.yaml:7: unknown key "trails", did you mean "trials"?
--set trials=0: trials: 0 is not between 1 and 1000`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := Load(Source{Name: "x.yaml", Data: []byte(tt.text)}, tt.set, known())
			var invalid *Error
			if !errors.As(err, &invalid) {
				t.Fatalf("error = %v, want an *Error", err)
			}
			if err.Error() != tt.want {
				t.Errorf("got  %s\nwant %s", err, tt.want)
			}
		})
	}
}

// powers returns n keys with two values each.
func powers(n int) []string {
	var out []string
	for i := range n {
		out = append(out, fmt.Sprintf("k%d: [1, 2]", i))
	}
	return out
}

func TestSyntaxErrorNamesTheLine(t *testing.T) {
	_, err := Load(Source{Name: "x.yaml", Data: []byte("name: a\nbudget: {wall: 2s\n")}, nil, known())
	var invalid *Error
	if !errors.As(err, &invalid) || !strings.Contains(err.Error(), "x.yaml: line ") {
		t.Errorf("error = %v", err)
	}
}

func TestErrorsFitOnAScreen(t *testing.T) {
	var b strings.Builder
	for range 50 {
		b.WriteString("  - name: nobody\n")
	}
	_, err := Load(Source{Name: "x.yaml", Data: []byte(small + b.String())}, nil, known())
	if n := strings.Count(err.Error(), "\n") + 1; n != maxShown+1 || !strings.HasSuffix(err.Error(), "… and 30 more") {
		t.Errorf("%d lines:\n%v", n, err)
	}
}

func TestPlanOfQuickstart(t *testing.T) {
	src, err := Read("quickstart")
	if err != nil {
		t.Fatal(err)
	}
	k := everyTool(t)
	e, err := Load(src, nil, k)
	if err != nil {
		t.Fatal(err)
	}
	if e.Timed() {
		t.Error("its figures would be the machine's")
	}
	if slow, err := Load(src, []string{"parts.both.tools.randoop.budget={wall: 5s}"}, k); err != nil || !slow.Timed() {
		t.Errorf("a budget in seconds is timed: %v", err)
	}
	got, err := json.MarshalIndent(map[string]any{"plan": e.Plan(), "estimate": e.Plan().Estimate(2)}, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	golden := filepath.Join("testdata", "quickstart.plan.json")
	if *update {
		if err := os.WriteFile(golden, append(got, '\n'), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if string(got)+"\n" != string(want) {
		t.Errorf("plan differs from %s; -update rewrites it:\n%s", golden, got)
	}
}

func TestPlanInterleavesToolsAndPairsVariants(t *testing.T) {
	e := load(t, small+"    variants: [{name: full}, {name: bare, params: {exact: false}}]\n    sweep: {size: [1, 2], mode: [fast]}\n    params: {exact: true}\n  - name: ossfuzz\n", "trials=2", "budget.execs=9")
	var order []string
	seeds := map[trial.Seed]int{}
	for _, c := range e.Plan().Cells {
		order = append(order, c.ID())
		seeds[c.Seed]++
		if want := c.Tool == "randoop" && !strings.HasPrefix(c.Variant, "bare"); (c.Params["exact"] == true) != want {
			t.Errorf("%s: params %v", c.ID(), c.Params)
		}
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
	if !reflect.DeepEqual(order, want) {
		t.Errorf("order %v", order)
	}
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

func TestReadNamesTheEmbedded(t *testing.T) {
	_, err := Read(filepath.Join(t.TempDir(), "nothing.yaml"))
	var invalid *Error
	if !errors.As(err, &invalid) || !strings.Contains(err.Error(), "known are ablation, auvc, ") {
		t.Errorf("error = %v", err)
	}
}

func TestListHasEveryEmbeddedExperiment(t *testing.T) {
	k := everyTool(t)
	list, err := List(k)
	if err != nil || len(list) == 0 {
		t.Fatalf("%v, %v", list, err)
	}
	for _, l := range list {
		if src, err := Read(l.Name); err != nil || l.Description == "" {
			t.Errorf("%s: %q, %v: its name is not its file's, or it is not described", l.Name, l.Description, err)
		} else if _, err := Load(src, nil, k); err != nil {
			t.Error(err)
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
			if !errors.As(err, &invalid) {
				t.Fatalf("not the user's to mend: %v", err)
			}
			return
		}
		out, err := e.YAML()
		if err != nil {
			t.Fatal(err)
		}
		if again := load(t, string(out)); !reflect.DeepEqual(again.Plan(), e.Plan()) {
			t.Errorf("%q: the resolved experiment has another plan", text)
		}
	})
}
