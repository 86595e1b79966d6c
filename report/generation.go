package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/lisa-bench/lisa-bench/internal/lists"
	"github.com/lisa-bench/lisa-bench/internal/trial"
	"github.com/lisa-bench/lisa-bench/report/doc"
	"github.com/lisa-bench/lisa-bench/report/measured"
	"github.com/lisa-bench/lisa-bench/results"
)

// generation reports how the tools that ask a model worked: what repair and the other passes changed, and what was
// counted of answers, rules and assertions.
func (a *analysis) generation(s *doc.Section) {
	if asking := a.Those(func(g *group) bool { return g.Has(generated) }); len(asking) > 0 {
		s.Put(a.repairTable(asking), a.passTable(asking), a.countTable(asking))
	}
}

func (a *analysis) repairTable(asking []*group) doc.Table {
	first := func(r record) trial.Attempts { return r.Generation.First }
	final := func(r record) trial.Attempts { return r.Generation.Final }
	columns := []column{
		trials,
		{doc.Number("programs", "Programs", 0), generated.Figure(func(records []record) doc.Cell {
			n, finished := 0, 0
			for _, r := range records {
				n, finished = n+first(r).Programs, finished+final(r).Programs
			}
			if finished < n {
				return doc.Int(n).With(fmt.Sprintf(
					"in no suite: %d of them, which waited for a repair when the budget ended", n-finished))
			}
			return doc.Int(n)
		})},
		{doc.Number("repairs", "Repairs", 0), generated.Sum(func(r record) int { return r.Generation.Repairs })},
	}
	for _, rate := range []struct {
		key, name string
		of        func(trial.Attempts) int
	}{
		{"csr", "CSR % at first", func(x trial.Attempts) int { return x.Compiled }},
		{"esr", "ESR % at first", func(x trial.Attempts) int { return x.Executed }},
		{"refused", "Break the policy % at first", func(x trial.Attempts) int { return x.Refused }},
	} {
		for _, at := range []struct {
			column doc.Column
			tries  func(record) trial.Attempts
		}{
			{doc.Percent("first_"+rate.key, rate.name, 1), first}, {doc.Percent("final_"+rate.key, "after repair", 1), final},
		} {
			tried := part{In: func(r record) bool { return generated.In(r) && at.tries(r).Programs > 0 }}
			columns = append(columns, column{at.column, tried.Mean(func(r record) float64 {
				return 100 * float64(rate.of(at.tries(r))) / float64(at.tries(r).Programs)
			})})
		}
	}
	return a.table("repair", "Success rates before and after repair (mean ± standard deviation over trials)", asking,
		columns...)
}

// passTable reports how many of a tool's programs compile after each of its post-processing
// passes, one row for a pass; no row where no tool has passes.
func (a *analysis) passTable(asking []*group) doc.Table {
	t := lines("passes", "Programs that compile after each post-processing pass (mean ± standard deviation over trials)",
		trials.Column, doc.Text("after", "After"), doc.Number("compiled", "Compiled", 0), doc.Number("programs", "of", 0),
		doc.Percent("csr", "CSR %", 1), doc.Estimate("gain", "Gain, points", 1).In("points"))
	for _, g := range asking {
		var names []string
		for _, r := range lists.Filter(g.Records, generated.In) {
			for _, p := range r.Generation.Passes {
				if !slices.Contains(names, p.Name) {
					names = append(names, p.Name)
				}
			}
		}
		for i, name := range names {
			compiled, programs := 0, 0
			for _, r := range lists.Filter(g.Records, generated.In) {
				compiled, programs = compiled+passOf(r, name).Compiled, programs+passOf(r, name).Programs
			}
			rate := metric{Part: generated, Of: func(r record) (float64, bool) { return rateOf(r, name) }}
			gain := func(*group) doc.Cell { return doc.NA("it is the first pass") }
			if i > 0 {
				gain = metric{Part: generated, Of: func(r record) (float64, bool) {
					after, ok := rateOf(r, name)
					before, both := rateOf(r, names[i-1])
					return after - before, ok && both
				}}.Cell
			}
			t.Add(a.line(g, trials.of(g), doc.Words(name), doc.Int(compiled), doc.Int(programs), rate.Cell(g), gain(g))...)
		}
	}
	return t
}

// passOf is a pass of a record, empty if it has none of that name, and rateOf the percentage that compiles after it.
func passOf(r record, name string) trial.Pass {
	for _, p := range r.Generation.Passes {
		if p.Name == name {
			return p
		}
	}
	return trial.Pass{}
}

func rateOf(r record, name string) (pct float64, ok bool) {
	p := passOf(r, name)
	return 100 * float64(p.Compiled) / float64(max(p.Programs, 1)), p.Programs > 0
}

