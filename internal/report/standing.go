package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/lisa-bench/lisa-bench/results/submission"
)

// A standing is an entry with the figures that it is ranked by.
type standing struct {
	submission.Entry
	perTrial []float64 // share of the set's bugs detected, in percent
	detected []bool    // in any trial, by bug of the set
	rank     int       // among those with the same budget and model; 0 of what is not ranked
	unranked string    // why not
}

func (s standing) tool() string { return contender{s.Tool, s.Variant}.String() }

func (s standing) name() string { return s.Submission + ": " + s.tool() }

func (s standing) any() int {
	n := 0
	for _, d := range s.detected {
		n += one(d)
	}
	return n
}

// dollars is what a trial cost, on all libraries of the set.
func (s standing) dollars() Cell {
	if s.Model == "" {
		return notApplicable("it asks no model")
	}
	perTrial := make([]float64, len(s.Records[0]))
	for _, library := range s.Records {
		for n, r := range library {
			perTrial[n] += r.Total().Dollars
		}
	}
	return estimate(perTrial)
}

// standingOf computes what an entry is ranked by.
func standingOf(set submission.Set, e submission.Entry) standing {
	s := standing{Entry: e, detected: make([]bool, set.Bugs())}
	for n := range set.Trials {
		found, k := 0, 0
		for i, l := range set.Libraries {
			for j := range l.Bugs {
				d := e.Records[i][n].Bugs[j].Detected
				found += one(d)
				s.detected[k] = s.detected[k] || d
				k++
			}
		}
		s.perTrial = append(s.perTrial, 100*float64(found)/float64(set.Bugs()))
	}
	return s
}

// rank sorts entries by their league, in it the best first. A league is what had the same budget and model; the one
// with the best entry is first. Who is alone in its league has no rank.
func rank(set submission.Set, entries []submission.Entry) []standing {
	var board []standing
	for _, e := range entries {
		board = append(board, standingOf(set, e))
	}
	better := func(a, b standing) int {
		return cmp.Or(cmp.Compare(meanOf(b.perTrial), meanOf(a.perTrial)), cmp.Compare(b.any(), a.any()))
	}
	slices.SortFunc(board, func(a, b standing) int {
		return cmp.Or(better(a, b), strings.Compare(a.name(), b.name()))
	})
	var sorted []standing
	for _, of := range leagues(board) {
		for k, i := range of {
			s := board[i]
			switch last := len(sorted) - 1; {
			case len(of) == 1:
				s.unranked = "no other entry had its budget and model"
			case k > 0 && better(sorted[last], s) == 0:
				s.rank = sorted[last].rank
			default:
				s.rank = k + 1
			}
			sorted = append(sorted, s)
		}
	}
	return sorted
}

// leagues returns the indexes of those that had the same budget and model, by the first of them.
func leagues(board []standing) [][]int {
	places := make([]int, len(board))
	for i := range places {
		places[i] = i
	}
	return grouped(places, func(i int) string { return board[i].Conditions() })
}

// leagueTables divides a ranking, whose rows are those of the board. It makes a table for each league, and one
// for those that are alone in theirs.
func leagueTables(ranking Table, board []standing) []Table {
	part := func(id, title string, rows ...int) Table {
		t := ranking
		t.ID, t.Title, t.Rows = id, title, nil
		for _, i := range rows {
			t.Rows = append(t.Rows, ranking.Rows[i])
		}
		return t
	}
	var tables []Table
	alone := part("leaderboard_alone", "Not ranked: no other entry had the same budget and model")
	for _, of := range leagues(board) {
		if len(of) == 1 {
			alone.Rows = append(alone.Rows, ranking.Rows[of[0]])
			continue
		}
		id := "leaderboard"
		if len(tables) > 0 {
			id = fmt.Sprintf("leaderboard_%d", len(tables)+1)
		}
		tables = append(tables, part(id, "Submissions by HBDR: "+board[of[0]].Conditions(), of...))
	}
	return append(tables, withRows(alone)...)
}
