package experiments

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/lisa-bench/lisa-bench/bench/lisabench"
)

// A document is what an experiment file says: maps, lists and scalars, and where each of them stands. The keys of maps
// and the indexes of lists make a path, as in "tools.0.name". What was set by an override has the override's place.
type document struct {
	file     string
	root     map[string]any
	places   map[string]place // of values by their paths; of a map's key by its value's path and "="
	problems []Problem
	broken   bool // some of it could not be read, which is a problem
}

// A place is where a value comes from.
type place struct {
	at           string     // "FILE:LINE", or the override, as in "--set trials=3"
	line, column int        // in the file, to sort problems by; of what comes from elsewhere after those of the file
	node         *yaml.Node // as it is written
}

// parse reads the text. Without a root there is a problem.
func parse(src Source) *document {
	d := &document{file: src.Name, places: map[string]place{}}
	refuse := func(text string) *document {
		d.problems = []Problem{{At: d.file, Text: text}}
		return d
	}
	dec := yaml.NewDecoder(bytes.NewReader(src.Data))
	var top yaml.Node
	err := dec.Decode(&top)
	switch {
	case errors.Is(err, io.EOF):
		return refuse("empty")
	case err != nil && regexp.MustCompile(`(?m)^ *\t`).Match(src.Data) && strings.Contains(err.Error(), "cannot start any token"):
		return refuse(strings.TrimPrefix(err.Error(), "yaml: ") + ": a tab; YAML indents by spaces")
	case err != nil:
		return refuse(strings.TrimPrefix(err.Error(), "yaml: "))
	}
	if err := dec.Decode(new(yaml.Node)); !errors.Is(err, io.EOF) {
		return refuse("more than one document")
	}
	d.read(top.Content[0])
	return d
}

// read makes the root of a node.
func (d *document) read(n *yaml.Node) {
	value := d.plain(n, "", "")
	root, isMap := value.(map[string]any)
	if !isMap && !d.broken {
		d.wrong("", "not a map of keys, which an experiment is: name, libraries, tools and others (bench schema)")
	}
	d.root = root
}

// plain returns a node's value, and notes its places below path. It refuses what YAML has and JSON has not, and leaves
// out keys that are given twice. at is where it comes from, if not from its line of the file.
func (d *document) plain(n *yaml.Node, path, at string) (value any) {
	where := place{at: at, line: math.MaxInt, column: n.Column, node: n}
	if at == "" {
		where.at, where.line = fmt.Sprintf("%s:%d", d.file, n.Line), n.Line
	}
	d.places[path] = where
	refuse := func(format string, args ...any) any {
		d.wrong(path, format, args...)
		d.broken = true
		return nil
	}
	switch {
	case n.Kind == yaml.AliasNode || n.Anchor != "":
		return refuse("anchors and aliases are not used in experiments: write it out")
	case n.Kind == yaml.SequenceNode:
		list := []any{}
		for i, c := range n.Content {
			list = append(list, d.plain(c, join(path, strconv.Itoa(i)), at))
		}
		return list
	case n.Kind == yaml.MappingNode:
		m := map[string]any{}
		for i := 0; i+1 < len(n.Content); i += 2 {
			key := n.Content[i]
			below := join(path, key.Value)
			first, twice := d.places[below+"="]
			d.plain(key, below+"=", at)
			if twice {
				d.wrong(below+"=", "key %q is given twice, first at %s", key.Value, first.at)
				d.places[below+"="] = first
				continue
			}
			if key.Kind != yaml.ScalarNode {
				return refuse("a key is a word")
			}
			m[key.Value] = d.plain(n.Content[i+1], below, at)
		}
		return m
	case n.ShortTag() == "!!timestamp": // a day is a text
		return n.Value
	case n.ShortTag() == "!!float":
		if f, err := strconv.ParseFloat(n.Value, 64); err != nil || math.IsNaN(f) || math.IsInf(f, 0) {
			return refuse("%s is not a number", n.Value)
		}
	}
	if err := n.Decode(&value); err != nil {
		return refuse("%s", strings.TrimPrefix(err.Error(), "yaml: "))
	}
	return value
}

func join(path, step string) string { return strings.TrimPrefix(path+"."+step, ".") }

// wrong is a problem of the value at path, or of the nearest thing above it that is there.
func (d *document) wrong(path, format string, args ...any) {
	at := d.nearest(path)
	d.problems = append(d.problems, Problem{At: at.at, Text: fmt.Sprintf(format, args...), line: at.line, column: at.column})
}

// nearest returns the place of the value at path, or of the nearest thing above it that is there.
func (d *document) nearest(path string) place {
	for {
		at, found := d.places[path]
		if found || path == "" {
			return at
		}
		if value, isKey := strings.CutSuffix(path, "="); isKey {
			path = value
		} else {
			path = path[:max(0, strings.LastIndex(path, "."))]
		}
	}
}

