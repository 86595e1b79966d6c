package report_test

import (
	"bytes"
	"strings"
	"testing"

	"gotest.tools/v3/assert"

	"github.com/lisa-bench/lisa-bench/internal/trial"
	"github.com/lisa-bench/lisa-bench/report/render"
)

func TestSuspicionsAreListed(t *testing.T) {
	run := fixture()
	for i := range run.Cells {
		if c := run.Cells[i].Cell; c.Tool != "randoop" || c.Variant != "default" || c.Library != "cjson" {
			continue
		}
		run.Cells[i].Generation = &trial.Generation{Invariants: &trial.Invariants{
			Seeds: 10, Finished: 8, Chunks: 40, Repaired: []int{30, 5, 1}, Restored: 4, Assertions: 55,
			Kinds: []trial.NamedCount{{Name: "relational", Count: 20}, {Name: hostileName, Count: 35}},
		}, Suspicions: []trial.Suspicion{{ID: "s001", Place: "p00007, step 2", Assertion: "n == 1 && \"<b>\"", Values: []string{"n = 2"}, Contract: "cJSON_Parse.1",
			Sentence: "returns one", Document: "cJSON.h:12", Program: "work/suspicions/s001.c", Script: "work/suspicions/s001.sh", Line: 3, Fate: trial.FateRemoved,
			Opinion: trial.Opinion{Verdict: trial.Upheld, Why: "it says one"}}}}
	}
	doc := build(t, run)
	var text bytes.Buffer
	assert.NilError(t, render.Text(&text, only(doc, "invariants", "suspicions", "generation")))
	for _, d := range doc.Details { // what a suspicion opens
		text.WriteString(d.Command + "\n")
		for _, f := range d.Facts {
			text.WriteString(f.Value + "\n")
		}
	}
	flat := strings.Join(strings.Fields(strings.NewReplacer("│", " ", "|", " ").Replace(text.String())), " ")
	for _, want := range []string{"2 of 2 20 16 110 0 80 60 12 8 2", "kind of assertion relational 40", "s001.sh", "n = 2", "“returns one” (cJSON.h:12)", "upheld: it says one"} {
		assert.Check(t, strings.Contains(flat, want), "the section lacks %q:\n%s", want, text.String())
	}
	s := only(build(t, fixture()), "invariants", "suspicions").Sections
	assert.Check(t, len(s) == 0, "a run without such a tool has the section %+v", s)
}
