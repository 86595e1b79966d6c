// Package alias gives a library's identifiers other names in what a model reads, and takes them back in what it
// writes. A model that remembers the library does not find it there. It consumes the public API and yields a
// trial.Names. Common words, such as a field called next, stay as they are. Descriptions of the library in
// other words are not hidden.
package alias

import (
	"cmp"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/lisa-bench/lisa-bench/internal/trial"
	"github.com/lisa-bench/lisa-bench/pipeline/apispec"
)

// Names are the names of one library and those that stand for them. Safe for concurrent use.
type Names struct {
	to, from map[string]string
	stems    []stem // the longest first
}

// A stem is a spelling of a name that is part of other words, such as the library's own.
type stem struct{ name, alias string }

var _ trial.Names = (*Names)(nil)

var (
	word  = regexp.MustCompile(`[A-Za-z_][A-Za-z0-9_]*`)
	plain = regexp.MustCompile(`^(.|[a-z]{1,8})$`)
)

// Of returns the names of a library, the same whenever it is called.
func Of(target trial.Target, spec *apispec.Spec) *Names {
	m := &maker{Names: &Names{to: map[string]string{}, from: map[string]string{}}, draw: trial.Seed(0).Stream("aliases of " + target.Library).IntN, used: map[string]bool{}}
	original := identifiers(spec)
	for _, name := range original {
		m.used[strings.ToLower(name)] = true
	}
	m.stem(target.Library)
	m.stem(strings.TrimRight(target.Library, "0123456789"))
	for _, h := range target.Headers {
		for _, part := range strings.Split(strings.TrimSuffix(h, path.Ext(h)), "/") {
			m.stem(part)
		}
	}
	slices.SortStableFunc(m.stems, func(a, b stem) int { return cmp.Compare(len(b.name), len(a.name)) })
	for _, name := range original {
		if m.to[name] == "" {
			m.set(name, styled(name, m.word()+m.word()))
		}
	}
	return m.Names
}

// identifiers are the names that the public headers declare and that say what they are of, sorted.
func identifiers(spec *apispec.Spec) []string {
	var list []string
	add := func(qualified string) {
		for _, name := range strings.Split(qualified, "::") {
			if word.FindString(name) == name && name != "" && name != "std" {
				list = append(list, name)
			}
		}
	}
	addUnlessPlain := func(name string) {
		if !plain.MatchString(name[strings.LastIndex(name, ":")+1:]) {
			add(name)
		}
	}
	for _, f := range spec.Functions {
		if f.Kind == apispec.Free {
			add(f.Name)
		} else {
			addUnlessPlain(f.Name)
		}
	}
	for _, s := range spec.Structs {
		add(s.Name)
		add(s.Typedef)
		for _, f := range s.Fields {
			addUnlessPlain(f.Name)
		}
	}
	for _, e := range spec.Enums {
		add(e.Name)
		for _, c := range e.Constants {
			add(c.Name)
		}
	}
	for _, t := range spec.Typedefs {
		add(t.Name)
	}
	for _, c := range spec.Constants {
		add(c.Name)
	}
	for _, m := range slices.Concat(spec.Macros, spec.Helpers) {
		add(m.Name)
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// A maker draws aliases.
type maker struct {
	*Names
	draw func(int) int
	used map[string]bool // in lower case
}

// word is a new word of two syllables, unlike those before.
func (m *maker) word() string {
	const consonants, vowels = "bdfgklmnprstvz", "aeiou"
	for {
		var b strings.Builder
		for range 3 {
			b.WriteByte(consonants[m.draw(len(consonants))])
			b.WriteByte(vowels[m.draw(len(vowels))])
		}
		if w := b.String(); !m.used[w] {
			m.used[w] = true
			return w
		}
	}
}

func (m *maker) set(name, alias string) {
	m.to[name], m.from[alias] = alias, name
}

// stem hides a name wherever it occurs, in each of its spellings.
func (m *maker) stem(name string) {
	if len(name) < 3 || m.to[name] != "" {
		return
	}
	alias := m.word()
	for _, spelling := range []string{name, strings.ToLower(name), strings.ToUpper(name), title(strings.ToLower(name))} {
		if a := styled(spelling, alias); m.to[spelling] == "" && m.from[a] == "" {
			m.set(spelling, a)
			m.stems = append(m.stems, stem{spelling, a})
		}
	}
}

// styled spells an alias as the name is spelled: in capitals, with the first letter a capital, or in small letters.
func styled(name, alias string) string {
	switch lower := strings.ToLower(name); {
	case name == lower:
		return alias
	case name == strings.ToUpper(name):
		return strings.ToUpper(alias)
	}
	return title(alias)
}

func title(w string) string { return strings.ToUpper(w[:1]) + w[1:] }

// Hide implements trial.Names.
func (n *Names) Hide(text string) string {
	return word.ReplaceAllStringFunc(text, func(w string) string {
		if alias, known := n.to[w]; known {
			return alias
		}
		for _, s := range n.stems {
			w = strings.ReplaceAll(w, s.name, s.alias)
		}
		return w
	})
}

// notHere follows a name of the library that a model was not shown: it knows it from elsewhere.
const notHere = "_not_here"

// Restore implements trial.Names.
func (n *Names) Restore(text string) string {
	return word.ReplaceAllStringFunc(text, func(w string) string {
		if name, known := n.from[w]; known {
			return name
		}
		if _, remembered := n.to[w]; remembered {
			return w + notHere
		}
		for _, s := range n.stems {
			w = strings.ReplaceAll(w, s.alias, s.name)
		}
		return w
	})
}
