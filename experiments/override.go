package experiments

import (
	"fmt"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/lisa-bench/lisa-bench/bench/lisabench"
)

// override sets one key=value in the tree. The value is YAML, so it has a type. The key's
// parts are separated by dots; in a list a part is an element's name or its index from 0:
// trials=3, budget.wall=1m, libraries.zlib.edition=upstream, tools.0.params.depth=4.
func (d *document) override(arg string) {
	at := "--set " + arg
	key, text, ok := strings.Cut(arg, "=")
	if !ok || key == "" {
		d.problem(at, "not of the form key=value")
		return
	}
	var value yaml.Node
	if err := yaml.Unmarshal([]byte(text), &value); err != nil || len(value.Content) != 1 {
		d.problem(at, "the value is not YAML")
		return
	}
	d.set(at, d.root, strings.Split(key, "."), value.Content[0])
}

// set puts value at the place below n that parts name, making maps where there are none.
func (d *document) set(at string, n *yaml.Node, parts []string, value *yaml.Node) {
	part, rest := parts[0], parts[1:]
	var place **yaml.Node
	switch n.Kind {
	case yaml.MappingNode:
		place = d.entry(at, n, part)
	case yaml.SequenceNode:
		place = element(n, part)
	}
	if place == nil {
		d.problem(at, "%q names nothing%s", part, lisabench.Suggest(part, names(n)))
		return
	}
	if len(rest) == 0 {
		d.mark(value, at)
		*place = value
		return
	}
	if k := (*place).Kind; k != yaml.MappingNode && k != yaml.SequenceNode {
		*place = &yaml.Node{Kind: yaml.MappingNode, Tag: "!!map"}
		d.mark(*place, at)
	}
	d.set(at, *place, rest, value)
}

// entry returns the place of key's value in map n, and adds it if it is missing.
func (d *document) entry(at string, n *yaml.Node, key string) **yaml.Node {
	for i := 0; i+1 < len(n.Content); i += 2 {
		if n.Content[i].Value == key {
			return &n.Content[i+1]
		}
	}
	k := &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: key}
	v := &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!null", Value: "null"}
	d.mark(k, at)
	d.mark(v, at)
	n.Content = append(n.Content, k, v)
	return &n.Content[len(n.Content)-1]
}

func element(n *yaml.Node, part string) **yaml.Node {
	if i, err := strconv.Atoi(part); err == nil && i >= 0 && i < len(n.Content) {
		return &n.Content[i]
	}
	for i, e := range n.Content {
		if name := child(e, "name"); name != nil && name.Value == part {
			return &n.Content[i]
		}
	}
	return nil
}

// names returns the names of a list's elements.
func names(n *yaml.Node) []string {
	var out []string
	for _, e := range n.Content {
		if name := child(e, "name"); name != nil {
			out = append(out, name.Value)
		}
	}
	return out
}

// mark notes that n and all below it came from an override.
func (d *document) mark(n *yaml.Node, at string) {
	d.origins[n] = at
	for _, c := range n.Content {
		d.mark(c, at)
	}
}

// problem adds to what is wrong.
func (d *document) problem(at, format string, args ...any) {
	d.problems = append(d.problems, Problem{At: at, Text: fmt.Sprintf(format, args...)})
}
