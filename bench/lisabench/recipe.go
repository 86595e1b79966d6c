package lisabench

import (
	"cmp"
	"reflect"
	"slices"
	"strings"
)

// RecipeFor returns the recipe of one edition: the common one with the fields that the
// edition's own replaces.
func (l *Library) RecipeFor(e Edition) Recipe {
	r := l.Recipe
	own := r.Editions[e.Base()]
	r.Editions = nil
	if own == nil {
		return r
	}
	common, replacing := reflect.ValueOf(&r).Elem(), reflect.ValueOf(own).Elem()
	for i := range common.NumField() {
		if f := replacing.Field(i); !f.IsZero() {
			common.Field(i).Set(f)
		}
	}
	return r
}

// DocumentsFor returns the documents of one edition: the common ones, then its own.
func (l *Library) DocumentsFor(e Edition) []string {
	return slices.Concat(l.Documents, l.EditionDocuments[e.Base()])
}

// FixCommit returns the commit that fixes the bug upstream, as an edition re-introduces it.
func (b *Bug) FixCommit(e Edition) string {
	if how := b.In(e); how != nil && how.Commit != "" {
		return how.Commit
	}
	return b.Fix
}

// Has reports whether the library exists in the edition.
func (l *Library) Has(e Edition) bool {
	return e.Base() == Upstream && l.Upstream != nil || e.Base() == Debian && l.Debian != nil
}

// BackportsIn are the fixes that make an edition's reference of its package, without that of one fresh bug ("": all).
func (l *Library) BackportsIn(e Edition, without string) []Backport {
	if e.Base() != Debian {
		return nil
	}
	all := slices.Clone(l.Debian.Backports)
	for _, b := range l.Bugs {
		if how := b.In(e); how != nil && how.Strategy == FixOnly && b.ID != without {
			all = append(all, Backport{Bug: b.ID, Edits: how.Edits})
		}
	}
	return all
}

// Pin is the version and hash of the library's source in an edition; "" if it has none.
func (l *Library) Pin(e Edition) string {
	switch {
	case e.Base() == Debian && l.Debian != nil:
		pin := l.Debian.Package + " " + l.Debian.Version + " (.dsc SHA-256 " + l.Debian.DscSHA256 + ")"
		if e == Fresh {
			pin += ", fixes " + hash(l.BackportsIn(e, ""))[:12]
		}
		return pin
	case l.Upstream != nil:
		return l.Upstream.Repo + " at " + cmp.Or(e.Commit(), l.Upstream.Commit)
	}
	return ""
}

// InstalledHeaders returns the names under which a program of the edition includes the
// public headers, in the order of Headers. Each is relative to the longest of the
// recipe's include directories that contains it, or else to the tree's root. So
// include/lcms2.h is lcms2.h where include is such a directory, and pcap/pcap.h stays so.
func (l *Library) InstalledHeaders(e Edition) []string {
	includes := l.RecipeFor(e).Includes
	names := make([]string, len(l.Headers))
	for i, header := range l.Headers {
		names[i] = header
		for _, dir := range includes {
			if name, inside := strings.CutPrefix(header, dir+"/"); inside && len(name) < len(names[i]) {
				names[i] = name
			}
		}
	}
	return names
}
