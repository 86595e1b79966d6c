package experiments

import (
	"fmt"
	"slices"
	"strings"

	"github.com/lisa-bench/lisa-bench/bench/lisabench"
	"github.com/lisa-bench/lisa-bench/internal/trial"
)

// Choose returns which cells of the plan have one of the ids.
func (p Plan) Choose(ids []string) (func(trial.Cell) bool, error) {
	known := namesOf(p.Cells, func(c Cell) string { return c.ID() })
	return func(c trial.Cell) bool { return slices.Contains(ids, c.ID()) }, lisabench.CheckKnown("cell", known, ids...)
}

// Only removes all libraries but the named ones, as in "libraries=zlib,cJSON", and the parts and tools that are left
// without a library.
func (e *Experiment) Only(arg string) error {
	key, list, _ := strings.Cut(arg, "=")
	if key != "libraries" || list == "" {
		return fmt.Errorf("--only %s: give libraries=NAME,…", arg)
	}
	chosen := strings.Split(list, ",")
	known := namesOf(e.AllLibraries(), func(l LibrarySpec) string { return l.Name })
	if err := lisabench.CheckKnown("library", known, chosen...); err != nil {
		return err
	}
	other := func(name string) bool { return !slices.Contains(chosen, name) }
	e.changeParts(func(p *Part) {
		p.Libraries = slices.DeleteFunc(p.Libraries, func(l LibrarySpec) bool { return other(l.Name) })
		for i := range p.Tools {
			p.Tools[i].Libraries = slices.DeleteFunc(p.Tools[i].Libraries, other)
		}
		p.Tools = slices.DeleteFunc(p.Tools, func(t ToolSpec) bool { return t.Libraries != nil && len(t.Libraries) == 0 })
	})
	e.Parts = slices.DeleteFunc(e.Parts, func(p Part) bool { return len(p.Libraries) == 0 })
	return nil
}

// ChangeBudgets applies f to every budget.
func (e *Experiment) ChangeBudgets(f func(trial.Budget) trial.Budget) {
	e.changeParts(func(p *Part) {
		p.Budget = f(p.Budget)
		for i, t := range p.Tools {
			if t.Budget != nil {
				p.Tools[i].Budget = new(f(*t.Budget))
			}
		}
	})
}

// changeParts applies f to each part; an experiment without parts is its own only part.
func (e *Experiment) changeParts(f func(*Part)) {
	own := e.part()
	f(&own)
	e.Budget, e.Libraries, e.Tools = own.Budget, own.Libraries, own.Tools
	for i := range e.Parts {
		f(&e.Parts[i])
	}
}
