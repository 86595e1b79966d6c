package report_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"gotest.tools/v3/assert"
	is "gotest.tools/v3/assert/cmp"
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
		"lisa|fixed after 2024-05-31, the cutoff of m|6 of 6|54.1–100.0|0 of 6|0.0–45.9|0.0022",
		"randoop|fixed after 2024-05-31, the cutoff of the others' models|3 of 6|11.8–88.2|3 of 6|11.8–88.2|1.0000",
	}
	assert.Check(t, is.DeepEqual(rowsOf(t, d, "fresh"), want))
	w := table(t, d, "fresh").Warnings
	assert.Check(t, slices.Equal(w, []string{"vanilla: the cutoff of n is not stated."}), "warnings: %q", w)

	for i := range run.Bugs[6:] {
		run.Bugs[6+i].Date, run.Bugs[6+i].Selection = "2025-02-03", "fresh"
	}
	const name = "lisa|fixed since 2025-01-01|6 of 6|54.1–100.0|0 of 6|0.0–45.9|0.0022"
	got := rowsOf(t, build(t, run), "fresh")
	assert.Check(t, len(got) == 8 && got[2] == name, "newer bugs apart: got  %q\nwant %q", got, name)
	run.Cutoffs["lisa"] = "2026-01-01"
	d = build(t, run)
	if got := rowsOf(t, d, "fresh"); got[0] != "lisa|fixed after 2026-01-01, the cutoff of m|6 of 12|21.1–78.9|n/a|n/a|n/a" {
		t.Errorf("all bugs are older: %q", got)
	}
	if w := fmt.Sprint(table(t, d, "fresh").Warnings); !strings.Contains(w, "every bug was fixed before 2026-01-01") {
		t.Errorf("no warning that all bugs are older: %s", w)
	}

	run.Cutoffs = nil
	for i := range run.Bugs {
		run.Bugs[i].Selection = "protocol"
	}
	d = build(t, run)
	assert.Check(t, !hasSection(d, "memory"), "a section about memory without a cutoff")
}
