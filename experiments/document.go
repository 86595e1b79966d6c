package experiments

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"reflect"
	"regexp"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"

	"github.com/lisa-bench/lisa-bench/bench/lisabench"
)

// A document is an experiment file as a tree that knows its lines, which viper does not.
type document struct {
	file     string
	root     *yaml.Node
	origins  map[*yaml.Node]string // of nodes that came from overrides
	problems []Problem
	mistyped bool // some value cannot be decoded
}

func parse(src Source) *document {
	d := &document{file: src.Name, origins: map[*yaml.Node]string{}}
	dec := yaml.NewDecoder(strings.NewReader(string(src.Data)))
	var top yaml.Node
	switch err := dec.Decode(&top); {
	case errors.Is(err, io.EOF):
		d.problem(d.file, "empty")
		return d
	case err != nil:
		d.problem(d.file, "%s", strings.TrimPrefix(err.Error(), "yaml: "))
		return d
	}
	if err := dec.Decode(new(yaml.Node)); !errors.Is(err, io.EOF) {
		d.problem(d.file, "more than one document")
		return d
	}
	if top.Content[0].Kind != yaml.MappingNode {
		d.problem(d.at(top.Content[0]), "not a map of keys")
		return d
	}
	d.root = top.Content[0]
	return d
}

// at says where n is.
func (d *document) at(n *yaml.Node) string {
	if at, ok := d.origins[n]; ok {
		return at
	}
	return fmt.Sprintf("%s:%d", d.file, n.Line)
}

// find returns the value at path, made of keys and indexes, and otherwise the nearest thing
// above it that is there.
func (d *document) find(path ...any) (n *yaml.Node, found bool) {
	n = d.root
	for _, p := range path {
		var next *yaml.Node
		switch p := p.(type) {
		case string:
			next = child(n, p)
		case int:
			if n.Kind == yaml.SequenceNode && p < len(n.Content) {
				next = n.Content[p]
			}
		}
		if next == nil {
			return n, false
		}
		n = next
	}
	return n, true
}

// wrong is a problem of the value at path.
func (d *document) wrong(path []any, format string, args ...any) {
	n, _ := d.find(path...)
	d.problem(d.at(n), format, args...)
}

// child returns the value of a key of a map, nil if there is none.
func child(n *yaml.Node, key string) *yaml.Node {
	if n.Kind != yaml.MappingNode {
		return nil
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		if n.Content[i].Value == key {
			return n.Content[i+1]
		}
	}
	return nil
}

var (
	durationType = reflect.TypeFor[time.Duration]()
	bugsType     = reflect.TypeFor[Bugs]()
	paramName    = regexp.MustCompile(`^[a-z][a-z0-9_]*$`)
)

// check compares the tree below n with the type that it will be decoded into. path is for
// messages.
func (d *document) check(n *yaml.Node, t reflect.Type, path string) {
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if n.Kind == yaml.AliasNode || n.Anchor != "" {
		d.mistype(n, "%s: anchors and aliases are not used in experiments: write it out", path)
		return
	}
	switch {
	case t == durationType:
		if _, err := time.ParseDuration(n.Value); n.Kind != yaml.ScalarNode || err != nil {
			d.mistype(n, "%s: not a duration such as 20s, 5m or 1h30m%s", path, got(n))
		}
	case t == bugsType && n.Kind == yaml.ScalarNode:
		d.check(n, reflect.TypeFor[string](), path)
	case t.Kind() == reflect.Struct:
		d.checkStruct(n, t, path)
	case t.Kind() == reflect.Slice:
		if n.Kind != yaml.SequenceNode {
			d.mistype(n, "%s: not a list%s", path, got(n))
			return
		}
		for i, e := range n.Content {
			d.check(e, t.Elem(), fmt.Sprintf("%s[%d]", path, i))
		}
	case t.Kind() == reflect.Map:
		d.checkMap(n, t, path)
	case t.Kind() == reflect.Interface:
		d.checkAny(n, path)
	default:
		d.checkScalar(n, t, path)
	}
}

func (d *document) checkStruct(n *yaml.Node, t reflect.Type, path string) {
	if n.Kind != yaml.MappingNode {
		d.mistype(n, "%s: not a map of keys%s", path, got(n))
		return
	}
	fields, known := keysOf(t)
	d.eachKey(n, path, func(k, v *yaml.Node) bool {
		ft, ok := fields[k.Value]
		if !ok {
			d.problem(d.at(k), "unknown key %q%s%s", k.Value, under(path), lisabench.Suggest(k.Value, known))
			return false
		}
		d.check(v, ft, join(path, k.Value))
		return true
	})
}

