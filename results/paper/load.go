package paper

import (
	"bytes"
	"embed"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"

	"go.yaml.in/yaml/v3"
)

//go:embed tables.yaml claims.yaml
var embedded embed.FS

// A Paper is what was published.
type Paper struct {
	Tables []*Table
	Claims []*Claim
}

// Published returns the paper's numbers and claims.
func Published() (*Paper, error) { return load(embedded) }

// load reads tables.yaml and claims.yaml from a directory and checks them. Unknown keys, repeated names, cells
// that are no numbers, and formulas over missing cells are errors that name the file and the table or claim.
func load(dir fs.FS) (*Paper, error) {
	var tables struct{ Tables []Table }
	var claims struct{ Claims []Claim }
	if err := errors.Join(decode(dir, "tables.yaml", &tables), decode(dir, "claims.yaml", &claims)); err != nil {
		return nil, err
	}
	p := &Paper{}
	for i := range tables.Tables {
		p.Tables = append(p.Tables, &tables.Tables[i])
	}
	for i := range claims.Claims {
		p.Claims = append(p.Claims, &claims.Claims[i])
	}
	seen := map[string]bool{}
	for _, t := range p.Tables {
		if t.ID == "" || seen[t.ID] {
			return nil, fmt.Errorf("tables.yaml: table %q has no id, or one that another has", t.ID)
		}
		seen[t.ID] = true
		if err := t.check(); err != nil {
			return nil, fmt.Errorf("tables.yaml: table %s: %w", t.ID, err)
		}
	}
	named := map[string]bool{}
	for _, c := range p.Claims {
		if c.ID == "" || named[c.ID] {
			return nil, fmt.Errorf("claims.yaml: claim %q has no id, or one that another has", c.ID)
		}
		named[c.ID] = true
		if err := c.check(p); err != nil {
			return nil, fmt.Errorf("claims.yaml: claim %s: %w", c.ID, err)
		}
	}
	return p, nil
}

// decode refuses unknown keys and a second document.
func decode(dir fs.FS, name string, v any) error {
	data, err := fs.ReadFile(dir, name)
	if err != nil {
		return err
	}
	d := yaml.NewDecoder(bytes.NewReader(data))
	d.KnownFields(true)
	if err := d.Decode(v); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	if err := d.Decode(new(yaml.Node)); !errors.Is(err, io.EOF) {
		return fmt.Errorf("%s: more than one document", name)
	}
	return nil
}

// table returns the table of that id, or nil.
func (p *Paper) table(id string) *Table {
	i := slices.IndexFunc(p.Tables, func(t *Table) bool { return t.ID == id })
	if i < 0 {
		return nil
	}
	return p.Tables[i]
}

// Claim returns the claim of that id, or nil.
func (p *Paper) Claim(id string) *Claim {
	i := slices.IndexFunc(p.Claims, func(c *Claim) bool { return c.ID == id })
	if i < 0 {
		return nil
	}
	return p.Claims[i]
}

// printed is the source of the published numbers.
func printed(table *Table, column Column, row int) (Value, error) {
	return table.Rows[row][table.Column(column.Key)], nil
}
