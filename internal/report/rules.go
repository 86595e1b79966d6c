package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/lisa-bench/lisa-bench/internal/trial"
	"github.com/lisa-bench/lisa-bench/pipeline/straightline"
)

// rules says what each tool lost to the rules of what a test is: docs/explanation/lisa.md argues them.
func (a *analysis) rules() Section {
	broken := func(g *group) []trial.NamedCount {
		return named(g, generationOf, func(g *trial.Generation) []trial.NamedCount { return g.Lost })
	}
	made := a.those(func(g *group) bool { return g.kind() == trial.KindPrograms })
	lost := a.table("lost", "Programs rejected by the rules for tests (sums over trials)", made, []figure{
		{Column{Key: "generated", Name: "Generated", Kind: Number}, func(g *group) Cell { return g.programTotal(generated) }},
		{Column{Key: "unequal", Name: "Differs\nbetween runs", Kind: Number}, outcomeTotal(trial.Flaky)},
		{Column{Key: "endless", Name: "Out of\ntime", Kind: Number}, outcomeTotal(trial.Timeout)},
		{Column{Key: "refused", Name: "Refused\nunrun", Kind: Number}, outcomeTotal(trial.Policy)},
		{Column{Key: "rules", Name: "By rule", Kind: Words}, func(g *group) Cell {
			var by []string
			for _, c := range broken(g) {
				by = append(by, fmt.Sprintf("%s %d", c.Name, c.Count))
			}
			return words(strings.Join(by, ", "))
		}},
	})
	s := Section{ID: "rules", Title: "Rules for tests", Tables: withRows(lost), Definitions: []Definition{
		{"Every tool's tests", "run alone in the sandbox, without network or other processes, within limits. They must end within the time limit, and a result counts only if it is the same in each of several runs.", ""},
		{"Sequences from a model", "lisa, lisa-api and vanilla ask for straight-line call sequences. Their prompts state the rules. A program that breaks one is rejected and not run, but stays in the denominators.", ""},
	}}
	for _, r := range straightline.Rules {
		is := func(c trial.NamedCount) bool { return c.Name == r.ID }
		if slices.ContainsFunc(made, func(g *group) bool { return slices.ContainsFunc(broken(g), is) }) {
			s.Definitions = append(s.Definitions, Definition{r.ID, r.Text, ""})
		}
	}
	return s
}
