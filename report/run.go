package report

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/lisa-bench/lisa-bench/internal/trial"
	"github.com/lisa-bench/lisa-bench/report/doc"
)

type record = trial.Record

// A Run is everything a report is made of, read from one run directory.
type Run struct {
	Experiment string
	Command    string                  // the exact command that made the run
	Timed      bool                    // a budget was in seconds: clocks may appear
	Budgets    map[string]trial.Budget // of generation, by cell ID
	Models     map[string]string       // the models that a tool asks, by its name as in tables
	// Cutoffs are the last days of these models' training data, YYYY-MM-DD, the latest of a tool; "" where nobody
	// stated it.
	Cutoffs    map[string]string
	Planned    []trial.Cell
	Cells      []trial.Record
	Incomplete []trial.Incomplete
	Bugs       []BugInfo // of every library of the run, in the corpus's order
	Provenance []Facts
	// Evaluate are the flags with which "bench evaluate" runs a test as the run did; "" if they are not known.
	Evaluate string
	// Sources returns the text of a file of a cell, named as in trial.TestReference. An
	// error is shown in the place of the text.
	Sources func(cellID, file string) (string, error) `json:"-"`
	// Against is what suspicions do on other versions (bench suspicions --against).
	Against []trial.Comparison
}

// A BugInfo is what a report says of a bug.
type BugInfo struct {
	Library   string
	ID        string
	Title     string
	Defect    string
	Selection string
	Diff      map[string]string // what the buggy build has otherwise, by edition
	Fix       string            // commit
	Date      string            // of the fix, YYYY-MM-DD
}

// Facts are named values under one title, e.g. the hashes of the sources.
type Facts struct {
	Title   string
	Entries []doc.KeyValue
}

// A library is one in one edition.
type library struct{ name, edition string }

func libraryOf(c trial.Cell) library { return library{c.Library, c.Edition} }

func (l library) compare(o library) int {
	return cmp.Or(cmp.Compare(l.name, o.name), cmp.Compare(l.edition, o.edition))
}

// A tool is one in one variant.
type tool struct{ name, variant string }

func toolOf(c trial.Cell) tool { return tool{c.Tool, c.Variant} }

func (t tool) compare(o tool) int {
	return cmp.Or(cmp.Compare(t.name, o.name), cmp.Compare(t.variant, o.variant))
}

func (t tool) isDefault() bool { return t.variant == "" || t.variant == trial.DefaultVariant }

// String is how tables name the tool.
func (t tool) String() string {
	if t.isDefault() {
		return t.name
	}
	return t.name + "/" + t.variant
}

// An analysis is a Run sorted into groups, what the sections are made of.
type analysis struct {
	run       Run
	libraries []library
	tools     []tool
	groups    []*group             // by library, those with a record first, then tool; only those planned
	bugs      map[string][]BugInfo // by the library's name
	details   []doc.Detail
	sources   int         // bytes of the sources in details
	data      []doc.Table // tables that only CSV and JSON have
	chosen    []pair      // the comparisons to make, instead of those of pairs
}

// analyse sorts a run and refuses contradictions.
func analyse(run Run) (*analysis, error) {
	a := &analysis{run: run, bugs: map[string][]BugInfo{}}
	for _, b := range run.Bugs {
		if a.knows(b.Library, b.ID) {
			return nil, fmt.Errorf("report of %s: bug %s of %s is listed twice", run.Experiment, b.ID, b.Library)
		}
		a.bugs[b.Library] = append(a.bugs[b.Library], b)
	}
	if err := a.sortCells(); err != nil {
		return nil, fmt.Errorf("report of %s: %w", run.Experiment, err)
	}
	for _, g := range a.groups {
		slices.SortFunc(g.records, func(x, y record) int { return cmp.Compare(x.Cell.Trial, y.Cell.Trial) })
		slices.SortFunc(g.missing, func(x, y trial.Incomplete) int { return cmp.Compare(x.Cell.Trial, y.Cell.Trial) })
		a.libraries, a.tools = append(a.libraries, g.library), append(a.tools, g.tool)
	}
	slices.SortFunc(a.libraries, library.compare)
	slices.SortFunc(a.tools, tool.compare)
	a.libraries, a.tools = slices.Compact(a.libraries), slices.Compact(a.tools)
	slices.SortFunc(a.groups, func(x, y *group) int { // those without a record push nothing out of sight
		empty := one(len(x.records) == 0) - one(len(y.records) == 0)
		return cmp.Or(x.library.compare(y.library), empty, x.tool.compare(y.tool))
	})
	return a, nil
}

