package experiments

import (
	"errors"
	"fmt"
	"io"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/lisa-bench/lisa-bench/bench/lisabench"
)

// A document is an experiment file as a tree of nodes, each of which knows where it comes from.
type document struct {
	file     string
	root     *yaml.Node
	origins  map[*yaml.Node]string // of nodes that come from elsewhere than file, as in "--set trials=3"
	problems []Problem
}

// tabbed is a line that begins with a tab.
var tabbed = regexp.MustCompile(`(?m)^ *\t`)

func parse(src Source) *document {
	d := &document{file: src.Name, origins: map[*yaml.Node]string{}}
	dec := yaml.NewDecoder(strings.NewReader(string(src.Data)))
	var top yaml.Node
	switch err := dec.Decode(&top); {
	case errors.Is(err, io.EOF):
		d.problems = []Problem{{At: d.file, Text: "empty"}}
		return d
	case err != nil:
		text := strings.TrimPrefix(err.Error(), "yaml: ")
		if strings.Contains(text, "cannot start any token") && tabbed.Match(src.Data) {
			text += ": a tab; YAML indents by spaces"
		}
		d.problems = []Problem{{At: d.file, Text: text}}
		return d
	}
	if err := dec.Decode(new(yaml.Node)); !errors.Is(err, io.EOF) {
		d.problems = []Problem{{At: d.file, Text: "more than one document"}}
		return d
	}
	if top.Content[0].Kind != yaml.MappingNode {
		d.problem(top.Content[0], "not a map of keys, which an experiment is: name, libraries, tools and others (bench schema)")
		return d
	}
	d.root = top.Content[0]
	return d
}

// at says where n is.
func (d *document) at(n *yaml.Node) string {
	if at, elsewhere := d.origins[n]; elsewhere {
		return at
	}
	return fmt.Sprintf("%s:%d", d.file, n.Line)
}

// problem adds to what is wrong, at a node.
func (d *document) problem(n *yaml.Node, format string, args ...any) {
	line := n.Line
	if _, elsewhere := d.origins[n]; elsewhere {
		line = math.MaxInt // after those of the file
	}
	text := fmt.Sprintf(format, args...)
	d.problems = append(d.problems, Problem{At: d.at(n), Text: text, line: line, column: n.Column})
}

// wrong is a problem of the value at path, as in "tools.0.name", or of the nearest thing above it that is there.
func (d *document) wrong(path, format string, args ...any) {
	d.problem(d.nearest(path), format, args...)
}

// find returns the value at path, nil if there is none.
func (d *document) find(path string) *yaml.Node {
	n, found := d.descend(strings.Split(path, "."))
	if !found {
		return nil
	}
	return n
}

// twice is a problem of the value at path, which says the same as the one at first.
func (d *document) twice(path, first, format string, args ...any) {
	d.wrong(path, format+" is listed twice, first at "+d.at(d.nearest(first)), args...)
}

func (d *document) nearest(path string) *yaml.Node {
	n, _ := d.descend(strings.Split(path, "."))
	return n
}

// descend follows keys and indexes as far as it can.
func (d *document) descend(steps []string) (n *yaml.Node, all bool) {
	n = d.root
	for _, step := range steps {
		next := child(n, step)
		if i, err := strconv.Atoi(step); err == nil && n.Kind == yaml.SequenceNode && i < len(n.Content) {
			next = n.Content[i]
		}
		if next == nil {
			return n, false
		}
		n = next
	}
	return n, true
}

// child returns the value of a key of a map, nil if there is none.
func child(n *yaml.Node, key string) *yaml.Node {
	if i := indexOf(n, key); i >= 0 {
		return n.Content[i+1]
	}
	return nil
}

// indexOf returns the index of a key among a map's nodes, of which keys and values take turns; -1 if it is not there.
func indexOf(n *yaml.Node, key string) int {
	for i := 0; n.Kind == yaml.MappingNode && i+1 < len(n.Content); i += 2 {
		if n.Content[i].Value == key {
			return i
		}
	}
	return -1
}

// cut removes a key of a map.
func cut(n *yaml.Node, key string) {
	if i := indexOf(n, key); i >= 0 {
		n.Content = slices.Delete(n.Content, i, i+2)
	}
}

// lay replaces the values of a map with another's. llm and llm.limits are merged key by key, so that a file that sets
// only limits keeps the models.
func lay(under, over *yaml.Node) {
	for i := 0; i+1 < len(over.Content); i += 2 {
		k, v := over.Content[i], over.Content[i+1]
		was := child(under, k.Value)
		if was != nil && was.Kind == yaml.MappingNode && v.Kind == yaml.MappingNode && (k.Value == "llm" || k.Value == "limits") {
			lay(was, v)
			continue
		}
		cut(under, k.Value)
		under.Content = append(under.Content, k, v)
	}
}

