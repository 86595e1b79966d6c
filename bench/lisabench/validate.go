package lisabench

import (
	"io/fs"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/lisa-bench/lisa-bench/internal/trial"
)

// The forms of single values.
var (
	libraryName = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9_+-]{0,31}$`) // with tool and variant it makes a directory's name
	commitID    = regexp.MustCompile(`^[0-9a-f]{40}$`)
	sha256Hex   = regexp.MustCompile(`^[0-9a-f]{64}$`)
	packageName = regexp.MustCompile(`^[a-z0-9][a-z0-9+.-]+$`)      // Debian policy, section 5.6.1
	version     = regexp.MustCompile(`^([0-9]+:)?[0-9][\w.+~-]*$`)  // Debian policy, section 5.6.12
	define      = regexp.MustCompile(`^[A-Za-z_]\w*(=.*)?$`)        // NAME or NAME=VALUE
	function    = regexp.MustCompile(`^[A-Za-z_]\w*(::~?[\w ]+)*$`) // qualified in C++
	soname      = regexp.MustCompile(`^lib[\w.+-]+\.so(\.\d+)*$`)   // e.g. libz.so.1
)

const commitWords = "a full commit id of 40 hexadecimal digits"

// library checks what library.yaml says.
func (d *document) library(l *Library) {
	if l.Schema != schema {
		d.wrong([]any{"schema"}, "this program reads schema %d, not %d", schema, l.Schema)
	}
	d.form(libraryName, l.Name, "letters, digits, - and _", "name")
	d.required(l.Domain, "domain")
	d.required(l.Description, "description")
	d.required(l.Licence, "licence")
	d.oneOf(string(l.Language), []string{string(trial.C), string(trial.CXX)}, "language")
	d.pins(l)
	d.recipe(&l.Recipe, "recipe")
	for _, e := range slices.Sorted(maps.Keys(l.Recipe.Editions)) {
		at := []any{"recipe", "editions", string(e)}
		d.oneOf(string(e), editionNames(l), at...)
		if own := l.Recipe.Editions[e]; own != nil {
			d.recipe(own, at...)
			if own.Editions != nil {
				d.wrong(field(at, "editions"), "an edition's recipe has no editions of its own")
			}
		}
	}
	if len(l.Recipe.Sources) == 0 {
		d.wrong([]any{"recipe", "sources"}, "none to compile")
	}
	d.required(l.Recipe.SONAME, "recipe", "soname")
	if len(l.Headers) == 0 {
		d.wrong([]any{"headers"}, "a library needs a public header")
	}
	d.paths(l.Headers, "headers")
	d.installed(l)
	d.paths(l.Documents, "documents")
	for _, e := range slices.Sorted(maps.Keys(l.EditionDocuments)) {
		d.oneOf(string(e), editionNames(l), "edition_documents", string(e))
		d.paths(l.EditionDocuments[e], "edition_documents", string(e))
	}
	d.globs(l.HideFromTools, "hide_from_tools")
	var names []string
	for i, x := range l.ExcludedAPIs {
		names = append(names, x.Name)
		d.form(function, x.Name, "a function's exact name", "excluded_apis", i, "name")
		d.required(x.Reason, "excluded_apis", i, "reason")
	}
	d.unique(names, "excluded_apis")
	d.fuzzTargets(l.FuzzTargets, l.Upstream)
}

func (d *document) pins(l *Library) {
	if l.Upstream == nil && l.Debian == nil {
		d.wrong([]any{"upstream"}, "a library needs a pin: upstream, debian or both")
	}
	if p := l.Upstream; p != nil {
		if !strings.Contains(p.Repo, "://") {
			d.wrong([]any{"upstream", "repo"}, "%q is no URL", p.Repo)
		}
		d.form(commitID, p.Commit, commitWords, "upstream", "commit")
	}
	p := l.Debian
	if p == nil {
		return
	}
	d.form(packageName, p.Package, "the name of a Debian source package", "debian", "package")
	d.form(version, p.Version, "a Debian version", "debian", "version")
	d.form(sha256Hex, p.DscSHA256, "a SHA-256 of 64 hexadecimal digits", "debian", "dsc_sha256")
	var fixed []string
	for i, b := range p.Backports {
		at := []any{"debian", "backports", i}
		fixed = append(fixed, b.Bug)
		if len(b.Edits) == 0 {
			d.wrong(field(at, "edits"), "a backport needs some")
		}
		d.edits(b.Edits, field(at, "edits")...)
		d.backported(l, b.Bug, field(at, "bug")...)
	}
	d.unique(fixed, "debian", "backports")
}

// backported checks that a backported bug exists and comes back by an edit, since no patch
// of the package fixes it.
func (d *document) backported(l *Library, id string, at ...any) {
	bug, err := l.Bug(id)
	switch {
	case err != nil:
		d.wrong(at, "%v", err)
	case bug.Debian != nil && bug.Debian.Strategy != EditTree:
		d.wrong(at, "%s is backported, so in the debian edition it comes back by an %s, not by %s", id, EditTree, bug.Debian.Strategy)
	}
}

func (d *document) recipe(r *Recipe, at ...any) {
	d.globs(r.Sources, field(at, "sources")...)
	d.paths(r.Exclude, field(at, "exclude")...)
	d.paths(r.Includes, field(at, "includes")...)
	for i, name := range r.Defines {
		d.form(define, name, "NAME or NAME=VALUE", field(at, "defines", i)...)
	}
	for i, s := range r.Copy {
		d.path(s.From, field(at, "copy", i, "from")...)
		d.path(s.To, field(at, "copy", i, "to")...)
	}
	for i, s := range r.Write {
		d.path(s.To, field(at, "write", i, "to")...)
	}
	d.paths(r.Unused, field(at, "unused")...)
	for i, argv := range r.Configure {
		if len(argv) == 0 || argv[0] == "" {
			d.wrong(field(at, "configure", i), "no program to run")
		}
	}
	for i, name := range r.Needs {
		d.form(packageName, name, "the name of a Debian package", field(at, "needs", i)...)
	}
	if r.SONAME != "" {
		d.form(soname, r.SONAME, "a name as in libz.so.1", field(at, "soname")...)
	}
}

func (d *document) fuzzTargets(targets []FuzzTarget, upstream *UpstreamPin) {
	var names []string
	for i, t := range targets {
		names = append(names, t.Name)
		d.form(libraryName, t.Name, "letters, digits, - and _", "fuzz_targets", i, "name")
		d.oneOf(t.Origin, []string{OriginTree, OriginOSSFuzz}, "fuzz_targets", i, "origin")
		d.path(t.Source, "fuzz_targets", i, "source")
		if t.Commit != "" {
			d.form(commitID, t.Commit, commitWords, "fuzz_targets", i, "commit")
			if t.Origin != OriginTree || upstream == nil {
				d.wrong([]any{"fuzz_targets", i, "commit"}, "only for a harness of the library's own tree, with an upstream repository")
			}
		}
		d.globs(t.Seeds, "fuzz_targets", i, "seeds")
		if t.Dictionary != "" {
			d.path(t.Dictionary, "fuzz_targets", i, "dictionary")
		}
		if t.DictionaryOrigin != "" {
			d.oneOf(t.DictionaryOrigin, []string{OriginTree, OriginOSSFuzz}, "fuzz_targets", i, "dictionary_origin")
			if t.Dictionary == "" {
				d.wrong([]any{"fuzz_targets", i, "dictionary_origin"}, "of no dictionary: name one, or leave this out")
			}
		}
		for j, name := range t.Defines {
			d.form(define, name, "NAME or NAME=VALUE", "fuzz_targets", i, "defines", j)
		}
		for j, o := range t.Options {
			if !strings.HasPrefix(o, "-") {
				d.wrong([]any{"fuzz_targets", i, "options", j}, "%q: a libFuzzer flag begins with -", o)
			}
		}
	}
	d.unique(names, "fuzz_targets")
}

// form checks a value against the expression that says what it must look like.
func (d *document) form(want *regexp.Regexp, value, words string, at ...any) {
	if !want.MatchString(value) {
		d.wrong(at, "%q is not %s", value, words)
	}
}

func (d *document) required(value string, at ...any) {
	if strings.TrimSpace(value) == "" {
		d.wrong(at, "needs a value")
	}
}

func (d *document) oneOf(value string, known []string, at ...any) {
	if !slices.Contains(known, value) {
		nearest, _ := nearestOf(value, known)
		d.wrong(at, "unknown %q%s", value, hint(nearest, known))
	}
}

func (d *document) unique(values []string, at ...any) {
	for i, v := range values {
		if slices.Index(values, v) < i {
			d.wrong(append(slices.Clone(at), i), "%q is listed twice", v)
		}
	}
}

// path checks that a path stays below its root and is written in only one way.
func (d *document) path(p string, at ...any) {
	if !fs.ValidPath(p) || strings.Contains(p, `\`) {
		d.wrong(at, "%q is not a clean path below the root, as in dir/file.c", p)
	}
}

func (d *document) paths(list []string, at ...any) {
	for i, p := range list {
		d.path(p, append(slices.Clone(at), i)...)
	}
}

func (d *document) globs(list []string, at ...any) {
	for i, g := range list {
		place := append(slices.Clone(at), i)
		d.path(g, place...)
		if _, err := path.Match(g, ""); err != nil {
			d.wrong(place, "%q: %v", g, err)
		}
	}
}

// field returns the path of something below at.
func field(at []any, below ...any) []any { return append(slices.Clone(at), below...) }

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
