package experiments

import (
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/lisa-bench/lisa-bench/internal/llm"
)

// wholeKeys are the keys that belong to an experiment with parts, and to no part.
var wholeKeys = []string{"name", "description", "include", "profiles"}

// loadIncluded makes one experiment of those that the document includes. The profile is that of each;
// an override is for each too, unless it is of one of wholeKeys.
func (d *document) loadIncluded(profile string, overrides []string, known Known) (*Experiment, error) {
	var forParts []string
	for _, o := range overrides {
		if key, _, _ := strings.Cut(o, "="); slices.Contains(wholeKeys, strings.Split(key, ".")[0]) {
			d.override(o)
		} else {
			forParts = append(forParts, o)
		}
	}
	include := child(d.root, "include")
	d.check(d.root, reflect.TypeFor[file](), "")
	if d.mistyped {
		return nil, nil
	}
	over := &yaml.Node{Kind: yaml.MappingNode}
	for i := 0; i+1 < len(d.root.Content); i += 2 {
		if k := d.root.Content[i]; !slices.Contains(wholeKeys, k.Value) {
			over.Content = append(over.Content, k, d.root.Content[i+1])
		}
	}
	var parts []*Experiment
	for _, n := range include.Content {
		part, err := d.includePart(n, over, profile, forParts, known)
		if err != nil {
			return nil, err
		}
		if part != nil {
			parts = append(parts, part)
		}
	}
	if len(d.problems) > 0 {
		return nil, nil
	}
	whole := &Experiment{}
	if n := child(d.root, "name"); n != nil {
		whole.Name = n.Value
	}
	if n := child(d.root, "description"); n != nil {
		whole.Description = n.Value
	}
	if profile != "" {
		whole.Name += "-" + profile
	}
	d.join(whole, parts, include, known)
	return whole, nil
}

// includePart loads one included experiment under the keys of the one that includes it.
func (d *document) includePart(n, over *yaml.Node, profile string, overrides []string, known Known) (*Experiment, error) {
	src, err := Read(n.Value)
	var missing *Error
	if errors.As(err, &missing) {
		d.problem(d.at(n), "include: %s", missing.Problems[0].Text)
		return nil, nil
	} else if err != nil {
		return nil, err
	}
	pd := parse(src)
	if pd.root != nil {
		if child(pd.root, "include") != nil || child(pd.root, "parts") != nil {
			d.problem(d.at(n), "include: %s includes others itself: name those here", src.Name)
			return nil, nil
		}
		pd.profile(profile)
		if own := child(pd.root, "name"); own != nil && profile != "" {
			own.Value = strings.TrimSuffix(own.Value, "-"+profile)
		}
		for i := 0; i+1 < len(over.Content); i += 2 { // its lines are of the including file
			pd.mark(over.Content[i], d.at(over.Content[i]))
			pd.mark(over.Content[i+1], d.at(over.Content[i+1]))
		}
		pd.lay(over)
	}
	var e *Experiment
	if pd.root != nil {
		if e, err = pd.load("", overrides, known); err != nil {
			return nil, fmt.Errorf("%s: %w", src.Name, err)
		}
	}
	d.problems = append(d.problems, pd.problems...)
	return e, nil
}

// loadParts reads an experiment that is spelled out with its parts, as YAML writes it. Each part
// is checked like an experiment with the keys of the whole.
func (d *document) loadParts(list *yaml.Node, known Known) (*Experiment, error) {
	for _, key := range []string{"trials", "budget", "libraries", "tools"} {
		if n := child(d.root, key); n != nil {
			d.problem(d.at(n), "%s: belongs to each of the parts here", key)
		}
	}
	var parts []*Experiment
	for _, n := range list.Content {
		pd := &document{file: d.file, origins: maps.Clone(d.origins), root: &yaml.Node{Kind: yaml.MappingNode, Line: n.Line}}
		for i := 0; i+1 < len(d.root.Content); i += 2 {
			if k := d.root.Content[i].Value; k != "name" && k != "description" && k != "parts" {
				pd.root.Content = append(pd.root.Content, d.root.Content[i], d.root.Content[i+1])
			}
		}
		pd.root.Content = append(pd.root.Content, n.Content...)
		e, err := pd.decode()
		if err != nil {
			return nil, err
		}
		pd.validate(e, known)
		d.problems = append(d.problems, pd.problems...)
		parts = append(parts, e)
	}
	if len(d.problems) > 0 {
		return nil, nil
	}
	whole, err := d.decode()
	if err != nil {
		return nil, err
	}
	d.join(whole, parts, list, known)
	return whole, nil
}

