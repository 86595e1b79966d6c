package submission

import (
	"fmt"
	"slices"
	"strings"

	"github.com/lisa-bench/lisa-bench/bench/lisabench"
	"github.com/lisa-bench/lisa-bench/experiments"
	"github.com/lisa-bench/lisa-bench/internal/trial"
)

// A Set is the matrix that a ranking asks for: every trial from 1 on, on every library, with
// every bug.
type Set struct {
	Name      string // e.g. "debian-available"
	Trials    int
	Libraries []experiments.LibrarySpec // with the ids of their bugs
}

// Sets are the matrices that a ranking may ask for: an edition with all of its bugs, or with
// those of the paper's protocol.
var Sets = []string{"debian-available", "debian-protocol", "upstream-available", "upstream-protocol"}

// NewSet returns one of Sets with that many trials, of some of its libraries or, without names,
// of all. The error is one of the arguments, in the words of the command line.
func NewSet(bench *lisabench.Bench, name string, libraries []string, trials int) (Set, error) {
	set := Set{Name: name, Trials: trials}
	if !slices.Contains(Sets, name) {
		return set, lisabench.NewUnknownError("set", name, Sets)
	}
	if trials < 1 {
		return set, fmt.Errorf("--trials %d: a ranking needs at least one", trials)
	}
	for _, name := range libraries {
		if _, err := bench.Library(name); err != nil {
			return set, err
		}
	}
	edition, bugs, _ := strings.Cut(name, "-")
	// An experiment on the set knows which bugs the words stand for.
	text := "name: set\nbudget: {programs: 1}\ntools: [{name: randoop}]\nlibraries:\n"
	for _, l := range bench.Libraries {
		if l.Has(lisabench.Edition(edition)) && (len(libraries) == 0 || slices.Contains(libraries, l.Name)) {
			text += fmt.Sprintf("  - {name: %q, edition: %s, bugs: %s}\n", l.Name, edition, bugs)
		}
	}
	exp, err := experiments.Load(experiments.Source{Name: "--set " + name, Data: []byte(text)}, nil, experiments.Known{Libraries: bench.Libraries, Tools: []experiments.ToolKind{{Name: "randoop"}}})
	if err != nil {
		return set, err
	}
	set.Libraries = exp.Libraries
	if set.Bugs() == 0 {
		return set, fmt.Errorf("--set %s has no bug of %s: there is nothing to rank by", name, strings.Join(libraries, ", "))
	}
	return set, nil
}

// Bugs returns how many bugs the set has.
func (s Set) Bugs() int {
	n := 0
	for _, l := range s.Libraries {
		n += len(l.Bugs)
	}
	return n
}

// A Contender is a tool in one variant.
type Contender struct{ Tool, Variant string }

// contenders returns those of a submission, in the order of its plan.
func (c *Contents) contenders() []Contender {
	var list []Contender
	for _, cell := range c.Plan.Cells {
		if k := (Contender{cell.Tool, cell.Variant}); !slices.Contains(list, k) {
			list = append(list, k)
		}
	}
	return list
}

// records returns the records of a contender for the set, by library of the set and then trial, each with the
// set's bugs only. What is missing is returned as one sentence each. With anything missing there are no
// records.
func (c *Contents) records(k Contender, s Set) (records [][]trial.Record, missing []string) {
	for _, l := range s.Libraries {
		if !c.plans(k, l) {
			missing = append(missing, fmt.Sprintf("%s (%s) is missing", l.Name, l.Edition))
			continue
		}
		var ofLibrary []trial.Record
		for n := 1; n <= s.Trials; n++ {
			r, lacks := c.record(trial.Cell{Tool: k.Tool, Variant: k.Variant, Library: l.Name, Edition: string(l.Edition), Trial: n}, l.Bugs)
			if missing = append(missing, lacks...); len(lacks) == 0 {
				ofLibrary = append(ofLibrary, *r)
			}
		}
		records = append(records, ofLibrary)
	}
	if len(missing) > 0 {
		return nil, missing
	}
	return records, nil
}

// conditions describes what a contender could spend on the set's cells, and the models that it asked.
func (c *Contents) conditions(k Contender, s Set, records [][]trial.Record) (budget, model string) {
	var budgets []string
	var own experiments.Cell
	for _, cell := range c.Plan.Cells {
		inSet := slices.ContainsFunc(s.Libraries, func(l experiments.LibrarySpec) bool {
			return l.Name == cell.Library && string(l.Edition) == cell.Edition
		})
		if cell.Tool != k.Tool || cell.Variant != k.Variant || !inSet || cell.Trial > s.Trials {
			continue
		}
		own = cell
		if text := cell.Budget.String(); !slices.Contains(budgets, text) {
			budgets = append(budgets, text)
		}
	}
	slices.Sort(budgets)
	budget = strings.Join(budgets, "; ")
	asked := slices.ContainsFunc(slices.Concat(records...), func(r trial.Record) bool { return r.Usage.LLMCalls > 0 })
	if c.Plan.LLM == nil || !asked {
		return budget, ""
	}
	models := []string{c.Plan.LLM.With(own.Model).Model}
	for _, stage := range c.Plan.LLM.Stages {
		models = append(models, stage.Model)
	}
	slices.Sort(models)
	models = slices.DeleteFunc(slices.Compact(models), func(m string) bool { return m == "" })
	if model = strings.Join(models, " + "); own.Obfuscate != "" {
		model += " (" + own.Obfuscate + " hidden)"
	}
	return budget, model
}

// record returns a copy of the cell's record with those bugs.
func (c *Contents) record(cell trial.Cell, bugs []string) (*trial.Record, []string) {
	where := fmt.Sprintf("%s (%s), trial %d", cell.Library, cell.Edition, cell.Trial)
	for _, d := range c.Cells {
		cell.Seed = d.Cell.Seed
		switch {
		case d.Cell != cell:
			continue
		case d.Record == nil:
			return nil, []string{fmt.Sprintf("%s is incomplete: %s: %s", where, d.Incomplete.Kind, d.Incomplete.Message)}
		}
		return withBugs(d.Record, bugs, where)
	}
	return nil, []string{where + " is missing"}
}

// plans reports whether the submission has a library for a contender in any trial.
func (c *Contents) plans(k Contender, l experiments.LibrarySpec) bool {
	return slices.ContainsFunc(c.Plan.Cells, func(o experiments.Cell) bool {
		return o.Tool == k.Tool && o.Variant == k.Variant && o.Library == l.Name && o.Edition == string(l.Edition)
	})
}

func withBugs(r *trial.Record, bugs []string, where string) (*trial.Record, []string) {
	own := *r
	own.Bugs = nil
	var missing []string
	results := byBug(r.Bugs)
	for _, id := range bugs {
		switch b := results[id]; {
		case b == nil:
			missing = append(missing, fmt.Sprintf("%s: bug %s was not looked for", where, id))
		case b.Missing != nil:
			missing = append(missing, fmt.Sprintf("%s: bug %s could not be checked: %s", where, id, b.Missing))
		default:
			own.Bugs = append(own.Bugs, *b)
		}
	}
	return &own, missing
}
