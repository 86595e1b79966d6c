package paper

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
)

// A Place is where something stands in the paper.
type Place struct {
	Label   string `yaml:"label"`   // in its source, e.g. "tab:variance"; "" for numbers in running text
	Section string `yaml:"section"` // its heading
}

// A Table is one table or figure of the paper. A row's name is its leading Keys cells.
type Table struct {
	ID       string              `yaml:"id"`
	Place    Place               `yaml:"place"`
	Title    string              `yaml:"title"`
	Keys     int                 `yaml:"keys"`
	Names    map[string]string   `yaml:"names"`    // how tables print a key, where not as it is
	Library  string              `yaml:"library"`  // of all rows, where no key names it
	Variants map[string][]string `yaml:"variants"` // the run's variants, the first that it has, that a row's last key or a column's variant stands for, where not of its name
	Columns  []Column            `yaml:"columns"`
	Rows     []Row               `yaml:"rows"`
	Summary  []Row               `yaml:"summary"`
	Contests [][]string          `yaml:"contests"`
	Down     []string            `yaml:"down"`
	Disjoint []Disjoint          `yaml:"disjoint"`
	Notes    []Note              `yaml:"notes"`
}

// A Disjoint pair of cells counts different cases.
type Disjoint struct {
	Row     string    `yaml:"row"`
	Columns [2]string `yaml:"columns"`
}

// A Column is one property of the rows, and what of a run corresponds to it.
type Column struct {
	Key      string `yaml:"key"`
	Name     string `yaml:"name"`
	Text     bool   `yaml:"text"`
	Printed  bool   `yaml:"printed"` // numbers of different kinds, shown as they are printed
	Unit     string `yaml:"unit"`
	Decimals int    `yaml:"decimals"`
	Spread   int    `yaml:"spread"` // mean ± standard deviation over so many runs; formulas see the latter as KEY_std
	Tool     string `yaml:"tool"`   // "" if no run measures it
	Variant  string `yaml:"variant"`
	From     string `yaml:"from"` // "key": the variant is the row's last key
	Metric   Metric `yaml:"metric"`
	Trial    int    `yaml:"trial"` // of that trial alone
	Hours    int    `yaml:"hours"` // the paper's budget of a library in wall time; 0 if it has none
}

// A Row is the cells of one row, one to a column.
type Row []Value

// A Value is a cell as printed.
type Value struct {
	Text   string
	Number float64 // 0 in text columns
	Std    float64 // where the column has a spread
}

// A Note is a caution about cells: all of a column, or the one of a row.
type Note struct {
	Row    string `yaml:"row"` // keys joined by ", "
	Column string `yaml:"column"`
	Text   string `yaml:"text"`
}

// UnmarshalYAML keeps the text as printed: 45.30 is not 45.3.
func (v *Value) UnmarshalYAML(n *yaml.Node) error {
	if n.Kind != yaml.ScalarNode {
		return fmt.Errorf("line %d: a cell is one number or text", n.Line)
	}
	v.Text = n.Value
	return nil
}

// number fills the numeric parts from the text.
func (v *Value) number(spread bool) (err error) {
	text := v.Text
	if spread {
		mean, std, ok := strings.Cut(text, "±")
		if !ok {
			return fmt.Errorf("%q has no ±", text)
		}
		if v.Std, err = parse(std); err != nil {
			return err
		}
		text = mean
	}
	v.Number, err = parse(text)
	return err
}

func parse(text string) (float64, error) {
	x, err := strconv.ParseFloat(text, 64)
	if err != nil || x != x || x-x != 0 {
		return 0, fmt.Errorf("%q is not a number", text)
	}
	return x, nil
}

// RowKey names a row: the table's leading cells.
func (t *Table) RowKey(r Row) []string {
	var key []string
	for _, v := range r[:t.Keys] {
		key = append(key, v.Text)
	}
	return key
}

