package lisabench

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"maps"
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

// parse decodes data into v, whose type says which keys are allowed, and holds it against the tags "check" of its fields.
// ok is false if it is not worth checking what the fields say together.
func parse(file string, data []byte, v any, problems *[]Problem) (d *document, ok bool) {
	d = &document{file: file, problems: problems}
	dec := yaml.NewDecoder(bytes.NewReader(data))
	var top yaml.Node
	if err := dec.Decode(&top); errors.Is(err, io.EOF) || err == nil && len(top.Content) == 0 {
		d.problem(0, "empty")
		return d, false
	} else if err != nil {
		d.refuse(err)
		return d, false
	}
	if err := dec.Decode(new(yaml.Node)); !errors.Is(err, io.EOF) {
		d.problem(0, "more than one YAML document")
		return d, false
	}
	d.root = top.Content[0]
	if err := top.Decode(v); err != nil {
		d.refuse(err)
		return d, false
	}
	before := len(*problems)
	if d.keys(d.root, reflect.TypeOf(v)); len(*problems) > before {
		return d, false
	}
	d.check(reflect.ValueOf(v))
	return d, true
}

// yamlLine is how yaml.v3 begins what it says of a line.
var yamlLine = regexp.MustCompile(`^(?:yaml: )?line (\d+): (.*)$`)

// refuse reports what the YAML decoder did not like.
func (d *document) refuse(err error) {
	texts := []string{err.Error()}
	var mismatch *yaml.TypeError
	if errors.As(err, &mismatch) {
		texts = mismatch.Errors
	}
	for _, text := range texts {
		line := 0
		if m := yamlLine.FindStringSubmatch(text); m != nil {
			line, _ = strconv.Atoi(m[1]) // digits, by the expression
			text = m[2]
		}
		d.problem(line, "%s", strings.TrimPrefix(text, "yaml: "))
	}
}

// keys reports the keys below n that the type does not have.
func (d *document) keys(n *yaml.Node, t reflect.Type) {
	switch {
	case t.Kind() == reflect.Pointer:
		d.keys(n, t.Elem())
	case t.Kind() == reflect.Slice && n.Kind == yaml.SequenceNode:
		for _, e := range n.Content {
			d.keys(e, t.Elem())
		}
	case t.Kind() == reflect.Map && n.Kind == yaml.MappingNode:
		for i := 1; i < len(n.Content); i += 2 {
			d.keys(n.Content[i], t.Elem())
		}
	case t.Kind() == reflect.Struct && n.Kind == yaml.MappingNode:
		fields := map[string]reflect.Type{}
		for i := range t.NumField() {
			if key := t.Field(i).Tag.Get("yaml"); key != "" && key != "-" {
				fields[key] = t.Field(i).Type
			}
		}
		for i := 0; i+1 < len(n.Content); i += 2 {
			key := n.Content[i]
			if of, known := fields[key.Value]; known {
				d.keys(n.Content[i+1], of)
				continue
			}
			allowed := slices.Sorted(maps.Keys(fields))
			text := fmt.Sprintf("unknown key %q%s", key.Value, Suggest(key.Value, allowed))
			if nearestOf(key.Value, allowed) != "" {
				text += " Allowed here: " + strings.Join(allowed, ", ")
			}
			d.problem(key.Line, "%s", text)
		}
	}
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
