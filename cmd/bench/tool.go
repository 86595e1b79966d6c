package main

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/spf13/cobra"
	"go.yaml.in/yaml/v3"

	"github.com/lisa-bench/lisa-bench/bench/lisabench"
	"github.com/lisa-bench/lisa-bench/experiments"
	"github.com/lisa-bench/lisa-bench/internal/exttool"
	"github.com/lisa-bench/lisa-bench/internal/harness"
	"github.com/lisa-bench/lisa-bench/internal/tooltest"
)

//go:embed skeleton
var skeleton embed.FS

func (a *app) toolCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "tool",
		Short: "Start a tool of your own, and check that it keeps the contract",
		Args:  noSuchCommand,
		RunE:  func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	c.AddCommand(a.toolInitCommand(), a.toolCheckCommand())
	return c
}

func (a *app) toolInitCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "init DIR",
		Short: "Write a commented skeleton of a tool that works at once",
		Long: `Writes DIR/tool.yaml, an experiment with one external tool, and DIR/generate.sh, a tool
that leaves trivial programs. Both are commented: replace the part of the script that makes programs by
anything that can be executed. The tool is named after DIR. Files that are there already are left alone.`,
		Example: "  bench tool init mytool && bench tool check mytool/tool.yaml",
		Args:    exactArgs("DIR"),
		RunE:    func(_ *cobra.Command, args []string) error { return a.toolInit(args[0]) },
	}
}

// notInNames is what the name of a tool cannot have.
var notInNames = regexp.MustCompile(`[^A-Za-z0-9_+-]+`)

func (a *app) toolInit(dir string) error {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return err
	}
	name := strings.Trim(notInNames.ReplaceAllString(filepath.Base(abs), "-"), "_+-")
	if name == "" {
		name = "mytool"
	}
	files := []string{"tool.yaml", "generate.sh"}
	for _, f := range files {
		if _, err := os.Lstat(filepath.Join(dir, f)); !errors.Is(err, fs.ErrNotExist) {
			return harness.Usagef("%s is there already: give another directory, or move it away", filepath.Join(dir, f))
		}
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return &harness.UsageError{Err: err}
	}
	for _, f := range files {
		text, err := skeleton.ReadFile("skeleton/" + f)
		if err != nil {
			return err
		}
		mode := os.FileMode(0o644)
		if filepath.Ext(f) == ".sh" {
			mode = 0o755
		}
		path := filepath.Join(dir, f)
		if err := os.WriteFile(path, []byte(strings.ReplaceAll(string(text), "NAME", name)), mode); err != nil {
			return err
		}
		fmt.Fprintln(a.stdout, path)
	}
	fmt.Fprintf(a.Stderr, "next: bench tool check %s\n", filepath.Join(dir, files[0]))
	return nil
}

func (a *app) toolCheckCommand() *cobra.Command {
	var tool string
	var asJSON bool
	c := &cobra.Command{
		Use:   "check EXPERIMENT",
		Short: "Hold external tools against the contract, and say what is wrong",
		Long: `Runs the external tools of an experiment, or of a file with nothing but a tools list, on a
library of five functions, in under two minutes: do they leave programs in C or C++, the same for the same
seed and answers, within their budget; do they end when they are told to; do they leave everything else alone.
A tool that asks a model is answered from a script: no key is needed and nothing is spent. No library of the
benchmark is fetched. docs/adding-a-tool.md is the contract.

Exit codes: 0 the tools keep the contract, 1 one does not, 2 wrong configuration, such as a
command that is missing or not executable.`,
		Example: "  bench tool check mytool/tool.yaml\n  bench tool check sweep.yaml --tool mytool",
		Args:    exactArgs("EXPERIMENT"),
		RunE:    func(c *cobra.Command, args []string) error { return a.toolCheck(c.Context(), args[0], tool, asJSON) },
	}
	c.Flags().StringVar(&tool, "tool", "", "check this external tool only")
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return c
}

// A toolFindings is what the check of one tool says.
type toolFindings struct {
	Tool     string             `json:"tool"`
	Conforms bool               `json:"conforms"`
	Findings []tooltest.Finding `json:"findings"`
}

