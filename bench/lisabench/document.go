package lisabench

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
)

// A Problem is one thing that is wrong with the benchmark's files.
type Problem struct {
	File string // as in the file system given to Load
	Line int    // 0 if it is not about a line
	Text string
}

func (p Problem) String() string {
	if p.Line == 0 {
		return p.File + ": " + p.Text
	}
	return fmt.Sprintf("%s:%d: %s", p.File, p.Line, p.Text)
}

// An InvalidError lists all that is wrong with a benchmark, sorted by file and line.
type InvalidError struct {
	Problems []Problem
}

// maxShown keeps an error on one screen.
const maxShown = 20

func (e *InvalidError) Error() string {
	var lines []string
	for _, p := range e.Problems[:min(maxShown, len(e.Problems))] {
		lines = append(lines, p.String())
	}
	if more := len(e.Problems) - maxShown; more > 0 {
		lines = append(lines, fmt.Sprintf("… and %d more", more))
	}
	return strings.Join(lines, "\n")
}

// A document is one YAML file that knows the lines of its fields.
type document struct {
	file     string
	root     *yaml.Node
	problems *[]Problem // of the whole benchmark
}

// parse decodes data into v, whose type says which keys are allowed. ok is false if it is
// not worth checking what the fields say.
func parse(file string, data []byte, v any, problems *[]Problem) (d *document, ok bool) {
	d = &document{file: file, problems: problems}
	dec := yaml.NewDecoder(bytes.NewReader(data))
	dec.KnownFields(true)
	if err := dec.Decode(v); err != nil {
		d.refuse(err, reflect.TypeOf(v).Elem())
		return d, false
	}
	if err := dec.Decode(new(yaml.Node)); !errors.Is(err, io.EOF) {
		d.problem(0, "more than one YAML document")
		return d, false
	}
	var top yaml.Node
	if err := yaml.Unmarshal(data, &top); err != nil || len(top.Content) == 0 {
		d.problem(0, "empty")
		return d, false
	}
	d.root = top.Content[0]
	return d, true
}

func (d *document) problem(line int, format string, args ...any) {
	*d.problems = append(*d.problems, Problem{File: d.file, Line: line, Text: fmt.Sprintf(format, args...)})
}

// wrong is a problem of the field at path, which is made of keys and indexes.
func (d *document) wrong(path []any, format string, args ...any) {
	d.problem(d.line(path), "%s: %s", dotted(path), fmt.Sprintf(format, args...))
}

// line returns the line of the field at path, or of the nearest thing above that is there.
func (d *document) line(path []any) int {
	n := d.root
	for _, step := range path {
		next := child(n, step)
		if next == nil {
			break
		}
		n = next
	}
	return n.Line
}

func child(n *yaml.Node, step any) *yaml.Node {
	switch s := step.(type) {
	case int:
		if n.Kind == yaml.SequenceNode && s < len(n.Content) {
			return n.Content[s]
		}
	case string:
		for i := 0; n.Kind == yaml.MappingNode && i+1 < len(n.Content); i += 2 {
			if n.Content[i].Value == s {
				return n.Content[i+1]
			}
		}
	}
	return nil
}

// dotted prints a path as in "debian.edits[0].file".
func dotted(path []any) string {
	var b strings.Builder
	for i, step := range path {
		switch s := step.(type) {
		case int:
			fmt.Fprintf(&b, "[%d]", s)
		default:
			if i > 0 {
				b.WriteByte('.')
			}
			fmt.Fprint(&b, s)
		}
	}
	return b.String()
}

// What yaml.v3 says of a file that does not fit the type (its decode.go, yaml.go).
var (
	yamlLine     = regexp.MustCompile(`^(?:yaml: )?line (\d+): (.*)$`)
	unknownField = regexp.MustCompile(`^field (.+) not found in type (?:\w+\.)?(\w+)$`)
)

// refuse reports what the YAML decoder did not like, and what is allowed there.
func (d *document) refuse(err error, into reflect.Type) {
	var mismatch *yaml.TypeError
	switch {
	case errors.Is(err, io.EOF):
		d.problem(0, "empty")
		return
	case !errors.As(err, &mismatch):
		mismatch = &yaml.TypeError{Errors: []string{err.Error()}}
	}
	for _, text := range mismatch.Errors {
		line := 0
		if m := yamlLine.FindStringSubmatch(text); m != nil {
			line, _ = strconv.Atoi(m[1]) // digits, by the expression
			text = m[2]
		}
		if m := unknownField.FindStringSubmatch(text); m != nil {
			keys := allowedKeys(into, m[2])
			nearest, _ := nearestOf(m[1], keys)
			text = fmt.Sprintf("unknown key %q%s", m[1], hint(nearest, keys))
			if nearest != "" {
				text += " Allowed here: " + strings.Join(keys, ", ")
			}
		}
		d.problem(line, "%s", strings.TrimPrefix(text, "yaml: "))
	}
}

// allowedKeys returns the YAML keys of the struct type of that name within t, sorted.
func allowedKeys(t reflect.Type, name string) []string {
	var keys []string
	seen := map[reflect.Type]bool{}
	var visit func(reflect.Type)
	visit = func(t reflect.Type) {
		switch t.Kind() {
		case reflect.Pointer, reflect.Slice, reflect.Map:
			visit(t.Elem())
			return
		case reflect.Struct:
		default:
			return
		}
		if seen[t] {
			return
		}
		seen[t] = true
		for i := range t.NumField() {
			f := t.Field(i)
			if key := f.Tag.Get("yaml"); key != "-" && t.Name() == name {
				keys = append(keys, key)
			}
			visit(f.Type)
		}
	}
	visit(t)
	slices.Sort(keys)
	return keys
}
