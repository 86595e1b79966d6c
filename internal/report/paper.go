package report

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/lisa-bench/lisa-bench/results/paper"
	"github.com/lisa-bench/lisa-bench/stats"
)

// paperTitle is that of the paper whose numbers are shown.
const paperTitle = `LISA, "LLM-Based Invariant Testing for Software Functional Bugs"`

// Paper makes the document of the published numbers: every table, the statistics
// recomputed from them, and each claim of the text with its mark.
func Paper(p *paper.Paper, command string) (*Document, error) {
	d := &Document{Schema: DocumentSchema, Title: paperTitle + ": published numbers", Command: clean(command)}
	checks, err := checkClaims(p)
	if err != nil {
		return nil, err
	}
	statistics, err := paperStatistics(p)
	if err != nil {
		return nil, err
	}
	d.Sections = []Section{paperOverview(checks), publishedTables(p), statistics, claimTables(checks)}
	d.Data = []Table{publishedData(p, checks)}
	return d, nil
}

func checkClaims(p *paper.Paper) ([]paper.Check, error) {
	var checks []paper.Check
	for _, c := range p.Claims {
		check, err := c.Check(p)
		if err != nil {
			return nil, fmt.Errorf("claim %s: %w", c.ID, err)
		}
		checks = append(checks, check)
	}
	return checks, nil
}

// paperMarks in the order of the overview, with what each means.
var paperMarks = []struct {
	mark    paper.Mark
	meaning string
}{
	{paper.Matches, "the cells give exactly the printed number"},
	{paper.RoundsTo, "the cells give a number that rounds to the printed one"},
	{paper.HoldsTrue, "the text gives no number of its own; what it says is so"},
	{paper.Differs, "the cells give another number"},
	{paper.DoesNotHold, "the number fits, but what the text says of it is not so"},
}

func paperOverview(checks []paper.Check) Section {
	t := Table{ID: "marks", Title: "Claims of the text, recomputed from the printed cells", Columns: []Column{
		{Key: "mark", Name: "Mark", Kind: Words}, {Key: "claims", Name: "Claims", Kind: Number}, {Key: "meaning", Name: "Meaning", Kind: Words, Wide: true}}}
	for _, m := range paperMarks {
		n := 0
		for _, c := range checks {
			if c.Mark == m.mark {
				n++
			}
		}
		t.Rows = append(t.Rows, []Cell{words(string(m.mark)), whole(n), words(m.meaning)})
	}
	s := Section{ID: "overview", Title: "Overview", Tables: []Table{t}}
	for _, c := range checks {
		if c.Mark == paper.Differs || c.Mark == paper.DoesNotHold {
			s.Notes = append(s.Notes, fmt.Sprintf("%s %s: %s: printed %s, recomputed %s. %s",
				c.Claim.ID, markWithDifference(c), c.Claim.Statement, published(c.Claim), recomputed(c), c.Claim.Note))
		}
	}
	return s
}

// markWithDifference is the mark with the difference, where there is one.
func markWithDifference(c paper.Check) string {
	if c.Mark == paper.Differs {
		return "differs by " + signed(c.By)
	}
	return string(c.Mark)
}

func published(c *paper.Claim) string {
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
	case c.Claim.Published == nil || c.Value == math.Trunc(c.Value):
		return shortNumber(c.Value)
	}
	_, fraction, _ := strings.Cut(c.Claim.Published.Text, ".")
	return strconv.FormatFloat(c.Value, 'f', len(fraction)+2, 64)
}

// shortNumber shows at most four decimals.
func shortNumber(x float64) string {
	text := strconv.FormatFloat(x, 'f', 4, 64)
	return strings.TrimSuffix(strings.TrimRight(text, "0"), ".")
}

func signed(x float64) string {
	if x < 0 {
		return "−" + shortNumber(-x)
	}
	return "+" + shortNumber(x)
}

func publishedTables(p *paper.Paper) Section {
	s := Section{ID: "published", Title: "Published tables", Notes: paperWords}
	for _, t := range p.Tables {
		s.Tables = append(s.Tables, publishedTable(t))
	}
	return s
}

// paperWords explain the words of the tables. They are notes, which every format prints.
var paperWords = []string{
	"Compile %, run %: of the programs that a tool wrote, the share that compiles and links, and the share that runs to its end without an error.",
	"Lines %, branches %: the share of the library's source lines, and of its branch outcomes, that the tests reach.",
	"AUVC, average unique verifications count: how many different checks a test makes on average; a test that fails after its checks were added counts 0.",
	"Bugs: historical bugs, put back into the library one at a time; a test finds one if it passes without it and fails with it.",
	"Vanilla: the same language model without any of LISA's parts. CITYWALK: another generator that uses a model. OSS-Fuzz: the official fuzzing harnesses.",
	"without repair, chunks, knowledge; Daikon or documents only: LISA with that part of its invariant stage switched off, or that source of knowledge alone.",
}