// keysOf returns the keys that a struct has in YAML, those of inlined structs among them.
func keysOf(t reflect.Type) (types map[string]reflect.Type, names []string) {
	types = map[string]reflect.Type{}
	for f := range t.Fields() {
		name, options, _ := strings.Cut(f.Tag.Get("yaml"), ",")
		if options != "inline" {
			types[name] = f.Type
			names = append(names, name)
			continue
		}
		inner, innerNames := keysOf(f.Type)
		maps.Copy(types, inner)
		names = append(names, innerNames...)
	}
	return types, names
}

// checkMap checks a map whose keys are the user's. viper would lower their case, so they
// have none.
func (d *document) checkMap(n *yaml.Node, t reflect.Type, path string) {
	if n.Kind != yaml.MappingNode {
		d.mistype(n, "%s: not a map of keys%s", path, got(n))
		return
	}
	d.eachKey(n, path, func(k, v *yaml.Node) bool {
		if !paramName.MatchString(k.Value) {
			d.problem(d.at(k), "key %q%s: parameters are named in lower case, as in max_length", k.Value, under(path))
			return false
		}
		d.check(v, t.Elem(), join(path, k.Value))
		return true
	})
}

// eachKey calls f for each key of a map, and refuses keys given twice. What f does not know
// is cut from the tree, so that the rest can be decoded and its own faults reported too.
func (d *document) eachKey(n *yaml.Node, path string, f func(k, v *yaml.Node) (known bool)) {
	first := map[string]*yaml.Node{}
	var kept []*yaml.Node
	for i := 0; i+1 < len(n.Content); i += 2 {
		k, v := n.Content[i], n.Content[i+1]
		if was := first[k.Value]; was != nil {
			d.problem(d.at(k), "key %q%s is given twice, first at %s", k.Value, under(path), d.at(was))
			continue
		}
		first[k.Value] = k
		if f(k, v) {
			kept = append(kept, k, v)
		}
	}
	n.Content = kept
}

// checkAny checks a parameter's value, which may be of any type down to its map keys.
func (d *document) checkAny(n *yaml.Node, path string) {
	switch n.Kind {
	case yaml.MappingNode:
		d.checkMap(n, reflect.TypeFor[map[string]any](), path)
	case yaml.SequenceNode:
		for i, e := range n.Content {
			d.check(e, reflect.TypeFor[any](), fmt.Sprintf("%s[%d]", path, i))
		}
	default:
		var v any
		if err := n.Decode(&v); err != nil || v == nil {
			d.mistype(n, "%s: needs a value", path)
		}
		if f, ok := v.(float64); ok && !finite(f) {
			d.mistype(n, "%s: %s is no number", path, n.Value)
		}
	}
}

func (d *document) checkScalar(n *yaml.Node, t reflect.Type, path string) {
	want := map[reflect.Kind]string{
		reflect.String: "a text", reflect.Float64: "a number", reflect.Bool: "true or false",
		reflect.Int: "a whole number", reflect.Int64: "a whole number", reflect.Uint64: "a whole number from 0",
	}[t.Kind()]
	if t.Kind() == reflect.String && n.ShortTag() == "!!timestamp" { // YAML takes a day for a time
		n.Tag, n.Style = "!!str", yaml.DoubleQuotedStyle
	}
	tag := n.ShortTag()
	ok := n.Kind == yaml.ScalarNode
	switch t.Kind() {
	case reflect.String:
		ok = ok && tag == "!!str"
	case reflect.Float64:
		ok = ok && (tag == "!!float" || tag == "!!int")
	case reflect.Bool:
		ok = ok && tag == "!!bool"
	default:
		ok = ok && tag == "!!int"
	}
	v := reflect.New(t)
	if !ok || n.Decode(v.Interface()) != nil || t.Kind() == reflect.Float64 && !finite(v.Elem().Float()) {
		d.mistype(n, "%s: not %s%s", path, want, got(n))
	}
}

func finite(f float64) bool { return !math.IsNaN(f) && !math.IsInf(f, 0) }

// mistype is a problem after which the tree cannot be decoded.
func (d *document) mistype(n *yaml.Node, format string, args ...any) {
	d.mistyped = true
	d.problem(d.at(n), format, args...)
}

// got quotes a wrong value.
func got(n *yaml.Node) string {
	switch {
	case n.Kind == yaml.MappingNode:
		return ": it is a map"
	case n.Kind == yaml.SequenceNode:
		return ": it is a list"
	case n.ShortTag() == "!!null":
		return ": it is empty"
	}
	return fmt.Sprintf(": %q", n.Value)
}

func join(path, key string) string {
	if path == "" {
		return key
	}
	return path + "." + key
}

func under(path string) string {
	if path == "" {
		return ""
	}
	return " in " + path
}
