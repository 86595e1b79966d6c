package report_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"gotest.tools/v3/assert"
	is "gotest.tools/v3/assert/cmp"

	"github.com/lisa-bench/lisa-bench/report/doc"
)

// Six bugs were fixed by the day of the cutoff and six after it. By hand: 6 of 6 against 0 of 6 is 2 of the
// C(12,6) = 924 tables, p = 0.0022; a tool without a model does as well on both.
func TestMemory(t *testing.T) {
	run := runOf(
		on("lisa", "l", 1, "dddddd------"),
		on("randoop", "l", 1, "ddd---ddd---"),
		on("vanilla", "l", 1, "dddddd------"),
	)
	for i := range run.Bugs {
		run.Bugs[i].Date = "2024-05-31"
		if i >= 6 {
			run.Bugs[i].Date = "2024-06-01"
		}
	}
	run.Models = map[string]string{"lisa": "m", "vanilla": "n"}
	run.Cutoffs = map[string]string{"lisa": "2024-05-31", "vanilla": "", "randoop": ""}
	d := build(t, run)
	want := []string{
		"lisa|m|2024-05-31|6 of 6|0 of 6|0.0022",
		"randoop|none|2024-05-31|3 of 6|3 of 6|1.0000",
	}
	assert.Check(t, is.DeepEqual(rowsOf(t, d, "cutoff"), want))
	if w := table(t, d, "cutoff").Warnings; !slices.Equal(w, []string{"vanilla: the cutoff of n is not stated."}) {
		t.Errorf("warnings: %q", w)
	}

	if slices.ContainsFunc(d.Sections, func(s doc.Section) bool {
		return slices.ContainsFunc(s.Tables, func(t doc.Table) bool { return t.ID == "fresh" })
	}) {
		t.Error("newer bugs apart in a run without fresh ones")
	}
	for i := range run.Bugs[6:] {
		run.Bugs[6+i].Date, run.Bugs[6+i].Selection = "2025-02-03", "fresh"
	}
	want = []string{
		"lisa|fixed since 2025-01-01|6 of 6|54.1–100.0|0 of 6|0.0–45.9|0.0022", "randoop|fixed since 2025-01-01|3 of 6|11.8–88.2|3 of 6|11.8–88.2|1.0000",
		"vanilla|fixed since 2025-01-01|6 of 6|54.1–100.0|0 of 6|0.0–45.9|0.0022",
	}
	if got := rowsOf(t, build(t, run), "fresh"); len(got) != 6 || !slices.Equal(got[:3], want) {
		t.Errorf("newer bugs apart: got  %q\nwant %q", got, want)
	}
	run.Cutoffs["lisa"] = "2026-01-01"
	d = build(t, run)
	if got := rowsOf(t, d, "cutoff"); got[0] != "lisa|m|2026-01-01|6 of 12|n/a|n/a" {
		t.Errorf("all bugs are older: %q", got)
	}
	if w := fmt.Sprint(table(t, d, "cutoff").Warnings); !strings.Contains(w, "every bug was fixed before 2026-01-01") {
		t.Errorf("no warning that all bugs are older: %s", w)
	}

	run.Cutoffs = nil
	if d = build(t, run); hasSection(d, "memory") {
		t.Error("a section about memory without a cutoff")
	}
}
