// Package leaderboard ranks runs that are handed in (package submission) on the same set of bugs.
package leaderboard

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/lisa-bench/lisa-bench/internal/lists"
	"github.com/lisa-bench/lisa-bench/internal/trial"
	"github.com/lisa-bench/lisa-bench/report/doc"
	"github.com/lisa-bench/lisa-bench/report/measured"
	"github.com/lisa-bench/lisa-bench/results/submission"
)

// Data is the ID of the table that has a row for each entry of a leaderboard: its CSV form.
const Data = "leaderboard_data"

// mostPairs is how many comparisons are shown: a screen. More are in the CSV and JSON forms.
const mostPairs = 24

var definitions = []doc.Definition{
	{Name: "HBDR", Meaning: "Historical bug detection rate: the share of the set's bugs that a trial's suites detect; " +
		"mean over " +
		"trials ± standard deviation, with a bootstrap interval (BCa, 95%) where there are three trials or more.",
		Formula: "bugs detected / bugs of the set, per trial"},
	{Name: "In any trial", Meaning: "Bugs detected in at least one trial, with the Clopper–Pearson interval (95%)."},
	{Name: "Dollars per trial", Meaning: "What the models' answers cost on all libraries of the set together; mean " +
		"over trials."},
}

// Rank ranks entries by HBDR over the bugs of a set. All entries must have records for
// all of the set. Equal entries give equal documents, in whatever order they come.
func Rank(set submission.Set, corpus string, of []submission.Entry, refused []submission.Refusal) *doc.Document {
	leagues := leaguesOf(set, of)
	d := &doc.Document{Schema: doc.Schema, Title: doc.Clean("Leaderboard " + set.Name),
		Data: []doc.Table{ranking(set, Data, "Leaderboard", slices.Concat(leagues...))}}
	s := doc.Section{ID: "leaderboard", Title: "Ranking", Definitions: definitions, Notes: notes(set, corpus, leagues)}
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
		s.Put(ranking(set, id, "Submissions by HBDR: "+league[0].Conditions(), league))
	}
	s.Put(ranking(set, "leaderboard_alone", "Not ranked: no other entry had the same budget and model", alone))
	t := pairTable(leagues)
	pairs := doc.Section{ID: "pairs", Title: "Pairs", Tables: []doc.Table{t}}
	if len(t.Rows) > mostPairs {
		s.Notes = append(s.Notes, fmt.Sprintf("The %d pairs are in the CSV and JSON forms.", len(t.Rows)))
		d.Data, pairs.Tables = append(d.Data, t), nil
	}
	out := doc.NewTable("refused", "Runs and tools that are not ranked", doc.Text("file", "File"),
		doc.Text("submission", "Submission"), doc.Text("tool", "Tool"), doc.Wide("reason", "Reason"))
	for _, r := range refused {
		why := trial.Brief(r.Reasons[0])
		if n := len(r.Reasons) - 1; n > 0 {
			why += fmt.Sprintf(" (and %d more)", n)
		}
		out.Add(doc.Words(r.File), doc.Words(cmp.Or(r.Submission, "–")), doc.Words(cmp.Or(r.Tool, "–")), doc.Words(why))
	}
	d.Add(s, pairs, doc.Section{ID: "refused", Title: "Not ranked", Tables: []doc.Table{out}})
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

func (e entry) tool() string { return measured.Tool{Name: e.Tool, Variant: e.Variant}.String() }

func (e entry) name() string { return e.Submission + ": " + e.tool() }

// entryOf computes what an entry is ranked by.
func entryOf(set submission.Set, of submission.Entry) entry {
	e := entry{Entry: of, detected: make([]bool, set.Bugs())}
	for n := range set.Trials {
		found, k := 0, 0
		for _, library := range of.Records {
			for _, b := range library[n].Bugs {
				found += measured.One(b.Detected)
				e.any += measured.One(b.Detected && !e.detected[k])
				e.detected[k] = e.detected[k] || b.Detected
				k++
			}
		}
		e.perTrial = append(e.perTrial, 100*float64(found)/float64(set.Bugs()))
	}
	return e
}

// leaguesOf divides entries by budget and model, for only those with the same are compared, and ranks each league.
// The league with the best entry is first. Who is alone in its league has no rank.
func leaguesOf(set submission.Set, entries []submission.Entry) [][]entry {
	var board []entry
	for _, e := range entries {
		board = append(board, entryOf(set, e))
	}
	better := func(a, b entry) int {
		return cmp.Or(cmp.Compare(doc.Mean(b.perTrial), doc.Mean(a.perTrial)), cmp.Compare(b.any, a.any))
	}
	slices.SortFunc(board, func(a, b entry) int { return cmp.Or(better(a, b), strings.Compare(a.name(), b.name())) })
	leagues := lists.Group(board, func(e entry) string { return e.Conditions() })
	for _, league := range leagues {
		for k := range league {
			if len(league) > 1 {
				first := slices.IndexFunc(league, func(e entry) bool { return better(e, league[k]) == 0 })
				league[k].rank = first + 1
			}
		}
	}
	return leagues
}

