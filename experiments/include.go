package experiments

import (
	"cmp"
	"errors"
	"reflect"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/lisa-bench/lisa-bench/internal/llm"
)

// wholeKeys are the keys that belong to an experiment with parts, and to no part.
var wholeKeys = []string{"name", "description", "include", "profiles"}

// loadIncluded makes one experiment of those that the document includes. The profile is that of each;
// an override is for each too that has what it names, unless it is of one of wholeKeys.
func (d *document) loadIncluded(profile string, overrides []string, known Known) (*Experiment, error) {
	isOfWhole := func(o string) bool {
		key, _, _ := strings.Cut(o, "=")
		return slices.Contains(wholeKeys, strings.Split(key, ".")[0])
	}
	for _, o := range overrides {
		if isOfWhole(o) {
			d.overrideAny([]*document{d}, o)
		}
	}
	if decodable, err := d.conforms(); !decodable {
		return nil, err
	}
	whole := &Experiment{Name: text(d.root, "name"), Description: text(d.root, "description")}
	if profile != "" {
		whole.Name += "-" + profile
	}
	include := child(d.root, "include")
	var docs []*document
	for _, n := range include.Content {
		part, err := d.includePart(n, profile)
		if err != nil {
			return nil, err
		}
		if part != nil {
			docs = append(docs, part)
		}
	}
	for _, o := range overrides {
		if !isOfWhole(o) {
			d.overrideAny(docs, o)
		}
	}
	var parts []*Experiment
	for _, pd := range docs {
		part, err := pd.finish(known)
		if err != nil {
			return nil, err
		}
		parts = append(parts, part)
		d.problems = append(d.problems, pd.problems...)
	}
	if len(d.problems) == 0 {
		d.join(whole, parts, include, known)
	}
	return whole, nil
}

