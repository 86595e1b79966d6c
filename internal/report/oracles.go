package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/lisa-bench/lisa-bench/internal/trial"
)

// maxInvariants bounds the detecting assertions that are listed of one tool and bug.
const maxInvariants = 5

// An oracle is what made a test fail: its class and, of an invariant, its kind and what it
// rests on.
type oracle struct {
	class        trial.OracleClass
	kind, source string
}

// cells are the oracle's columns.
func (o oracle) cells() []Cell {
	class := string(o.class)
	if class == "" {
		class = "exit status"
	}
	return []Cell{words(class), words(cmp.Or(o.kind, "–")), words(cmp.Or(o.source, "–"))}
}

var oracleColumns = []Column{
	{Key: "oracle", Name: "Oracle", Kind: Words},
	{Key: "kind", Name: "Kind of invariant", Kind: Words},
	{Key: "source", Name: "Based on", Kind: Words},
}

// A detecting is one assertion of the detecting tests of a bug.
type detecting struct {
	oracle
	expr, contract string
	tests          int
	first          string
}

// An attribution says by which oracles a group's tests detect each bug; tests are summed over
// trials.
type attribution struct {
	tests   map[oracle]map[string]int // by oracle, then bug
	checked map[string]bool           // bugs
	why     map[string][]detecting    // by bug
	unknown bool                      // a record does not say
}

// oracles shows, bug by bug, which oracle finds what on a run in which a tool puts invariants into
// programs. So variants of the tool on the same seeds can be compared.
func (a *analysis) oracles() Section {
	if len(a.run.Bugs) == 0 || !slices.ContainsFunc(a.groups, (*group).invariants) {
		return Section{}
	}
	totals := Table{ID: "oracle_totals", Title: "Detections by oracle (sums over trials)", Columns: slices.Concat(groupColumns[:2:2], oracleColumns, []Column{
		{Key: "bugs", Name: "Bugs in any trial", Kind: Count},
		{Key: "tests", Name: "Detecting tests", Kind: Number},
	})}
	list := Table{ID: "detecting_invariants", Title: "Assertions that detect bugs, most frequent first", Columns: slices.Concat([]Column{
		{Key: "library", Name: "Library", Kind: Words},
		{Key: "bug", Name: "Bug", Kind: Words},
		{Key: "tool", Name: "Tool", Kind: Words},
	}, oracleColumns[1:], []Column{
		{Key: "contract", Name: "Contract", Kind: Words},
		{Key: "assertion", Name: "Assertion", Kind: Words, Wide: true},
		{Key: "tests", Name: "Tests", Kind: Number},
		{Key: "first", Name: "First test", Kind: Words},
	})}
	s := Section{ID: "oracle_value", Title: "What each oracle finds",
		Definitions: []Definition{
			{"Detecting tests", "Tests of all trials that pass on the reference build and fail on the buggy one in every run. A test counts once per bug, under the assertion that failed first.", ""},
			{"Kind, based on", "The kind is what the model that wrote the invariant called it, the basis the source of the contract that it cites. “None cited” is the model alone.", ""},
		},
		Notes: []string{"Oracles of tools and variants can only be compared if their sequences are the same (parameter seeds of lisa)."}}
	for _, subj := range a.subjects {
		if t := a.oraclesOf(subj, &totals, &list); len(t.Rows) > 0 {
			s.Tables = append(s.Tables, t)
		}
	}
	s.Tables = append(s.Tables, totals)
	if len(list.Rows) > 0 {
		s.Tables = append(s.Tables, list)
	}
	return s
}

// invariants reports whether a trial of the group put assertions into programs.
func (g *group) invariants() bool {
	return len(having(g, invariantsOf)) > 0
}

