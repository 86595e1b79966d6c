package report

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/lisa-bench/lisa-bench/internal/trial"
)

// A Run is everything a report is made of, read from one run directory.
type Run struct {
	Experiment string
	Command    string                  // the exact command that made the run
	Timed      bool                    // a budget was in seconds: clocks may appear
	Budgets    map[string]trial.Budget // of generation, by cell ID
	Models     map[string]string       // the models that a tool asks, by its name as in tables
	Cutoffs    map[string]string       // the last day of these models' training data, YYYY-MM-DD, the latest of a tool; "" where nobody stated it
	Planned    []trial.Cell
	Cells      []trial.Record
	Incomplete []trial.Incomplete
	Bugs       []BugInfo // of every library of the run, in the corpus's order
	Provenance []Facts
	// Evaluate are the flags with which "bench evaluate" runs a test as the run did; "" if they are not known.
	Evaluate string
	// Sources returns the text of a file of a cell, named as in trial.TestReference. An
	// error is shown in the place of the text.
	Sources func(cellID, file string) (string, error)
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
	Entries []KeyValue
}

// A KeyValue is one fact.
type KeyValue struct{ Key, Value string }

// A subject is a library in one edition.
type subject struct{ library, edition string }

// A contender is a tool in one variant.
type contender struct{ tool, variant string }

func (c contender) isDefault() bool { return c.variant == "" || c.variant == trial.DefaultVariant }

func (c contender) String() string {
	if c.isDefault() {
		return c.tool
	}
	return c.tool + "/" + c.variant
}

// A group is what one contender did for one subject, over its trials.
type group struct {
	subject   subject
	contender contender
	planned   int
	records   []trial.Record // by trial
	missing   []trial.Incomplete
}

// kind returns the kind of the group's suites, "" while no trial is complete.
func (g *group) kind() trial.SuiteKind {
	if len(g.records) == 0 {
		return ""
	}
	return g.records[0].Kind
}

// An analysis is a Run sorted into groups, what the section builders work on.
type analysis struct {
	run        Run
	subjects   []subject
	contenders []contender
	groups     []*group // by subject, those with a record first, then contender; only those planned
	bugs       map[string][]BugInfo
	details    []Detail
	detecting  int     // bytes of the sources in details of tests that detect bugs
	failing    int     // bytes of the sources of those that fail on the reference
	data       []Table // tables that only CSV renders
	chosen     []pair  // the comparisons to make, instead of those of pairs
}

// analyse sorts a run and refuses contradictions.
func analyse(run Run) (*analysis, error) {
	a := &analysis{run: run, bugs: map[string][]BugInfo{}}
	for _, b := range run.Bugs {
		if slices.ContainsFunc(a.bugs[b.Library], func(o BugInfo) bool { return o.ID == b.ID }) {
			return nil, fmt.Errorf("report of %s: bug %s of %s is listed twice", run.Experiment, b.ID, b.Library)
		}
		a.bugs[b.Library] = append(a.bugs[b.Library], b)
	}
	groupOf := func(c trial.Cell) *group {
		s, t := subject{c.Library, c.Edition}, contender{c.Tool, c.Variant}
		if g := a.group(s, t); g != nil {
			return g
		}
		a.groups = append(a.groups, &group{subject: s, contender: t})
		return a.groups[len(a.groups)-1]
	}
	if err := a.sortCells(groupOf); err != nil {
		return nil, fmt.Errorf("report of %s: %w", run.Experiment, err)
	}
	for _, g := range a.groups {
		slices.SortFunc(g.records, func(x, y trial.Record) int { return cmp.Compare(x.Cell.Trial, y.Cell.Trial) })
		slices.SortFunc(g.missing, func(x, y trial.Incomplete) int { return cmp.Compare(x.Cell.Trial, y.Cell.Trial) })
		a.subjects, a.contenders = append(a.subjects, g.subject), append(a.contenders, g.contender)
	}
	bySubject := func(x, y subject) int {
		return cmp.Or(cmp.Compare(x.library, y.library), cmp.Compare(x.edition, y.edition))
	}
	byContender := func(x, y contender) int {
		return cmp.Or(cmp.Compare(x.tool, y.tool), cmp.Compare(x.variant, y.variant))
	}
	slices.SortFunc(a.subjects, bySubject)
	slices.SortFunc(a.contenders, byContender)
	a.subjects, a.contenders = slices.Compact(a.subjects), slices.Compact(a.contenders)
	slices.SortFunc(a.groups, func(x, y *group) int { // those without a record come last, where they push nothing out of sight
		return cmp.Or(bySubject(x.subject, y.subject), one(len(x.records) == 0)-one(len(y.records) == 0), byContender(x.contender, y.contender))
	})
	return a, nil
}

// sortCells puts every cell into its group. A planned cell with neither a record nor a
// reason was not run.
func (a *analysis) sortCells(groupOf func(trial.Cell) *group) error {
	seen := map[string]bool{}
	mark := func(c trial.Cell) error {
		if seen[c.ID()] {
			return fmt.Errorf("cell %s is recorded twice", c.ID())
		}
		seen[c.ID()] = true
		return nil
	}
	for _, r := range a.run.Cells {
		if err := cmp.Or(mark(r.Cell), a.checkBugs(r)); err != nil {
			return err
		}
		g := groupOf(r.Cell)
		if len(g.records) > 0 && g.kind() != r.Kind {
			return fmt.Errorf("cell %s: a suite of kind %s beside trials of kind %s", r.Cell.ID(), r.Kind, g.kind())
		}
		g.records = append(g.records, r)
		g.planned++
	}
	for _, m := range a.run.Incomplete {
		if err := mark(m.Cell); err != nil {
			return err
		}
		g := groupOf(m.Cell)
		g.missing = append(g.missing, m)
		g.planned++
	}
	for _, c := range a.run.Planned {
		if seen[c.ID()] {
			continue
		}
		seen[c.ID()] = true
		g := groupOf(c)
		g.missing = append(g.missing, trial.Incomplete{Cell: c, Kind: "not_run", Message: "the run ended before this cell was started"})
		g.planned++
	}
	return nil
}

func (a *analysis) checkBugs(r trial.Record) error {
	for _, b := range r.Bugs {
		if !slices.ContainsFunc(a.bugs[r.Cell.Library], func(o BugInfo) bool { return o.ID == b.Bug }) {
			return fmt.Errorf("cell %s: verdict on bug %s, which is not among the bugs of %s", r.Cell.ID(), b.Bug, r.Cell.Library)
		}
	}
	return nil
}

// label names a subject; its edition only where the run has several of the library.
func (a *analysis) label(s subject) string {
	for _, o := range a.subjects {
		if o.library == s.library && o.edition != s.edition {
			return s.library + " (" + s.edition + ")"
		}
	}
	return s.library
}

// groupsOf are the groups of a library, by contender.
func (a *analysis) groupsOf(s subject) []*group {
	var list []*group
	for _, c := range a.contenders {
		if g := a.group(s, c); g != nil {
			list = append(list, g)
		}
	}
	return list
}

func (a *analysis) group(s subject, c contender) *group {
	i := slices.IndexFunc(a.groups, func(g *group) bool { return g.subject == s && g.contender == c })
	if i < 0 {
		return nil
	}
	return a.groups[i]
}