// knows reports whether a bug is among the run's.
func (a *analysis) knows(library, bug string) bool {
	return slices.ContainsFunc(a.bugs[library], func(b BugInfo) bool { return b.ID == bug })
}

// sortCells puts every cell into its group. A planned cell with neither a record nor a
// reason was not run.
func (a *analysis) sortCells() error {
	seen := map[string]bool{}
	place := func(c trial.Cell) (*group, error) {
		if seen[c.ID()] {
			return nil, fmt.Errorf("cell %s is recorded twice", c.ID())
		}
		seen[c.ID()] = true
		g := a.group(libraryOf(c), toolOf(c))
		if g == nil {
			g = &group{library: libraryOf(c), tool: toolOf(c)}
			a.groups = append(a.groups, g)
		}
		g.planned++
		return g, nil
	}
	for _, r := range a.run.Cells {
		g, err := place(r.Cell)
		if err != nil {
			return err
		}
		for _, b := range r.Bugs {
			if !a.knows(r.Cell.Library, b.Bug) {
				return fmt.Errorf("cell %s: result of bug %s, which is not among the bugs of %s", r.Cell.ID(), b.Bug, r.Cell.Library)
			}
		}
		if len(g.records) > 0 && g.kind() != r.Kind {
			return fmt.Errorf("cell %s: a suite of kind %s beside trials of kind %s", r.Cell.ID(), r.Kind, g.kind())
		}
		g.records = append(g.records, r)
	}
	for _, m := range a.run.Incomplete {
		g, err := place(m.Cell)
		if err != nil {
			return err
		}
		g.missing = append(g.missing, m)
	}
	for _, c := range a.run.Planned {
		if seen[c.ID()] {
			continue
		}
		g, _ := place(c) // it is not there yet
		g.missing = append(g.missing,
			trial.Incomplete{Cell: c, Kind: "not_run", Message: "the run ended before this cell was started"})
	}
	return nil
}

// label names a library; its edition only where the run has several of the library.
func (a *analysis) label(l library) string {
	for _, o := range a.libraries {
		if o.name == l.name && o.edition != l.edition {
			return l.name + " (" + l.edition + ")"
		}
	}
	return l.name
}

// those returns the groups of the run that keep takes.
func (a *analysis) those(keep func(*group) bool) []*group { return filter(a.groups, keep) }

// groupsOf are the groups of a library, by tool.
func (a *analysis) groupsOf(l library) []*group {
	list := a.those(func(g *group) bool { return g.library == l })
	slices.SortFunc(list, func(x, y *group) int { return x.tool.compare(y.tool) })
	return list
}

// group is a tool's on a library, nil if the run has none.
func (a *analysis) group(l library, t tool) *group {
	for _, g := range a.groups {
		if g.library == l && g.tool == t {
			return g
		}
	}
	return nil
}

// stands reports whether a tool in its variant stands for the tool: the default does and, where a run has none, as in
// a sweep, each variant for itself.
func (a *analysis) stands(t tool) bool {
	return t.isDefault() || !slices.ContainsFunc(a.tools, func(o tool) bool { return o.name == t.name && o.isDefault() })
}

// series is a tool's part of a chart.
func (a *analysis) series(t tool, points ...doc.Point) doc.Series {
	return doc.Series{Name: t.String(), Style: slices.Index(a.tools, t), Points: points}
}

// filter returns the members of a list that keep takes.
func filter[T any](list []T, keep func(T) bool) []T {
	var kept []T
	for _, x := range list {
		if keep(x) {
			kept = append(kept, x)
		}
	}
	return kept
}

// grouped sorts a list into parts of one key, in the order in which the keys first appear.
func grouped[K comparable, T any](list []T, key func(T) K) [][]T {
	var parts [][]T
	index := map[K]int{}
	for _, x := range list {
		i, known := index[key(x)]
		if !known {
			i = len(parts)
			index[key(x)], parts = i, append(parts, nil)
		}
		parts[i] = append(parts[i], x)
	}
	return parts
}

// one counts a condition.
func one(is bool) int {
	if is {
		return 1
	}
	return 0
}