// profile lays the keys of the named profile over the experiment, whose name gets the profile's
// behind it: runs of both can stand side by side.
func (d *document) profile(name string) {
	if name == "" {
		return
	}
	profiles := child(d.root, "profiles")
	if profiles == nil {
		d.problems = append(d.problems, Problem{At: "--profile " + name, Text: d.file + " has no profiles"})
		return
	}
	chosen := child(profiles, name)
	if chosen == nil {
		text := fmt.Sprintf("unknown profile %q of %s%s", name, d.file, lisabench.Suggest(name, keys(profiles)))
		d.problems = append(d.problems, Problem{At: "--profile " + name, Text: text})
		return
	}
	if n := child(d.root, "name"); n != nil {
		n.Value += "-" + name
	}
	if chosen.Kind == yaml.MappingNode { // what it is otherwise, the schema refuses
		lay(d.root, chosen)
		cut(profiles, name) // and is checked where it was laid
	}
}

// keys returns the keys of a map in its order.
func keys(n *yaml.Node) []string {
	var names []string
	for i := 0; n.Kind == yaml.MappingNode && i+1 < len(n.Content); i += 2 {
		names = append(names, n.Content[i].Value)
	}
	return names
}

// lists has the keys whose values are lists of named elements.
var lists = []string{"tools", "variants", "libraries", "stages"}

// override sets one key=value in the tree. The value is YAML, so it has a type. The key's parts are separated by
// dots; in a list a part is an element's name or its index from 0: trials=3, budget.wall=1m,
// libraries.zlib.edition=upstream, tools.0.params.depth=4. With add, a stage that llm.stages lacks is added. The
// result says why the value was not set; it is "" if the value was set.
func (d *document) override(arg string, add bool) (refusal string) {
	at := "--set " + arg
	key, text, ok := strings.Cut(arg, "=")
	if !ok || key == "" {
		return "not of the form key=value"
	}
	var value yaml.Node
	if err := yaml.Unmarshal([]byte(text), &value); err != nil || len(value.Content) != 1 {
		return "the value is not YAML"
	}
	n, before := d.root, ""
	for _, step := range strings.Split(key, ".") {
		if n.Kind != yaml.MappingNode && n.Kind != yaml.SequenceNode { // a map or a list takes its place
			*n = yaml.Node{Kind: yaml.MappingNode, Tag: "!!map"}
			if slices.Contains(lists, before) {
				n.Kind, n.Tag = yaml.SequenceNode, "!!seq"
			}
			d.mark(n, at)
		}
		next := d.entry(n, step, at)
		if next == nil && add && before == "stages" {
			next = &yaml.Node{Kind: yaml.MappingNode, Tag: "!!map"}
			n.Content = append(n.Content, next)
			d.entry(next, "name", at).SetString(step)
			d.mark(next, at)
		}
		if next == nil {
			return fmt.Sprintf("%q names nothing%s", step, lisabench.Suggest(step, names(n)))
		}
		n, before = next, step
	}
	*n = *value.Content[0]
	d.mark(n, at)
	return ""
}

// overrideAny sets key=value in each of the documents that has a place for it. They are the parts of d, or d itself.
func (d *document) overrideAny(parts []*document, arg string) {
	refusal := "no experiment is included"
	for _, add := range []bool{false, true} {
		set := false
		for _, p := range parts {
			if why := p.override(arg, add); why == "" {
				set = true
			} else {
				refusal = why
			}
		}
		if set {
			return
		}
	}
	d.problems = append(d.problems, Problem{At: "--set " + arg, Text: refusal, line: math.MaxInt})
}

// entry returns the value of a map's key, which is added if it is missing, or the element of a list with that
// index or name; nil without one.
func (d *document) entry(n *yaml.Node, step, at string) *yaml.Node {
	if n.Kind == yaml.MappingNode {
		if child(n, step) == nil {
			k := &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: step}
			v := &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!null", Value: "null"}
			d.mark(k, at)
			d.mark(v, at)
			n.Content = append(n.Content, k, v)
		}
		return child(n, step)
	}
	i, err := strconv.Atoi(step)
	if err != nil {
		i = slices.Index(names(n), step)
	}
	if i < 0 || i >= len(n.Content) {
		return nil
	}
	return n.Content[i]
}

// names returns the names of a list's elements, "" for one without.
func names(n *yaml.Node) []string {
	return namesOf(n.Content, func(e *yaml.Node) string { return text(e, "name") })
}

// text is the value of a key of a map, "" if there is none.
func text(n *yaml.Node, key string) string {
	if v := child(n, key); v != nil {
		return v.Value
	}
	return ""
}

// mark notes that n and all below it came from elsewhere.
func (d *document) mark(n *yaml.Node, at string) {
	d.origins[n] = at
	for _, c := range n.Content {
		d.mark(c, at)
	}
}