// join makes the whole of its parts and refuses what contradicts itself. place is the list that names
// the parts.
func (d *document) join(whole *Experiment, parts []*Experiment, place *yaml.Node, known Known) {
	if len(parts) == 0 {
		d.problem(d.at(place), "no experiments to make one of")
		return
	}
	if !name.MatchString(whole.Name) {
		d.wrong([]any{"name"}, "name %q: an experiment needs a name of up to 64 letters, digits, - and _", whole.Name)
	}
	first := parts[0]
	whole.Seed, whole.Test, whole.Sandbox, whole.Jobs = first.Seed, first.Test, first.Sandbox, first.Jobs
	whole.Trials, whole.Parts, whole.LLM, whole.Models = 0, nil, nil, nil
	names := map[string]bool{}
	for i, p := range parts {
		at := d.at(place.Content[i])
		if p.Seed != whole.Seed || p.Test != whole.Test || p.Sandbox != whole.Sandbox || p.Jobs != whole.Jobs {
			d.problem(at, "%s and %s differ in seed, test, sandbox or jobs: set it in this file, for both", first.Name, p.Name)
		}
		if names[p.Name] {
			d.problem(at, "%s is listed twice", p.Name)
		}
		names[p.Name] = true
		asking := p.LLM
		if !asksModel(p.Tools, known.with(p.Tools)) { // an override for all parts may have given it a block for models
			asking = nil
		}
		merged, conflict := mergeModels(whole.LLM, asking)
		if conflict != "" {
			d.problem(at, "%s asks models with other settings than those before it (%s differs): set llm in this file, for all", p.Name, conflict)
		}
		whole.LLM = merged
		whole.Parts = append(whole.Parts, Part{Name: p.Name, Trials: p.Trials, Budget: p.Budget, Libraries: p.Libraries, Tools: p.Tools})
	}
	d.sameModels(whole, parts, place, known)
	d.sameCommands(parts, place)
	d.sameCells(parts, place)
}

func asksModel(tools []ToolSpec, known Known) bool {
	return slices.ContainsFunc(known.Tools, func(k ToolKind) bool {
		return k.UsesModel && slices.ContainsFunc(tools, func(t ToolSpec) bool { return t.Name == k.Name })
	})
}

// sameModels refuses a whole in which a stage is asked in another way than in a part of it.
func (d *document) sameModels(whole *Experiment, parts []*Experiment, place *yaml.Node, known Known) {
	for i, p := range parts {
		for _, k := range known.with(p.Tools).Tools {
			if p.LLM == nil || !slices.ContainsFunc(p.Tools, func(t ToolSpec) bool { return t.Name == k.Name }) {
				continue
			}
			for _, stage := range k.Stages {
				if !reflect.DeepEqual(p.LLM.For(stage), whole.LLM.For(stage)) {
					d.problem(d.at(place.Content[i]), "%s asks the model of stage %s with other settings than the other parts: set llm in this file, for all", p.Name, stage)
				}
			}
		}
	}
}

// sameCommands refuses two external tools of one name: a run has one command for it.
func (d *document) sameCommands(parts []*Experiment, place *yaml.Node) {
	first := map[string]External{}
	for i, p := range parts {
		for _, t := range p.Tools {
			if before, seen := first[t.Name]; !seen {
				first[t.Name] = t.External
			} else if !reflect.DeepEqual(before, t.External) {
				d.problem(d.at(place.Content[i]), "tool %s of %s is another command than that of the parts before it: give it another name", t.Name, p.Name)
			}
		}
	}
}

// sameCells refuses cells that share a name and nothing else.
func (d *document) sameCells(parts []*Experiment, place *yaml.Node) {
	planned := map[string]Cell{}
	owner := map[string]string{}
	for i, p := range parts {
		for _, c := range p.Plan().Cells {
			was, shared := planned[c.ID()]
			if !shared {
				planned[c.ID()], owner[c.ID()] = c, p.Name
			} else if !reflect.DeepEqual(was, c) {
				d.problem(d.at(place.Content[i]), "%s and %s plan cell %s with different budgets, parameters or bugs: make one of them a variant with its own name",
					owner[c.ID()], p.Name, c.ID())
				break
			}
		}
	}
}

// mergeModels returns both configurations as one, with the stages and prices of either. conflict
// names what they say differently.
func mergeModels(a, b *llm.Config) (merged *llm.Config, conflict string) {
	if a == nil {
		return b, ""
	}
	if b == nil {
		return a, ""
	}
	m := *a
	rest := *b
	rest.Stages, rest.Prices, rest.Cutoffs = a.Stages, a.Prices, a.Cutoffs
	if !reflect.DeepEqual(m, rest) {
		return a, "something other than stages, prices and cutoffs"
	}
	if m.Cutoffs, conflict = union("the cutoff of ", a.Cutoffs, b.Cutoffs, func(c llm.Cutoff) string { return c.Model }); conflict != "" {
		return a, conflict
	}
	if m.Stages, conflict = union("stage ", a.Stages, b.Stages, func(s llm.Stage) string { return s.Name }); conflict != "" {
		return a, conflict
	}
	if m.Prices, conflict = union("the price of ", a.Prices, b.Prices, func(p llm.Price) string { return p.Model }); conflict != "" {
		return a, conflict
	}
	return &m, ""
}

// union returns the entries of a, then those of b whose keys a has not. conflict is kind and the
// first key under which b has another entry than a.
func union[E any](kind string, a, b []E, key func(E) string) (merged []E, conflict string) {
	merged = slices.Clone(a)
	for _, e := range b {
		i := slices.IndexFunc(merged, func(o E) bool { return key(o) == key(e) })
		if i < 0 {
			merged = append(merged, e)
		} else if !reflect.DeepEqual(merged[i], e) {
			return nil, kind + key(e)
		}
	}
	return merged, ""
}