func notes(set submission.Set, corpus string, leagues [][]entry) []string {
	var names []string
	for _, l := range set.Libraries {
		names = append(names, l.Name)
	}
	list := []string{fmt.Sprintf("Set %s of corpus %s: %s on %s, %s.", set.Name, corpus, trial.Count(set.Bugs(), "bug"),
		strings.Join(names, ", "), trial.Count(set.Trials, "trial"))}
	switch {
	case len(leagues) == 0:
		return append(list, "No run covers the whole set: nothing is ranked.")
	case len(leagues) > 1:
		list = append(list, "Budgets or models differ: only entries with the same budget and model are ranked and compared.")
	}
	return append(list, "A rank is no proof of a difference: the table of pairs says which entries differ "+
		"(McNemar's exact test on paired bugs, Holm-corrected).",
		"Figures are as recorded: bench replay RUN --suites evaluates the suites of a run again and compares.")
}

// pairTable tests each pair of entries that had the same conditions.
func pairTable(leagues [][]entry) doc.Table {
	t := doc.NewTable("leaderboard_pairs", "Bugs detected in any trial, entry against entry", doc.Text("a", "A"),
		doc.Text("b", "B"),
		doc.Count("a_detected", "A detects"), doc.Count("b_detected", "B detects"), doc.Number("only_a", "only A", 0),
		doc.Number("only_b", "only B", 0), doc.P("mcnemar_p", "McNemar\np"), doc.P("mcnemar_holm", "McNemar\nHolm"))
	for _, league := range leagues {
		for i, a := range league {
			for _, b := range league[i+1:] {
				both, bugs := 0, len(a.detected)
				for k := range a.detected {
					both += measured.One(a.detected[k] && b.detected[k])
				}
				t.Add(doc.Words(a.name()), doc.Words(b.name()), doc.Of(a.any, bugs), doc.Of(b.any, bugs), doc.Int(a.any-both),
					doc.Int(b.any-both), doc.McNemar(a.any-both, b.any-both), doc.Cell{})
			}
		}
	}
	t.Holm("mcnemar_p", "mcnemar_holm")
	return t
}

// ranking has a row for each of some entries.
func ranking(set submission.Set, id, title string, entries []entry) doc.Table {
	t := doc.NewTable(id, title, doc.Number("rank", "Rank", 0), doc.Text("submission", "Submission"), doc.Text("tool",
		"Tool"),
		doc.Percent("hbdr", "HBDR %", 1).WithInterval(), doc.Count("detected", "In any trial"),
		doc.Range("interval", "95% interval %", 1).In("pct"), doc.Text("oracles", "By oracle"), doc.Text("budget", "Budget"),
		doc.Text("model", "Model"), doc.Estimate("dollars", "Dollars\nper trial", 2), doc.Number("trials", "Trials", 0),
		doc.Text("edition", "Edition"))
	for _, e := range entries {
		rank, dollars := doc.Int(e.rank), doc.NA("it asks no model")
		if e.rank == 0 {
			rank = doc.NA("no other entry had its budget and model")
		}
		perTrial := make([]float64, len(e.Records[0])) // of all libraries
		bugs := map[trial.OracleClass]map[string]bool{}
		for _, library := range e.Records {
			for n, r := range library {
				perTrial[n] += r.Total().Dollars
				for _, b := range r.Bugs {
					for _, o := range b.Oracles { // a bug counts for each of its classes
						if bugs[o] == nil {
							bugs[o] = map[string]bool{}
						}
						bugs[o][r.Cell.Library+" "+b.Bug] = true
					}
				}
			}
		}
		if e.Model != "" {
			dollars = doc.MeanOf(perTrial)
		}
		var oracles []string
		for _, o := range measured.OracleClasses {
			if len(bugs[o]) > 0 {
				oracles = append(oracles, fmt.Sprintf("%s %d", o, len(bugs[o])))
			}
		}
		t.Add(rank, doc.Words(e.Submission), doc.Words(e.tool()), doc.MeanOf(e.perTrial), doc.Of(e.any, set.Bugs()),
			doc.ShareInterval(e.any, set.Bugs()), doc.Words(strings.Join(oracles, ", ")), doc.Words(e.Budget),
			doc.Words(cmp.Or(e.Model, "none")), dollars, doc.Int(set.Trials), doc.Words(string(set.Libraries[0].Edition)))
	}
	return t
}
