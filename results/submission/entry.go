package submission

import (
	"fmt"
	"maps"
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

// Enter reads run directories, and tells what can be ranked on a set from what cannot.
func Enter(paths []string, set Set, bench *lisabench.Bench) (entries []Entry, refused []Refusal) {
	fileOf := map[string]string{}
	for _, path := range paths {
		refuse := func(name, tool string, reasons ...string) {
			refused = append(refused, Refusal{File: path, Submission: name, Tool: tool, Reasons: reasons})
		}
		run, err := Open(path, bench)
		if err == nil {
			err = run.checkEdition(set)
		}
		switch {
		case err != nil:
			refuse("", "", err.Error())
			continue
		case fileOf[run.Name] != "":
			refuse(run.Name, "", "its name is that of "+fileOf[run.Name]+": rename one")
			continue
		}
		fileOf[run.Name] = path
		ofTool := func(c experiments.Cell) [2]string { return [2]string{c.Tool, c.Variant} }
		for _, cells := range lists.Group(run.Plan.Cells, ofTool) {
			e := Entry{Submission: run.Name, Tool: cells[0].Tool, Variant: cells[0].Variant}
			if missing := run.fill(&e, set); len(missing) > 0 {
				refuse(run.Name, strings.TrimSuffix(e.Tool+"/"+e.Variant, "/"+trial.DefaultVariant), missing...)
			} else {
				entries = append(entries, e)
			}
		}
	}
	return entries, refused
}

// checkEdition refuses a run on another edition than the set's.
func (r *Run) checkEdition(set Set) error {
	editions := map[string]bool{}
	for _, c := range r.Plan.Cells {
		editions[c.Edition] = true
	}
	if want := string(set.Libraries[0].Edition); !editions[want] {
		return fmt.Errorf("made on the edition %s, and the set %s is of %s: editions are not compared",
			strings.Join(slices.Sorted(maps.Keys(editions)), ", "), set.Name, want)
	}
	return nil
}

// fill finds what an entry asks for on the set: its records, each with the set's bugs only, its budgets and models.
// What is missing is returned as one sentence each.
func (r *Run) fill(e *Entry, s Set) (missing []string) {
	var budgets, models []string
	for _, l := range s.Libraries {
		cells := map[int]results.CellData{} // by trial
		for _, d := range r.Cells {
			c := d.Cell
			if c.Tool == e.Tool && c.Variant == e.Variant && c.Library == l.Name && c.Edition == string(l.Edition) {
				cells[c.Trial] = d
			}
		}
		if len(cells) == 0 {
			missing = append(missing, fmt.Sprintf("%s (%s) is missing", l.Name, l.Edition))
			continue
		}
		var ofLibrary []trial.Record
		for n := 1; n <= s.Trials; n++ {
			where := fmt.Sprintf("%s (%s), trial %d", l.Name, l.Edition, n)
			switch d, ok := cells[n]; {
			case !ok:
				missing = append(missing, where+" is missing")
			case d.Record == nil:
				missing = append(missing, fmt.Sprintf("%s is incomplete: %s: %s", where, d.Incomplete.Kind, d.Incomplete.Message))
			default:
				record, lacks := withBugs(*d.Record, l.Bugs, where)
				ofLibrary, missing = append(ofLibrary, record), append(missing, lacks...)
			}
		}
		e.Records = append(e.Records, ofLibrary)
	}
	asked := slices.ContainsFunc(slices.Concat(e.Records...), func(r trial.Record) bool { return r.Usage.LLMCalls > 0 })
	for _, c := range r.Plan.Cells {
		if c.Tool != e.Tool || c.Variant != e.Variant || !s.has(c) {
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
