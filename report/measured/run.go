// Package measured is what a run measured, as reports need it: Read takes a Run from the files of a run directory, and
// Sort puts its records into groups, one for each tool on each library. Groups give figures over trials, as cells of
// tables; what a group lacks is told with its reason, in one place (Part.Figure).
package measured

import (
	"cmp"
	"slices"

	"github.com/lisa-bench/lisa-bench/internal/lists"
	"github.com/lisa-bench/lisa-bench/internal/llm"
	"github.com/lisa-bench/lisa-bench/internal/trial"
)

type record = trial.Record

// A Run is everything a report is made of, read from one run directory.
type Run struct {
	Experiment string
	Command    string                  // the exact command that made the run
	Timed      bool                    // a budget was in seconds: clocks may appear
	Budgets    map[string]trial.Budget // of generation, by cell ID
	Models     map[string]string       // the models that a tool asks, by its name as in tables
	// Params has the parameters of each tool that are numbers, by the tool's name as in tables.
	Params map[string]map[string]float64
	// Cutoffs are the last days of these models' training data, YYYY-MM-DD, the latest of a tool; "" where nobody
	// stated it.
	Cutoffs    map[string]string
	Planned    []trial.Cell
	Cells      []trial.Record
	Incomplete []trial.Incomplete
	Bugs       []BugInfo // of every library of the run, in the corpus's order
	Provenance []Origin
	// Evaluate are the flags with which "bench evaluate" runs a test as the run did; "" if they are not known.
	Evaluate string
	// Sources returns the text of a file of a cell, named as in trial.TestReference. An
	// error is shown in the place of the text.
	Sources func(cellID, file string) (string, error) `json:"-"`
	// Turns returns the requests and answers of a cell of an agent, nil of another cell.
	Turns func(trial.Cell) ([]llm.Entry, error) `json:"-"`
	// Against is what suspicions do on other versions (bench suspicions --against).
	Against []trial.Comparison
}

// Only returns the run with only the chosen cells.
func (r Run) Only(chosen func(trial.Cell) bool) Run {
	r.Planned = lists.Filter(r.Planned, chosen)
	r.Cells = lists.Filter(r.Cells, func(c record) bool { return chosen(c.Cell) })
	r.Incomplete = lists.Filter(r.Incomplete, func(m trial.Incomplete) bool { return chosen(m.Cell) })
	return r
}

// A BugInfo is what a report says of a bug.
type BugInfo struct {
	Library   string
	ID        string
	Title     string
	Selection string
	Diff      map[string]string // what the buggy build has otherwise, by edition
	Witness   string            // the source of a program that detects it
	Date      string            // of the fix, YYYY-MM-DD
}

// An Origin is something that the figures were made from, e.g. of the sources the hash of one.
type Origin struct{ Of, Name, Value string }

// OracleClasses are in the order in which tables print them. The last is of tests of which no class is known: a tool
// need not state one.
var OracleClasses = []trial.OracleClass{trial.OracleSpecification, trial.OracleJudgement, trial.OracleRepaired,
	trial.OracleReference, trial.OracleCrash, trial.OracleHang, ""}

// A Library is one in one edition.
type Library struct{ Name, Edition string }

// LibraryOf is the library of a cell.
func LibraryOf(c trial.Cell) Library { return Library{c.Library, c.Edition} }

func (l Library) compare(o Library) int {
	return cmp.Or(cmp.Compare(l.Name, o.Name), cmp.Compare(l.Edition, o.Edition))
}

// A Tool is one in one variant.
type Tool struct{ Name, Variant string }

// ToolOf is the tool of a cell.
func ToolOf(c trial.Cell) Tool { return Tool{c.Tool, c.Variant} }

func (t Tool) compare(o Tool) int {
	return cmp.Or(cmp.Compare(t.Name, o.Name), cmp.Compare(t.Variant, o.Variant))
}

// IsDefault reports whether the variant is the one that stands for the tool.
func (t Tool) IsDefault() bool { return t.Variant == "" || t.Variant == trial.DefaultVariant }

