package lisabench

import "slices"

// RecipeFor returns the recipe of one edition: the common one with the fields that the
// edition's own replaces.
func (l *Library) RecipeFor(e Edition) Recipe {
	r := l.Recipe
	own := r.Editions[e]
	r.Editions = nil
	if own == nil {
		return r
	}
	replace(&r.Sources, own.Sources)
	replace(&r.Exclude, own.Exclude)
	replace(&r.Defines, own.Defines)
	replace(&r.Includes, own.Includes)
	replace(&r.CFlags, own.CFlags)
	replace(&r.Copy, own.Copy)
	replace(&r.Write, own.Write)
	replace(&r.Configure, own.Configure)
	replace(&r.Link, own.Link)
	replace(&r.Needs, own.Needs)
	if own.SONAME != "" {
		r.SONAME = own.SONAME
	}
	return r
}

func replace[T any](common *[]T, own []T) {
	if own != nil {
		*common = own
	}
}

// DocumentsFor returns the documents of one edition: the common ones, then its own.
func (l *Library) DocumentsFor(e Edition) []string {
	return slices.Concat(l.Documents, l.EditionDocuments[e])
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
	return e == Upstream && l.Upstream != nil || e == Debian && l.Debian != nil
}
