package report

import (
	"fmt"
	"strings"

	"github.com/lisa-bench/lisa-bench/internal/lists"
	"github.com/lisa-bench/lisa-bench/internal/trial"
	"github.com/lisa-bench/lisa-bench/report/doc"
)

// generation reports how the tools that ask a model worked: what repair and the other passes changed, and what was
// counted of answers, rules and assertions.
func (a *analysis) generation(s *doc.Section) {
	if asking := a.Those(func(g *group) bool { return g.Has(generated) }); len(asking) > 0 {
		s.Tables = []doc.Table{a.repairTable(asking)}
		s.Put(a.passTable(asking))
		s.Put(a.countTable(asking))
	}
}

// A try is one of the two in which a program may pass.
func first(r record) trial.Attempts { return r.Generation.First }
func final(r record) trial.Attempts { return r.Generation.Final }

// attempted is a percentage of the programs that a tool tried.
func attempted(at func(record) trial.Attempts, of func(trial.Attempts) int) func(*group) doc.Cell {
	tried := part{In: func(r record) bool { return generated.In(r) && at(r).Programs > 0 }}
	return tried.Plain(func(r record) float64 { return 100 * float64(of(at(r))) / float64(at(r).Programs) }).Cell
}

func (a *analysis) repairTable(asking []*group) doc.Table {
	columns := []column{
		trials,
		{doc.Number("programs", "Programs", 0), func(g *group) doc.Cell {
			n := g.Total(generated, func(r record) int { return first(r).Programs })
			if waiting := n - g.Total(generated, func(r record) int { return final(r).Programs }); waiting > 0 {
				return doc.Int(n).With(fmt.Sprintf(
					"in no suite: %d of them, which waited for a repair when the budget ended", waiting))
			}
			return doc.Int(n)
		}},
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
		columns = append(columns, column{doc.Percent("first_"+rate.key, rate.name, 1), attempted(first, rate.of)},
			column{doc.Percent("final_"+rate.key, "after repair", 1), attempted(final, rate.of)})
	}
	return a.table("repair", "Success rates before and after repair (mean ± standard deviation over trials)", asking, columns)
}

// countTable has everything that tools count by names, one row for a name.
func (a *analysis) countTable(asking []*group) doc.Table {
	t := lines("counts", "What tools count by name (sums over trials)", doc.Text("of", "Of"), doc.Text("name", "Name"),
		doc.Number("count", "Count", 0))
	for _, g := range asking {
		for _, of := range counts {
			for _, list := range lists.Group(named(g, of.in), func(c trial.NamedCount) string { return c.Name }) {
				n := 0
				for _, c := range list {
					n += c.Count
				}
				t.Add(a.line(g, doc.Words(of.what), doc.Words(list[0].Name), doc.Int(n))...)
			}
		}
	}
	return t
}

// named are all counts of the group's records.
func named(g *group, in func(*trial.Generation) []trial.NamedCount) (all []trial.NamedCount) {
	for _, r := range lists.Filter(g.Records, generated.In) {
		all = append(all, in(r.Generation)...)
	}
	return all
}

// counts are what tools count by names.
var counts = []struct {
	what string
	in   func(*trial.Generation) []trial.NamedCount
}{
	{"answer", func(g *trial.Generation) (all []trial.NamedCount) {
		for _, c := range g.Answers {
			all = append(all, trial.NamedCount{Name: c.Stage + ": " + strings.ReplaceAll(c.Outcome, "_", " "), Count: c.Count})
		}
		return all
	}},
	{"program rejected by the rule", func(g *trial.Generation) []trial.NamedCount { return g.Lost }},
	{"kind of assertion", ofInvariants(func(i *trial.Invariants) []trial.NamedCount { return i.Kinds })},
	{"source of assertion", ofInvariants(func(i *trial.Invariants) []trial.NamedCount { return i.Sources })},
	{"fault of an answer with assertions",
		ofInvariants(func(i *trial.Invariants) []trial.NamedCount { return i.Failures })},
}

func ofInvariants(of func(*trial.Invariants) []trial.NamedCount) func(*trial.Generation) []trial.NamedCount {
	return func(g *trial.Generation) []trial.NamedCount {
		if g.Invariants == nil {
			return nil
		}
		return of(g.Invariants)
	}
}

// passTable reports how many of a tool's programs compile after each of its post-processing
// passes, one row for a pass; no row where no tool has passes.
func (a *analysis) passTable(asking []*group) doc.Table {
	t := lines("passes", "Programs that compile after each post-processing pass (mean ± standard deviation over trials)",
		trials.Column, doc.Text("after", "After"), doc.Number("compiled", "Compiled", 0), doc.Number("programs", "of", 0),
		doc.Percent("csr", "CSR %", 1), doc.Estimate("gain", "Gain, points", 1).In("points"))
	for _, g := range asking {
		var all []trial.Pass
		for _, r := range lists.Filter(g.Records, generated.In) {
			all = append(all, r.Generation.Passes...)
		}
		gain, before := doc.NA("it is the first pass"), metric{}
		for _, of := range lists.Group(all, func(p trial.Pass) string { return p.Name }) {
			compiled, programs := 0, 0
			for _, p := range of {
				compiled, programs = compiled+p.Compiled, programs+p.Programs
			}
			after := afterPass(of[0].Name)
			if before.Of != nil {
				from := before.Of
				gain = metric{Part: generated, Of: func(r record) (float64, bool) {
					x, ok := after.Of(r)
					y, both := from(r)
					return x - y, ok && both
				}}.Cell(g)
			}
			t.Add(a.line(g, trials.of(g), doc.Words(of[0].Name), doc.Int(compiled), doc.Int(programs), after.Cell(g), gain)...)
			before = after
		}
	}
	return t
}

// afterPass is the percentage that compiles after a pass; a record without programs has none.
func afterPass(name string) metric {
	return metric{Part: generated, Of: func(r record) (float64, bool) {
		for _, p := range r.Generation.Passes {
			if p.Name == name && p.Programs > 0 {
				return 100 * float64(p.Compiled) / float64(p.Programs), true
			}
		}
		return 0, false
	}}
}
