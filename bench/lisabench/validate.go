package lisabench

import (
	"fmt"
	"slices"
	"strings"
)

// What the fields of a file must say together, each of them being of its form.

// library checks what library.yaml says; its bugs have been read.
func (d *document) library(l *Library) {
	d.version(l.Schema)
	switch {
	case l.Upstream == nil && l.Debian == nil:
		d.wrong("upstream", "a library needs a pin: upstream, debian or both")
	case l.Debian != nil:
		for i, b := range l.Debian.Backports {
			at := fmt.Sprintf("debian.backports[%d]", i)
			d.edits(b.Edits, at+".edits")
			if bug, err := l.Bug(b.Bug); err != nil {
				d.wrong(at+".bug", "%v", err)
			} else if how := bug.Debian; how != nil && how.Strategy != EditTree { // no patch of the package fixes it
				d.wrong(at+".bug", "%s is backported, so in the debian edition it comes back by an %s, not by %s", b.Bug, EditTree, how.Strategy)
			}
		}
	}
	if len(l.Recipe.Sources) == 0 {
		d.wrong("recipe.sources", "none to compile")
	}
	if l.Recipe.SONAME == "" {
		d.wrong("recipe.soname", "needs a value")
	}
}

// schema is the version of library.yaml and of rules.yaml.
const schema = 1

func (d *document) version(have int) {
	if have != schema {
		d.wrong("schema", "this program reads schema %d, not %d", schema, have)
	}
}

func (d *document) edits(edits []Edit, at string) {
	for i, e := range edits {
		if e.Anchor == e.Replacement {
			d.wrong(fmt.Sprintf("%s[%d].replacement", at, i), "the same as the anchor: it changes nothing")
		}
	}
}

// rules checks what rules.yaml says; library.yaml has been read.
func (d *document) rules(f *ruleFile, l *Library) {
	d.version(f.Schema)
	if len(f.Rules) == 0 {
		d.wrong("rules", "none: leave the file out if the library needs no rules")
	}
	documents := slices.Concat(l.Headers, l.Documents, l.EditionDocuments[Debian], l.EditionDocuments[Upstream])
	for i, r := range f.Rules {
		d.oneOf(r.Source.Document, documents, fmt.Sprintf("rules[%d].source.document", i))
	}
}

// bug checks what a bug's file says; library.yaml has been read.
func (d *document) bug(b *Bug, l *Library) {
	if b.Library != l.Name {
		d.wrong("library", "%q in the directory %s: they must agree", b.Library, l.Name)
	}
	d.oneOf(b.Defect, Defects, "defect")
	d.reintroduce(b.Upstream, l.Upstream != nil, Upstream, Revert, PairOf, EditTree, Absent)
	d.reintroduce(b.Debian, l.Debian != nil, Debian, OmitPatch, EditTree, FixOnly, Absent)
	if b.Debian != nil && b.Debian.Strategy == FixOnly && b.Selection != FreshlyAdded {
		d.wrong("debian.strategy", "%s is for fresh bugs: the fixes of others are in library.yaml", FixOnly)
	}
	if how := b.Upstream; how != nil && (how.Strategy == Revert || how.Strategy == PairOf) && strings.HasPrefix(b.FixCommit(Upstream), "changelog") {
		d.wrong("fix", "the strategy %s needs the commit of the fix", how.Strategy)
	}
	if want := b.ID + l.Language.Ext(); b.Witness.File != want {
		d.wrong("witness.file", "%q: the witness of %s is %s, beside its YAML", b.Witness.File, b.ID, want)
	}
}

// reintroduce checks that a strategy comes with the field that it needs, and no other.
func (d *document) reintroduce(r *Reintroduce, pinned bool, e Edition, strategies ...Strategy) {
	at := string(e)
	switch {
	case r == nil && pinned:
		d.wrong(at, "missing: say how the bug comes back in this edition, or that it is absent and why")
	case r != nil && !pinned:
		d.wrong(at, "the library has no %s edition", e)
	}
	if r == nil {
		return
	}
	var known []string
	for _, s := range strategies {
		known = append(known, string(s))
	}
	d.oneOf(string(r.Strategy), known, at+".strategy")
	for _, f := range []struct {
		name    string
		given   bool
		takenBy []Strategy
	}{
		{"parent", r.Parent != "", []Strategy{PairOf}},
		{"patch", r.Patch != "", []Strategy{OmitPatch}},
		{"edits", len(r.Edits) > 0, []Strategy{EditTree, FixOnly}},
		{"reason", r.Reason != "", []Strategy{Absent}},
	} {
		switch takes := slices.Contains(f.takenBy, r.Strategy); {
		case f.given && !takes:
			d.wrong(at+"."+f.name, "goes with the strategy %s, not with %s", f.takenBy[0], r.Strategy)
		case !f.given && takes:
			d.wrong(at+"."+f.name, "the strategy %s needs it", r.Strategy)
		}
	}
	d.edits(r.Edits, at+".edits")
}

// alsoFails checks the exceptions that a bug declares, once all bugs of the library are read.
func (d *document) alsoFails(b *Bug, l *Library) {
	for e, how := range map[Edition]*Reintroduce{Upstream: b.Upstream, Debian: b.Debian} {
		for i := 0; how != nil && i < len(how.AlsoFails); i++ {
			id, at := how.AlsoFails[i].Bug, fmt.Sprintf("%s.also_fails[%d].bug", e, i)
			if _, err := l.Bug(id); err != nil {
				d.wrong(at, "%v", err)
			} else if id == b.ID {
				d.wrong(at, "names the bug itself")
			}
		}
	}
}
