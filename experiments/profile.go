package experiments

import (
	"slices"

	"go.yaml.in/yaml/v3"

	"github.com/lisa-bench/lisa-bench/bench/lisabench"
)

// profile lays the keys of the named profile over the experiment, whose name gets the profile's
// behind it: runs of both can stand side by side.
func (d *document) profile(name string) {
	if name == "" {
		return
	}
	var chosen *yaml.Node
	profiles, given := d.find("profiles")
	if given {
		chosen = child(profiles, name)
	}
	if chosen == nil {
		var known []string
		if given {
			known = keys(profiles)
		}
		d.unknownProfile(name, known)
		return
	}
	if n := child(d.root, "name"); n != nil {
		n.Value += "-" + name
	}
	if chosen.Kind == yaml.MappingNode { // what it is otherwise is reported by check
		d.lay(chosen)
		cut(profiles, name) // and is checked where it was laid
	}
}

// unknownProfile is a problem that names what there is.
func (d *document) unknownProfile(name string, known []string) {
	if len(known) == 0 {
		d.problem("--profile "+name, "%s has no profiles", d.file)
		return
	}
	d.problem("--profile "+name, "unknown profile %q of %s%s", name, d.file, lisabench.Suggest(name, known))
}

// lay puts the values of a map in the place of the experiment's own.
func (d *document) lay(over *yaml.Node) {
	for i := 0; i+1 < len(over.Content); i += 2 {
		k, v := over.Content[i], over.Content[i+1]
		cut(d.root, k.Value)
		d.root.Content = append(d.root.Content, k, v)
	}
}

// cut removes a key of a map.
func cut(n *yaml.Node, key string) {
	for i := 0; i+1 < len(n.Content); i += 2 {
		if n.Content[i].Value == key {
			n.Content = slices.Delete(n.Content, i, i+2)
			return
		}
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
