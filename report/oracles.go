package report

import (
	"cmp"
	"slices"
	"strings"

	"github.com/lisa-bench/lisa-bench/internal/lists"
	"github.com/lisa-bench/lisa-bench/internal/trial"
	"github.com/lisa-bench/lisa-bench/report/doc"
	"github.com/lisa-bench/lisa-bench/report/measured"
)

// maxInvariants bounds the detecting assertions that are listed of one tool and bug.
const maxInvariants = 5

// An oracle is what made tests fail: its class and, of an invariant, its kind and what it rests on.
type oracle struct {
	class        trial.OracleClass
	kind, source string
}

func (o oracle) compare(p oracle) int {
	return cmp.Or(cmp.Compare(slices.Index(measured.OracleClasses, o.class), slices.Index(measured.OracleClasses, p.class)),
		strings.Compare(o.kind, p.kind), strings.Compare(o.source, p.source))
}

// A detecting is what made some detecting tests of a bug fail, and of an invariant which one.
type detecting struct {
	bug string
	oracle
	expr, contract string
	tests          int
	first          string
}

// oracles shows which oracle finds what on a run in which a tool puts invariants into
// programs. So variants of the tool on the same seeds can be compared.
func (a *analysis) oracles(s *doc.Section) {
	if !slices.ContainsFunc(a.Groups, func(g *group) bool { return g.Has(asserted) }) {
		return
	}
	kind, source := doc.Text("kind", "Kind of invariant"), doc.Text("source", "Based on")
	totals := lines("oracle_totals", "Detections by oracle (sums over trials)", doc.Text("oracle", "Oracle"), kind, source,
		doc.Count("bugs", "Bugs in any trial"), doc.Number("tests", "Detecting tests", 0))
	list := doc.NewTable("detecting_invariants", "Assertions that detect bugs, most frequent first", libraryColumn,
		doc.Text("bug", "Bug"), toolColumn, kind, source, doc.Text("contract", "Contract"),
		doc.Wide("assertion", "Assertion"), doc.Number("tests", "Tests", 0), doc.Text("first", "First test"))
	for _, l := range a.Libraries {
		for _, g := range a.GroupsOf(l) {
			if g.Kind() == trial.KindPrograms && !g.WithoutBugs() && len(a.Bugs[l.Name]) > 0 {
				found, checked := detectingOf(g)
				a.addTotals(&totals, g, found, checked)
				a.addInvariants(&list, g, found)
			}
		}
	}
	s.Put(totals, list)
	if len(s.Tables) > 0 {
		s.Notes = []string{"Oracles of tools and variants can only be compared if their sequences are the same " +
			"(parameter seeds of lisa)."}
	}
}

// addTotals adds a row for each oracle by which a group detects anything, or one that says that there is none.
func (a *analysis) addTotals(t *doc.Table, g *group, found []detecting, checked int) {
	byOracle := lists.Group(found, func(d detecting) oracle { return d.oracle })
	slices.SortFunc(byOracle, func(x, y []detecting) int { return x[0].compare(y[0].oracle) })
	if len(byOracle) == 0 {
		t.Add(a.line(g, doc.Words("none of them"), doc.Words("–"), doc.Words("–"), doc.Of(0, checked),
			doc.Int(0))...)
	}
	for _, of := range byOracle {
		o, tests := of[0].oracle, 0
		for _, d := range of {
			tests += d.tests
		}
		bugs := lists.Group(of, func(d detecting) string { return d.bug })
		t.Add(a.line(g, doc.Words(cmp.Or(string(o.class), "exit status")), doc.Words(cmp.Or(o.kind, "–")),
			doc.Words(cmp.Or(o.source, "–")), doc.Of(len(bugs), checked), doc.Int(tests))...)
	}
}

// addInvariants lists the most frequent invariants that detect each bug.
func (a *analysis) addInvariants(t *doc.Table, g *group, found []detecting) {
	for _, b := range a.Bugs[g.Library.Name] {
		of := lists.Filter(found, func(d detecting) bool { return d.bug == b.ID && d.expr != "" })
		slices.SortStableFunc(of, func(x, y detecting) int { return cmp.Compare(y.tests, x.tests) })
		for _, d := range of[:min(maxInvariants, len(of))] {
			t.Add(doc.Words(a.Label(g.Library)), doc.Words(b.ID), doc.Words(g.Tool.String()), doc.Words(d.kind),
				doc.Words(d.source), doc.Words(cmp.Or(d.contract, "–")), doc.Words("assert("+d.expr+")"), doc.Int(d.tests),
				doc.Words(d.first))
		}
	}
}

// detecting returns what detects a group's bugs, summed over trials, and how many bugs were checked.
func detectingOf(g *group) (found []detecting, checked int) {
	bugs := map[string]bool{}
	var all []detecting
	for _, r := range g.Records {
		for _, b := range lists.Filter(r.Bugs, func(b trial.BugResult) bool { return b.Missing == nil }) {
			bugs[b.Bug] = true
			for _, c := range b.Classes {
				d := detecting{bug: b.Bug, oracle: oracle{class: c.Oracle}, tests: c.Tests}
				if c.Oracle == trial.OracleSpecification { // without an assertion that failed: an exit status
					d.kind, d.tests = "no assertion", c.Tests-len(b.Failed)
				}
				if d.tests > 0 {
					all = append(all, d)
				}
			}
			for _, f := range b.Failed {
				d := detecting{b.Bug, oracle{trial.OracleSpecification, "unknown", "unknown"}, f.Expr, "", 1, f.Test}
				if s := assertedAt(r, f); s != nil {
					d.kind, d.source, d.contract = s.Kind, s.Source, s.Contract
				}
				all = append(all, d)
			}
		}
	}
	for _, same := range lists.Group(all, func(d detecting) detecting {
		return detecting{bug: d.bug, oracle: d.oracle, expr: d.expr, contract: d.contract}
	}) {
		sum := same[0]
		for _, d := range same[1:] {
			sum.tests += d.tests
		}
		found = append(found, sum)
	}
	return found, len(bugs)
}

// assertedAt finds what the tool told of the assertion that failed; nil if it told of none there, or of several of
// different kinds on one line.
func assertedAt(r record, f trial.FailedLine) *trial.Asserted {
	if !asserted.In(r) {
		return nil
	}
	var found *trial.Asserted
	for i, s := range r.Generation.Invariants.Asserted {
		switch {
		case trial.EntryID(s.Program) != f.Test || f.Line < s.First || f.Line > s.Last:
		case found != nil && (found.Kind != s.Kind || found.Source != s.Source):
			return nil
		default:
			found = &r.Generation.Invariants.Asserted[i]
		}
	}
	return found
}
