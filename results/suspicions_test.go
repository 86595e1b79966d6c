package results

import (
	"strings"
	"testing"

	"gotest.tools/v3/assert"

	"github.com/lisa-bench/lisa-bench/internal/trial"
)

// Each of the six keys decides where those before it are equal.
func TestRankSuspicions(t *testing.T) {
	of := func(id string, verdict trial.OpinionVerdict, sentence, kind, assertion string, insisted, lines int) RankedSuspicion {
		return RankedSuspicion{Lines: lines, Suspicion: trial.Suspicion{ID: id, Assertion: assertion, Sentence: sentence, Kind: kind, Insisted: insisted, Opinion: trial.Opinion{Verdict: verdict}}}
	}
	list := rankSuspicions([]RankedSuspicion{
		of("contested", trial.Contested, "s", "documentation", "a == 1", 5, 1),
		of("alone", trial.Unasked, "s", "relational", "b == 1", 0, 4),
		of("nothing cited", trial.Unasked, "", "documentation", "c == 1", 5, 1),
		of("twice, longer", trial.Unasked, "s", "relational", "d == 1", 0, 9),
		of("twice", trial.Unasked, "s", "relational", "d==1", 0, 7),
		of("upheld", trial.Upheld, "", "", "e == 1", 0, 9),
		of("insisted", trial.Unasked, "s", "relational", "f == 1", 1, 9),
		of("short", trial.Unasked, "s", "relational", "g == 1", 0, 3),
		of("documentation", trial.Unasked, "s", "documentation", "h == 1", 0, 9),
	})
	var order []string
	for i, c := range list {
		order = append(order, c.ID)
		assert.Check(t, c.Rank == i+1 && (c.Shown == 2) == (c.ID == "twice"), "%+v", c)
	}
	got := strings.Join(order, ", ")
	assert.Check(t, got == "upheld, documentation, twice, insisted, short, alone, nothing cited, contested", "%v", got)
}
