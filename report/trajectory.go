package report

import (
	"fmt"

	"github.com/lisa-bench/lisa-bench/report/doc"
	"github.com/lisa-bench/lisa-bench/report/trajectory"
)

// trajectories makes a page for each cell of an agent, with its conversation turn by turn.
func (a *analysis) trajectories(s *doc.Section) {
	if a.Run.Turns == nil {
		return
	}
	t := lines("trajectories", "What each agent did, turn by turn", doc.Number("trial", "Trial", 0), doc.Text("page", "Page"),
		doc.Number("turns", "Turns", 0), doc.Number("bugs", "Bugs detected", 0))
	a.pages = map[string]*doc.Document{}
	for _, g := range a.Groups {
		for _, r := range g.Records {
			entries, err := a.Run.Turns(r.Cell)
			switch {
			case err != nil:
				t.Warnings = append(t.Warnings, doc.Clean(fmt.Sprintf("%s has no page: %v", r.Cell.ID(), err)))
				continue
			case len(entries) == 0:
				continue
			}
			title := fmt.Sprintf("%s on %s, trial %d", g.Tool, a.Label(g.Library), r.Cell.Trial)
			name := "trajectories/" + doc.Clean(r.Cell.ID()) + ".html"
			page, found := trajectory.Page(title, r, entries, a.Bugs[g.Library.Name])
			a.pages[name] = page
			t.Add(a.line(g, doc.Int(r.Cell.Trial), doc.Cell{Text: "conversation", Page: name}, doc.Int(len(entries)),
				doc.Int(found))...)
		}
	}
	s.Put(t)
}
