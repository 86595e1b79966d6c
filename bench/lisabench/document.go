package lisabench

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"path"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

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

// A form is what a single value must look like, and its words in a message.
type form struct {
	matches func(string) bool
	words   string
}

func like(expression, words string) form {
	return form{regexp.MustCompile(expression).MatchString, words}
}

// forms are the rules that a field's tag "check" may name, beside "required" (it is there), "unique" (no element is
// there twice, by its first field) and words with "|" between them (one of these). A rule of a list or map but for these
// two holds for each element. What is empty and not required has no form. The tag "keys" is a rule for a map's keys.
var forms = map[string]form{
	"name":     like(`^[A-Za-z0-9][A-Za-z0-9_+-]{0,31}$`, "letters, digits, - and _"), // it is part of a directory's name
	"commit":   like(`^[0-9a-f]{40}$`, "a full commit id of 40 hexadecimal digits"),
	"fix":      like(`^([0-9a-f]{40}|changelog: .+)$`, "a full commit id of 40 hexadecimal digits, or \"changelog: \" and what it says"),
	"sha256":   like(`^[0-9a-f]{64}$`, "a SHA-256 of 64 hexadecimal digits"),
	"package":  like(`^[a-z0-9][a-z0-9+.-]+$`, "the name of a Debian package"), // Debian policy, section 5.6.1
	"version":  like(`^([0-9]+:)?[0-9][\w.+~-]*$`, "a Debian version"),         // Debian policy, section 5.6.12
	"define":   like(`^[A-Za-z_]\w*(=.*)?$`, "NAME or NAME=VALUE"),
	"function": like(`^[A-Za-z_]\w*(::~?[\w ]+)*$`, "a function's exact name"), // qualified in C++
	"soname":   like(`^lib[\w.+-]+\.so(\.\d+)*$`, "a name as in libz.so.1"),
	"url":      like(`://`, "a URL"),
	"flag":     like(`^-`, "a flag: a libFuzzer flag begins with -"),
	"bug":      like(`^[a-z][a-z0-9]*-[1-9][0-9]*$`, "an id as in zlib-3: a word in lower case and a number that counts from the newest fix"),
	"rule":     like(`^[a-z][a-z0-9]*(-[a-z0-9]+)+$`, "an id as in zlib-init-fields: words in lower case, joined by -"),
	"path":     {isPath, "a clean path below the root, as in dir/file.c"},
	"glob":     {isGlob, "a clean path below the root, or a pattern of one, as in dir/*.c"},
	"date":     {isDate, "a date as in 2023-08-24"},
}

