package apispec

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/lisa-bench/lisa-bench/internal/clex"
)

// declarations are what our plugin of clang writes of headers (internal/plugin/native/headers.cc), and the Spec that is
// made of them.
type declarations struct {
	Spec
	Functions []*function `json:"functions"`
	Macros    []*macro    `json:"macros"` // all that are defined at the end; only those of the library have a File

	texts  map[string]string    // by public header
	byName map[string]*function // by what tells functions apart
}

type function struct {
	Function
	Lines    [2]int   // of the declaration, first and last
	Defaults []string // of each parameter, as Param.Default but for white space
}

type macro struct {
	Macro
	Value *int64 // of an integer constant expression
}

// declare makes the Spec, and reports whether a public header declares a function. texts are these headers.
func (d *declarations) declare(texts map[string]string) (any bool) {
	d.texts, d.byName = texts, map[string]*function{}
	functions := d.Functions
	d.Functions = nil
	for _, f := range functions {
		d.add(f)
	}
	if len(d.Functions) == 0 {
		return false
	}
	d.Structs = slices.DeleteFunc(d.Structs, func(r *Struct) bool { return r.Name == "" || r.File == "" })
	for _, t := range d.Typedefs {
		if r := d.Struct(t.Type.Name); r != nil && (t.Type.Kind == Record || t.Type.Kind == Union) {
			r.Typedef = cmp.Or(r.Typedef, t.Name)
		}
	}
	d.Constants = slices.DeleteFunc(d.Constants, func(c *Constant) bool { return isInternal(c.Name) })
	count := map[string]int{}
	for _, f := range d.Functions {
		count[f.Name]++
	}
	for _, f := range d.Functions {
		f.Overloaded = count[f.Name] > 1
	}
	d.readMacros()
	for file, text := range texts {
		d.document(file, text)
	}
	return true
}

// add takes a function of a public header, or what another declaration says of its parameters.
func (d *declarations) add(f *function) {
	if _, public := d.texts[f.File]; !public || isInternal(f.Name) {
		return
	}
	key := cmp.Or(f.Symbol, strings.TrimSpace(f.Name+" "+f.Spelling))
	if old := d.byName[key]; old != nil {
		for i := range old.Params {
			if i < len(f.Params) {
				old.Params[i].Name = cmp.Or(old.Params[i].Name, f.Params[i].Name)
			}
		}
		return
	}
	for i, value := range f.Defaults {
		f.Params[i].Default = strings.Join(strings.Fields(value), " ")
	}
	d.byName[key] = f
	d.Functions = append(d.Functions, f)
	d.Spec.Functions = append(d.Spec.Functions, &f.Function)
}

// isInternal reports whether a name is in a scope that is no part of the public API by the common convention
// for namespaces that headers need but users do not.
func isInternal(name string) bool {
	scope, _ := CutLast(name)
	return slices.ContainsFunc(strings.Split(scope, "::"), func(part string) bool {
		return part == "internal" || part == "detail" || part == "impl" ||
			strings.HasSuffix(part, "_internal") || strings.HasSuffix(part, "_detail")
	})
}

// CutLast splits a qualified name of C++ before its last part.
func CutLast(qualified string) (scope, name string) {
	if i := strings.LastIndex(qualified, "::"); i >= 0 {
		return qualified[:i], qualified[i+2:]
	}
	return "", qualified
}

// readMacros keeps the library's constants, and the macros that call its functions.
func (d *declarations) readMacros() {
	defs := map[string]*macro{}
	for _, m := range d.Macros {
		defs[m.Name] = m
	}
	for _, m := range d.Macros {
		if m.File == "" || m.Body == "" {
			continue
		}
		if m.Calls = d.calls(m, defs); len(m.Calls) > 0 {
			d.Spec.Macros = append(d.Spec.Macros, &m.Macro)
			continue
		}
		if m.Params != nil {
			continue
		}
		if text, ok := textOf(m.Body); ok {
			d.Constants = append(d.Constants, &Constant{Name: m.Name, String: text, IsText: true, Position: m.Position})
		} else if m.Value != nil {
			d.Constants = append(d.Constants, &Constant{Name: m.Name, Int: *m.Value, Position: m.Position})
		}
	}
}

// calls returns the exported functions that the full expansion of m names, sorted.
func (d *declarations) calls(m *macro, defs map[string]*macro) []string {
	found := map[string]bool{}
	visited := map[string]bool{m.Name: true}
	for todo := []*macro{m}; len(todo) > 0; todo = todo[1:] {
		for t := range clex.Tokens(todo[0].Body) {
			if d.byName[t.Text] != nil {
				found[t.Text] = true
			}
			if inner := defs[t.Text]; inner != nil && !visited[t.Text] {
				visited[t.Text] = true
				todo = append(todo, inner)
			}
		}
	}
	return slices.Sorted(maps.Keys(found))
}

// textOf is the text that a sequence of string literals stands for.
func textOf(body string) (text string, ok bool) {
	for t := range clex.Tokens(body) {
		s, err := strconv.Unquote(t.Text)
		if t.Kind != clex.String || err != nil {
			return "", false
		}
		text, ok = text+s, true
	}
	return text, ok
}
