package experiments

import (
	"cmp"
	"fmt"
	"slices"
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
	if len(d.problems) > 0 { // two parts may have the same problem
		return nil, &Error{Problems: slices.CompactFunc(d.problems, func(a, b Problem) bool { return a.At == b.At && a.Text == b.Text })}
	}
	return e, nil
}

// Resolve checks and completes an experiment that no file holds, as Load does one of a file.
func Resolve(e *Experiment, known Known) (*Experiment, error) {
	d := &document{root: &yaml.Node{}, origins: map[*yaml.Node]string{}}
	if err := d.root.Encode(e); err != nil {
		return nil, err
	}
	resolved, err := d.resolve(known)
	if err == nil && len(d.problems) > 0 {
		err = &Error{Problems: d.problems}
	}
	return resolved, err
}

// load resolves the document. Without an experiment to return, or besides it, there are problems.
func (d *document) load(profile string, overrides []string, known Known) (*Experiment, error) {
	if n := child(d.root, "name"); n != nil && profile != "" {
		n.Value += "-" + profile // runs with and without can stand side by side
	}
	if include := child(d.root, "include"); include != nil {
		return d.loadIncluded(include, profile, overrides, known)
	}
	d.profile(profile)
	for _, o := range overrides {
		d.overrideIn([]*document{d}, o)
	}
	return d.finish(known)
}

// finish resolves the document, and sorts its problems as in the file.
func (d *document) finish(known Known) (*Experiment, error) {
	e, err := d.resolve(known)
	slices.SortStableFunc(d.problems, func(a, b Problem) int {
		return cmp.Or(cmp.Compare(a.line, b.line), cmp.Compare(a.At, b.At), cmp.Compare(a.column, b.column))
	})
	return e, err
}

// resolve checks the tree, decodes it over the defaults, and checks what a schema cannot say.
func (d *document) resolve(known Known) (*Experiment, error) {
	if decodable, err := d.conforms(); !decodable {
		return nil, err
	}
	e := &Experiment{Seed: 1, Trials: 1, Sandbox: "bwrap", Test: Test{Timeout: 30 * time.Second, Repeats: 3}}
	if err := d.root.Decode(e); err != nil { // a number that is too large for its type
		if len(d.problems) == 0 {
			d.problems = []Problem{{At: d.file, Text: err.Error()}}
		}
		return nil, nil
	}
	if e.LLM != nil {
		c := e.LLM.WithDefaults()
		e.LLM = &c
	}
	if e.Parts == nil {
		return e, d.validate(e, known)
	}
	return e, d.resolveParts(e, known)
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