// isPath reports whether a path stays below its root and is written in only one way.
func isPath(p string) bool { return fs.ValidPath(p) && !strings.Contains(p, `\`) }

func isGlob(p string) bool {
	_, err := path.Match(p, "")
	return isPath(p) && err == nil
}

func isDate(s string) bool {
	_, err := time.Parse(time.DateOnly, s)
	return err == nil
}

// A document is one YAML file that knows the lines of its fields. A field is named as in "debian.edits[0].file".
type document struct {
	file     string
	root     *yaml.Node
	problems *[]Problem // of the whole benchmark
	unknown  bool       // it has a key that its type has not
}

// parse decodes data into v, whose type says which keys are allowed, and holds it against the tags "check" of its fields.
// ok is false if it is not worth checking what the fields say together.
func parse(file string, data []byte, v any, problems *[]Problem) (d *document, ok bool) {
	d = &document{file: file, problems: problems}
	dec := yaml.NewDecoder(bytes.NewReader(data))
	var top yaml.Node
	err := dec.Decode(&top)
	switch {
	case errors.Is(err, io.EOF) || err == nil && len(top.Content) == 0:
		d.problem(0, "empty")
	case err != nil:
		d.refuse(err)
	case !errors.Is(dec.Decode(new(yaml.Node)), io.EOF):
		d.problem(0, "more than one YAML document")
	default:
		d.root = top.Content[0]
		if err := top.Decode(v); err != nil {
			d.refuse(err)
			return d, false
		}
		d.check(reflect.ValueOf(v), "")
		return d, !d.unknown
	}
	return d, false
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

// check holds v, and all below it, against the tags of its fields. A struct with an unknown key is not looked at further:
// what it lacks may be meant by that.
func (d *document) check(v reflect.Value, at string) {
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			d.check(v.Elem(), at)
		}
	case reflect.Slice:
		for i := range v.Len() {
			d.check(v.Index(i), fmt.Sprintf("%s[%d]", at, i))
		}
	case reflect.Map:
		for _, k := range v.MapKeys() {
			d.check(v.MapIndex(k), at+"."+k.String())
		}
	case reflect.Struct:
		fields := map[string]reflect.StructField{}
		for _, f := range reflect.VisibleFields(v.Type()) {
			if key := f.Tag.Get("yaml"); key != "" && key != "-" {
				fields[key] = f
			}
		}
		if d.unknownKeys(at, slices.Sorted(maps.Keys(fields))) {
			return
		}
		for key, f := range fields {
			field, in := v.FieldByIndex(f.Index), strings.TrimPrefix(at+"."+key, ".")
			if rule := f.Tag.Get("keys"); rule != "" {
				for _, k := range field.MapKeys() {
					d.value(rule, k.String(), in+"."+k.String())
				}
			}
			if rules := f.Tag.Get("check"); rules != "" {
				for _, rule := range strings.Split(rules, ",") {
					d.rule(rule, field, in)
				}
			}
			d.check(field, in)
		}
	}
}

// unknownKeys reports the keys of the field at a path that are not allowed.
func (d *document) unknownKeys(at string, allowed []string) (found bool) {
	n, whole := d.node(at)
	for i := 0; whole && n.Kind == yaml.MappingNode && i < len(n.Content); i += 2 {
		key := n.Content[i]
		if slices.Contains(allowed, key.Value) {
			continue
		}
		found, d.unknown = true, true
		text := fmt.Sprintf("unknown key %q%s", key.Value, Suggest(key.Value, allowed))
		if nearestOf(key.Value, allowed) != "" {
			text += " Allowed here: " + strings.Join(allowed, ", ")
		}
		d.problem(key.Line, "%s", text)
	}
	return found
}

// rule holds a field against one rule of its tag.
func (d *document) rule(rule string, v reflect.Value, at string) {
	kind := v.Kind()
	switch {
	case rule == "required":
		if v.Len() == 0 || kind == reflect.String && strings.TrimSpace(v.String()) == "" {
			d.wrong(at, "needs a value")
		}
	case rule == "unique":
		seen := map[string]bool{}
		for i := range v.Len() {
			e, in := v.Index(i), fmt.Sprintf("%s[%d]", at, i)
			if e.Kind() == reflect.Struct {
				e = e.Field(0)
			}
			if seen[e.String()] {
				d.wrong(in, "%q is listed twice", e)
			}
			seen[e.String()] = true
		}
	case kind == reflect.Map:
		for _, k := range v.MapKeys() {
			d.value(rule, k.String(), at+"."+k.String())
			d.rule(rule, v.MapIndex(k), at+"."+k.String())
		}
	case kind == reflect.Slice:
		for i := range v.Len() {
			d.rule(rule, v.Index(i), fmt.Sprintf("%s[%d]", at, i))
		}
	case v.String() != "":
		d.value(rule, v.String(), at)
	}
}

func (d *document) value(rule, value, at string) {
	if f, ok := forms[rule]; !ok {
		d.oneOf(value, strings.Split(rule, "|"), at)
	} else if !f.matches(value) {
		d.wrong(at, "%q is not %s", value, f.words)
	}
}

func (d *document) oneOf(value string, known []string, at string) {
	if !slices.Contains(known, value) {
		d.wrong(at, "unknown %q%s", value, Suggest(value, known))
	}
}

func (d *document) problem(line int, format string, args ...any) {
	*d.problems = append(*d.problems, Problem{File: d.file, Line: line, Text: fmt.Sprintf(format, args...)})
}

// wrong is a problem of the field at a path.
func (d *document) wrong(at, format string, args ...any) {
	n, _ := d.node(at)
	d.problem(n.Line, "%s: %s", at, fmt.Sprintf(format, args...))
}

var step = regexp.MustCompile(`[^.[\]]+`)

// node returns the field at a path, or the nearest thing above that is there.
func (d *document) node(at string) (n *yaml.Node, whole bool) {
	n = d.root
	for _, s := range step.FindAllString(at, -1) {
		var next *yaml.Node
		if i, err := strconv.Atoi(s); err == nil && n.Kind == yaml.SequenceNode && i < len(n.Content) {
			next = n.Content[i]
		}
		for i := 0; n.Kind == yaml.MappingNode && i < len(n.Content); i += 2 {
			if n.Content[i].Value == s {
				next = n.Content[i+1]
			}
		}
		if next == nil {
			return n, false
		}
		n = next
	}
	return n, true
}
