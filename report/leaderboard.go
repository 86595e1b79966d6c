package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/lisa-bench/lisa-bench/internal/trial"
	"github.com/lisa-bench/lisa-bench/report/doc"
	"github.com/lisa-bench/lisa-bench/results/submission"
)

// LeaderboardData is the ID of the table that has a row for each entry of a leaderboard: its CSV form.
const LeaderboardData = "leaderboard_data"

// Leaderboard ranks entries by HBDR over the bugs of a set. All entries must have records for
// all of the set. Equal entries give equal documents, in whatever order they come.
func Leaderboard(set submission.Set, corpus string, of []submission.Entry, refused []submission.Refusal) *doc.Document {
	leagues := leaguesOf(set, of)
	board := slices.Concat(leagues...)
	ranking := rankingColumns(set)
	d := &doc.Document{Schema: doc.Schema, Title: doc.Clean("Leaderboard " + set.Name),
		Data: []doc.Table{tableOf(LeaderboardData, "Leaderboard", board, ranking)}}
	s := doc.Section{ID: "leaderboard", Title: "Ranking", Definitions: definitions["leaderboard"],
		Notes: leaderboardNotes(set, corpus, leagues)}
	var alone []entry
	for _, league := range leagues {
		if len(league) == 1 {
			alone = append(alone, league...)
			continue
		}
		id := "leaderboard"
		if n := len(s.Tables); n > 0 {
			id += fmt.Sprintf("_%d", n+1)
		}
		s.Put(tableOf(id, "Submissions by HBDR: "+league[0].Conditions(), league, ranking))
	}
	s.Put(tableOf("leaderboard_alone", "Not ranked: no other entry had the same budget and model", alone, ranking))
	pairs := doc.Section{ID: "pairs", Title: "Pairs"}
	if t := leaderboardPairs(leagues); len(t.Rows) > mostPairs {
		s.Notes = append(s.Notes, fmt.Sprintf("The %d pairs are in the CSV and JSON forms.", len(t.Rows)))
		d.Data = append(d.Data, t)
	} else {
		pairs.Put(t)
	}
	out := doc.Section{ID: "refused", Title: "Not ranked"}
	out.Put(refusedTable(refused))
	d.Add(s, pairs, out)
	return d
}

// An entry is ranked by these figures.
type entry struct {
	submission.Entry
	perTrial []float64 // share of the set's bugs detected, in percent
	detected []bool    // in any trial, by bug of the set
	any      int       // bugs detected in any trial
	rank     int       // among those with the same budget and model; 0 of who is alone
}

func (e entry) tool() string { return tool{e.Tool, e.Variant}.String() }

func (e entry) name() string { return e.Submission + ": " + e.tool() }

// entryOf computes what an entry is ranked by.
func entryOf(set submission.Set, of submission.Entry) entry {
	e := entry{Entry: of, detected: make([]bool, set.Bugs())}
	for n := range set.Trials {
		found, k := 0, 0
		for i, l := range set.Libraries {
			for j := range l.Bugs {
				d := e.Records[i][n].Bugs[j].Detected
				found, e.any = found+one(d), e.any+one(d && !e.detected[k])
				e.detected[k] = e.detected[k] || d
				k++
			}
		}
		e.perTrial = append(e.perTrial, 100*float64(found)/float64(set.Bugs()))
	}
	return e
}

// leaguesOf divides entries by budget and model, for only those with the same are compared, and ranks each league.
// The league with the best entry is first. Who is alone in its league has no rank.
func leaguesOf(set submission.Set, of []submission.Entry) [][]entry {
	var board []entry
	for _, e := range of {
		board = append(board, entryOf(set, e))
	}
	better := func(a, b entry) int {
		return cmp.Or(cmp.Compare(doc.Mean(b.perTrial), doc.Mean(a.perTrial)), cmp.Compare(b.any, a.any))
	}
	slices.SortFunc(board, func(a, b entry) int { return cmp.Or(better(a, b), strings.Compare(a.name(), b.name())) })
	leagues := grouped(board, func(e entry) string { return e.Conditions() })
	for _, league := range leagues {
		for k := range league {
			switch {
			case len(league) == 1:
			case k > 0 && better(league[k-1], league[k]) == 0:
				league[k].rank = league[k-1].rank
			default:
				league[k].rank = k + 1
			}
		}
	}
	return leagues
}

func leaderboardNotes(set submission.Set, corpus string, leagues [][]entry) []string {
	var names []string
	for _, l := range set.Libraries {
		names = append(names, l.Name)
	}
	notes := []string{fmt.Sprintf("Set %s of corpus %s: %s on %s, %s.", set.Name, corpus, trial.Count(set.Bugs(), "bug"),
		strings.Join(names, ", "), trial.Count(set.Trials, "trial"))}
	if len(leagues) == 0 {
		return append(notes, "No run covers the whole set: nothing is ranked.")
	}
	if len(leagues) > 1 {
		notes = append(notes, "Budgets or models differ: only entries with the same budget and model are ranked and compared.")
	}
	return append(notes, "A rank is no proof of a difference: the table of pairs says which entries differ "+
		"(McNemar's exact test on paired bugs, Holm-corrected).",
		"Figures are as recorded: bench replay RUN --suites evaluates the suites of a run again and compares.")
}