// countTable has everything that tools count by names, one row for a name.
func (a *analysis) countTable(asking []*group) doc.Table {
	t := lines("counts", "What tools count by name (sums over trials)", doc.Text("of", "Of"), doc.Text("name", "Name"),
		doc.Number("count", "Count", 0))
	type named struct{ of, name string }
	for _, g := range asking {
		var order []named
		sums := map[named]int{}
		add := func(of string, list []trial.NamedCount) {
			for _, c := range list {
				n := named{of, c.Name}
				if _, known := sums[n]; !known {
					order = append(order, n)
				}
				sums[n] += c.Count
			}
		}
		for _, r := range lists.Filter(g.Records, generated.In) {
			for _, c := range r.Generation.Answers {
				name := c.Stage + ": " + strings.ReplaceAll(c.Outcome, "_", " ")
				add("answer", []trial.NamedCount{{Name: name, Count: c.Count}})
			}
			add("program rejected by the rule", r.Generation.Lost)
			if i := r.Generation.Invariants; i != nil {
				add("kind of assertion", i.Kinds)
				add("source of assertion", i.Sources)
				add("fault of an answer with assertions", i.Failures)
			}
		}
		for _, of := range lists.Group(order, func(n named) string { return n.of }) {
			for _, n := range of {
				t.Add(a.line(g, doc.Words(n.of), doc.Words(n.name), doc.Int(sums[n]))...)
			}
		}
	}
	return t
}

// invariants tells of tools that put assertions into programs.
func (a *analysis) invariants(s *doc.Section) {
	sum := func(of func(*trial.Invariants) int) func(*group) doc.Cell {
		return asserted.Sum(func(r record) int { return of(r.Generation.Invariants) })
	}
	s.Put(a.table("invariants", "Assertions put into seeds (sums over trials)",
		a.Those(func(g *group) bool { return g.Has(asserted) }),
		trials,
		column{doc.Number("seeds", "Valid seeds", 0), sum(func(i *trial.Invariants) int { return i.Seeds })},
		column{doc.Number("finished", "With assertions", 0), sum(func(i *trial.Invariants) int { return i.Finished })},
		column{doc.Number("assertions", "Assertions", 0), sum(func(i *trial.Invariants) int { return i.Assertions })},
		column{doc.Number("mended", "Of them repaired to value", 0), sum(func(i *trial.Invariants) int { return i.Mended })},
		column{doc.Number("chunks", "Chunks", 0), sum(func(i *trial.Invariants) int { return i.Chunks })},
		column{doc.Number("first", "Right at once", 0), sum(func(i *trial.Invariants) (n int) {
			for _, chunks := range i.Repaired[:min(1, len(i.Repaired))] {
				n += chunks
			}
			return n
		})},
		column{doc.Number("repaired", "After repair", 0), sum(func(i *trial.Invariants) (n int) {
			for _, chunks := range i.Repaired[min(1, len(i.Repaired)):] {
				n += chunks
			}
			return n
		})},
		column{doc.Number("restored", "Given up", 0), sum(func(i *trial.Invariants) int { return i.Restored })},
		column{doc.Number("suspicions", "Suspicions", 0),
			asserted.Sum(func(r record) int { return len(r.Generation.Suspicions) })},
	))
}

// mostPrograms is how many suspicions, of the first, have their programs in the report.
const mostPrograms = 100

// suspicions lists what a person has to look at, the strongest first. A suspicion's page and bench suspicions have the
// rest of each.
func (a *analysis) suspicions(s *doc.Section) {
	list, err := results.RankSuspicions(a.Run.Cells, func(c trial.Cell, file string) (string, error) {
		text, _ := a.source(c.ID(), file)
		return text, nil
	})
	t := lines("suspicions", "Suspicions for review, most promising first", doc.Number("trial", "Trial", 0),
		doc.Text("id", "Id"),
		doc.Wide("assertion", "Assertion"), doc.Text("opinion", "Opinion"), doc.Number("shown", "Programs", 0))
	t.Columns = append([]doc.Column{doc.Number("rank", "Rank", 0)}, t.Columns...)
	for i, against := range a.Run.Against {
		t.Columns = append(t.Columns, doc.Text(fmt.Sprintf("against_%d", i+1), fmt.Sprintf("%s on %s", against.Library,
			against.Version)))
	}
	for _, c := range list {
		row := []doc.Cell{doc.Int(c.Rank), doc.Words(a.Label(measured.LibraryOf(c.Cell))),
			doc.Words(measured.ToolOf(c.Cell).String()),
			doc.Int(c.Cell.Trial), {Text: doc.Clean(c.ID), Detail: a.suspicionDetail(c)}, doc.Words("assert(" + c.Assertion +
				")"),
			doc.Words(string(c.Opinion.Verdict)), doc.Int(c.Shown)}
		for _, against := range a.Run.Against {
			cell := doc.Words("–")
			if change, ok := against.Of(c.Cell, c.ID); ok {
				cell = doc.Words(string(change.Outcome)).With(strings.Join(append([]string{change.Detail}, change.Values...), " "))
			}
			row = append(row, cell)
		}
		t.Add(row...)
	}
	if err != nil {
		t.Warnings = append(t.Warnings, doc.Clean(err.Error()))
	}
	s.Put(t)
}

