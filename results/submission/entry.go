package submission

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/lisa-bench/lisa-bench/bench/lisabench"
	"github.com/lisa-bench/lisa-bench/experiments"
	"github.com/lisa-bench/lisa-bench/internal/trial"
	"github.com/lisa-bench/lisa-bench/results"
)

// An Entry is a tool in one variant, of a run that is handed in, with everything that a ranking asks for.
type Entry struct {
	Submission    string // name of the run
	Tool, Variant string
	Records       [][]trial.Record // by library of the set, then trial
	// What the tool could spend on a library of the set in a trial, and the models that it asked ("" if
	// none). Only entries with equal values are compared.
	Budget, Model string
}

// Conditions describes what entries must have alike to be compared.
func (e Entry) Conditions() string {
	if e.Model == "" {
		return e.Budget + ", no model"
	}
	return e.Budget + ", " + e.Model
}

// A Refusal is a run, or a tool of one, that is not ranked.
type Refusal struct {
	File, Submission, Tool string // the last two "" where they are not known
	Reasons                []string
}

// Enter reads run directories and packed runs, and tells what can be ranked on a set from what cannot. What is wrong
// with a run is its refusal. The error is this machine's.
func Enter(paths []string, set Set, bench *lisabench.Bench) (entries []Entry, refused []Refusal, err error) {
	fileOf := map[string]string{}
	for _, path := range paths {
		refuse := func(name, tool string, reasons ...string) {
			refused = append(refused, Refusal{File: path, Submission: name, Tool: tool, Reasons: reasons})
		}
		run, err := enter(path, set, bench)
		var invalid *invalidError
		switch {
		case errors.As(err, &invalid):
			refuse("", "", err.Error())
			continue
		case err != nil:
			return nil, nil, err
		case fileOf[run.Name] != "":
			refuse(run.Name, "", "its name is that of "+fileOf[run.Name]+": rename one")
			continue
		}
		fileOf[run.Name] = path
		for _, e := range run.entries() {
			records, missing := run.records(e, set)
			if len(missing) > 0 {
				refuse(run.Name, strings.TrimSuffix(e.Tool+"/"+e.Variant, "/"+trial.DefaultVariant), missing...)
				continue
			}
			e.Records = records
			e.Budget, e.Model = run.conditions(e, set)
			entries = append(entries, e)
		}
	}
	return entries, refused, nil
}

// enter opens a run and checks that it is of the set's edition and of this benchmark.
func enter(path string, set Set, bench *lisabench.Bench) (*Run, error) {
	scratch, err := os.MkdirTemp("", "bench-leaderboard-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(scratch)
	run, err := Open(path, scratch)
	if err != nil {
		return nil, err
	}
	if err := run.CheckCorpus(bench); err != nil {
		return nil, invalid("%v", err)
	}
	editions := map[string]bool{}
	for _, c := range run.Plan.Cells {
		editions[c.Edition] = true
	}
	if want := string(set.Libraries[0].Edition); !editions[want] {
		return nil, invalid("made on the edition %s, and the set %s is of %s: editions are not compared",
			strings.Join(slices.Sorted(maps.Keys(editions)), ", "), set.Name, want)
	}
	return run, nil
}

// entries returns the tools and variants of a run, in the order of its plan.
func (r *Run) entries() []Entry {
	var list []Entry
	for _, c := range r.Plan.Cells {
		if !slices.ContainsFunc(list, func(e Entry) bool { return e.Tool == c.Tool && e.Variant == c.Variant }) {
			list = append(list, Entry{Submission: r.Name, Tool: c.Tool, Variant: c.Variant})
		}
	}
	return list
}

// records returns the records of an entry for the set, by library of the set and then trial, each with the
// set's bugs only. What is missing is returned as one sentence each.
func (r *Run) records(e Entry, s Set) (records [][]trial.Record, missing []string) {
	for _, l := range s.Libraries {
		if !slices.ContainsFunc(r.Cells, func(d results.CellData) bool {
			c := d.Cell
			return c.Tool == e.Tool && c.Variant == e.Variant && c.Library == l.Name && c.Edition == string(l.Edition)
		}) {
			missing = append(missing, fmt.Sprintf("%s (%s) is missing", l.Name, l.Edition))
			continue
		}
		var ofLibrary []trial.Record
		for n := 1; n <= s.Trials; n++ {
			cell := trial.Cell{Tool: e.Tool, Variant: e.Variant, Library: l.Name, Edition: string(l.Edition), Trial: n}
			record, lacks := r.record(cell, l.Bugs)
			ofLibrary, missing = append(ofLibrary, record), append(missing, lacks...)
		}
		records = append(records, ofLibrary)
	}
	return records, missing
}

// record returns the record of a cell, whatever its seed, with those bugs only.
func (r *Run) record(cell trial.Cell, bugs []string) (record trial.Record, missing []string) {
	where := fmt.Sprintf("%s (%s), trial %d", cell.Library, cell.Edition, cell.Trial)
	i := slices.IndexFunc(r.Cells, func(d results.CellData) bool { cell.Seed = d.Cell.Seed; return d.Cell == cell })
	switch {
	case i < 0:
		return record, []string{where + " is missing"}
	case r.Cells[i].Record == nil:
		why := r.Cells[i].Incomplete
		return record, []string{fmt.Sprintf("%s is incomplete: %s: %s", where, why.Kind, why.Message)}
	}
	record = *r.Cells[i].Record
	all := record.Bugs
	record.Bugs = nil
	for _, id := range bugs {
		switch i := slices.IndexFunc(all, func(b trial.BugResult) bool { return b.Bug == id }); {
		case i < 0:
			missing = append(missing, fmt.Sprintf("%s: bug %s was not looked for", where, id))
		case all[i].Missing != nil:
			missing = append(missing, fmt.Sprintf("%s: bug %s could not be checked: %s", where, id, all[i].Missing))
		default:
			record.Bugs = append(record.Bugs, all[i])
		}
	}
	return record, missing
}

// conditions describes what an entry could spend on the set's cells, and the models that it asked.
func (r *Run) conditions(e Entry, s Set) (budget, model string) {
	var budgets []string
	var own experiments.Cell
	for _, c := range r.Plan.Cells {
		if c.Tool == e.Tool && c.Variant == e.Variant && s.has(c) {
			own = c
			budgets = append(budgets, c.Budget.String())
		}
	}
	slices.Sort(budgets)
	budget = strings.Join(slices.Compact(budgets), "; ")
	asked := slices.ContainsFunc(slices.Concat(e.Records...), func(r trial.Record) bool { return r.Usage.LLMCalls > 0 })
	if r.Plan.LLM == nil || !asked {
		return budget, ""
	}
	models := []string{r.Plan.LLM.With(own.Model).Model}
	for _, stage := range r.Plan.LLM.Stages {
		models = append(models, stage.Model)
	}
	slices.Sort(models)
	models = slices.DeleteFunc(slices.Compact(models), func(m string) bool { return m == "" })
	return budget, strings.Join(models, " + ")
}
