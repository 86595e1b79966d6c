package knowledge

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/lisa-bench/lisa-bench/internal/durable"
	"github.com/lisa-bench/lisa-bench/internal/lists"
)

// A Kind is what a contract is about (paper, sec:inv-def), from the shallowest to the deepest.
type Kind string

// The kinds.
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
	Daikon Source = "daikon" // observed runs: what the miner finds in them
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

// statuses lists the statuses.
var statuses = []Status{Accepted, Rejected, Open}

// Who decided on a contract.
const (
	byProgram = "program"
	byModel   = "model"
	byHand    = "manual"
)

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

// Accepted returns the accepted contracts of an API from some sources, in their order.
func (b *Base) Accepted(api string, sources ...Source) []Contract {
	return b.filter(api, func(c Contract) bool { return c.Status == Accepted && slices.Contains(sources, c.Source) })
}

// Printed returns all that was mined of an API, whatever was decided of it.
func (b *Base) Printed(api string) []Contract {
	return b.filter(api, func(c Contract) bool { return c.Source == Daikon })
}

func (b *Base) filter(api string, keep func(Contract) bool) []Contract {
	for _, a := range b.APIs {
		if a.Name == api {
			return lists.Filter(a.Contracts, keep)
		}
	}
	return nil
}

// Contract returns the contract of that id, or nil.
func (b *Base) Contract(id string) *Contract {
	for _, a := range b.APIs {
		for i := range a.Contracts {
			if a.Contracts[i].ID == id {
				return &a.Contracts[i]
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
		i, _ = slices.BinarySearchFunc(b.APIs, api, func(a API, name string) int { return cmp.Compare(a.Name, name) })
		b.APIs = slices.Insert(b.APIs, i, API{Name: api})
	}
	a := &b.APIs[i]
	for j := range a.Contracts {
		known := &a.Contracts[j]
		if known.Source != c.Source || known.Text != c.Text || known.Shape != c.Shape {
			continue
		}
		if known.Status == Open && known.By == byProgram {
			known.Status, known.Reason = c.Status, c.Reason
		}
		return
	}
	for n := len(a.Contracts) + 1; c.ID == "" || b.Contract(c.ID) != nil; n++ {
		c.ID = fmt.Sprintf("%s.%d", api, n)
	}
	a.Contracts = append(a.Contracts, c)
}

// Decide sets the status of a contract by hand; reason is needed.
func (b *Base) Decide(id string, status Status, reason string) error {
	c := b.Contract(id)
	switch {
	case c == nil:
		return fmt.Errorf("%s has no contract %s", b.Library, id)
	case strings.TrimSpace(reason) == "":
		return errors.New("a decision needs its reason")
	}
	c.Status, c.Reason, c.By = status, oneLine(reason), byHand
	return nil
}

// File returns the file of a library in a directory of bases.
func File(dir, library string) string { return filepath.Join(dir, library+".yaml") }

// Load reads a base. A file that does not exist is fs.ErrNotExist; anything in it that is
// unknown or missing is an error with its line or the contract's id.
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
	if err := dec.Decode(&b); err != nil && !errors.Is(err, io.EOF) { // an empty file has no library
		return nil, fmt.Errorf("%s: %s", file, strings.TrimPrefix(err.Error(), "yaml: "))
	}
	if b.Library == "" {
		return nil, fmt.Errorf("%s: library: is missing", file)
	}
	seen := map[string]bool{}
	for _, a := range b.APIs {
		for _, c := range a.Contracts {
			why := c.problem()
			if seen[c.ID] {
				why = "two contracts have this id"
			}
			if why != "" {
				return nil, fmt.Errorf("%s: contract %q of %q: %s", file, c.ID, a.Name, why)
			}
			seen[c.ID] = true
		}
	}
	return &b, nil
}

// problem says what is wrong with a contract by itself; "" if nothing is.
func (c *Contract) problem() string {
	if c.ID == "" {
		return "it has no id"
	}
	if c.Text == "" && c.Shape == "" {
		return "it has neither text nor shape"
	}
	return cmp.Or(unknownWord("kind", c.Kind, kinds), unknownWord("source", c.Source, Sources),
		unknownWord("status", c.Status, statuses))
}

// unknownWord says that a word is none of a list; "" if it is one.
func unknownWord[T ~string](what string, word T, known []T) string {
	if slices.Contains(known, word) {
		return ""
	}
	words := strings.ReplaceAll(strings.Trim(fmt.Sprint(known), "[]"), " ", ", ")
	return fmt.Sprintf("%s %q is none of %s", what, word, words)
}

// YAML is the base's file. Equal bases give equal bytes.
func (b *Base) YAML() ([]byte, error) {
	var out bytes.Buffer
	out.WriteString("# Contracts of " + b.Library + ". Edit what you like; ")
	out.WriteString("`bench knowledge build` keeps what is here and adds to it.\n")
	enc := yaml.NewEncoder(&out)
	enc.SetIndent(2)
	err := enc.Encode(b)
	return out.Bytes(), err
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
