package submission

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/lisa-bench/lisa-bench/bench/lisabench"
	"github.com/lisa-bench/lisa-bench/experiments"
)

// A Set is what a ranking asks for: every trial from 1 on, on every library, with every bug.
type Set struct {
	Name      string // e.g. "debian-available"
	Trials    int
	Libraries []experiments.LibrarySpec // with the ids of their bugs
}

// Sets are what a ranking may ask for: an edition with all of its bugs, or with those of the paper's protocol. EDITION-since:DATE
// is another: those that were fixed on that day or later.
var Sets = []string{"debian-available", "debian-protocol", "debian-fresh-available", "upstream-available", "upstream-protocol"}

var setName = regexp.MustCompile(`^(.+)-(available|protocol|since:.+)$`)

// NewSet returns one of Sets with that many trials, of some of its libraries or, without names,
// of all. The error is one of the arguments, in the words of the command line.
func NewSet(bench *lisabench.Bench, name string, libraries []string, trials int) (Set, error) {
	set := Set{Name: name, Trials: trials}
	m := setName.FindStringSubmatch(name)
	if m == nil || !slices.Contains(Sets, name) && !(strings.HasPrefix(m[2], "since:") && slices.Contains(Sets, m[1]+"-available")) {
		return set, lisabench.NewUnknownError("set", name, Sets)
	}
	edition, bugs := m[1], m[2]
	if trials < 1 {
		return set, fmt.Errorf("--trials %d: a ranking needs at least one", trials)
	}
	for _, name := range libraries {
		if _, err := bench.Library(name); err != nil {
			return set, err
		}
	}
	// An experiment on the set knows which bugs the words stand for.
	text := "name: set\nbudget: {programs: 1}\ntools: [{name: randoop}]\nlibraries:\n"
	for _, l := range bench.Libraries {
		if l.Has(lisabench.Edition(edition)) && (len(libraries) == 0 || slices.Contains(libraries, l.Name)) {
			text += fmt.Sprintf("  - {name: %q, edition: %s, bugs: %q}\n", l.Name, edition, bugs)
		}
	}
	known := experiments.Known{Libraries: bench.Libraries, Tools: []experiments.ToolKind{{Name: "randoop"}}}
	exp, err := experiments.Load(experiments.Source{Name: "--set " + name, Data: []byte(text)}, nil, known)
	if err != nil {
		return set, err
	}
	set.Libraries = exp.Libraries
	if set.Bugs() == 0 {
		return set, fmt.Errorf("--set %s has no bug of %s: there is nothing to rank by", name, strings.Join(libraries, ", "))
	}
	return set, nil
}

// Bugs returns how many bugs the set has.
func (s Set) Bugs() int {
	n := 0
	for _, l := range s.Libraries {
		n += len(l.Bugs)
	}
	return n
}

// has reports whether a cell is one of the set.
func (s Set) has(c experiments.Cell) bool {
	return c.Trial <= s.Trials && slices.ContainsFunc(s.Libraries, func(l experiments.LibrarySpec) bool {
		return l.Name == c.Library && string(l.Edition) == c.Edition
	})
}
