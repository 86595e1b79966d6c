package report_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/lisa-bench/lisa-bench/internal/trial"
	. "github.com/lisa-bench/lisa-bench/report"
	"github.com/lisa-bench/lisa-bench/report/render"
)

// TestPasses has a tool with passes in two trials, one of which left no program, and a tool
// without any; every format shows the table.
func TestPasses(t *testing.T) {
	run := Run{Experiment: "passes", Command: "bench run passes"}
	for n, compiled := range [][4]int{{10, 11, 16, 18}, {12, 12, 17, 20}, {}} {
		c := trial.Cell{Tool: "citywalk", Variant: "default", Library: "zlib", Edition: "debian", Trial: n + 1}
		r := modelRecord(c)
		for i, name := range []string{"model", "syntax rules", "compile-error rules", "model round"} {
			p := trial.Pass{Name: name, Compiled: compiled[i], Programs: 20}
			if n == 2 {
				p.Programs = 0
			}
			r.Generation.Passes = append(r.Generation.Passes, p)
		}
		run.Planned, run.Cells = append(run.Planned, c), append(run.Cells, r)
	}
	c := trial.Cell{Tool: "lisa-api", Variant: "default", Library: "zlib", Edition: "debian", Trial: 1}
	run.Planned, run.Cells = append(run.Planned, c), append(run.Cells, modelRecord(c))
	d := build(t, run)
	var text strings.Builder
	if err := render.Text(&text, d.Select("generation")); err != nil {
		t.Fatal(err)
	}
	table := text.String()
	path := filepath.Join("testdata", "generation.txt")
	if *update {
		if err := os.WriteFile(path, []byte(table), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if want, err := os.ReadFile(path); err != nil || table != string(want) {
		t.Errorf("the section differs from %s (%v); if that is meant, run go test -update and read the change:\n%s", path, err, table)
	}
	files := rendered(t, d)
	for _, name := range []string{"index.html", "report.md", "report.txt", "report.json", "csv/passes.csv", "latex/passes.tex"} {
		if !strings.Contains(files[name], "model round") {
			t.Errorf("%s lacks the table of passes", name)
		}
	}
}
