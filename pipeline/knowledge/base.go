package knowledge

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/lisa-bench/lisa-bench/internal/durable"
)

// A Kind is what a contract is about (paper, sec:inv-def), from the shallowest to the deepest.
type Kind string

// The four kinds.
const (
	Structural    Kind = "structural"    // a handle or object is well formed
	ValueRange    Kind = "value_range"   // a value stays in its domain
	Relational    Kind = "relational"    // values are linked across a call, or something is conserved
	Documentation Kind = "documentation" // intent that only the documents state
)

// kinds lists the kinds.
var kinds = []Kind{Structural, ValueRange, Relational, Documentation}

// A Source says where a contract comes from.
type Source string

// The sources.
const (
	Doc    Source = "doc"    // a document, read by a model
	Daikon Source = "daikon" // observed runs: daikon.jar or the built-in miner
	Manual Source = "manual" // a person
)

// Sources lists the sources.
var Sources = []Source{Doc, Daikon, Manual}

// A Status says whether a contract is used.
type Status string

// The statuses. Only accepted contracts are shown to a model.
const (
	Accepted Status = "accepted"
	Rejected Status = "rejected"
	Open     Status = "open" // not decided yet
)

// Counts returns how many contracts there are of each status.
func (b *Base) Counts() map[Status]int {
	counts := map[Status]int{}
	for _, api := range b.APIs {
		for _, c := range api.Contracts {
			counts[c.Status]++
		}
	}
	return counts
}

// Statuses lists the statuses.
var Statuses = []Status{Accepted, Rejected, Open}

// A Contract is one property that a function keeps.
type Contract struct {
	ID      string `yaml:"id"`                // API.number; an assertion cites it
	Kind    Kind   `yaml:"kind"`              //
	Text    string `yaml:"text"`              // in words
	Shape   string `yaml:"shape,omitempty"`   // as a predicate over parameters, return and orig(…)
	Source  Source `yaml:"source"`            //
	Place   string `yaml:"place,omitempty"`   // document:line of the passage; for daikon the program point
	Passage string `yaml:"passage,omitempty"` // words of the document that support it
	Status  Status `yaml:"status"`            //
	Reason  string `yaml:"reason"`            // for the status
	By      string `yaml:"by,omitempty"`      // who decided: program, model or manual
}

// An API is what is known of one function.
type API struct {
	Name      string     `yaml:"api"` // canonical name of package apispec
	Contracts []Contract `yaml:"contracts"`
}

// A Base is what is known of one library.
type Base struct {
	Library string `yaml:"library"`
	APIs    []API  `yaml:"apis"` // sorted by name
}

// Accepted returns the accepted contracts of an API from some sources, in their order.
func (b *Base) Accepted(api string, sources ...Source) []Contract {
	var list []Contract
	for _, a := range b.APIs {
		for _, c := range a.Contracts {
			if a.Name == api && c.Status == Accepted && slices.Contains(sources, c.Source) {
				list = append(list, c)
			}
		}
	}
	return list
}

// Printed returns all that Daikon, or the built-in miner, printed of an API, whatever was decided of it.
func (b *Base) Printed(api string) []Contract {
	var list []Contract
	for _, a := range b.APIs {
		for _, c := range a.Contracts {
			if a.Name == api && c.Source == Daikon {
				list = append(list, c)
			}
		}
	}
	return list
}

// Contract returns the contract of that id, or nil.
func (b *Base) Contract(id string) *Contract {
	for i := range b.APIs {
		for j := range b.APIs[i].Contracts {
			if b.APIs[i].Contracts[j].ID == id {
				return &b.APIs[i].Contracts[j]
			}
		}
	}
	return nil
}

// add appends a contract to its API under the next free id, unless one with the same source and
// shape or text is there. What was decided once, perhaps by a person, stays, and what the program
// left open gets the status that the newer runs give it.
func (b *Base) add(api string, c Contract) {
	i := slices.IndexFunc(b.APIs, func(a API) bool { return a.Name == api })
	if i < 0 {
		b.APIs = append(b.APIs, API{Name: api})
		slices.SortFunc(b.APIs, func(x, y API) int { return strings.Compare(x.Name, y.Name) })
		i = slices.IndexFunc(b.APIs, func(a API) bool { return a.Name == api })
	}
	a := &b.APIs[i]
	for j := range a.Contracts {
		known := &a.Contracts[j]
		if known.Source != c.Source || known.Text != c.Text || known.Shape != c.Shape {
			continue
		}
		if known.Status == Open && known.By == "program" {
			known.Status, known.Reason = c.Status, c.Reason
		}
		return
	}
	for n := 1; ; n++ {
		id := fmt.Sprintf("%s.%d", api, n)
		if !slices.ContainsFunc(a.Contracts, func(known Contract) bool { return known.ID == id }) {
			c.ID = id
			break
		}
	}
	a.Contracts = append(a.Contracts, c)
}

