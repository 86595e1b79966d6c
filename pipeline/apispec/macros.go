package apispec

import (
	"bufio"
	"io"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/lisa-bench/lisa-bench/internal/code/clex"
)

// A macroDef is one #define as the preprocessor listed it.
type macroDef struct {
	name   string
	params []string
	isFunc bool
	body   string
	pos    Position
}

// maxLine bounds a line of the preprocessor's output; long ones are data tables.
const maxLine = 16 << 20

// readMacros reads `clang -E -dD` and keeps the library's constants and call macros.
func (x *extractor) readMacros(s headerSource) error {
	defs, order, err := listMacros(s.Macros)
	if err != nil {
		return err
	}
	var ask []string
	known := map[string]bool{}
	for _, name := range order {
		if x.ours(defs[name].pos.File) && x.computable(name, defs, known) {
			ask = append(ask, name)
		}
	}
	var values map[string]int64
	if len(ask) > 0 {
		if values, err = s.Values(ask); err != nil {
			return err
		}
	}
	written := x.writtenWords()
	for _, name := range order {
		m := defs[name]
		if !x.ours(m.pos.File) || m.body == "" {
			continue
		}
		if calls := x.calls(m, defs); len(calls) > 0 {
			x.spec.Macros = append(x.spec.Macros, &Macro{
				Name: name, Params: m.params, Body: m.body, Calls: calls, Position: m.pos})
			continue
		}
		if m.isFunc {
			if x.public[m.pos.File] && !strings.HasPrefix(name, "_") && !written[name] && !slices.Contains(m.params, m.body) {
				x.spec.Helpers = append(x.spec.Helpers, &Macro{Name: name, Params: m.params, Body: m.body, Position: m.pos})
			}
			continue
		}
		if text, ok := textOf(m.body); ok {
			x.spec.Constants = append(x.spec.Constants, &Constant{Name: name, String: text, IsText: true, Position: m.pos})
		} else if v, ok := values[name]; ok {
			x.spec.Constants = append(x.spec.Constants, &Constant{Name: name, Int: v, Position: m.pos})
		}
	}
	return nil
}

// writtenWords returns the words of the headers' declarations: all but directives and
// comments. A function-like macro among them helps to declare, and is not for users.
func (x *extractor) writtenWords() map[string]bool {
	words := map[string]bool{}
	for _, text := range x.texts {
		for t := range clex.Tokens(text) {
			if t.Kind == clex.Word && !t.Directive {
				words[t.Text] = true
			}
		}
	}
	return words
}

// listMacros returns the macros defined at the end of the listing, and their names in
// the order of definition.
func listMacros(r io.Reader) (map[string]*macroDef, []string, error) {
	defs := map[string]*macroDef{}
	var order []string
	pos := Position{}
	lines := bufio.NewScanner(r)
	lines.Buffer(make([]byte, 64<<10), maxLine)
	for lines.Scan() {
		line := lines.Text()
		if marker, ok := strings.CutPrefix(line, "# "); ok {
			if p, ok := lineMarker(marker); ok {
				pos = p
				continue
			}
		}
		if name, ok := strings.CutPrefix(line, "#undef "); ok {
			delete(defs, strings.TrimSpace(name))
		}
		if text, ok := strings.CutPrefix(line, "#define "); ok {
			if m := parseDefine(text); m != nil {
				m.pos = pos
				if defs[m.name] == nil {
					order = append(order, m.name)
				}
				defs[m.name] = m
			}
		}
		pos.Line++
	}
	kept := order[:0]
	seen := map[string]bool{}
	for _, name := range order {
		if defs[name] != nil && !seen[name] {
			seen[name] = true
			kept = append(kept, name)
		}
	}
	return defs, kept, lines.Err()
}

// lineMarker reads `12 "/path/file.h" 1 3`.
func lineMarker(s string) (Position, bool) {
	number, rest, ok := strings.Cut(s, " ")
	if !ok {
		return Position{}, false
	}
	line, err := strconv.Atoi(number)
	if err != nil {
		return Position{}, false
	}
	quoted, err := strconv.QuotedPrefix(rest)
	if err != nil {
		return Position{}, false
	}
	file, err := strconv.Unquote(quoted)
	if err != nil {
		return Position{}, false
	}
	return Position{File: filepath.Clean(file), Line: line}, true
}

// parseDefine reads the text after "#define ", or returns nil when it is not one.
func parseDefine(s string) *macroDef {
	n := 0
	for n < len(s) && clex.WordByte(s[n]) {
		n++
	}
	if n == 0 {
		return nil
	}
	m := &macroDef{name: s[:n]}
	rest := s[n:]
	if strings.HasPrefix(rest, "(") {
		end := strings.IndexByte(rest, ')')
		if end < 0 {
			return nil
		}
		m.isFunc = true
		m.params = []string{}
		for _, p := range strings.Split(rest[1:end], ",") {
			if p = strings.TrimSpace(p); p != "" {
				m.params = append(m.params, p)
			}
		}
		rest = rest[end+1:]
	}
	m.body = strings.TrimSpace(rest)
	return m
}

// calls returns the exported functions that the full expansion of m names, sorted.
func (x *extractor) calls(m *macroDef, defs map[string]*macroDef) []string {
	found := map[string]bool{}
	visited := map[string]bool{}
	var walk func(m *macroDef)
	walk = func(m *macroDef) {
		if visited[m.name] {
			return
		}
		visited[m.name] = true
		for t := range clex.Tokens(m.body) {
			if x.byName[t.Text] != nil {
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
