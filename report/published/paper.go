// Package published makes the documents of the paper's numbers: alone, with what follows from them, and beside those
// of a run.
package published

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/lisa-bench/lisa-bench/report/doc"
	"github.com/lisa-bench/lisa-bench/results/paper"
	"github.com/lisa-bench/lisa-bench/stats"
)

// paperTitle is that of the paper whose numbers are shown.
const paperTitle = `LISA, "LLM-Based Invariant Testing for Software Functional Bugs"`

// Data is the id of the table of Document.Data that holds all numbers of the paper.
const Data = "paper_data"

// Alone makes the document of the published numbers: every table, the statistics
// recomputed from them, and each claim of the text with its mark.
func Alone(p *paper.Paper) *doc.Document {
	var checks []paper.Check
	for _, c := range p.Claims {
		checks = append(checks, c.Check(p))
	}
	tables := doc.Section{ID: "published", Title: "Published tables", Notes: glossary}
	for _, t := range p.Tables {
		tables.Tables = append(tables.Tables, published(t))
	}
	d := &doc.Document{Schema: doc.Schema, Title: paperTitle + ": published numbers", Command: "bench paper",
		Data: []doc.Table{data(p, checks)}}
	d.Add(overview(checks), tables)
	if pairs := p.BugPairs(); len(pairs) > 0 {
		d.Add(statistics(pairs))
	}
	d.Add(claims(checks))
	return d
}

// marks in the order of the overview, with what each means.
var marks = []struct {
	mark    paper.Mark
	meaning string
}{
	{paper.Matches, "the cells give exactly the printed number"},
	{paper.RoundsTo, "the cells give a number that rounds to the printed one"},
	{paper.HoldsTrue, "the text gives no number, but what it says is true"},
	{paper.Differs, "the cells give another number"},
	{paper.DoesNotHold, "the number is right, but what the text says about it is not"},
}

func overview(checks []paper.Check) doc.Section {
	t := doc.NewTable("marks", "Claims of the text, recomputed from the printed cells", doc.Text("mark", "Mark"),
		doc.Number("claims", "Claims", 0), doc.Wide("meaning", "Meaning"))
	for _, m := range marks {
		n := 0
		for _, c := range checks {
			if c.Mark == m.mark {
				n++
			}
		}
		t.Add(doc.Words(string(m.mark)), doc.Int(n), doc.Words(m.meaning))
	}
	s := doc.Section{ID: "overview", Title: "Overview", Tables: []doc.Table{t}}
	for _, c := range checks {
		if c.Mark == paper.Differs || c.Mark == paper.DoesNotHold {
			s.Notes = append(s.Notes, fmt.Sprintf("%s %s: %s: printed %s, recomputed %s. %s",
				c.Claim.ID, markOf(c), c.Claim.Statement, printed(c.Claim), recomputed(c), c.Claim.Note))
		}
	}
	return s
}

// markOf is the mark with the difference, where there is one.
func markOf(c paper.Check) string {
	switch {
	case c.Mark != paper.Differs:
		return string(c.Mark)
	case c.By < 0:
		return "differs by −" + digits(-c.By, c.Claim.Published.Text)
	}
	return "differs by +" + digits(c.By, c.Claim.Published.Text)
}

