package report

import (
	"fmt"
	"strings"

	"github.com/lisa-bench/lisa-bench/internal/trial"
)

var incompleteColumns = []Column{textColumn("cell", "Cell"), textColumn("kind", "Kind"), wideColumn("reason", "Reason")}

// unfinished lists what a report could not show and why, and the cautions of the cells: each reason once for the trials
// of a tool on a library.
func (a *analysis) unfinished(s *Section) {
	cells := newTable("incomplete", "Incomplete cells", incompleteColumns...)
	gaps := groupTable("missing_parts", "Missing parts of the records of complete cells", textColumn("trials", "Trials"),
		wideColumn("parts", "Without"), textColumn("kind", "Kind"), wideColumn("reason", "Reason"))
	notes := newTable("notes", "Notes of cells", textColumn("cell", "Cell"), wideColumn("note", "Note"))
	for _, g := range a.groups {
		for _, of := range grouped(g.missing, func(m trial.Incomplete) [2]string { return [2]string{m.Kind, m.Message} }) {
			names := of[0].Cell.ID()
			for _, m := range of[1:] {
				names += fmt.Sprintf(", %d", m.Cell.Trial)
			}
			cells.add(words(names), words(of[0].Kind), words(of[0].Message))
		}
		a.addGaps(&gaps, g)
		for _, r := range g.records {
			for _, n := range r.Notes {
				notes.add(words(r.Cell.ID()), words(n))
			}
		}
	}
	if len(cells.Rows) == 0 {
		s.Notes = []string{"Every planned cell is complete."}
	}
	s.Tables = withRows(cells, gaps, notes)
}

// addGaps adds what the records of a group lack.
func (a *analysis) addGaps(t *Table, g *group) {
	type gap struct {
		parts  string
		reason trial.Reason
	}
	var all []gap
	trials := map[gap][]string{}
	for _, r := range g.records {
		for _, of := range trial.GroupGaps(r.Gaps()) {
			lack := gap{trial.GapNames(of), of[0].Reason}
			if trials[lack] == nil {
				all = append(all, lack)
			}
			trials[lack] = append(trials[lack], fmt.Sprint(r.Cell.Trial))
		}
	}
	for _, lack := range all {
		t.add(a.groupCells(g, words(strings.Join(trials[lack], ", ")), words(lack.parts), words(string(lack.reason.Kind)), words(lack.reason.Message))...)
	}
}

// provenance lists what the figures were made from, and the complete cells with their seeds and why each stopped.
func (a *analysis) provenance(s *Section) {
	facts := newTable("provenance", "What the figures were made from", textColumn("of", "Of"), textColumn("name", "Name"), wideColumn("value", "Value"))
	if a.run.Command != "" {
		facts.add(words("Command"), words("run"), words(a.run.Command))
	}
	for _, f := range a.run.Provenance {
		for _, e := range f.Entries {
			facts.add(words(f.Title), words(e.Key), words(e.Value))
		}
	}
	cells := newTable("cells", "Complete cells", textColumn("cell", "Cell"), textColumn("seed", "Seed"), // more digits than a spreadsheet keeps
		textColumn("stop", "Stopped by"), numberColumn("tests", "Tests", 0), textColumn("key", "Key"))
	if a.run.Timed {
		cells.Columns = append(cells.Columns, numberColumn("wall", "Wall s", 1).in("s"), numberColumn("cpu", "CPU s", 1).in("s"),
			numberColumn("model", "Model s", 1).in("s"), numberColumn("waited", "Batch wait s", 1).in("s"))
	}
	for _, g := range a.groups {
		for _, r := range g.records {
			row := []Cell{words(r.Cell.ID()), words(fmt.Sprint(uint64(r.Cell.Seed))), words(string(r.Stop)), whole(suiteSize(r)), words(r.Key[:min(len(r.Key), 16)])}
			if a.run.Timed {
				u := r.Usage
				row = append(row, number(u.Wall.Seconds()), number(u.CPU.Seconds()), number(u.Model.Seconds()), number(u.Waited.Seconds()))
			}
			cells.add(row...)
		}
	}
	s.Tables = append(withRows(facts), cells)
}

// suiteSize is the number of programs or inputs of a suite.
func suiteSize(r trial.Record) int {
	switch {
	case r.Programs != nil:
		return r.Programs.Generated
	case r.Kind == trial.KindPrograms:
		return int(r.Usage.Programs)
	}
	return r.Inputs
}
