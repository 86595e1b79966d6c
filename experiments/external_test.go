package experiments

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/lisa-bench/lisa-bench/internal/trial"
)

// externalFile is an experiment with one tool from outside, whose block ends with more.
func externalFile(t *testing.T, more string) Source {
	t.Helper()
	text := "name: own\nbudget: {wall: 1m}\nlibraries:\n  - {name: zlib, bugs: none}\ntools:\n  - name: mine\n" + more
	return Source{Name: filepath.Join(t.TempDir(), "own.yaml"), Data: []byte(text)}
}

func TestExternalToolIsResolvedBesideItsFile(t *testing.T) {
	src := externalFile(t, "    command: [./gen.sh, --depth, '3', ../data]\n    files: [./lib]\n    params: {style: short}\n")
	e, err := Load(src, nil, known())
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Dir(src.Name)
	tool := e.Externals()[0]
	if want := []string{filepath.Join(dir, "gen.sh"), "--depth", "3", filepath.Join(filepath.Dir(dir), "data")}; !slices.Equal(tool.Command, want) {
		t.Errorf("command = %q, want %q", tool.Command, want)
	}
	if want := []string{filepath.Join(dir, "lib")}; !slices.Equal(tool.Files, want) {
		t.Errorf("files = %q, want %q", tool.Files, want)
	}
	if tool.Contract != Contract || tool.Oracle != trial.OracleSpecification || tool.Model {
		t.Errorf("defaults: %+v", tool.External)
	}
	if c := e.Plan().Cells[0]; c.Params["style"] != "short" || c.Tool != "mine" {
		t.Errorf("cell = %+v", c)
	}
	text, err := e.YAML()
	if err != nil {
		t.Fatal(err)
	}
	again, err := Load(Source{Name: filepath.Join(t.TempDir(), "experiment.yaml"), Data: text}, nil, known())
	if err != nil || !slices.Equal(again.Externals()[0].Command, tool.Command) {
		t.Errorf("loaded again from elsewhere: %v\n%s", err, text)
	}
}

func TestExternalToolRefused(t *testing.T) {
	llm := "llm:\n  model: m\n  prices: [{model: m, input: 1, output: 1}]\n"
	for _, tt := range []struct{ name, more, want string }{
		{"no dot", "    command: [bin/gen.sh]\n", `own.yaml:7: command of mine: "bin/gen.sh": write ./bin/gen.sh`},
		{"files without dot", "    command: [gen]\n    files: [lib]\n", `own.yaml:8: files of mine: "lib": write ./lib`},
		{"later contract", "    command: [gen]\n    contract: 2\n", "own.yaml:8: tool mine: contract 2, and this bench speaks 1"},
		{"oracle", "    command: [gen]\n    oracle: refrence\n", `tools[0].oracle: unknown "refrence", did you mean "reference"?`},
		{"no command", "    oracle: reference\n", "contract, files, oracle, model and harnesses belong to an external tool: give it a command"},
		{"model without llm", "    command: [gen]\n    model: true\n", "tool mine asks a model: give llm"},
		{"command of a tool of ours", "    command: [gen]\n  - name: randoop\n    command: [gen]\n", "tool randoop comes with bench"},
		{"dots", "    command: [gen]\n  - {name: a.b, command: [gen]}\n", `tool name "a.b"`},
		{"calls limit nothing", "    command: [gen]\n    budget: {llm_calls: 3}\n", "mine asks no model"},
		{"stage of another", "    command: [gen]\n    model: true\n" + llm + "  stages: [{name: mines, model: m}]\n", `did you mean "mine"`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := Load(externalFile(t, tt.more), nil, known())
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("error = %v, want one with %q", err, tt.want)
			}
		})
	}
	if _, err := Load(externalFile(t, "    command: [gen]\n    model: true\n"+llm+"  stages: [{name: mine, temperature: 0.5}]\n"), nil, known()); err != nil {
		t.Errorf("a model for the tool's own stage: %v", err)
	}
}
