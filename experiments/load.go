package experiments

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"

	"github.com/lisa-bench/lisa-bench/bench/lisabench"
)

// Load reads an experiment. The source's profile comes first, then overrides, which are key=value and
// applied in order; see override. The error is an *Error with all that is wrong.
func Load(src Source, overrides []string, known Known) (*Experiment, error) {
	d := parse(src)
	var e *Experiment
	if d.root != nil {
		var err error
		if e, err = d.load(src.Profile, overrides, known); err != nil {
			return nil, fmt.Errorf("%s: %w", src.Name, err)
		}
	}
	return e, d.err()
}

// Resolve checks and completes an experiment that no file holds, as Load does one of a file.
func Resolve(e *Experiment, known Known) (*Experiment, error) {
	d := &document{places: map[string]place{}}
	var n yaml.Node
	if err := n.Encode(e); err != nil {
		return nil, err
	}
	d.read(&n)
	resolved, err := d.resolve(known)
	if err != nil {
		return nil, err
	}
	return resolved, d.err()
}

// A Problem is one thing that is wrong with an experiment.
type Problem struct {
	At   string // "file:line" or the override, e.g. "--set trials=0"
	Text string

	line, column int // in the file, to sort by
}

// An Error lists all that is wrong with an experiment, faults of form before those of sense. It
// is the user's to mend: exit code 2.
type Error struct {
	Problems []Problem
}

// maxShown keeps an error on one screen.
const maxShown = 20

func (e *Error) Error() string {
	shown := e.Problems[:min(maxShown, len(e.Problems))]
	lines := namesOf(shown, func(p Problem) string { return p.At + ": " + p.Text })
	if more := len(e.Problems) - len(shown); more > 0 {
		lines = append(lines, fmt.Sprintf("… and %d more", more))
	}
	return strings.Join(lines, "\n")
}

// err is the *Error of the problems, nil if there is none. Two parts may have the same.
func (d *document) err() error {
	if len(d.problems) == 0 {
		return nil
	}
	same := func(a, b Problem) bool { return a.At == b.At && a.Text == b.Text }
	return &Error{Problems: slices.CompactFunc(d.problems, same)}
}

// load resolves the document. Without an experiment to return, or besides it, there are problems.
func (d *document) load(profile string, overrides []string, known Known) (*Experiment, error) {
	if name := text(d.root, "name"); name != "" && profile != "" {
		d.root["name"] = name + "-" + profile // runs with and without can stand side by side
	}
	if d.root["include"] != nil {
		return d.loadIncluded(profile, overrides, known)
	}
	d.profile(profile)
	for _, o := range overrides {
		d.override([]*document{d}, o)
	}
	return d.resolve(known)
}

// resolve checks the values, decodes them over the defaults, and checks what a schema cannot say. It sorts the problems
// as in the file.
func (d *document) resolve(known Known) (*Experiment, error) {
	defer func() {
		slices.SortStableFunc(d.problems, func(a, b Problem) int {
			return cmp.Or(cmp.Compare(a.line, b.line), cmp.Compare(a.At, b.At), cmp.Compare(a.column, b.column))
		})
	}()
	if decodable, err := d.conforms(); !decodable {
		return nil, err
	}
	e := &Experiment{Seed: 1, Trials: 1, Sandbox: "bwrap", Test: Test{Timeout: 30 * time.Second, Repeats: 3}}
	var n yaml.Node
	if err := n.Encode(d.root); err != nil {
		return nil, err
	}
	if err := n.Decode(e); err != nil { // a number that is too large for its type
		if len(d.problems) == 0 {
			d.wrong("", "%v", err)
		}
		return nil, nil
	}
	if e.LLM != nil {
		e.LLM = new(e.LLM.WithDefaults())
	}
	if e.Parts == nil {
		return e, d.validate(e, known)
	}
	return e, d.resolveParts(e, known)
}

// wholeKeys are the keys that belong to an experiment with parts, and to no part.
var wholeKeys = []string{"name", "description", "include", "profiles"}

// loadIncluded makes one experiment of those that the document includes, which get its other keys. The profile is that
// of each; an override is for each too that has what it names, unless it is of one of wholeKeys.
func (d *document) loadIncluded(profile string, overrides []string, known Known) (*Experiment, error) {
	ofParts := slices.Clone(overrides)
	ofParts = slices.DeleteFunc(ofParts, func(o string) bool {
		key, _, _ := strings.Cut(o, "=")
		whole := slices.Contains(wholeKeys, strings.Split(key, ".")[0])
		if whole {
			d.override([]*document{d}, o)
		}
		return whole
	})
	if decodable, err := d.conforms(); !decodable {
		return nil, err
	}
	var parts []*document
	for i := range d.root["include"].([]any) {
		if part := d.include(i, profile); part != nil {
			parts = append(parts, part)
		}
	}
	for _, o := range ofParts {
		d.override(parts, o)
	}
	whole := &Experiment{Name: text(d.root, "name"), Description: text(d.root, "description")}
	return whole, d.join(whole, parts, "include", known)
}

// include returns an included experiment with the profile, overlaid with the keys of the including file. It returns
// nil if that cannot be done, and adds the reason to d.problems.
func (d *document) include(i int, profile string) *document {
	path := fmt.Sprintf("include.%d", i)
	src, err := Read(d.root["include"].([]any)[i].(string))
	if err != nil {
		d.wrong(path, "include: %v", err)
		return nil
	}
	p := parse(src)
	switch {
	case p.root == nil:
		d.problems = append(d.problems, p.problems...)
		return nil
	case p.root["include"] != nil || p.root["parts"] != nil:
		d.wrong(path, "include: %s includes others itself: name those here", src.Name)
		return nil
	}
	p.profile(profile)
	p.root = p.lay(p.root, "", without(d.root, wholeKeys...), d, "")
	return p
}

