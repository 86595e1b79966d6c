package report

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/lisa-bench/lisa-bench/results/paper"
	"github.com/lisa-bench/lisa-bench/stats"
)

// paperTitle is that of the paper whose numbers are shown.
const paperTitle = `LISA, "LLM-Based Invariant Testing for Software Functional Bugs"`

// PaperData is the id of the table of Document.Data that holds all numbers of the paper.
const PaperData = "paper_data"

// Paper makes the document of the published numbers: every table, the statistics
// recomputed from them, and each claim of the text with its mark.
func Paper(p *paper.Paper, command string) (*Document, error) {
	var checks []paper.Check
	for _, c := range p.Claims {
		check, err := c.Check(p)
		if err != nil {
			return nil, fmt.Errorf("published numbers: claim %s: %w", c.ID, err)
		}
		checks = append(checks, check)
	}
	statistics, err := paperStatistics(p)
	if err != nil {
		return nil, fmt.Errorf("published numbers: %w", err)
	}
	published := Section{ID: "published", Title: "Published tables", Notes: paperWords}
	for _, t := range p.Tables {
		published.Tables = append(published.Tables, publishedTable(t))
	}
	return &Document{Schema: documentSchema, Title: paperTitle + ": published numbers", Command: Clean(command),
		Sections: []Section{paperOverview(checks), published, statistics, claimTables(checks)},
		Data:     []Table{publishedData(p, checks)}}, nil
}

// paperMarks in the order of the overview, with what each means.
var paperMarks = []struct {
	mark    paper.Mark
	meaning string
}{
	{paper.Matches, "the cells give exactly the printed number"},
	{paper.RoundsTo, "the cells give a number that rounds to the printed one"},
	{paper.HoldsTrue, "the text gives no number, but what it says is true"},
	{paper.Differs, "the cells give another number"},
	{paper.DoesNotHold, "the number is right, but what the text says about it is not"},
}

func paperOverview(checks []paper.Check) Section {
	t := newTable("marks", "Claims of the text, recomputed from the printed cells", textColumn("mark", "Mark"), numberColumn("claims", "Claims", 0), wideColumn("meaning", "Meaning"))
	for _, m := range paperMarks {
		n := 0
		for _, c := range checks {
			n += one(c.Mark == m.mark)
		}
		t.add(words(string(m.mark)), whole(n), words(m.meaning))
	}
	s := Section{ID: "overview", Title: "Overview", Tables: []Table{t}}
	for _, c := range checks {
		if c.Mark == paper.Differs || c.Mark == paper.DoesNotHold {
			s.Notes = append(s.Notes, fmt.Sprintf("%s %s: %s: printed %s, recomputed %s. %s",
				c.Claim.ID, markWithDifference(c), c.Claim.Statement, printedNumber(c.Claim), recomputed(c), c.Claim.Note))
		}
	}
	return s
}

// markWithDifference is the mark with the difference, where there is one.
func markWithDifference(c paper.Check) string {
	if c.Mark != paper.Differs {
		return string(c.Mark)
	}
	sign := "+"
	if c.By < 0 {
		sign = "−"
	}
	return "differs by " + sign + digits(math.Abs(c.By), c.Claim.Published.Text)
}

func printedNumber(c *paper.Claim) string {
	if c.Published == nil {
		return "–"
	}
	return c.Published.Text
}

// recomputed shows two digits more than what is printed, or the same if they are equal.
func recomputed(c paper.Check) string {
	switch {
	case c.Mark == paper.Matches:
		return c.Claim.Published.Text
	case c.Claim.Published == nil: // at most four decimals
		return strings.TrimSuffix(strings.TrimRight(strconv.FormatFloat(c.Value, 'f', 4, 64), "0"), ".")
	}
	return digits(c.Value, c.Claim.Published.Text)
}

// digits shows two more decimals than a printed number has, none for a whole number.
func digits(x float64, printed string) string {
	if x == math.Trunc(x) {
		return strconv.FormatFloat(x, 'f', -1, 64)
	}
	_, fraction, _ := strings.Cut(printed, ".")
	return strconv.FormatFloat(x, 'f', len(fraction)+2, 64)
}

// paperWords explain the words of the tables. They are notes, which every format prints.
var paperWords = []string{
	"Compile %, run %: the share of a tool's programs that compiles and links, and the share that runs without an error.",
	"Lines %, branches %: the share of the library's source lines, and of its branch outcomes, that the tests reach.",
	"AUVC, average unique verifications count: how many different checks a test makes on average. A test that fails after its checks were added counts 0.",
	"Bugs: historical bugs, re-introduced one at a time. A test finds a bug if it passes without it and fails with it.",
	"Vanilla: the same language model without any of LISA's parts. CITYWALK: another generator that uses a model. OSS-Fuzz: the official fuzzing harnesses.",
	"without repair, chunks, knowledge: LISA with that part of its invariant stage switched off. Daikon or documents only: with that source of knowledge alone.",
}