// Name is how a table prints a key.
func (t *Table) Name(key string) string {
	if name, ok := t.Names[key]; ok {
		return name
	}
	return key
}

// Column returns the index of a column, or -1.
func (t *Table) Column(key string) int {
	return slices.IndexFunc(t.Columns, func(c Column) bool { return c.Key == key })
}

// NotesOf returns the notes on one cell; those on a whole column are not among them.
func (t *Table) NotesOf(row int, column string) []string {
	var notes []string
	name := strings.Join(t.RowKey(t.Rows[row]), ", ")
	for _, n := range t.Notes {
		if n.Column == column && n.Row == name {
			notes = append(notes, n.Text)
		}
	}
	return notes
}

// check fills numbers and refuses what does not fit together.
func (t *Table) check() error {
	if t.Keys < 0 {
		return fmt.Errorf("%d keys", t.Keys)
	}
	if t.Keys == 0 {
		t.Keys = 1
	}
	seen := map[string]bool{}
	for i, c := range t.Columns {
		switch {
		case c.Key == "" || c.Name == "":
			return fmt.Errorf("column %d has no key or name", i+1)
		case seen[c.Key]:
			return fmt.Errorf("two columns %s", c.Key)
		case i < t.Keys && !c.Text:
			return fmt.Errorf("column %s names rows and must be text", c.Key)
		case c.Spread < 0 || c.Decimals < 0 || c.Decimals > 9:
			return fmt.Errorf("column %s: spread %d, decimals %d", c.Key, c.Spread, c.Decimals)
		case (c.Tool == "") != (c.Metric == ""):
			return fmt.Errorf("column %s needs both tool and metric, or neither", c.Key)
		case c.Metric != "" && !slices.Contains(metrics, c.Metric):
			return fmt.Errorf("column %s: unknown metric %q", c.Key, c.Metric)
		case c.From != "" && c.From != "key":
			return fmt.Errorf("column %s: from is %q, not key", c.Key, c.From)
		}
		seen[c.Key] = true
	}
	if len(t.Columns) <= t.Keys || len(t.Rows) == 0 {
		return fmt.Errorf("no columns beside the keys, or no rows")
	}
	rows := map[string]bool{}
	for i := range t.Rows {
		if err := t.checkRow(t.Rows[i]); err != nil {
			return fmt.Errorf("row %d: %w", i+1, err)
		}
		name := strings.Join(t.RowKey(t.Rows[i]), ", ")
		if rows[name] {
			return fmt.Errorf("two rows %s", name)
		}
		rows[name] = true
	}
	for _, r := range t.Summary {
		if err := t.checkRow(r); err != nil {
			return fmt.Errorf("summary: %w", err)
		}
	}
	for _, c := range append(slices.Clone(t.Contests), t.Down) {
		for _, key := range c {
			if t.Column(key) < t.Keys {
				return fmt.Errorf("contest over %s, which is no column of numbers", key)
			}
		}
	}
	for _, d := range t.Disjoint {
		if !rows[d.Row] || t.Column(d.Columns[0]) < t.Keys || t.Column(d.Columns[1]) < t.Keys {
			return fmt.Errorf("disjoint %s, %v, which are no cells", d.Row, d.Columns)
		}
	}
	for _, n := range t.Notes {
		if t.Column(n.Column) < 0 || n.Row != "" && !rows[n.Row] || n.Text == "" {
			return fmt.Errorf("note on row %q, column %q, which is no cell, or without text", n.Row, n.Column)
		}
	}
	return nil
}

func (t *Table) checkRow(r Row) error {
	if len(r) != len(t.Columns) {
		return fmt.Errorf("%d cells, not %d", len(r), len(t.Columns))
	}
	for i, c := range t.Columns {
		if c.Text || r[i].Text == "" {
			continue
		}
		if err := r[i].number(c.Spread > 0); err != nil {
			return fmt.Errorf("column %s: %w", c.Key, err)
		}
	}
	return nil
}
