package paper

import (
	"fmt"
	"slices"

	"github.com/lisa-bench/lisa-bench/stats"
)

// DetectionPower is the probability with which a comparison should find a difference.
const DetectionPower = 0.8

// A BugPair compares LISA with another column of the table of bugs, from published totals.
type BugPair struct {
	Other  Column
	Family string // comparisons that are corrected together
	Found  int    // by LISA
	OfThem int    // by the other
	Total  int
	Fisher stats.FisherResult
	Holm   float64 // Fisher's p, corrected for its family
	// PairedLow and PairedHigh bound the p of McNemar's test: which bugs each tool found is
	// not published, but the totals per library leave few possibilities.
	PairedLow, PairedHigh float64
}

// BugPairs recomputes the comparisons of the table of bugs, tools first, then variants.
func (p *Paper) BugPairs() ([]BugPair, error) {
	t := p.table("bugs")
	if t == nil {
		return nil, fmt.Errorf("no table of bugs")
	}
	lisa, total := t.Column("lisa"), t.Column("total")
	var pairs []BugPair
	for i, c := range t.Columns {
		if c.Metric != Bugs || i == lisa {
			continue
		}
		pair := BugPair{Other: c, Family: "tools"}
		if c.Variant != "" {
			pair.Family = "variants"
		}
		bothLow, bothHigh := 0, 0
		for _, row := range t.Rows {
			ours, theirs, all := int(row[lisa].Number), int(row[i].Number), int(row[total].Number)
			pair.Found, pair.OfThem, pair.Total = pair.Found+ours, pair.OfThem+theirs, pair.Total+all
			bothLow += max(0, ours+theirs-all)
			if !t.disjoint(row, c.Key, "lisa") {
				bothHigh += min(ours, theirs)
			}
		}
		if err := pair.compute(bothLow, bothHigh); err != nil {
			return nil, fmt.Errorf("LISA against %s: %w", c.Key, err)
		}
		pairs = append(pairs, pair)
	}
	return pairs, correct(pairs)
}

func (t *Table) disjoint(row Row, a, b string) bool {
	return slices.ContainsFunc(t.Disjoint, func(d Disjoint) bool {
		return d.Row == row[0].Text && (d.Columns == [2]string{a, b} || d.Columns == [2]string{b, a})
	})
}

// compute runs the tests; both is how many bugs the two may have in common.
func (b *BugPair) compute(bothLow, bothHigh int) (err error) {
	if b.Fisher, err = stats.FisherExact(b.Found, b.Total, b.OfThem, b.Total); err != nil {
		return err
	}
	b.PairedLow, b.PairedHigh = 1, 0
	for both := bothLow; both <= bothHigh; both++ {
		r, err := stats.McNemarExact(b.Found-both, b.OfThem-both)
		if err != nil {
			return err
		}
		b.PairedLow, b.PairedHigh = min(b.PairedLow, r.P), max(b.PairedHigh, r.P)
	}
	return nil
}

// correct fills Holm, family by family.
func correct(pairs []BugPair) error {
	families := map[string][]int{}
	for i, b := range pairs {
		families[b.Family] = append(families[b.Family], i)
	}
	for _, members := range families {
		var ps []float64
		for _, i := range members {
			ps = append(ps, pairs[i].Fisher.P)
		}
		adjusted, err := stats.Holm(ps)
		if err != nil {
			return err
		}
		for j, i := range members {
			pairs[i].Holm = adjusted[j]
		}
	}
	return nil
}

// Detectable says, for each share of bugs that another tool may find, which share LISA would have to find for
// Fisher's test to be significant on the published number of bugs.
func (p *Paper) Detectable(shares []float64) (bugs int, effects []stats.DetectableEffect, err error) {
	pairs, err := p.BugPairs()
	if err != nil {
		return 0, nil, err
	}
	bugs = pairs[0].Total
	design, err := stats.NewFisherDesign(bugs, bugs)
	if err != nil {
		return 0, nil, err
	}
	for _, s := range shares {
		e, err := design.MinimumDetectable(s, DetectionPower)
		if err != nil {
			return 0, nil, err
		}
		effects = append(effects, e)
	}
	return bugs, effects, nil
}

// A Ranking compares the contestants of one contest of a table over its rows.
type Ranking struct {
	Metric Metric
	Tools  []string
	stats.FriedmanResult
	// A12 is, for each tool, the probability that LISA's value on one library exceeds the
	// tool's on another; nil for LISA itself.
	A12 []*float64
}

// Rankings compares tools over libraries: coverage, success and AUVC.
func (p *Paper) Rankings() ([]Ranking, error) {
	var all []Ranking
	for _, t := range p.Tables {
		for _, contest := range t.Contests {
			if t.Columns[t.Column(contest[0])].Metric == Bugs {
				continue // few and tied; the table of pairs compares them
			}
			r, err := t.ranking(contest)
			if err != nil {
				return nil, fmt.Errorf("ranking of %s: %w", t.ID, err)
			}
			all = append(all, r)
		}
	}
	return all, nil
}

func (t *Table) ranking(contest []string) (Ranking, error) {
	r := Ranking{}
	columns := make([][]float64, len(contest))
	scores := make([][]float64, len(t.Rows))
	lisa := -1
	for i, key := range contest {
		c := t.Columns[t.Column(key)]
		r.Tools, r.Metric = append(r.Tools, c.Tool), c.Metric
		if c.Tool == "lisa" || c.Tool == "lisa-api" { // the whole, or the stage that the table is of
			lisa = i
		}
		for b, row := range t.Rows {
			x := row[t.Column(key)].Number
			scores[b], columns[i] = append(scores[b], x), append(columns[i], x)
		}
	}
	var err error
	if r.FriedmanResult, err = stats.Friedman(scores); err != nil {
		return r, err
	}
	r.A12 = make([]*float64, len(contest))
	for i := range contest {
		if i == lisa || lisa < 0 {
			continue
		}
		a, err := stats.VarghaDelaneyA12(columns[lisa], columns[i])
		if err != nil {
			return r, err
		}
		r.A12[i] = &a
	}
	return r, nil
}