// suspicionDetail keeps the program of a suspicion, if it is one of the first.
func (a *analysis) suspicionDetail(c results.RankedSuspicion) string {
	if c.Rank > mostPrograms {
		return ""
	}
	title := fmt.Sprintf("%s: suspicion %d, %s of %s", a.Label(measured.LibraryOf(c.Cell)), c.Rank, c.ID,
		measured.ToolOf(c.Cell))
	d := a.open(title, c.Cell.ID(), c.Program, maxSources)
	d.Line, d.Caption, d.Command = c.Line, "Its program", doc.Clean("sh cells/"+c.Cell.ID()+"/"+c.Script)
	d.Facts = []doc.KeyValue{doc.Fact("Assertion", c.Assertion), doc.Fact("Reference returned", strings.Join(c.Values,
		", ")),
		doc.Fact("Based on", c.Reason()), doc.Fact("The tool says", c.Argument),
		doc.Fact("Second opinion", strings.TrimSuffix(string(c.Opinion.Verdict)+": "+c.Opinion.Why, ": ")),
		doc.Fact("In the suite it was", string(c.Fate)), doc.Fact("Place", c.Place)}
	return d.ID
}

// maxInvariants bounds the detecting assertions that are listed of one tool and bug.
const maxInvariants = 5

// An oracle is what made tests fail: its class and, of an invariant, its kind and what it rests on.
type oracle struct {
	class        trial.OracleClass
	kind, source string
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
	word := func(text string) doc.Cell { return doc.Words(cmp.Or(text, "–")) }
	for _, l := range a.Libraries {
		for _, g := range a.GroupsOf(l) {
			if g.Kind() != trial.KindPrograms || g.WithoutBugs() || len(a.Bugs[l.Name]) == 0 {
				continue
			}
			found, checked := detectingOf(g)
			byOracle := lists.Group(found, func(d detecting) oracle { return d.oracle })
			slices.SortFunc(byOracle, func(x, y []detecting) int {
				return cmp.Or(cmp.Compare(slices.Index(measured.OracleClasses, x[0].class), slices.Index(measured.OracleClasses,
					y[0].class)),
					strings.Compare(x[0].kind, y[0].kind), strings.Compare(x[0].source, y[0].source))
			})
			if len(byOracle) == 0 {
				totals.Add(a.line(g, doc.Words("none of them"), word(""), word(""), doc.Of(0, checked), doc.Int(0))...)
			}
			for _, of := range byOracle {
				tests, bugs := 0, map[string]bool{}
				for _, d := range of {
					tests, bugs[d.bug] = tests+d.tests, true
				}
				totals.Add(a.line(g, doc.Words(cmp.Or(string(of[0].class), "exit status")), word(of[0].kind), word(of[0].source),
					doc.Of(len(bugs), checked), doc.Int(tests))...)
			}
			for _, b := range a.Bugs[l.Name] {
				of := lists.Filter(found, func(d detecting) bool { return d.bug == b.ID && d.expr != "" })
				slices.SortStableFunc(of, func(x, y detecting) int { return cmp.Compare(y.tests, x.tests) })
				for _, d := range of[:min(maxInvariants, len(of))] {
					list.Add(doc.Words(a.Label(l)), doc.Words(b.ID), doc.Words(g.Tool.String()), doc.Words(d.kind),
						doc.Words(d.source),
						word(d.contract), doc.Words("assert("+d.expr+")"), doc.Int(d.tests), doc.Words(d.first))
				}
			}
		}
	}
	s.Put(totals, list)
	if len(totals.Rows) > 0 {
		s.Notes = []string{"Oracles of tools and variants can only be compared if their sequences are the same " +
			"(parameter seeds of lisa)."}
	}
}

// detectingOf returns what detects a group's bugs, summed over trials, and how many bugs were checked.
func detectingOf(g *group) (found []detecting, checked int) {
	bugs := map[string]bool{}
	add := func(d detecting) {
		if d.tests <= 0 {
			return
		}
		for i, f := range found {
			if f.bug == d.bug && f.oracle == d.oracle && f.expr == d.expr && f.contract == d.contract {
				found[i].tests += d.tests
				return
			}
		}
		found = append(found, d)
	}
	for _, r := range g.Records {
		for _, b := range lists.Filter(r.Bugs, func(b trial.BugResult) bool { return b.Missing == nil }) {
			bugs[b.Bug] = true
			for _, c := range b.Classes {
				d := detecting{bug: b.Bug, oracle: oracle{class: c.Oracle}, tests: c.Tests}
				if c.Oracle == trial.OracleSpecification { // without an assertion that failed: an exit status
					d.kind, d.tests = "no assertion", c.Tests-len(b.Failed)
				}
				add(d)
			}
			for _, f := range b.Failed {
				d := detecting{b.Bug, oracle{trial.OracleSpecification, "unknown", "unknown"}, f.Expr, "", 1, f.Test}
				if s := assertedAt(r, f); s != nil {
					d.kind, d.source, d.contract = s.Kind, s.Source, s.Contract
				}
				add(d)
			}
		}
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
