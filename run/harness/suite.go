package harness

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/mattn/go-shellwords"
	"go.yaml.in/yaml/v3"

	"github.com/lisa-bench/lisa-bench/bench/lisabench"
	"github.com/lisa-bench/lisa-bench/execute/sandbox"
	"github.com/lisa-bench/lisa-bench/execute/testrun"
	"github.com/lisa-bench/lisa-bench/experiments"
	"github.com/lisa-bench/lisa-bench/internal/trial"
	"github.com/lisa-bench/lisa-bench/tools/exttool"
	"github.com/lisa-bench/lisa-bench/tools/toolcheck"
)

// A Suite is a directory of tests that nobody here generated, and how they are scored.
type Suite struct {
	Library, Edition string
	Tests            string         // directory
	Test             string         // the one file to score, in place of all of Tests
	Build            string         // command that makes the suite of the directory's files, in the sandbox; "" if they are the suite
	Extras           testrun.Extras // what they are compiled with; of Includes those beside their own directory
	Oracle           string         // what their assertions are: trial.OracleSpecification or trial.OracleReference
	Bugs             string         // to look for: experiments.BugsAvailable, BugsProtocol, BugsNone, or ids with commas between them
	Sandbox          string         // one of experiments.Sandboxes
	Timeout          time.Duration  // wall time of one test
	Mutants          int            // to run the tests on: as experiments.Test
	Among            string         // mutants in place of so many: as experiments.Test
	Explain          bool           // how far each bug comes
	Repeats          int            // runs that must agree before a bug counts as detected
	Dir              string         // of the run; "" for a temporary one, which the caller removes
}

// SuiteExecution returns the execution that scoring a suite amounts to.
func (e *Env) SuiteExecution(s Suite) (x *Execution, err error) {
	only := ""
	if s.Test != "" {
		switch info, err := os.Stat(s.Test); {
		case s.Tests != "":
			return nil, Usagef("--test and --suite exclude each other")
		case s.Build != "":
			return nil, Usagef("--test and --build exclude each other")
		case err == nil && info.IsDir():
			return nil, Usagef("--test %s: a directory: --suite takes it", s.Test)
		}
		s.Tests, only = filepath.Split(filepath.Clean(s.Test))
		s.Tests = filepath.Clean(s.Tests) // "" is .
	}
	x = &Execution{Dir: s.Dir, Jobs: 1}
	if x.Bench, x.Experiment, err = s.experiment(e); err != nil {
		return nil, err
	}
	for _, dir := range s.Extras.Includes {
		if err := checkDir("--include", dir); err != nil {
			return nil, err
		}
	}
	if err := checkDir("--suite", s.Tests); err != nil {
		if exttool.IsSource(s.Tests) {
			err = Usagef("%w: --test takes one file", err)
		}
		return nil, err
	}
	if err := x.setExtras(s); err != nil {
		return nil, err
	}
	if s.Build != "" {
		err = checkCommands(x.Experiment)
	} else {
		err = x.setDirectory(e, s.Tests, exttool.Directory{Path: x.Extras.Includes[0], Only: only, Oracle: trial.OracleClass(s.Oracle)})
	}
	if err != nil {
		return nil, &UsageError{err}
	}
	if x.Dir == "" {
		x.Dir, err = os.MkdirTemp("", "bench-evaluate-")
	}
	return x, err
}

// setDirectory makes a directory of tests, which the user calls tests, the tool.
func (x *Execution) setDirectory(e *Env, tests string, tool exttool.Directory) error {
	helpers, err := tool.Helpers()
	if err == nil {
		_, err = tool.Files()
	}
	if err != nil {
		return err
	}
	for _, file := range helpers {
		x.Extras.Helpers = append(x.Extras.Helpers, filepath.Join(tool.Path, file))
	}
	if len(helpers) > 0 {
		fmt.Fprintf(e.Stderr, "helpers, with neither main nor a test, which are linked where a test needs them: %s\n", strings.Join(helpers, ", "))
	}
	if below := (exttool.Directory{Path: tests}).Below(); tool.Only == "" && len(below) > 0 {
		fmt.Fprintf(e.Stderr, "not scored are files in directories below, such as %s: --suite takes one directory\n", below[0])
	}
	x.Tool = tool
	return nil
}

// setExtras sets what the suite's programs are compiled with: the suite's own directory is included from first, then
// that of each helper, whose headers lie beside it.
func (x *Execution) setExtras(s Suite) error {
	x.Extras = s.Extras
	x.Extras.Includes, x.Extras.Helpers = nil, nil
	dirs := append([]string{s.Tests}, s.Extras.Includes...)
	for _, file := range s.Extras.Helpers {
		if info, err := os.Stat(file); err != nil || !info.Mode().IsRegular() || !exttool.IsSource(file) {
			return Usagef("--with %s: there is no such C or C++ file", file)
		}
		abs, err := filepath.Abs(file)
		if err != nil {
			return err
		}
		x.Extras.Helpers, dirs = append(x.Extras.Helpers, abs), append(dirs, filepath.Dir(abs))
	}
	for _, dir := range dirs {
		abs, err := filepath.Abs(dir)
		if err != nil {
			return err
		}
		if !slices.Contains(x.Extras.Includes, abs) {
			x.Extras.Includes = append(x.Extras.Includes, abs)
		}
	}
	return nil
}

