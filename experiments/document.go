package experiments

import (
	"bytes"
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

// parse reads the text. Without a root there is a problem.
func parse(src Source) *document {
	d := &document{file: src.Name, origins: map[*yaml.Node]string{}}
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
	case err != nil && tabbed.Match(src.Data) && strings.Contains(err.Error(), "cannot start any token"):
		err = fmt.Errorf("%w: a tab; YAML indents by spaces", err)
		fallthrough
	case err != nil:
		return refuse(strings.TrimPrefix(err.Error(), "yaml: "))
	}
	if err := dec.Decode(new(yaml.Node)); !errors.Is(err, io.EOF) {
		return refuse("more than one document")
	}
	if d.root = top.Content[0]; d.root.Kind != yaml.MappingNode {
		d.problem(d.root, "not a map of keys, which an experiment is: name, libraries, tools and others (bench schema)")
		d.root = nil
	}
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

// unique refuses a name in the list at path that an element before it has. The format takes the name, and where it
// was first.
func (d *document) unique(path string, names []string, format string) {
	for i, name := range names {
		if first := slices.Index(names, name); first < i {
			d.wrong(fmt.Sprintf("%s.%d", path, i), format, name, d.at(d.nearest(fmt.Sprintf("%s.%d", path, first))))
		}
	}
}

// nearest returns the value at path, or the nearest thing above it that is there.
func (d *document) nearest(path string) *yaml.Node {
	n, _ := d.descend(strings.Split(path, "."))
	return n
}

// descend follows keys and indexes as far as it can.
func (d *document) descend(steps []string) (n *yaml.Node, all bool) {
	n = d.root
	for _, step := range steps {
		next := element(n, step)
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
	for i := 0; n != nil && n.Kind == yaml.MappingNode && i+1 < len(n.Content); i += 2 {
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

// profile lays the keys of the named profile over the experiment.
func (d *document) profile(name string) {
	if name == "" {
		return
	}
	profiles := child(d.root, "profiles")
	chosen := child(profiles, name)
	if chosen == nil {
		text := fmt.Sprintf("unknown profile %q of %s%s", name, d.file, lisabench.Suggest(name, keys(profiles)))
		d.problems = append(d.problems, Problem{At: "--profile " + name, Text: text})
		return
	}
	if chosen.Kind == yaml.MappingNode { // what it is otherwise, the schema refuses
		lay(d.root, chosen)
		cut(profiles, name) // and is checked where it was laid
	}
}

// keys returns the keys of a map in its order.
func keys(n *yaml.Node) []string {
	var names []string
	for i := 0; n != nil && n.Kind == yaml.MappingNode && i+1 < len(n.Content); i += 2 {
		names = append(names, n.Content[i].Value)
	}
	return names
}

// override sets one key=value in the tree. The value is YAML, so it has a type. The key's parts are separated by
// dots; in a list a part is an element's name or its index from 0: trials=3, budget.wall=1m,
// libraries.zlib.edition=upstream, tools.0.params.depth=4. A stage that llm.stages lacks is added. The
// result says why the value was not set; it is "" if the value was set.
func (d *document) override(arg string) (refusal string) {
	key, text, ok := strings.Cut(arg, "=")
	if !ok || key == "" {
		return "not of the form key=value"
	}
	var value yaml.Node
	if err := yaml.Unmarshal([]byte(text), &value); err != nil || len(value.Content) != 1 {
		return "the value is not YAML"
	}
	scalar := func(tag, text string) *yaml.Node {
		n := &yaml.Node{Kind: yaml.ScalarNode, Tag: tag, Value: text}
		d.mark(n, "--set "+arg)
		return n
	}
	n, before := d.root, ""
	for _, step := range strings.Split(key, ".") {
		switch {
		case n.Kind != yaml.ScalarNode: // else a map or a list takes its place
		case before == "stages":
			*n = yaml.Node{Kind: yaml.SequenceNode, Tag: "!!seq"}
		default:
			*n = yaml.Node{Kind: yaml.MappingNode, Tag: "!!map"}
		}
		next := element(n, step)
		switch {
		case next == nil && n.Kind == yaml.MappingNode:
			next = scalar("!!null", "null")
			n.Content = append(n.Content, scalar("!!str", step), next)
		case next == nil && before == "stages":
			next = &yaml.Node{Kind: yaml.MappingNode, Tag: "!!map"}
			next.Content = []*yaml.Node{scalar("!!str", "name"), scalar("!!str", step)}
			n.Content = append(n.Content, next)
		}
		if next == nil {
			return fmt.Sprintf("%q names nothing%s", step, lisabench.Suggest(step, names(n)))
		}
		n, before = next, step
	}
	*n = *value.Content[0]
	d.mark(n, "--set "+arg)
	return ""
}

// overrideIn sets key=value in each of the documents that has a place for it. They are the parts of d, or d itself.
func (d *document) overrideIn(parts []*document, arg string) {
	refusal, set := "no experiment is included", false
	for _, p := range parts {
		if why := p.override(arg); why == "" {
			set = true
		} else {
			refusal = why
		}
	}
	if !set {
		d.problems = append(d.problems, Problem{At: "--set " + arg, Text: refusal, line: math.MaxInt})
	}
}

// element returns the value of a map's key, or the element of a list with that index or name; nil without one.
func element(n *yaml.Node, step string) *yaml.Node {
	if n.Kind == yaml.MappingNode {
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
