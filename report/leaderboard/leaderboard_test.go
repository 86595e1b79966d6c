package leaderboard_test

import (
	"slices"
	"strings"
	"testing"

	"gotest.tools/v3/assert"

	"github.com/lisa-bench/lisa-bench/experiments"
	"github.com/lisa-bench/lisa-bench/internal/trial"
	"github.com/lisa-bench/lisa-bench/report/doc"
	"github.com/lisa-bench/lisa-bench/report/leaderboard"
	"github.com/lisa-bench/lisa-bench/results/submission"
)

// Entries are ranked among those with the same budget and model only; who is alone is not ranked, and why.
func TestLeagues(t *testing.T) {
	set := submission.Set{Name: "set", Trials: 1, Libraries: []experiments.LibrarySpec{{Name: "zlib", Edition: "debian", Bugs: experiments.Bugs{"b1", "b2"}}}}
	entry := func(name, budget, model string, found int) submission.Entry {
		r := trial.Record{Cell: trial.Cell{Library: "zlib"}, Usage: trial.Usage{Dollars: 1.5}, Before: &trial.Usage{Dollars: 0.5}}
		for i := range set.Bugs() {
			r.Bugs = append(r.Bugs, trial.BugResult{Bug: set.Libraries[0].Bugs[i], Detected: i < found})
		}
		return submission.Entry{Submission: name, Tool: "lisa", Variant: "default",
			Records: [][]trial.Record{{r}}, Budget: budget, Model: model}
	}
	d := leaderboard.Rank(set, "1.0.0", []submission.Entry{
		entry("free", "$1", "", 2), entry("worst", "$1", "m", 0), entry("best", "$1", "m", 1), entry("rich", "$9", "m", 2),
		entry("tie", "$1", "m", 0), entry("poor", "$1", "", 0),
	}, nil)
	for id, want := range map[string]string{
		"leaderboard":       "1 free none n/a, 2 poor none n/a",
		"leaderboard_2":     "1 best m 2.00, 2 tie m 2.00, 2 worst m 2.00",
		"leaderboard_alone": "n/a rich m 2.00",
	} {
		var got []string
		tables := d.AllTables()
		at := slices.IndexFunc(tables, func(t doc.Table) bool { return t.ID == id })
		assert.Assert(t, at >= 0, "no table %s", id)
		tab := tables[at]
		for _, row := range tab.Rows {
			var words []string
			for _, key := range []string{"rank", "submission", "model", "dollars"} {
				i := slices.IndexFunc(tab.Columns, func(c doc.Column) bool { return c.Key == key })
				words = append(words, tab.Columns[i].Format(row[i]))
			}
			got = append(got, strings.Join(words, " "))
		}
		text := strings.Join(got, ", ")
		assert.Check(t, text == want, "%s:\ngot  %s\nwant %s", id, text, want)
	}
}
