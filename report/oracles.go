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
	return []Cell{words(cmp.Or(string(o.class), "exit status")), words(cmp.Or(o.kind, "–")), words(cmp.Or(o.source, "–"))}
}

var oracleColumns = []Column{textColumn("oracle", "Oracle"), textColumn("kind", "Kind of invariant"), textColumn("source", "Based on")}

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

// oracles shows which oracle finds what on a run in which a tool puts invariants into
// programs. So variants of the tool on the same seeds can be compared.
func (a *analysis) oracles(s *Section) {
	if !slices.ContainsFunc(a.groups, func(g *group) bool { return len(having(g, invariantsOf)) > 0 }) {
		return
	}
	totals := groupTable("oracle_totals", "Detections by oracle (sums over trials)",
		slices.Concat(oracleColumns, []Column{countColumn("bugs", "Bugs in any trial"), numberColumn("tests", "Detecting tests", 0)})...)
	list := newTable("detecting_invariants", "Assertions that detect bugs, most frequent first",
		textColumn("library", "Library"), textColumn("bug", "Bug"), textColumn("tool", "Tool"), oracleColumns[1], oracleColumns[2],
		textColumn("contract", "Contract"), wideColumn("assertion", "Assertion"), numberColumn("tests", "Tests", 0), textColumn("first", "First test"))
	for _, l := range a.libraries {
		for _, g := range a.groupsOf(l) {
			if len(g.records) > 0 && g.kind() != trial.KindCorpus && !g.withoutBugs() && len(a.bugs[l.name]) > 0 {
				a.attribute(g, &totals, &list)
			}
		}
	}
	s.Tables = withRows(totals, list)
	if len(s.Tables) > 0 {
		s.Notes = []string{"Oracles of tools and variants can only be compared if their sequences are the same (parameter seeds of lisa)."}
	}
}

// attribute adds a group's rows to both tables.
func (a *analysis) attribute(g *group, totals, list *Table) {
	at := attributionOf(g)
	if at.unknown {
		totals.Warnings = append(totals.Warnings, fmt.Sprintf(
			"%s on %s is left out: it was measured by an older bench, which did not store detections by oracle; run it again.", g.tool, a.label(g.library)))
		return
	}
	for _, o := range at.sorted() {
		sum := 0
		for _, n := range at.tests[o] {
			sum += n
		}
		totals.add(a.groupCells(g, append(o.cells(), count(len(at.tests[o]), len(at.checked)), whole(sum))...)...)
	}
	for _, b := range a.bugs[g.library.name] {
		for _, d := range at.why[b.ID][:min(maxInvariants, len(at.why[b.ID]))] {
			list.add(words(a.label(g.library)), words(b.ID), words(g.tool.String()), d.cells()[1], d.cells()[2],
				words(cmp.Or(d.contract, "–")), words("assert("+d.expr+")"), whole(d.tests), words(d.first))
		}
	}
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

// attributionOf sums a group's detections by oracle.
func attributionOf(g *group) attribution {
	at := attribution{tests: map[oracle]map[string]int{}, checked: map[string]bool{}, why: map[string][]detecting{}}
	for _, r := range g.records {
		for _, b := range r.Bugs {
			if b.Missing != nil {
				continue
			}
			at.checked[b.Bug] = true
			at.unknown = at.unknown || b.Detected && len(b.Classes) == 0
			for _, c := range b.Classes {
				if c.Oracle != trial.OracleSpecification {
					at.add(oracle{class: c.Oracle}, b.Bug, c.Tests)
				} else if rest := c.Tests - len(b.Failed); rest > 0 { // without an assertion that failed: an exit status
					at.add(oracle{class: c.Oracle, kind: "no assertion"}, b.Bug, rest)
				}
			}
			for _, f := range b.Failed {
				d := detecting{oracle: oracle{trial.OracleSpecification, "unknown", "unknown"}, expr: f.Expr, tests: 1, first: f.Test}
				if s := assertedAt(r, f); s != nil {
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

// assertedAt finds what the tool told of the assertion that failed; nil if it told of none there, or of several of
// different kinds on one line.
func assertedAt(r trial.Record, f trial.FailedLine) *trial.Asserted {
	invariants := invariantsOf(r)
	if invariants == nil {
		return nil
	}
	var found *trial.Asserted
	for i, s := range invariants.Asserted {
		switch {
		case trial.EntryID(s.Program) != f.Test || f.Line < s.First || f.Line > s.Last:
		case found != nil && (found.Kind != s.Kind || found.Source != s.Source):
			return nil
		default:
			found = &invariants.Asserted[i]
		}
	}
	return found
}
