// Package paper holds the published numbers of the LISA paper as data, and the claims of its text that follow
// from them. ("LLM-Based Invariant Testing for Software Functional Bugs", extended version of ISSRE 2026.)
//
// It consumes tables.yaml and claims.yaml (embedded) and the records of a run. It produces for each claim whether
// the printed numbers bear it out, and for each cell and claim what a run measured beside what was published. What a
// claim computes is a Go function (computations), which serves the published numbers, where every cell has a value,
// and a run, where most may be missing.
package paper

import (
	"bytes"
	"embed"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
)

//go:embed tables.yaml claims.yaml
var embedded embed.FS

// A Paper is what was published.
type Paper struct {
	Tables []*Table `yaml:"tables"`
	Claims []*Claim `yaml:"claims"`
}

// Published returns the paper's numbers and claims.
func Published() (*Paper, error) {
	p := &Paper{}
	for _, name := range []string{"tables.yaml", "claims.yaml"} {
		data, err := embedded.ReadFile(name)
		if err != nil {
			return nil, err
		}
		d := yaml.NewDecoder(bytes.NewReader(data))
		d.KnownFields(true)
		if err := d.Decode(p); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
	}
	for _, t := range p.Tables {
		t.Keys = max(t.Keys, 1)
		for _, row := range slices.Concat(t.Rows, t.Summary) {
			if err := t.readNumbers(row); err != nil {
				return nil, fmt.Errorf("table %s: %w", t.ID, err)
			}
		}
	}
	for _, c := range p.Claims {
		var known bool
		if c.computation, known = computations[c.ID]; !known {
			return nil, fmt.Errorf("claim %s computes nothing", c.ID)
		}
		if c.Published != nil {
			if err := c.Published.number(false); err != nil {
				return nil, fmt.Errorf("claim %s: %w", c.ID, err)
			}
		}
	}
	return p, nil
}

// table returns the table of that id, or nil.
func (p *Paper) table(id string) *Table {
	for _, t := range p.Tables {
		if t.ID == id {
			return t
		}
	}
	return nil
}

// Claim returns the claim of that id, or nil.
func (p *Paper) Claim(id string) *Claim {
	for _, c := range p.Claims {
		if c.ID == id {
			return c
		}
	}
	return nil
}

// Places reports whether a table of the paper has a place for a tool's variant: on lisa, for instance,
// for no_inv_repair, and for no_repair on lisa-api only.
func (p *Paper) Places(tool, variant string) bool {
	for _, t := range p.Tables {
		for _, c := range t.Columns {
			for _, row := range t.Rows {
				if _, names := t.variants(c, row); c.Tool == tool && slices.Contains(names, variant) {
					return true
				}
			}
		}
	}
	return false
}

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
	Spread   int    `yaml:"spread"` // mean ± standard deviation over so many runs; claims see the latter as KEY_std
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

// readNumbers fills the numbers of a row from their text.
func (t *Table) readNumbers(r Row) error {
	if len(r) != len(t.Columns) {
		return fmt.Errorf("a row of %d cells, not %d", len(r), len(t.Columns))
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
