package submission

import (
	"fmt"
	"slices"
	"strings"

	"github.com/lisa-bench/lisa-bench/bench/lisabench"
	"github.com/lisa-bench/lisa-bench/experiments"
	"github.com/lisa-bench/lisa-bench/internal/lists"
	"github.com/lisa-bench/lisa-bench/internal/trial"
	"github.com/lisa-bench/lisa-bench/results"
)

// An Entry is a tool in one variant, of a run that is handed in, with everything that a ranking asks for.
type Entry struct {
	Submission    string // name of the run
	Tool, Variant string
	Records       [][]trial.Record // by library of the set, then trial; each with the set's bugs only
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

// Enter reads run directories, and tells what can be ranked on a set from what cannot.
func Enter(paths []string, set Set, bench *lisabench.Bench) (entries []Entry, refused []Refusal) {
	fileOf := map[string]string{}
	for _, path := range paths {
		run, err := Open(path, bench)
		if err == nil {
			err = run.checkEdition(set)
		}
		switch {
		case err != nil:
			refused = append(refused, Refusal{File: path, Reasons: []string{err.Error()}})
			continue
		case fileOf[run.Name] != "":
			why := "its name is that of " + fileOf[run.Name] + ": rename one"
			refused = append(refused, Refusal{File: path, Submission: run.Name, Reasons: []string{why}})
			continue
		}
		fileOf[run.Name] = path
		ofTool := func(c experiments.Cell) [2]string { return [2]string{c.Tool, c.Variant} }
		for _, cells := range lists.Group(run.Plan.Cells, ofTool) {
			e := Entry{Submission: run.Name, Tool: cells[0].Tool, Variant: cells[0].Variant}
			if missing := run.fill(&e, set, cells); len(missing) > 0 {
				tool := strings.TrimSuffix(e.Tool+"/"+e.Variant, "/"+trial.DefaultVariant)
				refused = append(refused, Refusal{path, run.Name, tool, missing})
			} else {
				entries = append(entries, e)
			}
		}
	}
	return entries, refused
}

// checkEdition refuses a run on another edition than the set's.
func (r *Run) checkEdition(set Set) error {
	want := string(set.Libraries[0].Edition)
	var editions []string
	for _, c := range r.Plan.Cells {
		editions = append(editions, c.Edition)
	}
	if slices.Contains(editions, want) {
		return nil
	}
	return fmt.Errorf("made on the edition %s, and the set %s is of %s: editions are not compared", distinct(editions, ", "), set.Name, want)
}

// fill finds what an entry asks for on the set. What is missing is returned as one sentence each.
func (r *Run) fill(e *Entry, s Set, planned []experiments.Cell) (missing []string) {
	var budgets, models []string
	asked := false
	for _, l := range s.Libraries {
		trials := map[int]results.CellData{}
		for _, d := range r.Cells {
			if c := d.Cell; c.Tool == e.Tool && c.Variant == e.Variant && c.Library == l.Name && c.Edition == string(l.Edition) {
				trials[c.Trial] = d
			}
		}
		if len(trials) == 0 {
			missing = append(missing, fmt.Sprintf("%s (%s) is missing", l.Name, l.Edition))
			continue
		}
		var ofLibrary []trial.Record
		for n := 1; n <= s.Trials; n++ {
			where := fmt.Sprintf("%s (%s), trial %d", l.Name, l.Edition, n)
			switch d, ok := trials[n]; {
			case !ok:
				missing = append(missing, where+" is missing")
			case d.Record == nil:
				missing = append(missing, fmt.Sprintf("%s is incomplete: %s: %s", where, d.Incomplete.Kind, d.Incomplete.Message))
			default:
				record, lacks := withBugs(*d.Record, l.Bugs, where)
				ofLibrary, missing = append(ofLibrary, record), append(missing, lacks...)
				asked = asked || record.Usage.LLMCalls > 0
			}
		}
		e.Records = append(e.Records, ofLibrary)
	}
	for _, c := range planned {
		if !s.has(c) {
			continue
		}
		budgets = append(budgets, c.Budget.String())
		if r.Plan.LLM != nil && asked {
			models = append(models, r.Plan.LLM.With(c.Model).Model)
			for _, stage := range r.Plan.LLM.Stages {
				models = append(models, stage.Model)
			}
		}
	}
	e.Budget, e.Model = distinct(budgets, "; "), distinct(models, " + ")
	return missing
}

// withBugs returns a record with those bugs only.
func withBugs(record trial.Record, bugs []string, where string) (_ trial.Record, missing []string) {
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

// distinct joins what a list has, but for "".
func distinct(list []string, separator string) string {
	slices.Sort(list)
	return strings.Join(slices.DeleteFunc(slices.Compact(list), func(s string) bool { return s == "" }), separator)
}
