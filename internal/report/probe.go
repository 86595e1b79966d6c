package report

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/lisa-bench/lisa-bench/internal/check/probe"
)

// probes reports which bugs of the run models could name without having seen the library.
func (a *analysis) probes() Section {
	t := Table{ID: "probe", Title: "Bugs that a model names from memory", Columns: []Column{
		{Key: "library", Name: "Library", Kind: Words},
		{Key: "model", Name: "Model", Kind: Words},
		{Key: "lines", Name: "Bugs it\nclaims to know", Kind: Number},
		{Key: "at_most", Name: "Named\nat most", Kind: Count},
		{Key: "fix", Name: "Fix named", Kind: Count},
		{Key: "bugs", Name: "Function named of", Kind: Words, Wide: true},
	}}
	for _, p := range a.run.Probes {
		if p.Protocol != probe.Protocol {
			t.Warnings = append(t.Warnings, Clean(fmt.Sprintf("%s on %s was asked by another protocol, %s: run bench probe again.", p.Model, p.Library, p.Protocol)))
			continue
		}
		var names []string
		for _, b := range p.Bugs {
			if len(b.Lines) > 0 {
				names = append(names, b.Bug)
			}
		}
		if len(p.Bugs) == 0 {
			continue
		}
		t.Rows = append(t.Rows, []Cell{words(a.label(subject{p.Library, p.Edition})), words(p.Model), whole(p.Lines),
			count(p.AtMost(), len(p.Bugs)), count(p.Fixes(), len(p.Bugs)), words(cmp.Or(strings.Join(names, ", "), "–"))})
	}
	return Section{ID: "probe", Title: "What models name from memory", Tables: withRows(t), Definitions: []Definition{
		{"Named at most", "Bugs for which a line of the answer names a public function that shows them, one bug per line (largest matching). A line may mean another bug of the same function: read the lines in probe.json.", ""},
		{"Fix named", "A line of the answer has the commit of the fix (seven digits or more).", ""},
		{"Probe", "The model is told only the library's name and version, and names at most 40 bugs (bench probe, docs/howto/models.md).", ""},
	}}
}
