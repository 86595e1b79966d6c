package report

import (
	"fmt"
	"strings"

	"github.com/lisa-bench/lisa-bench/internal/trial"
	"github.com/lisa-bench/lisa-bench/pipeline/straightline"
)

// rules says what each tool lost to the rules of what a test is: docs/explanation/lisa.md argues them.
func (a *analysis) rules() Section {
	lost := Table{ID: "lost", Title: "Programs rejected by the rules for tests (sums over trials)", Columns: append(groupColumns[:2:2],
		Column{Key: "generated", Name: "Generated", Kind: Number},
		Column{Key: "unequal", Name: "Differs\nbetween runs", Kind: Number},
		Column{Key: "endless", Name: "Out of\ntime", Kind: Number},
		Column{Key: "refused", Name: "Refused\nunrun", Kind: Number},
		Column{Key: "rules", Name: "By rule", Kind: Words},
	)}
	broken := map[string]bool{}
	for _, g := range a.groups {
		if g.kind() != trial.KindPrograms || len(g.records) == 0 {
			continue
		}
		var by []string
		for _, c := range g.lost() {
			by = append(by, fmt.Sprintf("%s %d", c.Name, c.Count))
			broken[c.Name] = true
		}
		of := func(o trial.Outcome) Cell {
			return g.programTotal(func(p *trial.ProgramCounts) int { return p.Outcomes[o] })
		}
		lost.Rows = append(lost.Rows, append(a.groupCells(g)[:2],
			g.programTotal(generated), of(trial.Flaky), of(trial.Timeout), of(trial.Policy), words(strings.Join(by, ", "))))
	}
	s := Section{ID: "rules", Title: "Rules for tests", Tables: withRows(lost), Definitions: []Definition{
		{"Every tool's tests", "run alone in the sandbox, without network or other processes, within limits. They must end within the time limit, and a result counts only if it is the same in each of several runs.", ""},
		{"Sequences from a model", "lisa, lisa-api and vanilla ask for straight-line call sequences. Their prompts state the rules. A program that breaks one is rejected and not run, but stays in the denominators.", ""},
	}}
	if len(lost.Rows) == 0 {
		return Section{}
	}
	for _, r := range straightline.Rules {
		if broken[r.ID] {
			s.Definitions = append(s.Definitions, Definition{r.ID, r.Text, ""})
		}
	}
	return s
}

// lost counts the programs that each rule refused, over the trials; one may break several.
func (g *group) lost() (lost []trial.NamedCount) {
	for _, how := range g.generations() {
		lost = merged(lost, how.Lost)
	}
	return lost
}