// experiment is the one that evaluating a directory amounts to.
func (s Suite) experiment(e *Env) (*lisabench.Bench, *experiments.Experiment, error) {
	switch {
	case s.Library == "":
		return nil, nil, Usagef("--library LIBRARY is required (see: bench list libraries)")
	case s.Tests == "":
		return nil, nil, Usagef("--suite DIR or --test FILE is required")
	}
	bench, err := e.LoadBench()
	if err != nil {
		return nil, nil, err
	}
	// The one tool is the directory, or a command that makes a suite of it: an external tool that is shown the directory,
	// in which its words that begin with ./ or ../ lie.
	known := Known(bench)
	known.Tools = nil
	tool := experiments.ToolSpec{Name: exttool.Directory{}.Name()}
	words, err := shellwords.Parse(s.Build)
	if err != nil {
		return nil, nil, Usagef("--build %s: %v", s.Build, err)
	}
	if len(words) == 0 {
		known.Tools = []experiments.ToolKind{{Name: tool.Name}}
	} else {
		dir, err := filepath.Abs(s.Tests)
		if err != nil {
			return nil, nil, err
		}
		for i, w := range words {
			if experiments.IsBeside(w) {
				words[i] = filepath.Join(dir, w)
			}
		}
		tool.External = experiments.External{Command: words, Files: []string{dir}, Oracle: trial.OracleClass(s.Oracle)}
	}
	exp, err := experiments.Resolve(&experiments.Experiment{
		Name: "evaluate", Seed: 1, Trials: 1, Sandbox: s.Sandbox, Budget: trial.Budget{Programs: trial.NoLimit},
		Test:      experiments.Test{Timeout: s.Timeout, Repeats: s.Repeats, Mutants: s.Mutants, Among: s.Among, Explain: s.Explain},
		Libraries: []experiments.LibrarySpec{{Name: s.Library, Edition: lisabench.Edition(s.Edition), Bugs: experiments.ParseBugs(s.Bugs)}},
		Tools:     []experiments.ToolSpec{tool},
	}, known)
	var config *experiments.Error
	if errors.As(err, &config) { // there is no file whose lines it could name
		var texts []string
		for _, p := range config.Problems {
			texts = append(texts, p.Text)
		}
		err = Usagef("%s", strings.Join(texts, "\n"))
	}
	return bench, exp, err
}

// A Conformance is what the check of one external tool says.
type Conformance struct {
	Tool     string
	Conforms bool
	Findings []toolcheck.Finding
}

// CheckTools holds the external tools of an experiment file, or the one that only names, against
// their contract. It calls each with every tool that is done.
func (e *Env) CheckTools(ctx context.Context, name, only string, each func(Conformance)) (all []Conformance, err error) {
	bench, err := e.LoadBench()
	if err != nil {
		return nil, err
	}
	exp, specs, err := externalsOf(bench, name, only)
	if err != nil {
		return nil, err
	}
	var checker toolcheck.Checker
	if checker.Tools, checker.Compiler, err = e.compiler(ctx, 1); err != nil {
		return nil, err
	}
	checker.Sandbox, err = e.newSandbox(ctx, Workplace{Sandbox: exp.Sandbox, Limits: sandbox.DefaultLimits}, checker.Tools, nil)
	if err != nil {
		return nil, err
	}
	cells := exp.Plan().Cells
	for _, spec := range specs {
		var params map[string]any // of its first variant
		if i := slices.IndexFunc(cells, func(c experiments.Cell) bool { return c.Tool == spec.Name }); i >= 0 {
			params = cells[i].Params
		}
		findings, err := checker.Check(ctx, spec, params)
		if err != nil {
			return nil, err
		}
		c := Conformance{Tool: spec.Name, Findings: findings}
		c.Conforms = !slices.ContainsFunc(findings, func(f toolcheck.Finding) bool { return len(f.Problems) > 0 })
		all = append(all, c)
		each(c)
	}
	return all, nil
}

// externalsOf loads the external tools of a file, or the one that is named.
func externalsOf(bench *lisabench.Bench, name, only string) (*experiments.Experiment, []experiments.ToolSpec, error) {
	src, err := experiments.Read(name)
	if err != nil {
		return nil, nil, err
	}
	exp, err := experiments.Load(src, checkDefaults(src.Data), Known(bench))
	if err != nil {
		return nil, nil, err
	}
	var names []string
	var chosen []experiments.ToolSpec
	for _, t := range exp.Externals() {
		names = append(names, t.Name)
		if only == "" || only == t.Name {
			chosen = append(chosen, t)
		}
	}
	switch {
	case len(names) == 0:
		return nil, nil, Usagef("%s has no external tool, that is, no tool with a command (docs/howto/adding-a-tool.md)", src.Name)
	case len(chosen) == 0:
		return nil, nil, lisabench.NewUnknownError("external tool", only, names)
	}
	for _, t := range chosen {
		if t.Agent != nil {
			return nil, nil, Usagef("tool %s is an agent, which no script can answer: a run with a small budget checks it: "+
				"bench run %s --set 'budget={tokens: 50000}'", t.Name, name)
		}
		if err := (&exttool.Command{Spec: t}).Check(); err != nil {
			return nil, nil, Usagef("%s: %w", src.Name, err)
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
	_, whole := given["include"]
	if _, parts := given["parts"]; whole || parts {
		return nil
	}
	for _, d := range []string{
		"name=check", "budget={programs: 3}", "libraries=[{name: cJSON, bugs: none}]",
		"llm={model: m, prices: [{model: m, input: 0, output: 0}]}",
	} {
		key, _, _ := strings.Cut(d, "=")
		if _, ok := given[key]; !ok {
			set = append(set, d)
		}
	}
	return set
}
