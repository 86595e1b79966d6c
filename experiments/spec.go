package experiments

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"

	"github.com/lisa-bench/lisa-bench/bench/lisabench"
	"github.com/lisa-bench/lisa-bench/internal/llm"
	"github.com/lisa-bench/lisa-bench/internal/trial"
)

// An Experiment is the contents of an experiment file. The tags and the comments of its fields are the one source
// of the keys: schema.json, which Load checks a file by, and the reference are made from them.
type Experiment struct {
	Name        string     `yaml:"name"`                        // of letters, digits, - and _; runs are stored under it
	Description string     `yaml:"description,omitempty"`       // one sentence, for lists and reports
	Seed        trial.Seed `yaml:"seed" jsonschema:"minimum=0"` // of every random choice; default 1
	// of every tool on every library; default 1
	Trials int          `yaml:"trials,omitempty" jsonschema:"minimum=1,maximum=1000"`
	Budget trial.Budget `yaml:"budget,omitempty"` // of one cell; the first limit that is reached ends generation
	Test   Test         `yaml:"test"`             // how one test program is run
	// what test programs run in; default bwrap
	Sandbox string `yaml:"sandbox" jsonschema:"enum=bwrap,enum=docker,enum=none"`
	// cells worked on at once; default 0: one for each CPU
	Jobs      int           `yaml:"jobs" jsonschema:"minimum=0,maximum=1024"`
	Libraries []LibrarySpec `yaml:"libraries,omitempty"` // what is tested
	Tools     []ToolSpec    `yaml:"tools,omitempty"`     // what is compared
	LLM       *llm.Config   `yaml:"llm,omitempty"`       // how tools ask models; needed if one does
	// Experiments within this one, in the place of trials, budget, libraries and tools. A cell that several
	// parts plan alike is one cell.
	Parts []Part `yaml:"parts,omitempty"`
}

// A Part is an experiment within an experiment.
type Part struct {
	Name      string        `yaml:"name" jsonschema:"required"`                 // of the part
	Trials    int           `yaml:"trials" jsonschema:"minimum=1,maximum=1000"` // as of a whole experiment
	Budget    trial.Budget  `yaml:"budget,omitempty"`                           // as of a whole experiment
	Libraries []LibrarySpec `yaml:"libraries"`                                  // as of a whole experiment
	Tools     []ToolSpec    `yaml:"tools"`                                      // as of a whole experiment
}

// A file is an experiment with what Load resolves and an Experiment does not keep.
type file struct {
	Experiment `yaml:",inline"`
	Include    []string              `yaml:"include" jsonschema_description:"Other experiments, by name or file. They are the parts; what else this file gives, except name and description, replaces their keys."`
	Profiles   map[string]Experiment `yaml:"profiles" jsonschema_description:"By name: keys that replace the experiment's when the profile is chosen (--profile NAME)."`
}

// Test says how one test program is run.
type Test struct {
	// wall time of one run; default 30s; hangs end sooner on builds with a bug
	Timeout time.Duration `yaml:"timeout" json:"timeout_ns"`
	// runs that must agree before a bug counts as detected; default 3
	Repeats int `yaml:"repeats" json:"repeats" jsonschema:"minimum=1,maximum=100"`
	// How many mutants of each library a suite is run on: 0, the default, for none, -1 for all.
	Mutants int `yaml:"mutants" json:"mutants,omitempty" jsonschema:"minimum=-1,maximum=1000000"`
	// IDs of mutants, as records tell them, with blanks between them, in place of a sample of that many
	Among string `yaml:"among" json:"among,omitempty"`
	// Whether it is also measured how far each bug comes: reached by a test, propagated to a value that the
	// test gets, revealed; default false.
	Explain bool `yaml:"explain" json:"explain,omitempty"`
}

// MutantIDs reads Among; nil if it is empty.
func (t Test) MutantIDs() (ids []int, err error) {
	for _, word := range strings.Fields(t.Among) {
		id, err := strconv.Atoi(word)
		if err != nil || id <= 0 {
			return nil, fmt.Errorf("%q is no mutant's ID, which is a number above 0", word)
		}
		ids = append(ids, id)
	}
	return ids, nil
}

// AllMutants stands for all mutants of a library.
const AllMutants = -1

// A LibrarySpec is a library of the experiment.
type LibrarySpec struct {
	Name string `yaml:"name" jsonschema:"required"` // see bench list libraries
	// which source: Debian 12's package (debian), the same with the fixes of the fresh bugs too (debian-fresh), or a
	// commit of upstream; default debian
	Edition lisabench.Edition `yaml:"edition"`
	// Another commit (40 hexadecimal digits) or tag of upstream than the pinned one: the edition upstream-COMMIT.
	Commit  string   `yaml:"commit,omitempty"`
	Commits []string `yaml:"commits,flow,omitempty"` // several of these: the library once at each
	// The bugs that are re-introduced: available (default: all of the edition), protocol (the paper's
	// selection), {since: 2026-01-01} (fixed on that day or later), none, or ids, as a list or with commas
	// between them. See bench list bugs.
	Bugs Bugs `yaml:"bugs,flow"`
}

// Bugs is a list of bug ids, or one word that stands for a list.
type Bugs []string

// ParseBugs reads bugs as they are written on a command line.
func ParseBugs(text string) Bugs { return strings.Split(strings.ReplaceAll(text, " ", ""), ",") }

