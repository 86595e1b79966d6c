package paper

import (
	"slices"

	"github.com/lisa-bench/lisa-bench/stats"
)

// DetectionPower is the probability with which a comparison should find a difference.
const DetectionPower = 0.8

// A BugPair compares LISA with another column of the table of bugs, from published totals.
type BugPair struct {
	Other  Column
	Found  int // by LISA
	OfThem int // by the other
	Total  int
	Fisher stats.FisherResult
	Holm   float64 // Fisher's p, corrected over the other tools, or over the variants of LISA
	// PairedLow and PairedHigh bound the p of McNemar's test: which bugs each tool found is
	// not published, but the totals per library leave few possibilities.
	PairedLow, PairedHigh float64
}

// BugPairs recomputes the comparisons of the table of bugs, tools first, then variants. It returns none without that
// table.
func (p *Paper) BugPairs() []BugPair {
	t := p.table("bugs")
	if t == nil {
		return nil
	}
	var tools, variants []BugPair
	for i, c := range t.Columns {
		switch {
		case c.Metric != Bugs || c.Key == "lisa":
		case c.Variant == "":
			tools = append(tools, t.bugPair(i))
		default:
			variants = append(variants, t.bugPair(i))
		}
	}
	return slices.Concat(corrected(tools), corrected(variants))
}

// bugPair compares LISA with one column.
func (t *Table) bugPair(other int) BugPair {
	lisa, total := t.Column("lisa"), t.Column("total")
	b := BugPair{Other: t.Columns[other], PairedLow: 1}
	bothLow, bothHigh := 0, 0 // how many bugs the two may have in common
	for _, row := range t.Rows {
		ours, theirs, all := int(row[lisa].Number), int(row[other].Number), int(row[total].Number)
		b.Found, b.OfThem, b.Total = b.Found+ours, b.OfThem+theirs, b.Total+all
		bothLow += max(0, ours+theirs-all)
		if !slices.ContainsFunc(t.Disjoint, func(d Disjoint) bool {
			return d.Row == row[0].Text && slices.Contains(d.Columns[:], "lisa") && slices.Contains(d.Columns[:], b.Other.Key)
		}) {
			bothHigh += min(ours, theirs)
		}
	}
	b.Fisher = stats.FisherExact(b.Found, b.Total, b.OfThem, b.Total)
	for both := bothLow; both <= bothHigh; both++ {
		p := stats.McNemarExact(b.Found-both, b.OfThem-both).P
		b.PairedLow, b.PairedHigh = min(b.PairedLow, p), max(b.PairedHigh, p)
	}
	return b
}

// corrected fills in Holm's p of one family of comparisons.
func corrected(pairs []BugPair) []BugPair {
	var ps []float64
	for _, b := range pairs {
		ps = append(ps, b.Fisher.P)
	}
	for i, p := range stats.Holm(ps) {
		pairs[i].Holm = p
	}
	return pairs
}
