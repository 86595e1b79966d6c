package apispec

import (
	"maps"
	"slices"
	"strconv"

	"github.com/lisa-bench/lisa-bench/internal/clex"
)

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
	visited := map[string]bool{}
	var walk func(m *macro)
	walk = func(m *macro) {
		if visited[m.Name] {
			return
		}
		visited[m.Name] = true
		for t := range clex.Tokens(m.Body) {
			if d.byName[t.Text] != nil {
				found[t.Text] = true
			}
			if inner := defs[t.Text]; inner != nil {
				walk(inner)
			}
		}
	}
	walk(m)
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