// oraclesOf is the table of one library; it adds to the other two.
func (a *analysis) oraclesOf(subj subject, totals, list *Table) Table {
	name := a.label(subj)
	t := Table{ID: "oracles_" + Slug(name), Title: "Bugs of " + name + ": detecting tests by oracle (sums over trials)", Spread: "bug",
		Columns: slices.Concat([]Column{{Key: "tool", Name: "Tool", Kind: Words}}, oracleColumns)}
	bugs := a.bugs[subj.library]
	for _, b := range bugs {
		t.Columns = append(t.Columns, Column{Key: b.ID, Name: b.ID, Kind: Number})
	}
	for _, contender := range a.contenders {
		g := a.group(subj, contender)
		if g == nil || len(g.records) == 0 || g.kind() == trial.KindCorpus || g.withoutBugs() || len(bugs) == 0 {
			continue
		}
		at := attribute(g)
		if at.unknown {
			w := fmt.Sprintf("%s on %s is left out: it was measured by an older bench, which did not store detections by oracle; run it again.", contender, name)
			totals.Warnings = append(totals.Warnings, w)
			continue
		}
		for _, o := range at.sorted() {
			row := append([]Cell{words(contender.String())}, o.cells()...)
			found, sum := 0, 0
			for _, b := range bugs {
				n := at.tests[o][b.ID]
				switch {
				case !at.checked[b.ID]:
					row = append(row, Cell{Missing: Lacking, Notes: []string{Clean("missing: " + b.ID + " could not be checked")}})
					continue
				case n > 0:
					found++
				}
				sum += n
				row = append(row, whole(n))
			}
			t.Rows = append(t.Rows, row)
			totals.Rows = append(totals.Rows, slices.Concat(a.groupCells(g), o.cells(), []Cell{count(found, len(at.checked)), whole(sum)}))
		}
		for _, b := range bugs {
			for i, d := range at.why[b.ID] {
				if i < maxInvariants {
					list.Rows = append(list.Rows, slices.Concat([]Cell{words(name), words(b.ID), words(contender.String())}, d.cells()[1:],
						[]Cell{words(cmp.Or(d.contract, "–")), words("assert(" + d.expr + ")"), whole(d.tests), words(d.first)}))
				}
			}
		}
	}
	return t
}

// sorted are the oracles that detect anything, in table order; one that stands for nothing at
// all if there are none.
func (at attribution) sorted() []oracle {
	var all []oracle
	for o := range at.tests {
		all = append(all, o)
	}
	if len(all) == 0 {
		return []oracle{{class: "none of them"}}
	}
	slices.SortFunc(all, func(x, y oracle) int {
		return cmp.Or(cmp.Compare(slices.Index(oracleClasses, x.class), slices.Index(oracleClasses, y.class)),
			strings.Compare(x.kind, y.kind), strings.Compare(x.source, y.source))
	})
	return all
}

// attribute sums a group's detections by oracle.
func attribute(g *group) attribution {
	at := attribution{tests: map[oracle]map[string]int{}, checked: map[string]bool{}, why: map[string][]detecting{}}
	for _, r := range g.records {
		asserted := assertedIn(r)
		for _, b := range r.Bugs {
			if b.Missing != nil {
				continue
			}
			at.checked[b.Bug] = true
			at.unknown = at.unknown || b.Detected && len(b.Classes) == 0
			rest := 0 // of class specification, without an assertion that failed: an exit status
			for _, c := range b.Classes {
				if c.Oracle != trial.OracleSpecification {
					at.add(oracle{class: c.Oracle}, b.Bug, c.Tests)
				} else if rest = c.Tests - len(b.Failed); rest > 0 {
					at.add(oracle{class: c.Oracle, kind: "no assertion"}, b.Bug, rest)
				}
			}
			for _, f := range b.Failed {
				d := detecting{oracle: oracle{class: trial.OracleSpecification, kind: "unknown", source: "unknown"}, expr: f.Expr, tests: 1, first: f.Test}
				if s := asserted.at(f); s != nil {
					d.kind, d.source, d.contract = s.Kind, s.Source, s.Contract
				}
				at.add(d.oracle, b.Bug, 1)
				at.note(b.Bug, d)
			}
		}
	}
	for _, list := range at.why {
		slices.SortStableFunc(list, func(x, y detecting) int { return cmp.Compare(y.tests, x.tests) })
	}
	return at
}

func (at attribution) add(o oracle, bug string, tests int) {
	if at.tests[o] == nil {
		at.tests[o] = map[string]int{}
	}
	at.tests[o][bug] += tests
}

// note counts a detecting assertion with those that are written the same.
func (at attribution) note(bug string, d detecting) {
	for i := range at.why[bug] {
		if w := &at.why[bug][i]; w.oracle == d.oracle && w.expr == d.expr && w.contract == d.contract {
			w.tests++
			return
		}
	}
	at.why[bug] = append(at.why[bug], d)
}

// assertions are what a tool tells of those in its programs, by program.
type assertions map[string][]trial.Asserted

func assertedIn(r trial.Record) assertions {
	all := assertions{}
	if r.Generation == nil || r.Generation.Invariants == nil {
		return all
	}
	for _, s := range r.Generation.Invariants.Asserted {
		id := trial.EntryID(s.Program)
		all[id] = append(all[id], s)
	}
	return all
}

// at finds the assertion that failed; nil if the tool tells of none there, or of several of
// different kinds on one line.
func (a assertions) at(f trial.FailedLine) *trial.Asserted {
	var found *trial.Asserted
	for i := range a[f.Test] {
		s := &a[f.Test][i]
		switch {
		case f.Line < s.First || f.Line > s.Last:
		case found != nil && (found.Kind != s.Kind || found.Source != s.Source):
			return nil
		default:
			found = s
		}
	}
	return found
}