// String is how tables name the tool.
func (t Tool) String() string {
	if t.IsDefault() {
		return t.Name
	}
	return t.Name + "/" + t.Variant
}

// A Sorted is a Run sorted into groups.
type Sorted struct {
	Run       Run
	Libraries []Library
	Tools     []Tool
	Groups    []*Group             // by library, those with a record first, then tool; only those planned
	Bugs      map[string][]BugInfo // by the library's name
}

// Sort sorts a run. A planned cell with neither a record nor a reason was not run.
func Sort(run Run) *Sorted {
	a := &Sorted{Run: run, Bugs: map[string][]BugInfo{}}
	for _, b := range run.Bugs {
		a.Bugs[b.Library] = append(a.Bugs[b.Library], b)
	}
	seen := map[string]bool{}
	group := func(c trial.Cell) *Group {
		seen[c.ID()] = true
		g := a.Group(LibraryOf(c), ToolOf(c))
		if g == nil {
			g = &Group{Library: LibraryOf(c), Tool: ToolOf(c)}
			a.Groups = append(a.Groups, g)
			a.Libraries, a.Tools = append(a.Libraries, g.Library), append(a.Tools, g.Tool)
		}
		g.Planned++
		return g
	}
	for _, r := range run.Cells {
		g := group(r.Cell)
		g.Records = append(g.Records, r)
	}
	missing := slices.Clone(run.Incomplete)
	for _, m := range missing {
		seen[m.Cell.ID()] = true
	}
	for _, c := range run.Planned {
		if !seen[c.ID()] {
			missing = append(missing, trial.Incomplete{Cell: c, Kind: "not_run",
				Message: "the run ended before this cell was started"})
		}
	}
	for _, m := range missing {
		g := group(m.Cell)
		g.Missing = append(g.Missing, m)
	}
	for _, g := range a.Groups {
		slices.SortFunc(g.Records, func(x, y record) int { return cmp.Compare(x.Cell.Trial, y.Cell.Trial) })
		slices.SortFunc(g.Missing, func(x, y trial.Incomplete) int { return cmp.Compare(x.Cell.Trial, y.Cell.Trial) })
	}
	slices.SortFunc(a.Libraries, Library.compare)
	slices.SortFunc(a.Tools, Tool.compare)
	a.Libraries, a.Tools = slices.Compact(a.Libraries), slices.Compact(a.Tools)
	slices.SortFunc(a.Groups, func(x, y *Group) int { // those without a record push nothing out of sight
		empty := One(len(x.Records) == 0) - One(len(y.Records) == 0)
		return cmp.Or(x.Library.compare(y.Library), empty, x.Tool.compare(y.Tool))
	})
	return a
}

// Label names a library; its edition only where the run has several of the library.
func (a *Sorted) Label(l Library) string {
	for _, o := range a.Libraries {
		if o.Name == l.Name && o.Edition != l.Edition {
			return l.Name + " (" + l.Edition + ")"
		}
	}
	return l.Name
}

// Those returns the groups of the run that keep takes.
func (a *Sorted) Those(keep func(*Group) bool) []*Group { return lists.Filter(a.Groups, keep) }

// GroupsOf are the groups of a library, by tool.
func (a *Sorted) GroupsOf(l Library) []*Group {
	list := a.Those(func(g *Group) bool { return g.Library == l })
	slices.SortFunc(list, func(x, y *Group) int { return x.Tool.compare(y.Tool) })
	return list
}

// Group is a tool's on a library, nil if the run has none.
func (a *Sorted) Group(l Library, t Tool) *Group {
	for _, g := range a.Groups {
		if g.Library == l && g.Tool == t {
			return g
		}
	}
	return nil
}

// Stands reports whether a tool in its variant stands for the tool: the default does and, where a run has none, as in
// a sweep, each variant for itself.
func (a *Sorted) Stands(t Tool) bool {
	return t.IsDefault() || !slices.ContainsFunc(a.Tools, func(o Tool) bool { return o.Name == t.Name && o.IsDefault() })
}

// One counts a condition: 1 if it holds.
func One(is bool) int {
	if is {
		return 1
	}
	return 0
}
