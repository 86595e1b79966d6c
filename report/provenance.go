package report

import (
	"fmt"
	"strings"

	"github.com/lisa-bench/lisa-bench/internal/lists"
	"github.com/lisa-bench/lisa-bench/internal/trial"
	"github.com/lisa-bench/lisa-bench/report/doc"
)

// unfinished lists what a report could not show and why, and the cautions of the cells: each reason once for the trials
// of a tool on a library.
func (a *analysis) unfinished(s *doc.Section) {
	cells := doc.NewTable("incomplete", "Incomplete cells", doc.Text("cell", "Cell"), doc.Text("kind", "Kind"),
		doc.Wide("reason", "Reason"))
	gaps := lines("missing_parts", "Missing parts of the records of complete cells", doc.Text("trials", "Trials"),
		doc.Wide("parts", "Without"), doc.Text("kind", "Kind"), doc.Wide("reason", "Reason"))
	notes := doc.NewTable("notes", "Notes of cells", doc.Text("cell", "Cell"), doc.Wide("note", "Note"))
	for _, g := range a.Groups {
		for _, of := range lists.Group(g.Missing, func(m trial.Incomplete) [2]string { return [2]string{m.Kind, m.Message} }) {
			names := of[0].Cell.ID()
			for _, m := range of[1:] {
				names += fmt.Sprintf(", %d", m.Cell.Trial)
			}
			cells.Add(doc.Words(names), doc.Words(of[0].Kind), doc.Words(of[0].Message))
		}
		a.addGaps(&gaps, g)
		for _, r := range g.Records {
			for _, n := range r.Notes {
				notes.Add(doc.Words(r.Cell.ID()), doc.Words(n))
			}
		}
	}
	if len(cells.Rows) == 0 {
		s.Notes = []string{"Every planned cell is complete."}
	}
	s.Put(cells, gaps, notes)
}

// addGaps adds what the records of a group lack.
func (a *analysis) addGaps(t *doc.Table, g *group) {
	type gap struct {
		trial, parts string
		reason       trial.Reason
	}
	var all []gap
	for _, r := range g.Records {
		for _, gaps := range trial.GroupGaps(r.Gaps()) {
			all = append(all, gap{fmt.Sprint(r.Cell.Trial), trial.GapNames(gaps), gaps[0].Reason})
		}
	}
	for _, same := range lists.Group(all, func(x gap) gap { return gap{parts: x.parts, reason: x.reason} }) {
		var trials []string
		for _, x := range same {
			trials = append(trials, x.trial)
		}
		why := same[0].reason
		t.Add(a.line(g, doc.Words(strings.Join(trials, ", ")), doc.Words(same[0].parts), doc.Words(string(why.Kind)),
			doc.Words(why.Message))...)
	}
}

// provenance lists what the figures were made from, and the complete cells with their seeds and why each stopped.
func (a *analysis) provenance(s *doc.Section) {
	facts := doc.NewTable("provenance", "What the figures were made from", doc.Text("of", "Of"), doc.Text("name", "Name"),
		doc.Wide("value", "Value"))
	if a.Run.Command != "" {
		facts.Add(doc.Words("Command"), doc.Words("run"), doc.Words(a.Run.Command))
	}
	for _, f := range a.Run.Provenance {
		for _, e := range f.Entries {
			facts.Add(doc.Words(f.Title), doc.Words(e.Key), doc.Words(e.Value))
		}
	}
	figures := []figure[record]{
		{doc.Text("cell", "Cell"), func(r record) doc.Cell { return doc.Words(r.Cell.ID()) }},
		// A seed has more digits than a spreadsheet keeps of a number.
		{doc.Text("seed", "Seed"), func(r record) doc.Cell { return doc.Words(fmt.Sprint(uint64(r.Cell.Seed))) }},
		{doc.Text("stop", "Stopped by"), func(r record) doc.Cell { return doc.Words(string(r.Stop)) }},
		{doc.Number("tests", "Tests", 0), func(r record) doc.Cell { return doc.Int(suiteSize(r)) }},
		{doc.Text("key", "Key"), func(r record) doc.Cell { return doc.Words(r.Key[:min(len(r.Key), 16)]) }},
	}
	if a.Run.Timed {
		figures = append(figures, []figure[record]{
			{doc.Number("wall", "Wall s", 1).In("s"), func(r record) doc.Cell { return doc.Num(r.Usage.Wall.Seconds()) }},
			{doc.Number("cpu", "CPU s", 1).In("s"), func(r record) doc.Cell { return doc.Num(r.Usage.CPU.Seconds()) }},
			{doc.Number("model", "Model s", 1).In("s"), func(r record) doc.Cell { return doc.Num(r.Usage.Model.Seconds()) }},
			{doc.Number("waited", "Batch wait s", 1).In("s"),
				func(r record) doc.Cell { return doc.Num(r.Usage.Waited.Seconds()) }},
		}...)
	}
	var records []record
	for _, g := range a.Groups {
		records = append(records, g.Records...)
	}
	s.Put(facts)
	s.Tables = append(s.Tables, tableOf("cells", "Complete cells", records, figures))
}

// suiteSize is the number of programs or inputs of a suite.
func suiteSize(r record) int {
	switch {
	case r.Programs != nil:
		return r.Programs.Generated
	case r.Kind == trial.KindPrograms:
		return int(r.Usage.Programs)
	}
	return r.Inputs
}