// unique refuses a name in the list at path that an element before it has. The format takes the name, and where it
// was first.
func (d *document) unique(path string, names []string, format string) {
	for i, name := range names {
		if first := slices.Index(names, name); first < i {
			d.wrong(fmt.Sprintf("%s.%d", path, i), format, name, d.nearest(fmt.Sprintf("%s.%d", path, first)).at)
		}
	}
}

// lay returns the map at path with values replaced by those of another map, which is at from in src. llm and llm.limits
// are merged key by key, so that a file that sets only limits keeps the models.
func (d *document) lay(under map[string]any, path string, over map[string]any, src *document, from string) map[string]any {
	out := maps.Clone(under)
	for key, v := range over {
		to, from := join(path, key), join(from, key)
		was, isMap := out[key].(map[string]any)
		if more, also := v.(map[string]any); isMap && also && (key == "llm" || key == "limits") {
			v = d.lay(was, to, more, src, from)
		} else {
			d.forget(to)
			for path, at := range src.places {
				if below, ok := within(path, from); ok {
					if src.file != d.file {
						at.line = math.MaxInt
					}
					d.places[to+below] = at
				}
			}
		}
		out[key] = v
	}
	return out
}

// within cuts a prefix off a path. It reports whether the path is that of the prefix, its key's or one below it.
func within(path, prefix string) (below string, ok bool) {
	below, ok = strings.CutPrefix(path, prefix)
	return below, ok && (below == "" || below[0] == '.' || below == "=")
}

// forget removes the places of a value.
func (d *document) forget(path string) {
	maps.DeleteFunc(d.places, func(p string, _ place) bool { _, ok := within(p, path); return ok })
}

// profile lays the keys of the named profile over the experiment.
func (d *document) profile(name string) {
	if name == "" {
		return
	}
	profiles, _ := d.root["profiles"].(map[string]any)
	chosen, found := profiles[name]
	if !found {
		text := fmt.Sprintf("unknown profile %q of %s%s", name, d.file, lisabench.Suggest(name, sortedKeys(profiles)))
		d.problems = append(d.problems, Problem{At: "--profile " + name, Text: text})
	}
	if keys, ok := chosen.(map[string]any); ok { // what it is otherwise, the schema refuses
		delete(profiles, name) // it is checked where it is laid
		d.root = d.lay(d.root, "", keys, d, "profiles."+name)
	}
}

// override sets key=value in each of the documents that has a place for it. They are the parts of d, or d itself. The
// value is YAML, so it has a type. The key's parts are separated by dots; in a list a part is an element's name or its
// index from 0: trials=3, budget.wall=1m, libraries.zlib.edition=upstream, tools.0.params.depth=4. A stage that
// llm.stages lacks is added.
func (d *document) override(parts []*document, arg string) {
	key, text, ok := strings.Cut(arg, "=")
	var value yaml.Node
	refusal, set := "no experiment is included", false
	switch {
	case !ok || key == "":
		refusal = "not of the form key=value"
	case yaml.Unmarshal([]byte(text), &value) != nil || len(value.Content) != 1:
		refusal = "the value is not YAML"
	default:
		for _, p := range parts {
			root, why := p.set(p.root, "", strings.Split(key, "."), value.Content[0], "--set "+arg)
			if why == "" {
				p.root, _ = root.(map[string]any)
				set = true
			} else {
				refusal = why
			}
		}
	}
	if !set {
		d.problems = append(d.problems, Problem{At: "--set " + arg, Text: refusal, line: math.MaxInt})
	}
}

// set returns a copy of v, which is at path, with the value below it at the steps; or why it has no place for it.
func (d *document) set(v any, path string, steps []string, value *yaml.Node, at string) (out any, refusal string) {
	here := place{at: at, line: math.MaxInt, node: value}
	if len(steps) == 0 {
		d.forget(path)
		return d.plain(value, path, at), ""
	}
	stages := path == "llm.stages"
	switch v.(type) {
	case map[string]any, []any:
	default: // a map or a list takes the place of a scalar
		d.places[path], v = here, map[string]any{}
		if stages {
			v = []any{}
		}
	}
	step := steps[0]
	if m, ok := v.(map[string]any); ok {
		next, why := d.set(m[step], join(path, step), steps[1:], value, at)
		m = maps.Clone(m)
		m[step] = next
		return m, why
	}
	list := slices.Clone(v.([]any))
	names := namesOf(list, func(v any) string { return text(v, "name") })
	i, err := strconv.Atoi(step)
	if err != nil {
		i = slices.Index(names, step)
	}
	if i < 0 && stages {
		i = len(list)
		list = append(list, map[string]any{"name": step})
		d.places[join(path, strconv.Itoa(i))] = here
	}
	if i < 0 || i >= len(list) {
		return nil, fmt.Sprintf("%q names nothing%s", step, lisabench.Suggest(step, names))
	}
	list[i], refusal = d.set(list[i], join(path, strconv.Itoa(i)), steps[1:], value, at)
	return list, refusal
}

// text is the value of a key of a map as it is, "" if there is no such text.
func text(v any, key string) string {
	m, _ := v.(map[string]any)
	value, _ := m[key].(string)
	return value
}