// includePart returns an included experiment with the profile, overlaid with the keys of the including file. It returns
// nil if that cannot be done, and adds the reason to d.problems.
func (d *document) includePart(n *yaml.Node, profile string) (*document, error) {
	src, err := Read(n.Value)
	var missing *Error
	if errors.As(err, &missing) {
		d.problem(n, "include: %s", missing.Problems[0].Text)
		return nil, nil
	} else if err != nil {
		return nil, err
	}
	pd := parse(src)
	if pd.root == nil {
		d.problems = append(d.problems, pd.problems...)
		return nil, nil
	}
	if child(pd.root, "include") != nil || child(pd.root, "parts") != nil {
		d.problem(n, "include: %s includes others itself: name those here", src.Name)
		return nil, nil
	}
	called := child(pd.root, "name")
	pd.profile(profile)
	if called != nil && profile != "" {
		called.Value = strings.TrimSuffix(called.Value, "-"+profile)
	}
	over := &yaml.Node{Kind: yaml.MappingNode}
	for i := 0; i+1 < len(d.root.Content); i += 2 {
		if k, v := copied(d.root.Content[i]), copied(d.root.Content[i+1]); !slices.Contains(wholeKeys, k.Value) {
			over.Content = append(over.Content, k, v)
			pd.mark(k, d.at(d.root.Content[i])) // its lines are of the including file
			pd.mark(v, d.at(d.root.Content[i+1]))
		}
	}
	lay(pd.root, over)
	return pd, nil
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
func (d *document) join(whole *Experiment, parts []*Experiment, place *yaml.Node, known Known) {
	if len(parts) == 0 {
		d.problem(place, "no experiments to make one of")
		return
	}
	if !name.MatchString(whole.Name) {
		d.wrong("name", "name %q: an experiment needs a name of up to 64 letters, digits, - and _", whole.Name)
	}
	first := parts[0]
	whole.Seed, whole.Test, whole.Sandbox, whole.Jobs = first.Seed, first.Test, first.Sandbox, first.Jobs
	whole.Trials, whole.Parts, whole.LLM, whole.Models = 0, nil, nil, nil
	for i, p := range parts {
		refuse := func(format string, args ...any) { d.problem(place.Content[i], format, args...) }
		if p.Seed != whole.Seed || p.Test != whole.Test || p.Sandbox != whole.Sandbox || p.Jobs != whole.Jobs {
			refuse("%s and %s differ in seed, test, sandbox or jobs: set it in this file, for both", first.Name, p.Name)
		}
		if slices.ContainsFunc(parts[:i], func(o *Experiment) bool { return o.Name == p.Name }) {
			refuse("%s is listed twice", p.Name)
		}
		for _, before := range parts[:i] {
			p.agree(before, refuse)
		}
		if asksModel(p.Tools, known.with(p.Tools)) { // an override for all parts may have given others a block for models
			merged, conflict := mergeModels(whole.LLM, p.LLM)
			if conflict != "" {
				refuse("%s asks models with other settings than those before it (%s differs): set llm in this file, for all",
					p.Name, conflict)
			}
			whole.LLM = merged
		}
		whole.Parts = append(whole.Parts, p.part())
	}
	for i, p := range parts {
		for _, stage := range stages(p.Tools, known.with(p.Tools)) {
			if p.LLM != nil && !reflect.DeepEqual(p.LLM.For(stage), whole.LLM.For(stage)) {
				d.problem(place.Content[i], "%s asks the model of stage %s with other settings than the other parts: "+
					"set llm in this file, for all", p.Name, stage)
			}
		}
	}
}

// agree refuses a command that has the name of another in a part before this one, and cells that share a name and
// nothing else.
func (e *Experiment) agree(before *Experiment, refuse func(format string, args ...any)) {
	for _, t := range e.Tools {
		i := slices.IndexFunc(before.Tools, t.sameName)
		if i >= 0 && !reflect.DeepEqual(before.Tools[i].External, t.External) {
			refuse("tool %s of %s is another command than that of the parts before it: give it another name", t.Name, e.Name)
		}
	}
	cells := map[string]Cell{}
	for _, c := range before.Plan().Cells {
		cells[c.ID()] = c
	}
	for _, c := range e.Plan().Cells {
		was, shared := cells[c.ID()]
		if len(was.Bugs) == 0 || len(c.Bugs) == 0 { // a cell that is only used has no bugs of its own
			was.Bugs = c.Bugs
		}
		if shared && !reflect.DeepEqual(was, c) {
			refuse("%s and %s plan cell %s with different budgets, parameters or bugs: "+
				"make one of them a variant with its own name", before.Name, e.Name, c.ID())
			return
		}
	}
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

// mergeModels returns both configurations as one, with the stages, prices and cutoffs of either. conflict
// names what they say differently.
func mergeModels(a, b *llm.Config) (merged *llm.Config, conflict string) {
	if a == nil || b == nil {
		return cmp.Or(a, b), ""
	}
	m, rest := *a, *b
	rest.Stages, rest.Prices, rest.Cutoffs = a.Stages, a.Prices, a.Cutoffs
	if !reflect.DeepEqual(m, rest) {
		return a, "something other than stages, prices and cutoffs"
	}
	add(&m.Cutoffs, b.Cutoffs, &conflict, func(c llm.Cutoff) string { return "the cutoff of " + c.Model })
	add(&m.Stages, b.Stages, &conflict, func(s llm.Stage) string { return "stage " + s.Name })
	add(&m.Prices, b.Prices, &conflict, func(p llm.Price) string { return "the price of " + p.Model })
	return &m, conflict
}

// add adds the entries whose keys the list lacks. The first key with two different entries becomes conflict.
func add[E any](to *[]E, entries []E, conflict *string, key func(E) string) {
	*to = slices.Clone(*to)
	for _, e := range entries {
		i := slices.IndexFunc(*to, func(o E) bool { return key(o) == key(e) })
		if i < 0 {
			*to = append(*to, e)
		} else if !reflect.DeepEqual((*to)[i], e) {
			*conflict = cmp.Or(*conflict, key(e))
		}
	}
}
