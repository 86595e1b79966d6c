package experiments

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/lisa-bench/lisa-bench/bench/lisabench"
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
	Command  []string          `yaml:"command,flow,omitempty"`
	Contract int               `yaml:"contract,omitempty"`   // version of what the tool is given and must leave; default 1
	Files    []string          `yaml:"files,flow,omitempty"` // what else the command may read
	Oracle   trial.OracleClass `yaml:"oracle,omitempty"`     // of its assertions; default specification
	Model    bool              `yaml:"model,omitempty"`      // it asks the model of the llm block, as a stage with the tool's name
	// It is given the library's official libFuzzer harnesses, with their seeds and dictionaries.
	Harnesses bool `yaml:"harnesses,omitempty"`
}

// IsExternal reports whether the tool is a command.
func (t ToolSpec) IsExternal() bool { return len(t.Command) > 0 }

// Externals returns the external tools of all parts, each once, in their order.
func (e *Experiment) Externals() []ToolSpec {
	var all []ToolSpec
	for _, p := range e.parts() {
		for _, t := range p.Tools {
			if t.IsExternal() && !slices.ContainsFunc(all, func(o ToolSpec) bool { return o.Name == t.Name }) {
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

// resolve fills in the defaults of external tools, and makes their paths absolute: they are
// relative to the experiment file, and the resolved experiment lies elsewhere.
func (d *document) resolve(tools []ToolSpec) error {
	for i := range tools {
		t := &tools[i]
		if !t.IsExternal() {
			continue
		}
		if t.Contract == 0 {
			t.Contract = Contract
		}
		if t.Oracle == "" {
			t.Oracle = trial.OracleSpecification
		}
		for _, words := range [][]string{t.Command, t.Files} {
			for j, w := range words {
				if !IsBeside(w) {
					continue
				}
				abs, err := filepath.Abs(filepath.Join(filepath.Dir(d.file), w))
				if err != nil {
					return err
				}
				words[j] = abs
			}
		}
	}
	return nil
}

// with returns what may be named where some tools come from outside.
func (k Known) with(tools []ToolSpec) Known {
	own := slices.Clone(k.Tools)
	for _, t := range tools {
		if !t.IsExternal() || slices.ContainsFunc(own, func(o ToolKind) bool { return o.Name == t.Name }) {
			continue
		}
		kind := ToolKind{Name: t.Name, UsesModel: t.Model}
		if t.Model {
			kind.Stages = []string{t.Name}
		}
		own = append(own, kind)
	}
	k.Tools = own
	return k
}

// external checks the block of a tool from outside; builtin are the names that it cannot have.
func (d *document) external(i int, t ToolSpec, builtin []ToolKind) {
	at := func(key ...any) []any { return append([]any{"tools", i}, key...) }
	if !t.IsExternal() {
		if t.Contract != 0 || len(t.Files) > 0 || t.Oracle != "" || t.Model || t.Harnesses {
			d.wrong(at(), "tool %s: contract, files, oracle, model and harnesses belong to an external tool: give it a command", t.Name)
		}
		return
	}
	if slices.ContainsFunc(builtin, func(k ToolKind) bool { return k.Name == t.Name }) {
		d.wrong(at("name"), "tool %s comes with bench: give the command another name", t.Name)
	}
	if !name.MatchString(t.Name) {
		d.wrong(at("name"), "tool name %q: it becomes part of a directory's name: use up to 64 letters, digits, - and _", t.Name)
	}
	if t.Contract != Contract {
		d.wrong(at("contract"), "tool %s: contract %d, and this bench speaks %d (docs/howto/adding-a-tool.md)", t.Name, t.Contract, Contract)
	}
	classes := []string{string(trial.OracleSpecification), string(trial.OracleReference)}
	if !slices.Contains(classes, string(t.Oracle)) {
		d.wrong(at("oracle"), "oracle of %s: unknown %q%s", t.Name, t.Oracle, lisabench.Suggest(string(t.Oracle), classes))
	}
	d.commandFiles(i, t)
}

// commandFiles checks the form of what a command names. Whether it is there matters only to who
// runs it (exttool.Command.Check): a report is made where the tool may be no more.
func (d *document) commandFiles(i int, t ToolSpec) {
	if program := t.Command[0]; program == "" || strings.Contains(program, "/") && !filepath.IsAbs(program) {
		d.wrong([]any{"tools", i, "command", 0}, "command of %s: %q: write ./%s for a file beside this one, or a name alone for a program in /usr/bin", t.Name, program, program)
	}
	for j, f := range t.Files {
		if !filepath.IsAbs(f) {
			d.wrong([]any{"tools", i, "files", j}, "files of %s: %q: write ./%s for a file or directory beside this one", t.Name, f, f)
		}
	}
}
