package lisabench

import (
	"path"
	"regexp"
	"time"

	"github.com/lisa-bench/lisa-bench/internal/trial"
)

// maxWitnessSec bounds how long a witness may run: validation runs each six times.
const maxWitnessSec = 600

var bugID = regexp.MustCompile(`^[a-z][a-z0-9]*-[1-9][0-9]*$`)

// bug checks what a bug's file says.
func (d *document) bug(b *Bug, l *Library) {
	d.form(bugID, b.ID, "an id as in zlib-3: a word in lower case and a number that counts from the newest fix", "id")
	d.oneOf(b.Library, []string{l.Name}, "library")
	d.form(commitID, b.Fix, commitWords, "fix")
	if _, err := time.Parse(time.DateOnly, b.Date); err != nil {
		d.wrong([]any{"date"}, "%q is not a date as in 2023-08-24", b.Date)
	}
	d.required(b.Title, "title")
	d.required(b.Symptom, "symptom")
	if len(b.APIs) == 0 {
		d.wrong([]any{"apis"}, "name the public functions through which the bug shows")
	}
	for i, name := range b.APIs {
		d.form(function, name, "a function's exact name", "apis", i)
	}
	d.unique(b.APIs, "apis")
	d.oneOf(b.Defect, defects, "defect")
	d.oneOf(string(b.Selection), []string{string(Protocol), string(Extended)}, "selection")
	d.reintroduce(b.Upstream, l.Upstream != nil, []string{string(Revert), string(PairOf), string(EditTree), string(Absent)}, "upstream")
	d.reintroduce(b.Debian, l.Debian != nil, []string{string(OmitPatch), string(EditTree), string(Absent)}, "debian")
	d.witness(b, l.Language)
}

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
	fields := []struct {
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
	}
	for _, f := range fields {
		at := []any{edition, f.name}
		switch {
		case f.given && f.takenBy != r.Strategy:
			d.wrong(at, "goes with the strategy %s, not with %s", f.takenBy, r.Strategy)
		case !f.given && f.takenBy == r.Strategy && !f.optional:
			d.wrong(at, "the strategy %s needs it", r.Strategy)
		}
	}
	if r.Commit != "" {
		d.form(commitID, r.Commit, commitWords, edition, "commit")
	}
	if r.Parent != "" {
		d.form(commitID, r.Parent, commitWords, edition, "parent")
	}
	if r.Patch != "" {
		d.path(r.Patch, edition, "patch")
	}
	d.edits(r.Edits, edition, "edits")
	if len(r.AlsoFails) > 0 && r.Strategy == Absent {
		d.wrong([]any{edition, "also_fails"}, "a bug that is absent has no buggy build")
	}
}

// alsoFails checks the exceptions that bugs declare, once all bugs of the library are read.
func (d *document) alsoFails(b *Bug, l *Library) {
	for _, e := range Editions {
		how := b.In(e)
		if how == nil {
			continue
		}
		var ids []string
		for i, a := range how.AlsoFails {
			at := []any{string(e), "also_fails", i}
			ids = append(ids, a.Bug)
			d.required(a.Reason, field(at, "reason")...)
			if a.Bug == b.ID {
				d.wrong(field(at, "bug"), "names the bug itself")
			} else if _, err := l.Bug(a.Bug); err != nil {
				d.wrong(field(at, "bug"), "%v", err)
			}
		}
		d.unique(ids, string(e), "also_fails")
	}
}

func (d *document) edits(edits []Edit, at ...any) {
	for i, e := range edits {
		d.path(e.File, field(at, i, "file")...)
		if e.Anchor == "" {
			d.wrong(field(at, i, "anchor"), "an edit needs the text that it replaces")
		}
		if e.Anchor == e.Replacement {
			d.wrong(field(at, i, "replacement"), "the same as the anchor: it changes nothing")
		}
	}
}

// editionNames returns the editions that the library has.
func editionNames(l *Library) []string {
	var names []string
	if l.Upstream != nil {
		names = append(names, string(Upstream))
	}
	if l.Debian != nil {
		names = append(names, string(Debian))
	}
	return names
}