func printed(c *paper.Claim) string {
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

// glossary explains the words of the tables. It stands in notes, which every format prints.
var glossary = []string{
	"Compile %, run %: the share of a tool's programs that compiles and links, and the share that runs without an error.",
	"Lines %, branches %: the share of the library's source lines, and of its branch outcomes, that the tests reach.",
	"AUVC, average unique verifications count: how many different checks a test makes on average. " +
		"A test that fails after its checks were added counts 0.",
	"Bugs: historical bugs, re-introduced one at a time. A test finds a bug if it passes without it and fails with it.",
	"Vanilla: the same language model without any of LISA's parts. CITYWALK: another generator that uses a model. " +
		"OSS-Fuzz: the official fuzzing harnesses.",
	"without repair, chunks, knowledge: LISA with that part of its invariant stage switched off. " +
		"Daikon or documents only: with that source of knowledge alone.",
}

// published is one of the paper's tables.
func published(t *paper.Table) doc.Table {
	out := doc.NewTable("paper_"+t.ID, titleOf(t))
	for _, c := range t.Columns {
		col := doc.Column{Key: c.Key, Name: c.Name, Unit: c.Unit, Decimals: c.Decimals, Kind: doc.IsNumber}
		switch {
		case c.Text || c.Printed:
			col.Kind = doc.IsText
		case c.Spread > 0:
			col.Kind = doc.IsEstimate
		}
		out.Columns = append(out.Columns, col)
	}
	add := func(row paper.Row, notes func(column string) []string) {
		var cells []doc.Cell
		for i, c := range t.Columns {
			cells = append(cells, publishedCell(t, c, row[i]).With(notes(c.Key)...))
		}
		out.Add(cells...)
	}
	for r, row := range t.Rows {
		add(row, func(column string) []string { return t.NotesOf(r, column) })
	}
	for _, row := range t.Summary {
		add(row, func(string) []string { return nil })
	}
	for _, n := range t.Notes {
		if n.Row == "" {
			out.Warnings = append(out.Warnings, oneLine(t.Columns[t.Column(n.Column)].Name)+": "+n.Text)
		}
	}
	return out
}

func publishedCell(t *paper.Table, c paper.Column, v paper.Value) doc.Cell {
	switch {
	case c.Text:
		return doc.Words(t.Name(v.Text))
	case c.Printed || v.Text == "":
		return doc.Words(v.Text)
	case c.Spread > 0:
		return doc.Cell{Values: []float64{v.Number, float64(c.Spread), v.Std}}
	}
	return doc.Num(v.Number)
}

// oneLine is a column's name outside its header.
func oneLine(name string) string { return strings.ReplaceAll(name, "\n", " ") }

func titleOf(t *paper.Table) string {
	where := fmt.Sprintf("section %q", t.Place.Section)
	if t.Place.Label != "" {
		where = t.Place.Label + ", " + where
	}
	return fmt.Sprintf("%s (%s)", t.Title, where)
}

// statistics are what the paper prints or could have printed, from its cells.
func statistics(pairs []paper.BugPair) doc.Section {
	return doc.Section{ID: "statistics", Title: "Statistics recomputed from the printed cells",
		Tables: []doc.Table{pairTable(pairs), powerTable(pairs[0].Total)}}
}

func pairTable(pairs []paper.BugPair) doc.Table {
	t := doc.NewTable("paper_pairs", "LISA against each other tool and variant, bugs found",
		doc.Text("other", "LISA against"),
		doc.Count("lisa", "LISA"), doc.Count("found", "Other"), doc.P("p", "Fisher p"), doc.P("holm", "Holm p"),
		doc.Number("odds", "Odds\nratio", 2), doc.Range("paired", "McNemar p,\npossible range", 4))
	for _, b := range pairs {
		t.Add(doc.Words(oneLine(b.Other.Name)), doc.Of(b.Found, b.Total), doc.Of(b.OfThem, b.Total),
			doc.Num(b.Fisher.P), doc.Num(b.Holm),
			doc.NumOr(b.Fisher.OddsRatio, doc.NA("a count of its divisor is 0")),
			doc.Span(b.PairedLow, b.PairedHigh))
	}
	t.Warnings = []string{
		"Fisher p: two-sided exact test of two shares. It assumes independent groups, which they are not: " +
			"all tools face the same bugs.",
		"McNemar p: the exact test for tools that face the same bugs, from the bugs that only one of them found. " +
			"The paper does not say which bugs each found; the totals per library allow this range.",
		"Holm p: Fisher's p corrected for the number of comparisons: the first two rows are one group, " +
			"the variants of LISA another.",
		"Odds ratio: (found / missed) by LISA over (found / missed) by the other.",
	}
	return t
}

// toolNames are how tables print tools, and metricNames metrics.
var (
	toolNames = map[string]string{"lisa": "LISA", "lisa-api": "LISA", "vanilla": "Vanilla", "ossfuzz": "OSS-Fuzz",
		"citywalk": "CITYWALK"}
	metricNames = map[paper.Metric]string{paper.CSR: "compile %", paper.ESR: "run %", paper.Line: "lines %",
		paper.Branch: "branches %", paper.AUVC: "AUVC", paper.Bugs: "bugs", paper.Valid: "valid programs"}
)

// powerTable says, for the shares of bugs that other tools and variants find in the paper, which share LISA would have
// to find for Fisher's test to be significant on so many bugs.
func powerTable(bugs int) doc.Table {
	t := doc.NewTable("paper_power",
		fmt.Sprintf("What a comparison on %d bugs can find (Fisher's test, p < %g, power %.0f%%)",
			bugs, stats.Alpha, 100*paper.DetectionPower),
		doc.Number("other", "If the other finds %", 0).In("pct"),
		doc.Number("needed", "LISA must find at least %", 1).In("pct"))
	for _, share := range []float64{0.08, 0.12, 0.16, 0.2} {
		needed := doc.NA("no share is enough")
		if higher := stats.MinimumDetectable(bugs, share, paper.DetectionPower); higher != nil {
			needed = doc.Num(100 * *higher)
		}
		t.Add(doc.Num(100*share), needed)
	}
	t.Warnings = []string{"Power is the probability of finding an existing difference. Smaller differences may go " +
		"unnoticed: " +
		"a p above 0.05 does not mean that two tools are equal."}
	return t
}

// claims lists the claims, one table to a section of the paper, so that each fits a screen.
func claims(checks []paper.Check) doc.Section {
	s := doc.Section{ID: "claims", Title: "Claims of the text"}
	section := ""
	for _, c := range checks {
		if c.Claim.Section != section {
			section = c.Claim.Section
			s.Tables = append(s.Tables, doc.NewTable(fmt.Sprintf("claims_%d", len(s.Tables)+1),
				fmt.Sprintf("Section %q", section),
				doc.Text("claim", "Claim"), doc.Wide("statement", "What is claimed"), doc.Text("published", "Printed"),
				doc.Text("recomputed", "Recomputed"), doc.Text("mark", "Mark")))
		}
		statement := doc.Words(c.Claim.Statement)
		if c.Claim.Note != "" {
			statement = statement.With(c.Claim.Note)
		}
		s.Tables[len(s.Tables)-1].Add(doc.Words(c.Claim.ID), statement, doc.Words(printed(c.Claim)),
			doc.Words(recomputed(c)), doc.Words(markOf(c)))
	}
	return s
}

// dataTable is one for CSV: text columns, then numbers, then text again.
func dataTable(title, text, numbers, more string) doc.Table {
	t := doc.NewTable(Data, title)
	for i, keys := range []string{text, numbers, more} {
		for key := range strings.FieldsSeq(keys) {
			kind := doc.IsText
			if i == 1 {
				kind = doc.IsNumber
			}
			t.Columns = append(t.Columns, doc.Column{Key: key, Kind: kind})
		}
	}
	return t
}

// data is the CSV form: a row for each published cell and for each claim.
func data(p *paper.Paper, checks []paper.Check) doc.Table {
	t := dataTable("One row per published number and per claim", "kind table row column unit",
		"published published_std recomputed", "mark")
	none := doc.Cell{}
	for _, table := range p.Tables {
		for r, row := range table.Rows {
			for i, c := range table.Columns {
				if c.Text {
					continue
				}
				std := none
				if c.Spread > 0 {
					std = doc.Num(row[i].Std)
				}
				t.Add(doc.Words("cell"), doc.Words(table.ID), doc.Words(strings.Join(table.RowKey(row), ", ")), doc.Words(c.Key),
					doc.Words(c.Unit), doc.Num(row[i].Number).With(table.NotesOf(r, c.Key)...), std, none, none)
			}
		}
	}
	for _, c := range checks {
		t.Add(doc.Words("claim"), doc.Words(c.Claim.ID), none, none, none, printedCell(c.Claim), none, doc.Num(c.Value),
			doc.Words(string(c.Mark)))
	}
	return t
}

// printedCell is the number that a claim prints, empty if it prints none.
func printedCell(c *paper.Claim) doc.Cell {
	if c.Published == nil {
		return doc.Cell{}
	}
	return doc.Num(c.Published.Number)
}
