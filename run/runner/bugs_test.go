package runner

import (
	"slices"
	"testing"

	"github.com/lisa-bench/lisa-bench/internal/trial"
	"github.com/lisa-bench/lisa-bench/results"
)

// TestCellsHaveTheirOwnBugs: in one run, one tool's suites are checked for no bugs and another's on the
// same library for some, as when an experiment on coverage and one on bugs are run together.
func TestCellsHaveTheirOwnBugs(t *testing.T) {
	dir := t.TempDir()
	p := plan(trial.Budget{Programs: 5}, 1, []string{"a", "b", "c"}, []string{"zlib"})
	want := map[string][]string{"a": nil, "b": {"zlib-1", "zlib-2"}, "c": {"zlib-2"}}
	for i := range p.Cells {
		p.Cells[i].Bugs = want[p.Cells[i].Tool]
	}
	lab := newLab()
	s, err := session(t.Context(), dir, p, lab, 2, feedbackTool{name: "a"}, feedbackTool{name: "b"}, feedbackTool{name: "c"})
	mustComplete(t, s, err)
	data, err := results.Load(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range data.Cells {
		var bugs []string
		for _, b := range c.Record.Bugs {
			bugs = append(bugs, b.Bug)
		}
		if !slices.Equal(bugs, want[c.Cell.Tool]) {
			t.Errorf("%s was checked for %q, want %q", c.Cell.Tool, bugs, want[c.Cell.Tool])
		}
	}
	if bugs := lab.subject.Load().Bugs; !slices.Equal(bugs, []string{"zlib-1", "zlib-2"}) {
		t.Errorf("the library was prepared for %q", bugs)
	}
}