func publishedTable(t *paper.Table) Table {
	out := Table{ID: "paper_" + t.ID, Title: paperTableTitle(t)}
	for _, c := range t.Columns {
		out.Columns = append(out.Columns, paperColumn(c))
	}
	for r, row := range t.Rows {
		cells := publishedRow(t, row)
		for i, c := range t.Columns {
			cells[i] = cells[i].with(cleanAll(t.NotesOf(r, c.Key))...)
		}
		out.Rows = append(out.Rows, cells)
	}
	for _, row := range t.Summary {
		out.Rows = append(out.Rows, publishedRow(t, row))
	}
	for _, n := range t.Notes {
		if n.Row == "" {
			out.Warnings = append(out.Warnings, clean(fmt.Sprintf("%s: %s", oneLine(t.Columns[t.Column(n.Column)].Name), n.Text)))
		}
	}
	return out
}

// oneLine is a column's name outside its header.
func oneLine(name string) string { return strings.ReplaceAll(name, "\n", " ") }

func cleanAll(list []string) []string {
	var out []string
	for _, s := range list {
		out = append(out, clean(s))
	}
	return out
}

func paperTableTitle(t *paper.Table) string {
	where := fmt.Sprintf("section %q", t.Place.Section)
	if t.Place.Label != "" {
		where = t.Place.Label + ", " + where
	}
	return clean(fmt.Sprintf("%s (%s)", t.Title, where))
}

func paperColumn(c paper.Column) Column {
	col := Column{Key: c.Key, Name: c.Name, Unit: c.Unit, Decimals: c.Decimals, Kind: Number}
	switch {
	case c.Text || c.Printed:
		col.Kind = Words
	case c.Spread > 0:
		col.Kind = Estimate
	}
	return col
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

// claimTables lists the claims, one table to a section of the paper, so that each fits a screen.
func claimTables(checks []paper.Check) Section {
	s := Section{ID: "claims", Title: "Claims of the text"}
	var sections []string
	for _, c := range checks {
		if !slices.Contains(sections, c.Claim.Section) {
			sections = append(sections, c.Claim.Section)
		}
	}
	for i, section := range sections {
		t := Table{ID: fmt.Sprintf("claims_%d", i+1), Title: clean(fmt.Sprintf("Section %q", section)), Columns: []Column{
			{Key: "claim", Name: "Claim", Kind: Words},
			{Key: "statement", Name: "What is claimed", Kind: Words, Wide: true},
			{Key: "published", Name: "Printed", Kind: Words},
			{Key: "recomputed", Name: "Recomputed", Kind: Words},
			{Key: "mark", Name: "Mark", Kind: Words},
		}}
		for _, c := range checks {
			if c.Claim.Section != section {
				continue
			}
			statement := words(c.Claim.Statement)
			if c.Claim.Note != "" {
				statement = statement.with(clean(c.Claim.Note))
			}
			t.Rows = append(t.Rows, []Cell{words(c.Claim.ID), statement, words(published(c.Claim)), words(recomputed(c)), words(markWithDifference(c))})
		}
		s.Tables = append(s.Tables, t)
	}
	return s
}

// publishedData is the CSV form: a row for each published cell and for each claim.
func publishedData(p *paper.Paper, checks []paper.Check) Table {
	t := Table{ID: PaperData, Title: "One row per published number and per claim", Columns: []Column{
		{Key: "kind", Kind: Words}, {Key: "table", Kind: Words}, {Key: "row", Kind: Words}, {Key: "column", Kind: Words},
		{Key: "unit", Kind: Words}, {Key: "published", Kind: Number}, {Key: "published_std", Kind: Number},
		{Key: "recomputed", Kind: Number}, {Key: "mark", Kind: Words}}}
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
				t.Rows = append(t.Rows, []Cell{words("cell"), words(table.ID), words(strings.Join(table.RowKey(row), ", ")), words(c.Key),
					words(c.Unit), number(row[i].Number).with(cleanAll(table.NotesOf(r, c.Key))...), std, none, none})
			}
		}
	}
	for _, c := range checks {
		printed := none
		if c.Claim.Published != nil {
			printed = number(c.Claim.Published.Number)
		}
		t.Rows = append(t.Rows, []Cell{words("claim"), words(c.Claim.ID), none, none, none, printed, none, number(c.Value), words(string(c.Mark))})
	}
	return t
}

