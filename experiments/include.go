package experiments

import (
	"reflect"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// wholeKeys are the keys that belong to an experiment with parts, and to no part.
var wholeKeys = []string{"name", "description", "include", "profiles"}

// loadIncluded makes one experiment of those that the document includes. The profile is that of each;
// an override is for each too that has what it names, unless it is of one of wholeKeys.
func (d *document) loadIncluded(include *yaml.Node, profile string, overrides []string, known Known) (
	*Experiment, error,
) {
	var ofParts []string
	for _, o := range overrides {
		key, _, _ := strings.Cut(o, "=")
		if slices.Contains(wholeKeys, strings.Split(key, ".")[0]) {
			d.overrideIn([]*document{d}, o)
		} else {
			ofParts = append(ofParts, o)
		}
	}
	if decodable, err := d.conforms(); !decodable {
		return nil, err
	}
	var parts []*document
	for _, n := range include.Content {
		if part := d.includePart(n, profile); part != nil {
			parts = append(parts, part)
		}
	}
	for _, o := range ofParts {
		d.overrideIn(parts, o)
	}
	whole := &Experiment{Name: text(d.root, "name"), Description: text(d.root, "description")}
	return whole, d.join(whole, parts, include, known)
}

// resolveParts checks each part as an experiment with the keys of the whole.
func (d *document) resolveParts(whole *Experiment, known Known) error {
	for _, key := range []string{"trials", "budget", "libraries", "tools"} {
		if n := child(d.root, key); n != nil {
			d.problem(n, "%s: belongs to each of the parts here", key)
		}
	}
	if len(d.problems) > 0 { // else a key would be twice in each part
		return nil
	}
	list := child(d.root, "parts")
	common := *d.root
	common.Content = slices.Clone(common.Content)
	for _, key := range []string{"name", "description", "parts"} {
		cut(&common, key)
	}
	var parts []*document
	for _, n := range list.Content {
		root := *n
		root.Content = slices.Concat(n.Content, common.Content)
		parts = append(parts, &document{file: d.file, origins: d.origins, root: &root})
	}
	return d.join(whole, parts, list, known)
}

// includePart returns an included experiment with the profile, overlaid with the keys of the including file. It returns
// nil if that cannot be done, and adds the reason to d.problems.
func (d *document) includePart(n *yaml.Node, profile string) *document {
	src, err := Read(n.Value)
	if err != nil {
		d.problem(n, "include: %v", err)
		return nil
	}
	pd := parse(src)
	if pd.root == nil {
		d.problems = append(d.problems, pd.problems...)
		return nil
	}
	if child(pd.root, "include") != nil || child(pd.root, "parts") != nil {
		d.problem(n, "include: %s includes others itself: name those here", src.Name)
		return nil
	}
	pd.profile(profile)
	over := &yaml.Node{Kind: yaml.MappingNode}
	for i := 0; i+1 < len(d.root.Content); i += 2 {
		if k, v := copied(d.root.Content[i]), copied(d.root.Content[i+1]); !slices.Contains(wholeKeys, k.Value) {
			over.Content = append(over.Content, k, v)
			pd.mark(k, d.at(d.root.Content[i])) // its lines are of the including file
			pd.mark(v, d.at(d.root.Content[i+1]))
		}
	}
	lay(pd.root, over)
	return pd
}

// copied returns a deep copy of a node, so that one part's changes do not reach another.
func copied(n *yaml.Node) *yaml.Node {
	c := *n
	c.Content = nil
	for _, below := range n.Content {
		c.Content = append(c.Content, copied(below))
	}
	return &c
}

// join makes the whole of its parts and refuses what contradicts itself. place is the list that names
// the parts.
func (d *document) join(whole *Experiment, docs []*document, place *yaml.Node, known Known) error {
	var parts []*Experiment
	for _, doc := range docs {
		part, err := doc.finish(known)
		if err != nil {
			return err
		}
		parts = append(parts, part)
		d.problems = append(d.problems, doc.problems...)
	}
	if len(d.problems) > 0 {
		return nil
	}
	if len(parts) == 0 {
		d.problem(place, "no experiments to make one of")
		return nil
	}
	if !name.MatchString(whole.Name) {
		d.wrong("name", "name %q: an experiment needs a name of up to 64 letters, digits, - and _", whole.Name)
	}
	first := parts[0]
	whole.Seed, whole.Test, whole.Sandbox, whole.Jobs = first.Seed, first.Test, first.Sandbox, first.Jobs
	whole.Trials, whole.Parts, whole.LLM, whole.Models = 0, nil, nil, nil
	commands, cells := map[string]External{}, map[string]Cell{} // of the parts before
	for i, p := range parts {
		refuse := func(format string, args ...any) { d.problem(place.Content[i], format, args...) }
		if p.Seed != whole.Seed || p.Test != whole.Test || p.Sandbox != whole.Sandbox || p.Jobs != whole.Jobs {
			refuse("%s and %s differ in seed, test, sandbox or jobs: set it in this file, for both", first.Name, p.Name)
		}
		if slices.ContainsFunc(parts[:i], func(o *Experiment) bool { return o.Name == p.Name }) {
			refuse("%s is listed twice", p.Name)
		}
		for _, t := range p.Tools {
			if was, shared := commands[t.Name]; shared && !reflect.DeepEqual(was, t.External) {
				refuse("tool %s of %s is another command than that of the parts before it: give it another name", t.Name, p.Name)
			}
			commands[t.Name] = t.External
		}
		if id := clash(p.Plan(), cells); id != "" {
			refuse("%s plans cell %s with another budget, other parameters or bugs than a part before it: "+
				"make it a variant with its own name", p.Name, id)
		}
		if asksModel(p.Tools, known.with(p.Tools)) { // an override for all parts may have given others a block for models
			if whole.LLM != nil && !reflect.DeepEqual(whole.LLM, p.LLM) {
				refuse("%s asks models with other settings than those before it: set llm in this file, for all", p.Name)
			}
			whole.LLM = p.LLM
		}
		whole.Parts = append(whole.Parts, p.part())
	}
	return nil
}

// clash adds a plan's cells to those before. It returns the first that shares its name with one of them and is another.
func clash(p Plan, before map[string]Cell) (id string) {
	for _, c := range p.Cells {
		was, shared := before[c.ID()]
		if len(c.Bugs) == 0 { // a cell that is only used has no bugs of its own
			c.Bugs = was.Bugs
		} else if len(was.Bugs) == 0 {
			was.Bugs = c.Bugs
		}
		if shared && !reflect.DeepEqual(was, c) {
			return c.ID()
		}
		before[c.ID()] = c
	}
	return ""
}

// stages are the stages of tools that ask a model.
func stages(tools []ToolSpec, known Known) (names []string) {
	for _, t := range tools {
		if k := known.tool(t.Name); k != nil {
			names = append(names, k.Stages...)
		}
	}
	return names
}

func asksModel(tools []ToolSpec, known Known) bool {
	return slices.ContainsFunc(tools, func(t ToolSpec) bool {
		k := known.tool(t.Name)
		return k != nil && k.UsesModel
	})
}
