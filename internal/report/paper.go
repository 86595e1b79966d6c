package report

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/lisa-bench/lisa-bench/results/paper"
)

// paperTitle is that of the paper whose numbers are shown.
const paperTitle = `LISA, "LLM-Based Invariant Testing for Software Functional Bugs"`

// Paper makes the document of the published numbers: every table, the statistics
// recomputed from them, and each claim of the text with its mark.
func Paper(p *paper.Paper, command string) (d *Document, err error) {
	defer end("published numbers", &err)
	checks := checkClaims(p)
	return &Document{Schema: documentSchema, Title: paperTitle + ": published numbers", Command: Clean(command),
		Sections: []Section{paperOverview(checks), publishedTables(p), paperStatistics(p), claimTables(checks)},
		Data:     []Table{publishedData(p, checks)}}, nil
}

func checkClaims(p *paper.Paper) []paper.Check {
	var checks []paper.Check
	for _, c := range p.Claims {
		check, err := c.Check(p)
		if err != nil {
			err = fmt.Errorf("claim %s: %w", c.ID, err)
		}
		checks = append(checks, sure(check, err))
	}
	return checks
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
	t := Table{ID: "marks", Title: "Claims of the text, recomputed from the printed cells", Columns: []Column{
		{Key: "mark", Name: "Mark", Kind: Words}, {Key: "claims", Name: "Claims", Kind: Number}, {Key: "meaning", Name: "Meaning", Kind: Words, Wide: true}}}
	for _, m := range paperMarks {
		n := 0
		for _, c := range checks {
			n += one(c.Mark == m.mark)
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
		return "differs by " + signed(c)
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
	case c.Claim.Published == nil:
		return shortNumber(c.Value)
	}
	return digits(c.Value, c.Claim.Published.Text)
}

// shortNumber shows at most four decimals.
func shortNumber(x float64) string {
	text := strconv.FormatFloat(x, 'f', 4, 64)
	return strings.TrimSuffix(strings.TrimRight(text, "0"), ".")
}

// signed shows a difference as recomputed shows numbers.
func signed(c paper.Check) string {
	text := digits(math.Abs(c.By), c.Claim.Published.Text)
	if c.By < 0 {
		return "−" + text
	}
	return "+" + text
}

// digits shows two more decimals than a printed number has, none for a whole number.
func digits(x float64, printed string) string {
	if x == math.Trunc(x) {
		return strconv.FormatFloat(x, 'f', -1, 64)
	}
	_, fraction, _ := strings.Cut(printed, ".")
	return strconv.FormatFloat(x, 'f', len(fraction)+2, 64)
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
	"Compile %, run %: the share of a tool's programs that compiles and links, and the share that runs without an error.",
	"Lines %, branches %: the share of the library's source lines, and of its branch outcomes, that the tests reach.",
	"AUVC, average unique verifications count: how many different checks a test makes on average. A test that fails after its checks were added counts 0.",
	"Bugs: historical bugs, re-introduced one at a time. A test finds a bug if it passes without it and fails with it.",
	"Vanilla: the same language model without any of LISA's parts. CITYWALK: another generator that uses a model. OSS-Fuzz: the official fuzzing harnesses.",
	"without repair, chunks, knowledge: LISA with that part of its invariant stage switched off. Daikon or documents only: with that source of knowledge alone.",
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
			out.Warnings = append(out.Warnings, Clean(fmt.Sprintf("%s: %s", oneLine(t.Columns[t.Column(n.Column)].Name), n.Text)))
		}
	}
	return out
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
	for i, of := range grouped(checks, func(c paper.Check) string { return c.Claim.Section }) {
		t := Table{ID: fmt.Sprintf("claims_%d", i+1), Title: Clean(fmt.Sprintf("Section %q", of[0].Claim.Section)), Columns: []Column{
			{Key: "claim", Name: "Claim", Kind: Words},
			{Key: "statement", Name: "What is claimed", Kind: Words, Wide: true},
			{Key: "published", Name: "Printed", Kind: Words},
			{Key: "recomputed", Name: "Recomputed", Kind: Words},
			{Key: "mark", Name: "Mark", Kind: Words},
		}}
		for _, c := range of {
			statement := words(c.Claim.Statement)
			if c.Claim.Note != "" {
				statement = statement.with(Clean(c.Claim.Note))
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
