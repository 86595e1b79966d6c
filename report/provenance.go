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
	type gap struct {
		trial, parts string
		trial.Reason
	}
	for _, g := range a.Groups {
		for _, of := range lists.Group(g.Missing, func(m trial.Incomplete) [2]string {
			return [2]string{m.Kind,
				m.Message}
		}) {
			names := of[0].Cell.ID()
			for _, m := range of[1:] {
				names += fmt.Sprintf(", %d", m.Cell.Trial)
			}
			cells.Add(doc.Words(names), doc.Words(of[0].Kind), doc.Words(of[0].Message))
		}
		var lacks []gap
		for _, r := range g.Records {
			for _, of := range trial.GroupGaps(r.Gaps()) {
				lacks = append(lacks, gap{fmt.Sprint(r.Cell.Trial), trial.GapNames(of), of[0].Reason})
			}
			for _, n := range r.Notes {
				notes.Add(doc.Words(r.Cell.ID()), doc.Words(n))
			}
		}
		for _, same := range lists.Group(lacks, func(x gap) gap { return gap{"", x.parts, x.Reason} }) {
			var trials []string
			for _, x := range same {
				trials = append(trials, x.trial)
			}
			gaps.Add(a.line(g, doc.Words(strings.Join(trials, ", ")), doc.Words(same[0].parts), doc.Words(string(same[0].Kind)),
				doc.Words(same[0].Message))...)
		}
	}
	if len(cells.Rows) == 0 {
		s.Notes = []string{"Every planned cell is complete."}
	}
	s.Put(cells, gaps, notes)
}

// provenance lists what the figures were made from, and the complete cells with their seeds and why each stopped.
func (a *analysis) provenance(s *doc.Section) {
	facts := doc.NewTable("provenance", "What the figures were made from", doc.Text("of", "Of"), doc.Text("name", "Name"),
		doc.Wide("value", "Value"))
	if a.Run.Command != "" {
		facts.Add(doc.Words("Command"), doc.Words("run"), doc.Words(a.Run.Command))
	}
	for _, f := range a.Run.Provenance {
		facts.Add(doc.Words(f.Of), doc.Words(f.Name), doc.Words(f.Value))
	}
	// A seed has more digits than a spreadsheet keeps of a number.
	cells := doc.NewTable("cells", "Complete cells", doc.Text("cell", "Cell"), doc.Text("seed", "Seed"), doc.Text("stop",
		"Stopped by"),
		doc.Number("tests", "Tests", 0), doc.Text("key", "Key"))
	if a.Run.Timed {
		cells.Columns = append(cells.Columns, doc.Number("wall", "Wall s", 1).In("s"), doc.Number("cpu", "CPU s", 1).In("s"),
			doc.Number("model", "Model s", 1).In("s"), doc.Number("waited", "Batch wait s", 1).In("s"))
	}
	for _, g := range a.Groups {
		for _, r := range g.Records {
			tests := r.Inputs
			switch {
			case r.Programs != nil:
				tests = r.Programs.Generated
			case r.Kind == trial.KindPrograms:
				tests = int(r.Usage.Programs)
			}
			u := r.Usage
			row := []doc.Cell{doc.Words(r.Cell.ID()), doc.Words(fmt.Sprint(uint64(r.Cell.Seed))), doc.Words(string(r.Stop)),
				doc.Int(tests),
				doc.Words(r.Key[:min(len(r.Key), 16)]), doc.Num(u.Wall.Seconds()), doc.Num(u.CPU.Seconds()),
				doc.Num(u.Model.Seconds()), doc.Num(u.Waited.Seconds())}
			cells.Add(row[:len(cells.Columns)]...)
		}
	}
	s.Put(facts, cells)
}