// publishedTable is one of the paper's.
func publishedTable(t *paper.Table) Table {
	out := newTable("paper_"+t.ID, paperTableTitle(t))
	for _, c := range t.Columns {
		col := Column{Key: c.Key, Name: c.Name, Unit: c.Unit, Decimals: c.Decimals, Kind: Number}
		switch {
		case c.Text || c.Printed:
			col.Kind = Words
		case c.Spread > 0:
			col.Kind = Estimate
		}
		out.Columns = append(out.Columns, col)
	}
	for r, row := range t.Rows {
		cells := publishedRow(t, row)
		for i, c := range t.Columns {
			cells[i] = cells[i].with(cleanAll(t.NotesOf(r, c.Key))...)
		}
		out.add(cells...)
	}
	for _, row := range t.Summary {
		out.add(publishedRow(t, row)...)
	}
	for _, n := range t.Notes {
		if n.Row == "" {
			out.Warnings = append(out.Warnings, Clean(fmt.Sprintf("%s: %s", oneLine(t.Columns[t.Column(n.Column)].Name), n.Text)))
		}
	}
	return out
}

func publishedRow(t *paper.Table, row paper.Row) []Cell {
	var cells []Cell
	for i, c := range t.Columns {
		v := row[i]
		switch {
		case c.Text:
			cells = append(cells, words(t.Name(v.Text)))
		case c.Printed || v.Text == "":
			cells = append(cells, words(v.Text))
		case c.Spread > 0:
			cells = append(cells, Cell{Values: []float64{v.Number, float64(c.Spread), v.Std}})
		default:
			cells = append(cells, number(v.Number))
		}
	}
	return cells
}

// oneLine is a column's name outside its header.
func oneLine(name string) string { return strings.ReplaceAll(name, "\n", " ") }

func cleanAll(list []string) []string {
	var out []string
	for _, s := range list {
		out = append(out, Clean(s))
	}
	return out
}

func paperTableTitle(t *paper.Table) string {
	where := fmt.Sprintf("section %q", t.Place.Section)
	if t.Place.Label != "" {
		where = t.Place.Label + ", " + where
	}
	return Clean(fmt.Sprintf("%s (%s)", t.Title, where))
}

// paperStatistics are what the paper prints or could have printed, from its cells.
func paperStatistics(p *paper.Paper) (s Section, err error) {
	pairs, err := p.BugPairs()
	if err != nil {
		return s, err
	}
	rankings, err := p.Rankings()
	if err != nil {
		return s, err
	}
	bugs, effects, err := p.Detectable(otherShares)
	return Section{ID: "statistics", Title: "Statistics recomputed from the printed cells",
		Tables: []Table{paperPairs(pairs), paperRanks(rankings), paperPower(bugs, effects)}}, err
}

func paperPairs(pairs []paper.BugPair) Table {
	t := newTable("paper_pairs", "LISA against each other tool and variant, bugs found", textColumn("other", "LISA against"), countColumn("lisa", "LISA"),
		countColumn("found", "Other"), pColumn("p", "Fisher p"), pColumn("holm", "Holm p"), numberColumn("odds", "Odds\nratio", 2),
		numberColumn("conditional", "cond.\nodds", 2), rangeColumn("interval", "exact 95%\ninterval", 2), rangeColumn("paired", "McNemar p,\npossible range", 4))
	for _, b := range pairs {
		interval := notApplicable(fmt.Sprintf("at least %.2f, without upper bound", b.Fisher.Odds.Low))
		if b.Fisher.Odds.High != nil {
			interval = span(b.Fisher.Odds.Low, *b.Fisher.Odds.High)
		}
		t.add(words(oneLine(b.Other.Name)), count(b.Found, b.Total), count(b.OfThem, b.Total), number(b.Fisher.P).with(b.Fisher.Warnings...), number(b.Holm),
			maybe(b.Fisher.OddsRatio, "a count of its divisor is 0"), maybe(b.Fisher.ConditionalOdds, "it is infinite"), interval, span(b.PairedLow, b.PairedHigh))
	}
	t.Warnings = []string{
		"Fisher p: two-sided exact test of two shares. It assumes independent groups, which they are not: all tools face the same bugs.",
		"McNemar p: the exact test for tools that face the same bugs, from the bugs that only one of them found. The paper does not say which bugs each found; the totals per library allow this range.",
		"Holm p: Fisher's p corrected for the number of comparisons: the first two rows are one group, the variants of LISA another.",
		"Odds ratio: (found / missed) by LISA over (found / missed) by the other. The conditional one is its estimate given the margins; the exact interval belongs to it.",
	}
	return t
}