func (a *app) toolCheck(ctx context.Context, name, only string, asJSON bool) error {
	bench, err := a.LoadBench()
	if err != nil {
		return err
	}
	exp, specs, err := externalsOf(bench, name, only)
	if err != nil {
		return err
	}
	checker, err := a.ToolChecker(ctx, exp.Sandbox)
	if err != nil {
		return err
	}
	var all []toolFindings
	var broken []string
	for _, spec := range specs {
		findings, err := checker.Check(ctx, spec, paramsOf(exp, spec.Name))
		if err != nil {
			return err
		}
		t := toolFindings{Tool: spec.Name, Conforms: true, Findings: findings}
		for _, f := range findings {
			t.Conforms = t.Conforms && len(f.Problems) == 0
		}
		if !t.Conforms {
			broken = append(broken, spec.Name)
		}
		all = append(all, t)
		if !asJSON {
			a.printFindings(t)
		}
	}
	if asJSON {
		if err := a.printJSON(all); err != nil {
			return err
		}
	}
	if len(broken) > 0 {
		return fmt.Errorf("%s: the contract is not kept (docs/adding-a-tool.md)", strings.Join(broken, ", "))
	}
	return nil
}

// externalsOf loads the external tools of a file, or the one that is named.
func externalsOf(bench *lisabench.Bench, name, only string) (*experiments.Experiment, []experiments.Tool, error) {
	src, err := experiments.Read(name)
	if err != nil {
		return nil, nil, err
	}
	exp, err := experiments.Load(src, checkDefaults(src.Data), harness.Known(bench))
	if err != nil {
		return nil, nil, err
	}
	var names []string
	var chosen []experiments.Tool
	for _, t := range exp.Externals() {
		names = append(names, t.Name)
		if only == "" || only == t.Name {
			chosen = append(chosen, t)
		}
	}
	switch {
	case len(names) == 0:
		return nil, nil, harness.Usagef("%s has no external tool: one has a command (docs/adding-a-tool.md)", src.Name)
	case len(chosen) == 0:
		return nil, nil, lisabench.NewUnknownError("external tool", only, names)
	}
	for _, t := range chosen {
		if err := exttool.NewCommand(exttool.Command{Spec: t}).Check(); err != nil {
			return nil, nil, harness.Usagef("%s: %w", src.Name, err)
		}
	}
	return exp, chosen, nil
}

// checkDefaults are overrides for what a file with nothing but tools leaves out of an experiment. None of it
// matters to the check.
func checkDefaults(text []byte) (set []string) {
	var given map[string]yaml.Node
	if yaml.Unmarshal(text, &given) != nil {
		return nil // Load says what is wrong with it
	}
	for _, d := range []struct{ key, value string }{
		{"name", "check"}, {"budget", "{programs: 3}"}, {"libraries", "[{name: cJSON, bugs: none}]"},
		{"llm", "{model: m, prices: [{model: m, input: 0, output: 0}]}"},
	} {
		_, whole := given["include"]
		if _, parts := given["parts"]; whole || parts {
			break
		}
		if _, ok := given[d.key]; !ok {
			set = append(set, d.key+"="+d.value)
		}
	}
	return set
}

// paramsOf returns the parameters of a tool's first variant.
func paramsOf(exp *experiments.Experiment, tool string) map[string]any {
	for _, c := range exp.Plan().Cells {
		if c.Tool == tool {
			return c.Params
		}
	}
	return nil
}

// maxProblemLines is how much of one problem is printed; --json has all of it.
const maxProblemLines = 8

func (a *app) printFindings(t toolFindings) {
	fmt.Fprintf(a.stdout, "%s\n", t.Tool)
	for _, f := range t.Findings {
		switch {
		case len(f.Problems) > 0:
			fmt.Fprintf(a.stdout, "  FAIL  %s\n", f.Check)
		case f.Skipped != "":
			fmt.Fprintf(a.stdout, "  skip  %s: %s\n", f.Check, f.Skipped)
		default:
			fmt.Fprintf(a.stdout, "  ok    %s\n", f.Check)
		}
		for _, p := range f.Problems {
			lines := strings.Split(strings.TrimSpace(p), "\n")
			if len(lines) > maxProblemLines {
				lines = append(lines[:maxProblemLines], "[…] (--json shows all of it)")
			}
			fmt.Fprintf(a.stdout, "          %s\n", strings.Join(lines, "\n          "))
		}
		for _, n := range f.Notes {
			fmt.Fprintf(a.stdout, "        note: %s\n", n)
		}
	}
}
