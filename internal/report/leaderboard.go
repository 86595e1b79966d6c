package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/lisa-bench/lisa-bench/internal/trial"
	"github.com/lisa-bench/lisa-bench/results/submission"
)

// Leaderboard ranks entries by HBDR over the bugs of a set. All entries must have records for
// all of the set. Equal entries give equal documents, in whatever order they come.
func Leaderboard(set submission.Set, corpus string, entries []submission.Entry, refused []submission.Refusal) (d *Document, err error) {
	defer end("leaderboard", &err)
	board := rank(set, entries)
	pairs := leaderboardPairs(set, board)
	ranking := rankingTable(set, board)
	figures := leaderboardFigures(board)
	d = &Document{Schema: documentSchema, Title: Clean("Leaderboard " + set.Name)}
	s := Section{ID: "leaderboard", Title: "Ranking", Definitions: leaderboardDefinitions, Notes: leaderboardNotes(set, corpus, board)}
	if len(board) > 0 {
		s.Tables = append(leagueTables(ranking, board), figures)
	}
	d.Sections = append(d.Sections, s)
	d.Data = append(d.Data, oneTable(ranking, figures))
	if len(pairs.Rows) > 0 {
		if len(pairs.Rows) > mostPairs {
			d.Data = append(d.Data, pairs)
			d.Sections[0].Notes = append(d.Sections[0].Notes, fmt.Sprintf("The %d pairs are in the CSV and JSON forms.", len(pairs.Rows)))
		} else {
			d.Sections = append(d.Sections, Section{ID: "pairs", Title: "Pairs", Tables: []Table{pairs}})
		}
	}
	if len(refused) > 0 {
		d.Sections = append(d.Sections, Section{ID: "refused", Title: "Not ranked", Tables: []Table{refusedTable(refused)}})
	}
	return d, nil
}

var leaderboardDefinitions = []Definition{
	{"HBDR", "Historical bug detection rate: the share of the set's bugs that a trial's suites detect; mean over trials ± standard deviation, with a bootstrap interval (BCa, 95%) where there are three trials or more.", "bugs detected / bugs of the set, per trial"},
	{"In any trial", "Bugs detected in at least one trial, with the Clopper–Pearson interval (95%).", ""},
	{"Dollars per trial", "What the models' answers cost on all libraries of the set together; mean over trials.", ""},
	{"CSR, ESR, lines, branches, AUVC, mutation score", "The mean over libraries of the set in each trial, then mean ± standard deviation over trials.", ""},
}

func leaderboardNotes(set submission.Set, corpus string, board []standing) []string {
	var libraries []string
	for _, l := range set.Libraries {
		libraries = append(libraries, l.Name)
	}
	notes := []string{fmt.Sprintf("Set %s of corpus %s: %s on %s (%s), %s.", set.Name, corpus, trial.Count(set.Bugs(), "bug"),
		strings.ReplaceAll(trial.Count(len(set.Libraries), "library"), "librarys", "libraries"), strings.Join(libraries, ", "), trial.Count(set.Trials, "trial"))}
	if len(board) == 0 {
		return append(notes, "No run covers the whole set: nothing is ranked.")
	}
	if len(board) > 1 {
		notes = append(notes, "A rank is no proof of a difference: the table of pairs says which entries differ (McNemar's exact test on paired bugs, Holm-corrected).")
	}
	if slices.ContainsFunc(board, func(s standing) bool { return s.Conditions() != board[0].Conditions() }) {
		notes = append(notes, "Budgets or models differ: only entries with the same budget and model are ranked and compared.")
	}
	notes = append(notes, "Figures are as recorded: bench replay RUN --suites evaluates the suites of a run again and compares.")
	return notes
}

// LeaderboardData is the ID of the table that has all figures of a leaderboard, a row for each
// entry: its CSV form.
const LeaderboardData = "leaderboard_data"

// oneTable is the ranking with the columns of the other figures, whose rows are in the same order.
func oneTable(ranking, figures Table) Table {
	t := Table{ID: LeaderboardData, Title: "Leaderboard", Columns: slices.Concat(ranking.Columns, figures.Columns[2:])}
	for i, row := range ranking.Rows {
		t.Rows = append(t.Rows, slices.Concat(row, figures.Rows[i][2:]))
	}
	return t
}

// leaderboardPairs tests each pair of entries that had the same conditions.
func leaderboardPairs(set submission.Set, board []standing) Table {
	t := Table{ID: "leaderboard_pairs", Title: "Bugs detected in any trial, entry against entry", Columns: append([]Column{
		{Key: "a", Name: "A", Kind: Words}, {Key: "b", Name: "B", Kind: Words}}, bugPairColumns[3:9]...)}
	for i, a := range board {
		for _, b := range board[i+1:] {
			if a.Conditions() != b.Conditions() {
				continue
			}
			both := shared{n: set.Bugs()}
			for k := range a.detected {
				both.add(pairedOutcome(a.detected[k], b.detected[k]))
			}
			t.Rows = append(t.Rows, append([]Cell{words(a.name()), words(b.name())}, bugPairRow(both)[:6]...))
		}
	}
	t.correct("mcnemar_p", "mcnemar_holm")
	return t
}

