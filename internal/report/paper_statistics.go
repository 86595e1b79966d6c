package report

import (
	"fmt"

	"github.com/lisa-bench/lisa-bench/results/paper"
	"github.com/lisa-bench/lisa-bench/stats"
)

// paperStatistics are what the paper prints or could have printed, from its cells.
func paperStatistics(p *paper.Paper) Section {
	return Section{ID: "statistics", Title: "Statistics recomputed from the printed cells",
		Tables: []Table{pairTable(sure(p.BugPairs())), rankTable(sure(p.Rankings())), powerTable(p)}}
}

func pairTable(pairs []paper.BugPair) Table {
	t := Table{ID: "paper_pairs", Title: "LISA against each other tool and variant, bugs found", Columns: []Column{
		{Key: "other", Name: "LISA against", Kind: Words},
		{Key: "lisa", Name: "LISA", Kind: Count}, {Key: "found", Name: "Other", Kind: Count},
		{Key: "p", Name: "Fisher p", Kind: PValue}, {Key: "holm", Name: "Holm p", Kind: PValue},
		{Key: "odds", Name: "Odds\nratio", Kind: Number, Decimals: 2}, {Key: "conditional", Name: "cond.\nodds", Kind: Number, Decimals: 2},
		{Key: "interval", Name: "exact 95%\ninterval", Kind: Range, Decimals: 2},
		{Key: "paired", Name: "McNemar p,\npossible range", Kind: Range, Decimals: 4},
	}}
	for _, b := range pairs {
		t.Rows = append(t.Rows, []Cell{
			words(oneLine(b.Other.Name)), count(b.Found, b.Total), count(b.OfThem, b.Total),
			number(b.Fisher.P).with(b.Fisher.Warnings...), number(b.Holm), maybe(b.Fisher.OddsRatio, "a count of its divisor is 0"),
			maybe(b.Fisher.ConditionalOdds, "it is infinite"), oddsCell(b.Fisher.Odds), span(b.PairedLow, b.PairedHigh)})
	}
	t.Warnings = []string{
		"Fisher p: two-sided exact test of two shares. It assumes independent groups, which they are not: all tools face the same bugs.",
		"McNemar p: the exact test for tools that face the same bugs, from the bugs that only one of them found. The paper does not say which bugs each found; the totals per library allow this range.",
		"Holm p: Fisher's p corrected for the number of comparisons: the first two rows are one group, the variants of LISA another.",
		"Odds ratio: (found / missed) by LISA over (found / missed) by the other. The conditional one is its estimate given the margins; the exact interval belongs to it.",
	}
	return t
}

func oddsCell(iv stats.OddsInterval) Cell {
	if iv.High == nil {
		return notApplicable(fmt.Sprintf("at least %.2f, without upper bound", iv.Low))
	}
	return span(iv.Low, *iv.High)
}

// toolNames are how tables print tools.
var toolNames = map[string]string{"lisa": "LISA", "lisa-api": "LISA", "vanilla": "Vanilla", "ossfuzz": "OSS-Fuzz", "citywalk": "CITYWALK"}

// metricNames are how tables print metrics.
var metricNames = map[paper.Metric]string{paper.CSR: "compile %", paper.ESR: "run %", paper.Line: "lines %", paper.Branch: "branches %",
	paper.AUVC: "AUVC", paper.Bugs: "bugs", paper.Valid: "valid programs"}

func rankTable(rankings []paper.Ranking) Table {
	t := Table{ID: "paper_ranks", Columns: []Column{
		{Key: "metric", Name: "Measure", Kind: Words}, {Key: "tool", Name: "Tool", Kind: Words},
		{Key: "rank", Name: "Average\nrank", Kind: Number, Decimals: 2}, {Key: "a12", Name: "A12 of\nLISA", Kind: Number, Decimals: 2},
		{Key: "cd", Name: "Critical\ndifference", Kind: Number, Decimals: 2}, {Key: "p", Name: "Friedman p", Kind: PValue},
		{Key: "same", Name: "No significant difference from", Kind: Words}}}
	for _, r := range rankings {
		for i, tool := range r.Tools {
			t.Rows = append(t.Rows, []Cell{words(metricNames[r.Metric]), words(toolNames[tool]), number(r.AverageRanks[i]), numberOr(r.A12[i], Cell{}),
				number(r.CriticalDifference), number(r.P), words(alike(i, r.Tools, toolName, r.Groups, "–"))})
		}
		t.Title = fmt.Sprintf("Tools ranked on each of the %d libraries", r.Blocks)
	}
	t.Warnings = []string{
		"Average rank: 1 is best. Two tools differ significantly (5%) if their average ranks differ by the critical difference (Nemenyi) or more. Friedman p: from the chi-square distribution, for the hypothesis that all tools are alike.",
		"A12 (Vargha and Delaney): the probability that LISA on one library exceeds the tool on another; 0.5 means no difference.",
	}
	return t
}

// otherShares are the shares of bugs that the other tools and variants find in the paper.
var otherShares = []float64{0.08, 0.12, 0.16, 0.2}

func powerTable(p *paper.Paper) Table {
	bugs, effects, err := p.Detectable(otherShares)
	sure(bugs, err)
	t := Table{ID: "paper_power", Title: fmt.Sprintf("What a comparison on %d bugs can find (Fisher's test, p < %g, power %.0f%%)", bugs, stats.Alpha, 100*paper.DetectionPower),
		Columns: []Column{
			{Key: "other", Name: "If the other finds %", Kind: Number, Unit: "pct"},
			{Key: "needed", Name: "LISA must find at least %", Kind: Number, Unit: "pct", Decimals: 1}}}
	for _, e := range effects {
		needed := notApplicable("no share is enough")
		if e.Higher != nil {
			needed = number(100 * *e.Higher)
		}
		t.Rows = append(t.Rows, []Cell{number(100 * e.Baseline), needed.with(e.Warnings...)})
	}
	t.Warnings = []string{"Power is the probability of finding an existing difference. Smaller differences may go unnoticed: a p above 0.05 does not mean that two tools are equal."}
	return t
}