// resolveParts checks each part as an experiment with the keys of the whole.
func (d *document) resolveParts(whole *Experiment, known Known) error {
	for _, key := range []string{"trials", "budget", "libraries", "tools"} {
		if d.root[key] != nil {
			d.wrong(key, "%s: belongs to each of the parts here", key)
		}
	}
	if len(d.problems) > 0 { // else a key would be twice in each part
		return nil
	}
	var parts []*document
	for i, part := range d.root["parts"].([]any) {
		path := fmt.Sprintf("parts.%d", i)
		p := &document{file: d.file, places: map[string]place{"": d.nearest(path)}}
		p.root = p.lay(map[string]any{}, "", part.(map[string]any), d, path)
		p.root = p.lay(p.root, "", without(d.root, append(wholeKeys, "parts")...), d, "")
		parts = append(parts, p)
	}
	return d.join(whole, parts, "parts", known)
}

// without returns a copy of a map that lacks some keys.
func without(m map[string]any, keys ...string) map[string]any {
	m = merge(m, nil)
	for _, key := range keys {
		delete(m, key)
	}
	return m
}

// join makes the whole of its parts and refuses what contradicts itself. The list at path names the parts.
func (d *document) join(whole *Experiment, docs []*document, path string, known Known) error {
	var parts []*Experiment
	for _, doc := range docs {
		part, err := doc.resolve(known)
		if err != nil {
			return err
		}
		parts = append(parts, part)
		d.problems = append(d.problems, doc.problems...)
	}
	if len(d.problems) > 0 {
		return nil
	}
	if len(parts) == 0 {
		d.wrong(path, "no experiments to make one of")
		return nil
	}
	d.named(whole.Name)
	first := parts[0]
	whole.Seed, whole.Test, whole.Sandbox, whole.Jobs = first.Seed, first.Test, first.Sandbox, first.Jobs
	whole.Trials, whole.Parts, whole.LLM = 0, nil, nil
	commands, cells := map[string]External{}, map[string]Cell{} // of the parts before
	for i, p := range parts {
		refuse := func(format string, args ...any) { d.wrong(fmt.Sprintf("%s.%d", path, i), format, args...) }
		if p.Seed != whole.Seed || p.Test != whole.Test || p.Sandbox != whole.Sandbox || p.Jobs != whole.Jobs {
			refuse("%s and %s differ in seed, test, sandbox or jobs: set it in this file, for both", first.Name, p.Name)
		}
		if slices.ContainsFunc(parts[:i], func(o *Experiment) bool { return o.Name == p.Name }) {
			refuse("%s is listed twice", p.Name)
		}
		for _, t := range p.Tools {
			if was, shared := commands[t.Name]; shared && !reflect.DeepEqual(was, t.External) {
				refuse("tool %s of %s is another command than that of the parts before it: give it another name", t.Name, p.Name)
			}
			commands[t.Name] = t.External
		}
		if id := clash(p.Plan(), cells); id != "" {
			refuse("%s plans cell %s with another budget, other parameters or bugs than a part before it: "+
				"make it a variant with its own name", p.Name, id)
		}
		if asksModel(p.Tools, known.with(p.Tools)) { // an override for all parts may have given others a block for models
			if whole.LLM != nil && !reflect.DeepEqual(whole.LLM, p.LLM) {
				refuse("%s asks models with other settings than those before it: set llm in this file, for all", p.Name)
			}
			whole.LLM = p.LLM
		}
		whole.Parts = append(whole.Parts, p.part())
	}
	return nil
}

// clash adds a plan's cells to those before. It returns the first that shares its name with one of them and is another.
func clash(p Plan, before map[string]Cell) (id string) {
	for _, c := range p.Cells {
		was, shared := before[c.ID()]
		if len(c.Bugs) == 0 { // a cell that is only used has no bugs of its own
			c.Bugs = was.Bugs
		} else if len(was.Bugs) == 0 {
			was.Bugs = c.Bugs
		}
		if shared && !reflect.DeepEqual(was, c) {
			return c.ID()
		}
		before[c.ID()] = c
	}
	return ""
}

func asksModel(tools []ToolSpec, known Known) bool {
	return slices.ContainsFunc(tools, func(t ToolSpec) bool {
		k := known.tool(t.Name)
		return k != nil && k.UsesModel
	})
}

// editions are those that a library is tested in: one, or that of each of its commits.
func (d *document) editions(path string, l LibrarySpec) (editions []lisabench.Edition) {
	commits := l.Commits
	if l.Commit != "" {
		if l.Commits != nil {
			d.wrong(path+".commit", "commit beside commits: put it into that list")
		}
		commits = append([]string{l.Commit}, commits...)
	}
	switch {
	case len(commits) == 0 && l.Commits != nil:
		d.wrong(path+".commits", "commits: none")
	case len(commits) == 0:
		return []lisabench.Edition{cmp.Or(l.Edition, lisabench.Debian)}
	case l.Edition != "" && l.Edition != lisabench.Upstream:
		d.wrong(path+".edition", "edition %s: only upstream has other commits: leave it out", l.Edition)
	}
	for _, commit := range commits {
		edition, err := lisabench.AtCommit(commit)
		if err != nil {
			d.wrong(path+".commit", "commit: %v", err)
			continue
		}
		editions = append(editions, edition)
	}
	return editions
}