// UnmarshalYAML takes a list, or a text with commas between its words, as on a command line.
func (b *Bugs) UnmarshalYAML(n *yaml.Node) error {
	switch n.Kind {
	case yaml.ScalarNode:
		*b = ParseBugs(n.Value)
		return nil
	case yaml.MappingNode:
		var from struct{ Since string }
		err := n.Decode(&from)
		*b = Bugs{bugsSince + from.Since}
		return err
	}
	return n.Decode((*[]string)(b))
}

// The words that stand for a list of bugs.
const (
	BugsAvailable = "available"
	BugsProtocol  = "protocol"
	BugsNone      = "none"
	bugsSince     = "since:" // a day follows
)

// A ToolSpec is a tool with all its variants.
type ToolSpec struct {
	Name     string `yaml:"name" jsonschema:"required"` // see bench list tools; any other name needs a command
	External `yaml:",inline"`
	// Directory of a knowledge base for each library, or auto for those that cells of this run make. It is the
	// parameter contracts of every variant that gives none of its own.
	Knowledge string `yaml:"knowledge,omitempty"`
	// of every variant; of a tool that asks a model: model stands for llm.model
	Params   map[string]any   `yaml:"params,omitempty"`
	Variants []Variant        `yaml:"variants,omitempty"` // default: one, named default
	Sweep    map[string][]any `yaml:"sweep,omitempty"`    // every variant with every combination of these values
	Budget   *trial.Budget    `yaml:"budget,omitempty"`   // instead of the experiment's
	// Those of the experiment that the tool runs on; default all.
	Libraries []string `yaml:"libraries,flow,omitempty"`
}

func (t ToolSpec) sameName(o ToolSpec) bool { return t.Name == o.Name }

// A Variant is a tool with some parameters changed.
type Variant struct {
	Name   string         `yaml:"name" jsonschema:"required"` // of the variant, in tables
	Params map[string]any `yaml:"params,omitempty"`           // these replace the tool's
}

// Sandboxes are the values that sandbox may have; TestSchema holds its tag to them.
var Sandboxes = []string{"bwrap", "docker", "none"}

// Known is what an experiment may name.
type Known struct {
	Libraries []*lisabench.Library
	Tools     []ToolKind
}

// tool returns the tool of that name, nil if there is none.
func (k Known) tool(name string) *ToolKind {
	for i := range k.Tools {
		if k.Tools[i].Name == name {
			return &k.Tools[i]
		}
	}
	return nil
}

// A ToolKind is a tool that exists.
type ToolKind struct {
	Name      string
	UsesModel bool     // so that LLM calls, tokens and dollars limit it, and an llm block is needed
	Fuzzes    bool     // executes inputs in place of making test programs: execs limit it, and programs do not
	OnlyC     bool     // cannot test a library in C++
	Stages    []string // of the tool that ask a model: the names that llm.stages may have
}

// Budgets are the keys of a budget that limit the tool. The others are of other tools that share its
// budget.
func (k ToolKind) Budgets() []string {
	list := []string{"time", "wall", "cpu", "programs"}
	if k.Fuzzes {
		list[3] = "execs"
	}
	if k.UsesModel {
		list = append(list, "llm_calls", "tokens", "dollars")
	}
	return list
}

// bound returns what of a budget limits the tool.
func (k ToolKind) bound(b trial.Budget) trial.Budget {
	if k.Fuzzes {
		b.Programs = 0
	} else {
		b.Execs = 0
	}
	if !k.UsesModel {
		b.LLMCalls, b.Tokens, b.Dollars = 0, 0, 0
	}
	return b
}

// Timed reports whether any cell's budget is in seconds, so that the machine's speed shows
// in the results.
func (e *Experiment) Timed() bool {
	return slices.ContainsFunc(e.Plan().Cells, func(c Cell) bool { return c.Budget.Timed() })
}

// AllLibraries returns each library and edition once, with the bugs of all parts.
func (e *Experiment) AllLibraries() []LibrarySpec {
	var all []LibrarySpec
	for _, p := range e.parts() {
		for _, l := range p.Libraries {
			i := slices.IndexFunc(all, func(o LibrarySpec) bool { return o.Name == l.Name && o.Edition == l.Edition })
			if i < 0 {
				l.Bugs = slices.Clone(l.Bugs)
				all = append(all, l)
				continue
			}
			for _, id := range l.Bugs {
				if !slices.Contains(all[i].Bugs, id) {
					all[i].Bugs = append(all[i].Bugs, id)
				}
			}
		}
	}
	return all
}

// parts returns the experiment's parts; one without is its own only part.
func (e *Experiment) parts() []Part {
	if len(e.Parts) > 0 {
		return e.Parts
	}
	return []Part{e.part()}
}

func (e *Experiment) part() Part {
	return Part{Name: e.Name, Trials: e.Trials, Budget: e.Budget, Libraries: e.Libraries, Tools: e.Tools}
}

func (p Part) budget(t ToolSpec) trial.Budget {
	if t.Budget != nil {
		return *t.Budget
	}
	return p.Budget
}

// YAML returns the experiment with every default and every bug spelled out. Loading it again
// gives the same experiment.
func (e *Experiment) YAML() ([]byte, error) { return yaml.Marshal(e) }