// toolNames are how tables print tools.
var toolNames = map[string]string{"lisa": "LISA", "lisa-api": "LISA", "vanilla": "Vanilla", "ossfuzz": "OSS-Fuzz", "citywalk": "CITYWALK"}

// metricNames are how tables print metrics.
var metricNames = map[paper.Metric]string{paper.CSR: "compile %", paper.ESR: "run %", paper.Line: "lines %", paper.Branch: "branches %",
	paper.AUVC: "AUVC", paper.Bugs: "bugs", paper.Valid: "valid programs"}

func paperRanks(rankings []paper.Ranking) Table {
	t := newTable("paper_ranks", "", textColumn("metric", "Measure"), textColumn("tool", "Tool"), numberColumn("rank", "Average\nrank", 2),
		numberColumn("a12", "A12 of\nLISA", 2), numberColumn("cd", "Critical\ndifference", 2), pColumn("p", "Friedman p"), textColumn("same", "No significant difference from"))
	for _, r := range rankings {
		for i, tool := range r.Tools {
			t.add(words(metricNames[r.Metric]), words(toolNames[tool]), number(r.AverageRanks[i]), numberOr(r.A12[i], Cell{}),
				number(r.CriticalDifference), number(r.P), words(alike(i, r.Tools, toolName, r.Groups, "–")))
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

func paperPower(bugs int, effects []stats.DetectableEffect) Table {
	t := newTable("paper_power", fmt.Sprintf("What a comparison on %d bugs can find (Fisher's test, p < %g, power %.0f%%)", bugs, stats.Alpha, 100*paper.DetectionPower),
		numberColumn("other", "If the other finds %", 0).in("pct"), numberColumn("needed", "LISA must find at least %", 1).in("pct"))
	for _, e := range effects {
		needed := notApplicable("no share is enough")
		if e.Higher != nil {
			needed = number(100 * *e.Higher)
		}
		t.add(number(100*e.Baseline), needed.with(e.Warnings...))
	}
	t.Warnings = []string{"Power is the probability of finding an existing difference. Smaller differences may go unnoticed: a p above 0.05 does not mean that two tools are equal."}
	return t
}

// claimTables lists the claims, one table to a section of the paper, so that each fits a screen.
func claimTables(checks []paper.Check) Section {
	s := Section{ID: "claims", Title: "Claims of the text"}
	for i, of := range grouped(checks, func(c paper.Check) string { return c.Claim.Section }) {
		t := newTable(fmt.Sprintf("claims_%d", i+1), Clean(fmt.Sprintf("Section %q", of[0].Claim.Section)), textColumn("claim", "Claim"),
			wideColumn("statement", "What is claimed"), textColumn("published", "Printed"), textColumn("recomputed", "Recomputed"), textColumn("mark", "Mark"))
		for _, c := range of {
			statement := words(c.Claim.Statement)
			if c.Claim.Note != "" {
				statement = statement.with(Clean(c.Claim.Note))
			}
			t.add(words(c.Claim.ID), statement, words(printedNumber(c.Claim)), words(recomputed(c)), words(markWithDifference(c)))
		}
		s.Tables = append(s.Tables, t)
	}
	return s
}

// keyColumns are columns of data: text ones, then numbers, then text again.
func keyColumns(text, numbers, more []string) []Column {
	var columns []Column
	for i, keys := range [][]string{text, numbers, more} {
		for _, k := range keys {
			kind := Words
			if i == 1 {
				kind = Number
			}
			columns = append(columns, Column{Key: k, Kind: kind})
		}
	}
	return columns
}

// publishedData is the CSV form: a row for each published cell and for each claim.
func publishedData(p *paper.Paper, checks []paper.Check) Table {
	t := newTable(PaperData, "One row per published number and per claim", keyColumns([]string{"kind", "table", "row", "column", "unit"},
		[]string{"published", "published_std", "recomputed"}, []string{"mark"})...)
	none := Cell{}
	for _, table := range p.Tables {
		for r, row := range table.Rows {
			for i, c := range table.Columns {
				if c.Text {
					continue
				}
				std := none
				if c.Spread > 0 {
					std = number(row[i].Std)
				}
				t.add(words("cell"), words(table.ID), words(strings.Join(table.RowKey(row), ", ")), words(c.Key),
					words(c.Unit), number(row[i].Number).with(cleanAll(table.NotesOf(r, c.Key))...), std, none, none)
			}
		}
	}
	for _, c := range checks {
		printed := none
		if c.Claim.Published != nil {
			printed = number(c.Claim.Published.Number)
		}
		t.add(words("claim"), words(c.Claim.ID), none, none, none, printed, none, number(c.Value), words(string(c.Mark)))
	}
	return t
}
