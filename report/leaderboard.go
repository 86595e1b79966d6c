package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/lisa-bench/lisa-bench/internal/trial"
	"github.com/lisa-bench/lisa-bench/results/submission"
)

// LeaderboardData is the ID of the table that has all figures of a leaderboard, a row for each entry: its CSV form.
const LeaderboardData = "leaderboard_data"

// Leaderboard ranks entries by HBDR over the bugs of a set. All entries must have records for
// all of the set. Equal entries give equal documents, in whatever order they come.
func Leaderboard(set submission.Set, corpus string, entries []submission.Entry, refused []submission.Refusal) (*Document, error) {
	board := rankEntries(set, entries)
	ranking, figures := rankingTable(set, board), leaderboardFigures(board)
	all := newTable(LeaderboardData, "Leaderboard", slices.Concat(ranking.Columns, figures.Columns[2:])...)
	for i, row := range ranking.Rows {
		all.add(slices.Concat(row, figures.Rows[i][2:])...)
	}
	d := &Document{Schema: documentSchema, Title: Clean("Leaderboard " + set.Name), Data: []Table{all}}
	s := Section{ID: "leaderboard", Title: "Ranking", Definitions: definitions["leaderboard"], Notes: leaderboardNotes(set, corpus, board)}
	if len(board) > 0 {
		s.Tables = append(leagueTables(ranking, board), figures)
	}
	pairs := Section{ID: "pairs", Title: "Pairs", Tables: withRows(leaderboardPairs(set, board))}
	if len(pairs.Tables) > 0 && len(pairs.Tables[0].Rows) > mostPairs {
		s.Notes = append(s.Notes, fmt.Sprintf("The %d pairs are in the CSV and JSON forms.", len(pairs.Tables[0].Rows)))
		d.Data, pairs.Tables = append(d.Data, pairs.Tables...), nil
	}
	d.add(s, pairs, Section{ID: "refused", Title: "Not ranked", Tables: withRows(refusedTable(refused))})
	return d, nil
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

// rankEntries sorts entries by their league, in it the best first. A league is what had the same budget and model; the
// one with the best entry is first. Who is alone in its league has no rank.
func rankEntries(set submission.Set, of []submission.Entry) []entry {
	var board []entry
	for _, e := range of {
		board = append(board, entryOf(set, e))
	}
	better := func(a, b entry) int {
		return cmp.Or(cmp.Compare(meanOf(b.perTrial), meanOf(a.perTrial)), cmp.Compare(b.any, a.any))
	}
	slices.SortFunc(board, func(a, b entry) int { return cmp.Or(better(a, b), strings.Compare(a.name(), b.name())) })
	leagues := leaguesOf(board)
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
	return slices.Concat(leagues...)
}

// leaguesOf divides a board by budget and model.
func leaguesOf(board []entry) [][]entry {
	return grouped(board, func(e entry) string { return e.Conditions() })
}

// leagueTables divides a ranking, whose rows are those of the board. It makes a table for each league, and one
// for those that are alone in theirs.
func leagueTables(ranking Table, board []entry) (tables []Table) {
	alone := newTable("leaderboard_alone", "Not ranked: no other entry had the same budget and model", ranking.Columns...)
	done := 0
	for _, league := range leaguesOf(board) {
		rows := ranking.Rows[done : done+len(league)]
		if done += len(league); len(league) == 1 {
			alone.Rows = append(alone.Rows, rows...)
			continue
		}
		t := newTable("leaderboard", "Submissions by HBDR: "+league[0].Conditions(), ranking.Columns...)
		if len(tables) > 0 {
			t.ID = fmt.Sprintf("leaderboard_%d", len(tables)+1)
		}
		t.Rows = rows
		tables = append(tables, t)
	}
	return append(tables, withRows(alone)...)
}

func leaderboardNotes(set submission.Set, corpus string, board []entry) []string {
	var names []string
	for _, l := range set.Libraries {
		names = append(names, l.Name)
	}
	libraries := strings.ReplaceAll(trial.Count(len(names), "library"), "librarys", "libraries")
	notes := []string{fmt.Sprintf("Set %s of corpus %s: %s on %s (%s), %s.", set.Name, corpus, trial.Count(set.Bugs(), "bug"),
		libraries, strings.Join(names, ", "), trial.Count(set.Trials, "trial"))}
	if len(board) == 0 {
		return append(notes, "No run covers the whole set: nothing is ranked.")
	}
	if len(board) > 1 {
		notes = append(notes, "A rank is no proof of a difference: the table of pairs says which entries differ (McNemar's exact test on paired bugs, Holm-corrected).")
	}
	if len(leaguesOf(board)) > 1 {
		notes = append(notes, "Budgets or models differ: only entries with the same budget and model are ranked and compared.")
	}
	return append(notes, "Figures are as recorded: bench replay RUN --suites evaluates the suites of a run again and compares.")
}

// leaderboardPairs tests each pair of entries that had the same conditions.
func leaderboardPairs(set submission.Set, board []entry) Table {
	t := newTable("leaderboard_pairs", "Bugs detected in any trial, entry against entry",
		slices.Concat([]Column{textColumn("a", "A"), textColumn("b", "B")}, findColumns("detected", "detects"), mcnemarColumns)...)
	for i, a := range board {
		for _, b := range board[i+1:] {
			if a.Conditions() != b.Conditions() {
				continue
			}
			var both shared
			for k := range a.detected {
				both.addBug(a.detected[k], b.detected[k])
			}
			t.add(slices.Concat([]Cell{words(a.name()), words(b.name())}, both.cells(), []Cell{mcnemar(both.onlyA, both.onlyB), {}})...)
		}
	}
	t.correct("mcnemar_p", "mcnemar_holm")
	return t
}

func rankingTable(set submission.Set, board []entry) Table {
	t := newTable("leaderboard", "Submissions by HBDR", numberColumn("rank", "Rank", 0), textColumn("submission", "Submission"), textColumn("tool", "Tool"),
		percentColumn("hbdr", "HBDR %", 1).withInterval(), countColumn("detected", "In any trial"), rangeColumn("interval", "95% interval %", 1).in("pct"),
		textColumn("oracles", "By oracle"), textColumn("budget", "Budget"), textColumn("model", "Model"),
		estimateColumn("dollars", "Dollars\nper trial", 2), numberColumn("trials", "Trials", 0), textColumn("edition", "Edition"))
	for _, e := range board {
		rank := notApplicable("no other entry had its budget and model")
		if e.rank > 0 {
			rank = whole(e.rank)
		}
		t.add(rank, words(e.Submission), words(e.tool()), estimate(e.perTrial), count(e.any, set.Bugs()), shareInterval(e.any, set.Bugs()),
			words(e.byOracle()), words(e.Budget), words(cmp.Or(e.Model, "none")), e.dollars(), whole(set.Trials), words(string(set.Libraries[0].Edition)))
	}
	return t
}

// dollars is what a trial cost, on all libraries of the set.
func (e entry) dollars() Cell {
	if e.Model == "" {
		return notApplicable("it asks no model")
	}
	perTrial := make([]float64, len(e.Records[0]))
	for _, library := range e.Records {
		for n, r := range library {
			perTrial[n] += r.Total().Dollars
		}
	}
	return estimate(perTrial)
}

// byOracle counts the bugs detected in any trial by the oracle classes of their tests: a bug
// counts for each of its classes.
func (e entry) byOracle() string {
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
	return strings.Join(parts, ", ")
}

// leaderboardFigures has the metrics beside HBDR.
func leaderboardFigures(board []entry) Table {
	type figure struct {
		Column
		metric
	}
	alarms := metric{part: trial.PartSuccess, of: programShare(func(p *trial.ProgramCounts) int { return p.FalseAlarms })}
	figures := []figure{
		{percentColumn("csr", "CSR %", 1), csrMetric},
		{percentColumn("esr", "ESR %", 1), esrMetric},
		{percentColumn("line_coverage", "Lines %", 1), lineMetric},
		{percentColumn("branch_coverage", "Branches %", 1), branchMetric},
		{estimateColumn("auvc", "AUVC", 2), auvcMetric},
		{percentColumn("false_alarms", "False alarms %", 1), alarms},
	}
	mutated := func(e entry) bool {
		return slices.ContainsFunc(slices.Concat(e.Records...), func(r trial.Record) bool { return r.Mutation != nil })
	}
	if slices.ContainsFunc(board, mutated) {
		figures = append(figures, figure{estimateColumn("mutation_score", "Mutation score", 3), metric{part: trial.PartMutation, of: mutationScore}})
	}
	t := newTable("leaderboard_figures", "Other figures, mean over libraries", textColumn("submission", "Submission"), textColumn("tool", "Tool"))
	for _, f := range figures {
		t.Columns = append(t.Columns, f.Column)
	}
	for _, e := range board {
		row := []Cell{words(e.Submission), words(e.tool())}
		for _, f := range figures {
			row = append(row, overLibraries(e.Records, f.metric))
		}
		t.add(row...)
	}
	return t
}

// overLibraries is the estimate, over trials, of the mean over libraries. A figure that a
// library does not have in every trial is no figure of the entry: the mean would be of other
// libraries than those of the entries beside it.
func overLibraries(records [][]trial.Record, m metric) Cell {
	perTrial := make([]float64, len(records[0]))
	for n := range perTrial {
		for _, library := range records {
			r := library[n]
			if why, lacks := r.Missing[m.part]; lacks {
				why.Message = fmt.Sprintf("%s, trial %d: %s", r.Cell.Library, r.Cell.Trial, why.Message)
				return lacking(why)
			}
			x, ok := m.of(r)
			if !ok {
				return notApplicable("not on every library of the set")
			}
			perTrial[n] += x / float64(len(records))
		}
	}
	return estimate(perTrial)
}

func refusedTable(refused []submission.Refusal) Table {
	t := newTable("refused", "Runs and tools that are not ranked",
		textColumn("file", "File"), textColumn("submission", "Submission"), textColumn("tool", "Tool"), wideColumn("reason", "Reason"))
	for _, r := range refused {
		why := firstLine(r.Reasons[0])
		if n := len(r.Reasons) - 1; n > 0 {
			why += fmt.Sprintf(" (and %d more)", n)
		}
		t.add(words(r.File), words(cmp.Or(r.Submission, "–")), words(cmp.Or(r.Tool, "–")), words(why))
	}
	return t
}