// leaderboardPairs tests each pair of entries that had the same conditions.
func leaderboardPairs(leagues [][]entry) doc.Table {
	t := doc.NewTable("leaderboard_pairs", "Bugs detected in any trial, entry against entry",
		slices.Concat([]doc.Column{doc.Text("a", "A"), doc.Text("b", "B")}, findColumns(), mcnemarColumns)...)
	for _, league := range leagues {
		for i, a := range league {
			for _, b := range league[i+1:] {
				var both shared
				for k := range a.detected {
					both.addBug(a.detected[k], b.detected[k])
				}
				p := doc.McNemar(both.onlyA, both.onlyB)
				t.Add(slices.Concat([]doc.Cell{doc.Words(a.name()), doc.Words(b.name())}, both.cells(), []doc.Cell{p, {}})...)
			}
		}
	}
	t.Holm("mcnemar_p", "mcnemar_holm")
	return t
}

func rankingColumns(set submission.Set) []figure[entry] {
	return []figure[entry]{
		{doc.Number("rank", "Rank", 0), func(e entry) doc.Cell {
			if e.rank == 0 {
				return doc.NA("no other entry had its budget and model")
			}
			return doc.Int(e.rank)
		}},
		{doc.Text("submission", "Submission"), func(e entry) doc.Cell { return doc.Words(e.Submission) }},
		{toolColumn, func(e entry) doc.Cell { return doc.Words(e.tool()) }},
		{doc.Percent("hbdr", "HBDR %", 1).WithInterval(), func(e entry) doc.Cell { return doc.MeanOf(e.perTrial) }},
		{doc.Count("detected", "In any trial"), func(e entry) doc.Cell { return doc.Of(e.any, set.Bugs()) }},
		{doc.Range("interval", "95% interval %", 1).In("pct"),
			func(e entry) doc.Cell { return doc.ShareInterval(e.any, set.Bugs()) }},
		{doc.Text("oracles", "By oracle"), entry.byOracle},
		{doc.Text("budget", "Budget"), func(e entry) doc.Cell { return doc.Words(e.Budget) }},
		{doc.Text("model", "Model"), func(e entry) doc.Cell { return doc.Words(cmp.Or(e.Model, "none")) }},
		{doc.Estimate("dollars", "Dollars\nper trial", 2), entry.dollars},
		{doc.Number("trials", "Trials", 0), func(entry) doc.Cell { return doc.Int(set.Trials) }},
		{doc.Text("edition", "Edition"), func(entry) doc.Cell { return doc.Words(string(set.Libraries[0].Edition)) }},
	}
}

// dollars is what a trial cost, on all libraries of the set.
func (e entry) dollars() doc.Cell {
	if e.Model == "" {
		return doc.NA("it asks no model")
	}
	perTrial := make([]float64, len(e.Records[0]))
	for _, library := range e.Records {
		for n, r := range library {
			perTrial[n] += r.Total().Dollars
		}
	}
	return doc.MeanOf(perTrial)
}

// byOracle counts the bugs detected in any trial by the oracle classes of their tests: a bug
// counts for each of its classes.
func (e entry) byOracle() doc.Cell {
	var parts []string
	for _, o := range oracleClasses {
		bugs := map[string]bool{}
		for _, r := range slices.Concat(e.Records...) {
			for _, b := range r.Bugs {
				if slices.Contains(b.Oracles, o) {
					bugs[r.Cell.Library+" "+b.Bug] = true
				}
			}
		}
		if len(bugs) > 0 {
			parts = append(parts, fmt.Sprintf("%s %d", o, len(bugs)))
		}
	}
	return doc.Words(strings.Join(parts, ", "))
}

func refusedTable(refused []submission.Refusal) doc.Table {
	type refusal = submission.Refusal
	return tableOf("refused", "Runs and tools that are not ranked", refused, []figure[refusal]{
		{doc.Text("file", "File"), func(r refusal) doc.Cell { return doc.Words(r.File) }},
		{doc.Text("submission", "Submission"), func(r refusal) doc.Cell { return doc.Words(cmp.Or(r.Submission, "–")) }},
		{toolColumn, func(r refusal) doc.Cell { return doc.Words(cmp.Or(r.Tool, "–")) }},
		{doc.Wide("reason", "Reason"), func(r refusal) doc.Cell {
			why := firstLine(r.Reasons[0])
			if n := len(r.Reasons) - 1; n > 0 {
				why += fmt.Sprintf(" (and %d more)", n)
			}
			return doc.Words(why)
		}},
	})
}