// File returns the file of a library in a directory of bases.
func File(dir, library string) string { return filepath.Join(dir, library+".yaml") }

// Load reads a base. A file that does not exist is fs.ErrNotExist; anything in it that is
// unknown or missing is an error with its line.
func Load(file string) (*Base, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	return parse(file, data)
}

// parse reads the text of a base; file is its name in errors.
func parse(file string, data []byte) (*Base, error) {
	var b Base
	dec := yaml.NewDecoder(bytes.NewReader(data))
	dec.KnownFields(true)
	if err := dec.Decode(&b); err != nil {
		if errors.Is(err, io.EOF) {
			return nil, fmt.Errorf("%s: the file is empty", file)
		}
		return nil, fmt.Errorf("%s: %s", file, strings.TrimPrefix(err.Error(), "yaml: "))
	}
	var more yaml.Node
	if err := dec.Decode(&more); !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("%s: more than one YAML document", file)
	}
	if err := b.validate(data); err != nil {
		return nil, fmt.Errorf("%s:%w", file, err)
	}
	return &b, nil
}

// validate refuses what no other part could use, with its line.
func (b *Base) validate(text []byte) error {
	if b.Library == "" {
		return errors.New("1: library: is missing")
	}
	seen := map[string]bool{}
	for _, a := range b.APIs {
		if a.Name == "" {
			return errors.New("1: an entry of apis has no api: name")
		}
		for _, c := range a.Contracts {
			why := c.problem()
			switch {
			case c.ID == "":
				return fmt.Errorf("%d: a contract of %s has no id", lineOf(text, a.Name), a.Name)
			case seen[c.ID]:
				why = "two contracts have the id " + c.ID
			case why != "":
				why = c.ID + ": " + why
			}
			if why != "" {
				return fmt.Errorf("%d: %s", lineOf(text, c.ID), why)
			}
			seen[c.ID] = true
		}
	}
	return nil
}

// problem says what is wrong with a contract by itself; "" if nothing is.
func (c *Contract) problem() string {
	switch {
	case !slices.Contains(kinds, c.Kind):
		return fmt.Sprintf("kind %q is none of %s", c.Kind, join(kinds))
	case !slices.Contains(Sources, c.Source):
		return fmt.Sprintf("source %q is none of %s", c.Source, join(Sources))
	case !slices.Contains(Statuses, c.Status):
		return fmt.Sprintf("status %q is none of %s", c.Status, join(Statuses))
	case c.Text == "" && c.Shape == "":
		return "has neither text nor shape"
	}
	return ""
}

// lineOf finds the last line that gives a value, 1 if there is none.
func lineOf(text []byte, value string) int {
	all := regexp.MustCompile(`(?m):\s*["']?`+regexp.QuoteMeta(value)+`["']?\s*$`).FindAllIndex(text, -1)
	if value == "" || len(all) == 0 {
		return 1
	}
	return 1 + bytes.Count(text[:all[len(all)-1][0]], []byte("\n"))
}

func join[T ~string](list []T) string {
	words := make([]string, len(list))
	for i, w := range list {
		words[i] = string(w)
	}
	return strings.Join(words, ", ")
}

// YAML is the base's file. Equal bases give equal bytes.
func (b *Base) YAML() ([]byte, error) {
	var out bytes.Buffer
	out.WriteString("# Contracts of " + b.Library + ". Edit what you like; `bench knowledge build` keeps what is here and adds to it.\n")
	enc := yaml.NewEncoder(&out)
	enc.SetIndent(2)
	if err := enc.Encode(b); err != nil {
		return nil, err
	}
	return out.Bytes(), enc.Close()
}

// Save writes the base's file, and the directory if it is missing.
func (b *Base) Save(file string) error {
	data, err := b.YAML()
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return err
	}
	return durable.WriteFile(file, data)
}
