package sequence

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/lisa-bench/lisa-bench/internal/llm"
	"github.com/lisa-bench/lisa-bench/internal/trial"
	"github.com/lisa-bench/lisa-bench/pipeline/apispec"
)

// Limits of what one prompt shows of a library, so that prompts for a large one stay of a size
// that every model reads well. What belongs to the combination always comes first.
const (
	maxSignatures = 120
	maxTypes      = 40
	maxConstants  = 80
	maxFields     = 40 // of one struct or enumeration
	maxDocBytes   = 1500
)

// A library is what prompts tell of the library under test.
type library struct {
	target trial.Target
	spec   *apispec.Spec
	apis   []*apispec.Function
	byName map[string]*apispec.Function // by canonical name
	macros map[string]*apispec.Macro    // by the function that it calls, where it is the usual way to call that
}

func newLibrary(target trial.Target, spec *apispec.Spec) *library {
	l := &library{target: target, spec: spec, apis: spec.APIs(target.ExcludedAPIs),
		byName: map[string]*apispec.Function{}, macros: map[string]*apispec.Macro{}}
	for _, f := range l.apis {
		l.byName[f.Canonical()] = f
	}
	for _, m := range spec.Macros {
		for _, f := range m.Calls {
			if l.macros[f] == nil {
				l.macros[f] = m
			}
		}
	}
	return l
}

// An entry is one API of a combination as a prompt shows it.
type entry struct{ Name, Declaration, Doc string }

func (l *library) entries(combination []string) []entry {
	var list []entry
	for _, name := range combination {
		f := l.byName[name]
		e := entry{Name: name, Declaration: l.signature(f), Doc: llm.ShortenSentence(l.spec.DocOf(f), maxDocBytes)}
		if m := l.macros[f.Name]; m != nil {
			e.Name = m.Name // what a program is meant to write
		}
		list = append(list, e)
	}
	return list
}

// signatures returns declarations in the order of the headers: those of the combination's functions, of
// functions that share a type of the library with them, and of others if there is room.
func (l *library) signatures(combination []string) []string {
	shown := map[*apispec.Function]bool{}
	types := map[string]bool{}
	for _, name := range combination {
		f := l.byName[name]
		shown[f] = true
		for _, t := range TypesOf(f) {
			types[t] = true
		}
	}
	add := func(wanted func(*apispec.Function) bool) {
		for _, f := range l.apis {
			if len(shown) < maxSignatures && wanted(f) {
				shown[f] = true
			}
		}
	}
	add(func(f *apispec.Function) bool {
		return slices.ContainsFunc(TypesOf(f), func(t string) bool { return types[t] })
	})
	add(func(*apispec.Function) bool { return true })
	var lines []string
	for _, f := range l.apis {
		if shown[f] {
			lines = append(lines, l.signature(f))
		}
	}
	return lines
}

// signature is a declaration, with the macro that is the usual way to call the function.
func (l *library) signature(f *apispec.Function) string {
	line := f.Declaration(f.Name)
	if m := l.macros[f.Name]; m != nil {
		line += " // called through the macro " + m.Name
		if m.Params != nil {
			line += "(" + strings.Join(m.Params, ", ") + ")"
		}
	}
	return line
}

// TypesOf returns the names of the structs and enumerations in a function's type.
func TypesOf(f *apispec.Function) []string {
	var names []string
	for _, t := range f.NamedTypes() {
		names = append(names, t.Name)
	}
	if f.Class != "" {
		names = append(names, f.Class)
	}
	return names
}

// types returns the definitions that the combination's functions mention, then those of other functions if
// there is room, and constants. If documented, the constants that the documentation of the combination names
// come first.
func (l *library) types(combination []string, documented bool) []string {
	var doc strings.Builder
	rank := map[string]int{} // by name: 2 if the combination mentions it, 1 if any function does
	for _, f := range l.apis {
		for _, t := range TypesOf(f) {
			rank[t] = max(rank[t], 1)
		}
	}
	for _, name := range combination {
		f := l.byName[name]
		for _, t := range TypesOf(f) {
			rank[t] = 2
		}
		if !documented {
			continue
		}
		doc.WriteString(f.Doc + "\n")
		if m := l.macros[f.Name]; m != nil {
			doc.WriteString(m.Doc + "\n")
		}
	}
	var lines []string
	for _, wanted := range []int{2, 1} {
		for _, s := range l.spec.Structs {
			if rank[s.Name] == wanted && len(lines) < maxTypes && !(len(s.Fields) == 0 && l.target.Language == trial.CXX) {
				lines = append(lines, structure(s, l.target.Language))
			}
		}
		for _, e := range l.spec.Enums {
			if rank[e.Name] == wanted && e.Name != "" && len(lines) < maxTypes {
				lines = append(lines, enumeration(e, l.target.Language))
			}
		}
	}
	return append(lines, l.constants(doc.String())...)
}

func structure(s *apispec.Struct, lang trial.Language) string {
	kind, name := "struct", s.Name
	if lang == trial.CXX {
		kind = "class"
	}
	if s.Union {
		kind = "union"
	}
	if s.Typedef != "" && s.Typedef != s.Name && lang == trial.C {
		name += " /* " + s.Typedef + " */"
	}
	if s.Opaque || len(s.Fields) == 0 {
		return fmt.Sprintf("%s %s; // opaque", kind, name)
	}
	before, after := kind+" "+name, ""
	if s.Untagged && lang == trial.C {
		before, after = "typedef "+kind, " "+name
	}
	var b strings.Builder
	b.WriteString(before + " {")
	for i, f := range s.Fields {
		if i == maxFields {
			b.WriteString(" …")
			break
		}
		b.WriteString(" " + f.Type.Declare(f.Name) + ";")
	}
	return b.String() + " }" + after + ";"
}

func enumeration(e *apispec.Enum, lang trial.Language) string {
	var names []string
	for _, c := range e.Constants[:min(len(e.Constants), maxFields)] {
		names = append(names, c.Name)
	}
	list := strings.Join(names, ", ")
	if e.Untagged && lang == trial.C {
		return fmt.Sprintf("typedef enum { %s } %s;", list, e.Name)
	}
	return fmt.Sprintf("enum %s { %s };", e.Name, list)
}

// constants returns the library's constants, those that a text names first.
func (l *library) constants(doc string) []string {
	named := map[string]bool{}
	for _, word := range identifier.FindAllString(doc, -1) {
		named[word] = true
	}
	var first, rest []string
	for _, c := range l.spec.Constants {
		line := fmt.Sprintf("#define %s %d", c.Name, c.Int)
		if c.IsText {
			line = fmt.Sprintf("#define %s %q", c.Name, c.String)
		}
		if named[c.Name] {
			first = append(first, line)
		} else {
			rest = append(rest, line)
		}
	}
	all := slices.Concat(first, rest)
	return all[:min(len(all), maxConstants)]
}

var identifier = regexp.MustCompile(`[A-Za-z_]\w*`)

// Describe returns what a prompt shows of APIs, given by their canonical names: their
// declarations, and the definitions that these mention. Unless documented, the documents have no part
// in which constants those are.
func Describe(t trial.Target, spec *apispec.Spec, apis []string, documented bool) (signatures, types []string) {
	l := newLibrary(t, spec)
	var known []string
	for _, name := range apis {
		if f := l.byName[name]; f != nil {
			known = append(known, name)
			signatures = append(signatures, l.signature(f))
		}
	}
	return signatures, l.types(known, documented)
}
