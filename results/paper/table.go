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
	_ "embed"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
)

//go:embed tables.yaml
var tablesFile []byte

//go:embed claims.yaml
var claimsFile []byte

// A Paper is what was published.
type Paper struct {
	Tables []*Table `yaml:"tables"`
	Claims []*Claim `yaml:"claims"`
}

// Published returns the paper's numbers and claims. They are part of the program: what is wrong with them is a panic.
func Published() *Paper {
	p := &Paper{}
	for _, data := range [][]byte{tablesFile, claimsFile} {
		d := yaml.NewDecoder(bytes.NewReader(data))
		d.KnownFields(true)
		if err := d.Decode(p); err != nil {
			panic(err)
		}
	}
	for _, t := range p.Tables {
		t.Keys = max(t.Keys, 1)
		for _, row := range slices.Concat(t.Rows, t.Summary) {
			for i, c := range t.Columns {
				if !c.Text && row[i].Text != "" {
					row[i].read()
				}
			}
		}
	}
	for _, c := range p.Claims {
		c.computation = computations[c.ID]
		if c.Published != nil {
			c.Published.read()
		}
	}
	return p
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

// Only returns the paper with one table and the claims that follow from it alone; nil if there is no such table. name
// is the table's id, or its label with or without "tab:".
func (p *Paper) Only(name string) *Paper {
	i := slices.IndexFunc(p.Tables, func(t *Table) bool {
		_, label, _ := strings.Cut(t.Place.Label, ":")
		return slices.Contains([]string{t.ID, t.Place.Label, label}, name)
	})
	if i < 0 || name == "" {
		return nil
	}
	only := &Paper{Tables: p.Tables[i : i+1]}
	for _, c := range p.Claims {
		if _, _, missing := c.evaluate(only, printed); missing == "" {
			only.Claims = append(only.Claims, c)
		}
	}
	return only
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

// A Place is where something stands in the paper.
type Place struct {
	Label   string `yaml:"label"`   // in its source, e.g. "tab:variance"; "" for numbers in running text
	Section string `yaml:"section"` // its heading
}

// A Table is one table or figure of the paper. A row's name is its leading Keys cells.
type Table struct {
	ID      string            `yaml:"id"`
	Place   Place             `yaml:"place"`
	Title   string            `yaml:"title"`
	Keys    int               `yaml:"keys"`
	Names   map[string]string `yaml:"names"`   // how tables print a key, where not as it is
	Library string            `yaml:"library"` // of all rows, where no key names it
	// Variants are the run's variants, the first that it has, that a row's last key or a column's variant stands
	// for, where not of its name.
	Variants map[string][]string `yaml:"variants"`
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
	Std    float64 // where the text has one
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

// read fills the numeric parts from the text: a number, or a mean ± a deviation.
func (v *Value) read() {
	for i, text := range strings.Split(v.Text, "±") {
		x, err := strconv.ParseFloat(text, 64)
		if err != nil {
			panic(err)
		}
		if i == 0 {
			v.Number = x
		} else {
			v.Std = x
		}
	}
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
