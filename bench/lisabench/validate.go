package lisabench

import (
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/lisa-bench/lisa-bench/internal/trial"
)

// What the fields of a file must say together, each of them being of its form.

// library checks what library.yaml says.
func (d *document) library(l *Library) {
	d.version(l.Schema, schema)
	if l.Upstream == nil && l.Debian == nil {
		d.wrong([]any{"upstream"}, "a library needs a pin: upstream, debian or both")
	}
	if l.Debian != nil {
		d.backports(l)
	}
	for _, e := range slices.Sorted(maps.Keys(l.Recipe.Editions)) {
		at := []any{"recipe", "editions", string(e)}
		d.oneOf(string(e), editionNames(l), at...)
		if own := l.Recipe.Editions[e]; own != nil && own.Editions != nil {
			d.wrong(field(at, "editions"), "an edition's recipe has no editions of its own")
		}
	}
	if len(l.Recipe.Sources) == 0 {
		d.wrong([]any{"recipe", "sources"}, "none to compile")
	}
	if l.Recipe.SONAME == "" {
		d.wrong([]any{"recipe", "soname"}, "needs a value")
	}
	for i, argv := range l.Recipe.Configure {
		if len(argv) == 0 || argv[0] == "" {
			d.wrong([]any{"recipe", "configure", i}, "no program to run")
		}
	}
	d.installed(l)
	for _, e := range slices.Sorted(maps.Keys(l.EditionDocuments)) {
		d.oneOf(string(e), editionNames(l), "edition_documents", string(e))
		for i, p := range l.EditionDocuments[e] {
			d.value("path", p, []any{"edition_documents", string(e), i})
		}
	}
	var names []string
	for _, x := range l.ExcludedAPIs {
		names = append(names, x.Name)
	}
	d.unique(names, "excluded_apis")
	names = nil
	for i, t := range l.FuzzTargets {
		names = append(names, t.Name)
		if t.Commit != "" && (t.Origin != OriginTree || l.Upstream == nil) {
			d.wrong([]any{"fuzz_targets", i, "commit"}, "only for a harness of the library's own tree, with an upstream repository")
		}
		if t.DictionaryOrigin != "" && t.Dictionary == "" {
			d.wrong([]any{"fuzz_targets", i, "dictionary_origin"}, "of no dictionary: name one, or leave this out")
		}
	}
	d.unique(names, "fuzz_targets")
}

func (d *document) version(have, want int) {
	if have != want {
		d.wrong([]any{"schema"}, "this program reads schema %d, not %d", want, have)
	}
}

// backports checks that each backported bug exists and comes back by an edit, since no patch of the package fixes it.
func (d *document) backports(l *Library) {
	var fixed []string
	for i, b := range l.Debian.Backports {
		at := []any{"debian", "backports", i}
		fixed = append(fixed, b.Bug)
		d.edits(b.Edits, field(at, "edits")...)
		bug, err := l.Bug(b.Bug)
		if err != nil {
			d.wrong(field(at, "bug"), "%v", err)
		} else if how := bug.Debian; how != nil && how.Strategy != EditTree {
			d.wrong(field(at, "bug"), "%s is backported, so in the debian edition it comes back by an %s, not by %s", b.Bug, EditTree, how.Strategy)
		}
	}
	d.unique(fixed, "debian", "backports")
}

func (d *document) edits(edits []Edit, at ...any) {
	for i, e := range edits {
		if e.Anchor == "" {
			d.wrong(field(at, i, "anchor"), "an edit needs the text that it replaces")
		}
		if e.Anchor == e.Replacement {
			d.wrong(field(at, i, "replacement"), "the same as the anchor: it changes nothing")
		}
	}
}

// installed checks that no two public headers are installed under one name in any edition.
func (d *document) installed(l *Library) {
	told := map[int]bool{}
	for _, e := range Editions {
		if !l.Has(e) {
			continue
		}
		names := l.InstalledHeaders(e)
		for i, name := range names {
			if first := slices.Index(names, name); first < i && !told[i] {
				told[i] = true
				d.wrong([]any{"headers", i}, "%q is installed as %q, which %q is already", l.Headers[i], name, l.Headers[first])
			}
		}
	}
}

// editionNames returns the editions that the library has.
func editionNames(l *Library) (names []string) {
	for _, e := range Editions {
		if l.Has(e) {
			names = append(names, string(e))
		}
	}
	return names
}