// PaperData is the id of the table of Document.Data that holds all numbers of the paper.
const PaperData = "paper_data"

// paperStatistics are what the paper prints or could have printed, from its cells.
func paperStatistics(p *paper.Paper) (Section, error) {
	s := Section{ID: "statistics", Title: "Statistics recomputed from the printed cells"}
	pairs, err := p.BugPairs()
	if err != nil {
		return s, err
	}
	rankings, err := p.Rankings()
	if err != nil {
		return s, err
	}
	power, err := powerTable(p)
	if err != nil {
		return s, err
	}
	s.Tables = []Table{pairTable(pairs), rankTable(rankings), power}
	return s, nil
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
		"Fisher p: two-sided exact test of two shares. It takes the groups for independent, which they are not: all tools face the same bugs.",
		"McNemar p: the exact test for tools that faced the same bugs, from the bugs that only one of them found. Which bugs each found is not published; the totals per library leave this range.",
		"Holm p: Fisher's p corrected for the number of comparisons: the first two rows are one group, the variants of LISA another.",
		"Odds ratio: (found / missed) by LISA over (found / missed) by the other. The conditional one is its estimate given the margins; the exact interval belongs to it.",
	}
	return t
}

// maybe is a number that may be undefined.
func maybe(x *float64, reason string) Cell {
	if x == nil {
		return notApplicable(reason)
	}
	return number(*x)
}

func oddsCell(iv stats.OddsInterval) Cell {
	if iv.High == nil {
		return notApplicable(fmt.Sprintf("at least %.2f, without upper bound", iv.Low))
	}
	return span(iv.Low, *iv.High)
}

// toolNames are how tables print tools.
var toolNames = map[string]string{"lisa": "LISA", "vanilla": "Vanilla", "ossfuzz": "OSS-Fuzz", "citywalk": "CITYWALK"}

// metricNames are how tables print metrics.
var metricNames = map[paper.Metric]string{paper.CSR: "compile %", paper.ESR: "run %", paper.Line: "lines %", paper.Branch: "branches %",
	paper.AUVC: "AUVC", paper.Bugs: "bugs", paper.Valid: "valid programs"}

func rankTable(rankings []paper.Ranking) Table {
	t := Table{ID: "paper_ranks", Columns: []Column{
		{Key: "metric", Name: "Measure", Kind: Words}, {Key: "tool", Name: "Tool", Kind: Words},
		{Key: "rank", Name: "Average\nrank", Kind: Number, Decimals: 2}, {Key: "a12", Name: "A12 of\nLISA", Kind: Number, Decimals: 2},
		{Key: "cd", Name: "Critical\ndifference", Kind: Number, Decimals: 2}, {Key: "p", Name: "Friedman p", Kind: PValue},
		{Key: "same", Name: "Not told apart from", Kind: Words}}}
	for _, r := range rankings {
		for i, tool := range r.Tools {
			a12 := Cell{}
			if r.A12[i] != nil {
				a12 = number(*r.A12[i])
			}
			t.Rows = append(t.Rows, []Cell{words(metricNames[r.Metric]), words(toolNames[tool]), number(r.AverageRanks[i]), a12,
				number(r.CriticalDifference), number(r.P), words(neighbours(r, i))})
		}
		t.Title = fmt.Sprintf("Tools ranked on each of the %d libraries", r.Blocks)
	}
	t.Warnings = []string{
		"Average rank: 1 is best. Two tools are told apart, at 5%, if their average ranks differ by the critical difference (Nemenyi) or more. Friedman p: exact, of all tools being alike.",
		"A12 (Vargha and Delaney): the probability that LISA on one library exceeds the tool on another; 0.5 means no difference.",
	}
	return t
}

// neighbours names the tools that share a group with tool i.
func neighbours(r paper.Ranking, i int) string {
	var list []string
	for j, tool := range r.Tools {
		together := slices.ContainsFunc(r.Groups, func(g []int) bool { return slices.Contains(g, i) && slices.Contains(g, j) })
		if j != i && together {
			list = append(list, toolNames[tool])
		}
	}
	if len(list) == 0 {
		return "–"
	}
	return strings.Join(list, ", ")
}

// otherShares are the shares of bugs that the other tools and variants find in the paper.
var otherShares = []float64{0.08, 0.12, 0.16, 0.2}

func powerTable(p *paper.Paper) (Table, error) {
	bugs, effects, err := p.Detectable(otherShares)
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
	t.Warnings = []string{"Power is the probability of finding a difference that is there. Smaller differences may exist and stay unseen: a p above 0.05 does not say that two tools are equal."}
	return t, err
}