func rankingTable(set submission.Set, board []standing) Table {
	t := Table{ID: "leaderboard", Title: "Submissions by HBDR", Columns: []Column{
		{Key: "rank", Name: "Rank", Kind: Number},
		{Key: "submission", Name: "Submission", Kind: Words},
		{Key: "tool", Name: "Tool", Kind: Words},
		{Key: "hbdr", Name: "HBDR %", Kind: Estimate, Unit: "pct", Decimals: 1, Interval: true},
		{Key: "detected", Name: "In any trial", Kind: Count},
		{Key: "interval", Name: "95% interval %", Kind: Range, Unit: "pct", Decimals: 1},
		{Key: "oracles", Name: "By oracle", Kind: Words},
		{Key: "budget", Name: "Budget", Kind: Words},
		{Key: "model", Name: "Model", Kind: Words},
		{Key: "dollars", Name: "Dollars\nper trial", Kind: Estimate, Decimals: 2},
		{Key: "trials", Name: "Trials", Kind: Number},
		{Key: "edition", Name: "Edition", Kind: Words},
	}}
	for _, s := range board {
		rate := estimate(s.perTrial)
		rank := notApplicable(s.unranked)
		if s.rank > 0 {
			rank = whole(s.rank)
		}
		t.Rows = append(t.Rows, []Cell{rank, words(s.Submission), words(s.tool()), rate, count(s.any(), set.Bugs()),
			shareInterval(s.any(), set.Bugs()), words(s.byOracle()), words(s.Budget), words(cmp.Or(s.Model, "none")), s.dollars(),
			whole(set.Trials), words(string(set.Libraries[0].Edition))})
	}
	return t
}

// byOracle counts the bugs detected in any trial by the oracle classes of their tests: a bug
// counts for each of its classes.
func (s standing) byOracle() string {
	bugs := map[trial.OracleClass]map[string]bool{}
	for _, library := range s.Records {
		for _, r := range library {
			for _, b := range r.Bugs {
				for _, o := range b.Oracles {
					if bugs[o] == nil {
						bugs[o] = map[string]bool{}
					}
					bugs[o][r.Cell.Library+" "+b.Bug] = b.Detected
				}
			}
		}
	}
	var parts []string
	for _, o := range oracleClasses {
		if n := len(bugs[o]); n > 0 {
			parts = append(parts, fmt.Sprintf("%s %d", o, n))
		}
	}
	return strings.Join(parts, ", ")
}

// mutated reports whether any suite of the entry was run on mutants.
func (s standing) mutated() bool {
	return slices.ContainsFunc(s.Records, func(library []trial.Record) bool {
		return slices.ContainsFunc(library, func(r trial.Record) bool { return r.Mutation != nil })
	})
}

// leaderboardFigures has the metrics beside HBDR.
func leaderboardFigures(board []standing) Table {
	type figure struct {
		column Column
		of     metric
	}
	falseAlarms := metric{part: trial.PartSuccess, value: shareOf(func(p *trial.ProgramCounts) int { return p.FalseAlarms })}
	figures := []figure{
		{Column{Key: "csr", Name: "CSR %", Unit: "pct", Decimals: 1}, csrMetric},
		{Column{Key: "esr", Name: "ESR %", Unit: "pct", Decimals: 1}, esrMetric},
		{Column{Key: "line_coverage", Name: "Lines %", Unit: "pct", Decimals: 1}, lineMetric},
		{Column{Key: "branch_coverage", Name: "Branches %", Unit: "pct", Decimals: 1}, branchMetric},
		{Column{Key: "auvc", Name: "AUVC", Decimals: 2}, auvcMetric},
		{Column{Key: "false_alarms", Name: "False alarms %", Unit: "pct", Decimals: 1}, falseAlarms},
	}
	if slices.ContainsFunc(board, standing.mutated) {
		figures = append(figures, figure{Column{Key: "mutation_score", Name: "Mutation score", Decimals: 3}, metric{part: trial.PartMutation, value: mutationScore}})
	}
	t := Table{ID: "leaderboard_figures", Title: "Other figures, mean over libraries", Columns: []Column{
		{Key: "submission", Name: "Submission", Kind: Words}, {Key: "tool", Name: "Tool", Kind: Words}}}
	for _, f := range figures {
		f.column.Kind = Estimate
		t.Columns = append(t.Columns, f.column)
	}
	for _, s := range board {
		row := []Cell{words(s.Submission), words(s.tool())}
		for _, f := range figures {
			row = append(row, overLibraries(s.Records, f.of))
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

// overLibraries is the estimate, over trials, of the mean over libraries. A figure that a
// library does not have in every trial is no figure of the entry. The mean would be of other
// libraries than those of the entries beside it.
func overLibraries(records [][]trial.Record, m metric) Cell {
	var perTrial []float64
	for n := range records[0] {
		sum := 0.0
		for _, library := range records {
			x, ok := m.value(library[n])
			if why, lacks := library[n].Missing[m.part]; lacks {
				c := library[n].Cell
				why.Message = fmt.Sprintf("%s, trial %d: %s", c.Library, c.Trial, why.Message)
				return lacking(why)
			}
			if !ok {
				return notApplicable("not on every library of the set")
			}
			sum += x
		}
		perTrial = append(perTrial, sum/float64(len(records)))
	}
	return estimate(perTrial)
}

func refusedTable(refused []submission.Refusal) Table {
	t := Table{ID: "refused", Title: "Runs and tools that are not ranked", Columns: []Column{
		{Key: "file", Name: "File", Kind: Words}, {Key: "submission", Name: "Submission", Kind: Words}, {Key: "tool", Name: "Tool", Kind: Words},
		{Key: "reason", Name: "Reason", Kind: Words, Wide: true}}}
	for _, r := range refused {
		why := firstLine(r.Reasons[0])
		if n := len(r.Reasons) - 1; n > 0 {
			why += fmt.Sprintf(" (and %d more)", n)
		}
		t.Rows = append(t.Rows, []Cell{words(r.File), words(cmp.Or(r.Submission, "–")), words(cmp.Or(r.Tool, "–")), words(why)})
	}
	return t
}