// rules checks what rules.yaml says; library.yaml has been read.
func (d *document) rules(f *ruleFile, l *Library) {
	d.version(f.Schema, rulesSchema)
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
		if seen[r.ID] {
			d.wrong([]any{"rules", i, "id"}, "%q is taken by another rule of %s", r.ID, l.Name)
		}
		seen[r.ID] = true
		d.oneOf(r.Source.Document, documents, "rules", i, "source", "document")
	}
}

// bug checks what a bug's file says.
func (d *document) bug(b *Bug, l *Library) {
	d.oneOf(b.Library, []string{l.Name}, "library")
	if len(b.APIs) == 0 {
		d.wrong([]any{"apis"}, "name the public functions through which the bug shows")
	}
	d.oneOf(b.Defect, Defects, "defect")
	d.reintroduce(b.Upstream, l.Upstream != nil, []string{string(Revert), string(PairOf), string(EditTree), string(Absent)}, "upstream")
	if b.Debian != nil && b.Debian.Strategy == FixOnly && b.Selection != FreshlyAdded {
		d.wrong([]any{"debian", "strategy"}, "%s is for fresh bugs: the fixes of others are in library.yaml", FixOnly)
	}
	d.reintroduce(b.Debian, l.Debian != nil, []string{string(OmitPatch), string(EditTree), string(FixOnly), string(Absent)}, "debian")
	for edition, how := range map[string]*Reintroduce{string(Upstream): b.Upstream, string(Debian): b.Debian} {
		if how != nil && strings.HasPrefix(b.FixCommit(Edition(edition)), "changelog: ") && (how.Strategy == Revert || how.Strategy == PairOf) {
			d.wrong([]any{"fix"}, "the strategy %s needs the commit of the fix", how.Strategy)
		}
	}
	d.witness(b, l.Language)
}

// maxWitnessSec bounds how long a witness may run: validation runs each six times.
const maxWitnessSec = 600

func (d *document) witness(b *Bug, lang trial.Language) {
	w := b.Witness
	if w.File != path.Base(w.File) || w.File != b.ID+lang.Ext() {
		d.wrong([]any{"witness", "file"}, "%q: the witness of %s is %s, beside its YAML", w.File, b.ID, b.ID+lang.Ext())
	}
	if w.TimeoutSec < 0 || w.TimeoutSec > maxWitnessSec {
		d.wrong([]any{"witness", "timeout_sec"}, "%d is not between 0 and %d", w.TimeoutSec, maxWitnessSec)
	}
}

// reintroduce checks that a strategy comes with the fields that it needs, and no others.
func (d *document) reintroduce(r *Reintroduce, pinned bool, strategies []string, edition string) {
	switch {
	case r == nil && pinned:
		d.wrong([]any{edition}, "missing: say how the bug comes back in this edition, or that it is absent and why")
		return
	case r == nil:
		return
	case !pinned:
		d.wrong([]any{edition}, "the library has no %s edition", edition)
	}
	d.oneOf(string(r.Strategy), strategies, edition, "strategy")
	for _, f := range []struct {
		name     string
		given    bool
		takenBy  Strategy
		optional bool
	}{
		{"commit", r.Commit != "", Revert, true},
		{"parent", r.Parent != "", PairOf, false},
		{"patch", r.Patch != "", OmitPatch, false},
		{"edits", len(r.Edits) > 0, EditTree, false},
		{"reason", r.Reason != "", Absent, false},
	} {
		switch {
		case f.name == "edits" && r.Strategy == FixOnly && f.given:
		case f.given && f.takenBy != r.Strategy:
			d.wrong([]any{edition, f.name}, "goes with the strategy %s, not with %s", f.takenBy, r.Strategy)
		case !f.given && f.takenBy == r.Strategy && !f.optional:
			d.wrong([]any{edition, f.name}, "the strategy %s needs it", r.Strategy)
		}
	}
	d.edits(r.Edits, edition, "edits")
	if len(r.AlsoFails) > 0 && r.Strategy == Absent {
		d.wrong([]any{edition, "also_fails"}, "a bug that is absent has no buggy build")
	}
}

// alsoFails checks the exceptions that bugs declare, once all bugs of the library are read.
func (d *document) alsoFails(b *Bug, l *Library) {
	for _, e := range []Edition{Upstream, Fresh} {
		how := b.In(e)
		if how == nil {
			continue
		}
		e = e.Base()
		var ids []string
		for i, a := range how.AlsoFails {
			at := []any{string(e), "also_fails", i, "bug"}
			ids = append(ids, a.Bug)
			if a.Bug == b.ID {
				d.wrong(at, "names the bug itself")
			} else if _, err := l.Bug(a.Bug); err != nil {
				d.wrong(at, "%v", err)
			}
		}
		d.unique(ids, string(e), "also_fails")
	}
}
