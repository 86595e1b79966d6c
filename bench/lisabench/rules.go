package lisabench

import (
	"regexp"
	"slices"
)

// rulesSchema is the version of rules.yaml.
const rulesSchema = 1

// A Rule is something that a user of the library has to know to write a correct program:
// what to initialise, in which order to call, what to clean up. Rules reach tools, so they
// are taken from the library's own documents and never from its bugs.
type Rule struct {
	ID     string     `yaml:"id"`     // unique within the library, e.g. zlib-init-fields
	Text   string     `yaml:"text"`   // in our own words, as an instruction
	APIs   []string   `yaml:"apis"`   // functions or macros that it is about; empty: the whole library
	Source RuleSource `yaml:"source"` // what it follows from
}

// A RuleSource is a place in one of the library's documents or public headers.
type RuleSource struct {
	Document string `yaml:"document"` // path as in Library.DocumentsFor of some edition, or Library.Headers
	Place    string `yaml:"place"`    // for a person: a section, the comment of a function
}

// ruleFile is the form of rules.yaml.
type ruleFile struct {
	Schema int    `yaml:"schema"`
	Rules  []Rule `yaml:"rules"`
}

var ruleID = regexp.MustCompile(`^[a-z][a-z0-9]*(-[a-z0-9]+)+$`)

// rules checks what rules.yaml says; library.yaml has been read.
func (d *document) rules(f *ruleFile, l *Library) {
	if f.Schema != rulesSchema {
		d.wrong([]any{"schema"}, "this program reads schema %d, not %d", rulesSchema, f.Schema)
	}
	if len(f.Rules) == 0 {
		d.wrong([]any{"rules"}, "none: leave the file out if the library needs no rules")
	}
	documents := slices.Clone(l.Headers)
	for _, e := range Editions {
		if l.Has(e) {
			documents = append(documents, l.DocumentsFor(e)...)
		}
	}
	slices.Sort(documents)
	documents = slices.Compact(documents)
	seen := map[string]bool{}
	for i, r := range f.Rules {
		d.form(ruleID, r.ID, "an id as in zlib-init-fields: words in lower case, joined by -", "rules", i, "id")
		if seen[r.ID] {
			d.wrong([]any{"rules", i, "id"}, "%q is taken by another rule of %s", r.ID, l.Name)
		}
		seen[r.ID] = true
		d.required(r.Text, "rules", i, "text")
		for j, name := range r.APIs {
			d.form(function, name, "a function's exact name", "rules", i, "apis", j)
		}
		d.unique(r.APIs, "rules", i, "apis")
		d.oneOf(r.Source.Document, documents, "rules", i, "source", "document")
		d.required(r.Source.Place, "rules", i, "source", "place")
	}
}
