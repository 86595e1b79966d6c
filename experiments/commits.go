package experiments

import (
	"slices"

	"go.yaml.in/yaml/v3"

	"github.com/lisa-bench/lisa-bench/bench/lisabench"
)

// commits puts the library at each of its commits in the place of a library with commit or commits: as the
// edition upstream-COMMIT, which the resolved experiment has.
func (d *document) commits() {
	list := child(d.root, "libraries")
	if list == nil {
		return
	}
	var all []*yaml.Node
	for _, n := range list.Content {
		revs := d.revisions(n)
		if revs == nil {
			all = append(all, n)
			continue
		}
		if e := child(n, "edition"); e != nil && e.Value != string(lisabench.Upstream) {
			d.problem(d.at(e), "edition %s: only upstream has other commits: leave it out", e.Value)
		}
		for _, rev := range revs {
			edition, err := lisabench.AtCommit(rev.Value)
			if err != nil {
				d.problem(d.at(rev), "commit: %v", err)
				continue
			}
			at := *n
			at.Content = slices.Clone(n.Content)
			for _, key := range []string{"edition", "commit", "commits"} {
				cut(&at, key)
			}
			value := *rev
			value.Value, value.Tag, value.Style = string(edition), "!!str", 0
			at.Content = append(at.Content, &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: "edition", Line: rev.Line, Column: rev.Column}, &value)
			all = append(all, &at)
		}
	}
	list.Content = all
}

// revisions are the values of commit and commits; nil without either.
func (d *document) revisions(n *yaml.Node) []*yaml.Node {
	var revs []*yaml.Node
	if one := child(n, "commit"); one != nil {
		revs = append(revs, one)
	}
	if several := child(n, "commits"); several != nil {
		if len(several.Content) == 0 {
			d.problem(d.at(several), "commits: none")
		}
		revs = append(revs, several.Content...)
	}
	return revs
}
