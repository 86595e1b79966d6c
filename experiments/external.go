package experiments

import (
	"cmp"
	"fmt"
	"path/filepath"
	"reflect"
	"slices"
	"strings"

	"github.com/lisa-bench/lisa-bench/internal/trial"
)

// Contract is the version of what an external tool is given and must leave
// (docs/howto/adding-a-tool.md).
const Contract = 1

// External is the part of a tool's block that makes it one from outside: any executable. A tool
// without a command is one that comes with bench.
type External struct {
	// The program with its arguments. Those that begin with ./ or ../ are files or directories relative to the
	// experiment file. A name without a slash is looked up in /usr/bin and /bin.
	Command []string `yaml:"command,flow,omitempty"`
	// version of what the tool is given and must leave; default 1
	Contract int      `yaml:"contract,omitempty"`
	Files    []string `yaml:"files,flow,omitempty"` // what else the command may read
	// of its assertions; default specification
	Oracle trial.OracleClass `yaml:"oracle,omitempty" jsonschema:"enum=specification,enum=reference"`
	// it asks the model of the llm block, as a stage with the tool's name
	Model bool `yaml:"model,omitempty"`
	// It is given the library's official libFuzzer harnesses, with their seeds and dictionaries.
	Harnesses bool `yaml:"harnesses,omitempty"`
	// The command is an agent: it works in the directory of its task with the commands check, gaps and suspect.
	Agent *Agent `yaml:"agent,omitempty"`
}

// An Agent says how a command that is an agent is told of its work.
type Agent struct {
	// How it gets the text of its task: as last argument (the default), on stdin, or from the file TASK.md alone.
	Task string `yaml:"task,omitempty" jsonschema:"enum=argument,enum=stdin,enum=file"`
	// What gaps tells: all (the default), coverage, mutants, or none, which takes the command away.
	Feedback string `yaml:"feedback,omitempty" jsonschema:"enum=all,enum=coverage,enum=mutants,enum=none"`
}

// The ways in which an agent gets its task.
const (
	TaskArgument = "argument"
	TaskStdin    = "stdin"
	TaskFile     = "file"
)

// IsExternal reports whether the tool is a command.
func (t ToolSpec) IsExternal() bool { return len(t.Command) > 0 }

// IsAgent reports whether a tool is an agent, from outside or the one that comes with bench.
func (e *Experiment) IsAgent(tool string) bool {
	return tool == AgentTool ||
		slices.ContainsFunc(e.Externals(), func(t ToolSpec) bool { return t.Name == tool && t.Agent != nil })
}

// Externals returns the external tools of all parts, each once, in their order.
func (e *Experiment) Externals() []ToolSpec {
	var all []ToolSpec
	for _, p := range e.parts() {
		for _, t := range p.Tools {
			if t.IsExternal() && !slices.ContainsFunc(all, t.sameName) {
				all = append(all, t)
			}
		}
	}
	return all
}

// IsBeside reports whether a word of a command names something beside the experiment file.
func IsBeside(word string) bool {
	return strings.HasPrefix(word, "./") || strings.HasPrefix(word, "../")
}

// With returns k with the experiment's own tools added.
func (k Known) With(e *Experiment) Known { return k.with(e.Externals()) }

// with returns what may be named where some tools come from outside.
func (k Known) with(tools []ToolSpec) Known {
	k.Tools = slices.Clone(k.Tools)
	for _, t := range tools {
		switch {
		case !t.IsExternal() || k.tool(t.Name) != nil:
		case t.Model:
			k.Tools = append(k.Tools, ToolKind{Name: t.Name, UsesModel: true, Stages: []string{t.Name}})
		default:
			k.Tools = append(k.Tools, ToolKind{Name: t.Name})
		}
	}
	return k
}

// external checks the block of a tool from outside and fills in its defaults. Its paths, which are relative to the
// experiment file, become absolute: the resolved experiment lies elsewhere.
func (d *document) external(path string, t *ToolSpec, builtin Known) error {
	if !t.IsExternal() {
		if !reflect.DeepEqual(t.External, External{}) {
			d.wrong(path, "tool %s: contract, files, oracle, model, harnesses and agent belong to an external tool: "+
				"give it a command", t.Name)
		}
		return nil
	}
	if a := t.Agent; a != nil {
		a.Task, a.Feedback = cmp.Or(a.Task, TaskArgument), cmp.Or(a.Feedback, "all")
	}
	t.Contract, t.Oracle = cmp.Or(t.Contract, Contract), cmp.Or(t.Oracle, trial.OracleSpecification)
	if builtin.tool(t.Name) != nil {
		d.wrong(path+".name", "tool %s comes with bench: give the command another name", t.Name)
	}
	if !name.MatchString(t.Name) {
		d.wrong(path+".name", "tool name %q: it becomes part of a directory's name: "+
			"use up to 64 letters, digits, - and _", t.Name)
	}
	if t.Contract != Contract {
		d.wrong(path+".contract", "tool %s: contract %d, and this bench speaks %d (docs/howto/adding-a-tool.md)",
			t.Name, t.Contract, Contract)
	}
	dir, err := filepath.Abs(filepath.Dir(d.file))
	if err != nil {
		return err
	}
	for _, words := range [][]string{t.Command, t.Files} {
		for j, w := range words {
			if IsBeside(w) {
				words[j] = filepath.Join(dir, w)
			}
		}
	}
	// Whether a file is there matters only to who runs it (exttool.Command.Check): a report is made where the tool
	// may be no more.
	if program := t.Command[0]; program == "" || strings.Contains(program, "/") && !filepath.IsAbs(program) {
		d.wrong(path+".command.0", "command of %s: %q: write ./%[2]s for a file beside this one, "+
			"or a name alone for a program in /usr/bin", t.Name, program)
	}
	for j, f := range t.Files {
		if !filepath.IsAbs(f) {
			at := fmt.Sprintf("%s.files.%d", path, j)
			d.wrong(at, "files of %s: %q: write ./%[2]s for a file or directory beside this one", t.Name, f)
		}
	}
	return nil
}
