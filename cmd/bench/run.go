package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/lisa-bench/lisa-bench/experiments"
	"github.com/lisa-bench/lisa-bench/internal/trial"
	"github.com/lisa-bench/lisa-bench/report"
	"github.com/lisa-bench/lisa-bench/report/measured"
	"github.com/lisa-bench/lisa-bench/report/render"
	"github.com/lisa-bench/lisa-bench/results"
	"github.com/lisa-bench/lisa-bench/run/harness"
	"github.com/lisa-bench/lisa-bench/run/runner"
)

func (a *app) run(c *cobra.Command) action {
	var f experimentFlags
	a.evaluationFlags(c)
	f.add(c)
	var sandbox string
	sandboxFlag(c, &sandbox, "", "sandbox for test programs, instead of the experiment's")
	flags := c.Flags()
	dir := flags.String("dir", "", "write the run to `DIR` (default results/runs/NAME)")
	jobs := flags.Int("jobs", 0, "cells to run at once (default: the experiment's, else one per CPU)")
	asJSON := flags.Bool("json", false, "print the result and all records as JSON (docs/reference/json.md)")
	full := fullFlag(c)
	cells := flags.StringArray("cell", nil, "run only this `CELL`, named as in bench plan (repeatable)")
	prepare := flags.Bool("prepare", false, "only write the manifest, and fetch and build the libraries")
	scratch := flags.String("scratch", "", "`DIR` for compiled tests, best on a local disk (default: in the run directory)")
	c.MarkFlagsMutuallyExclusive("prepare", "cell")
	return func(c *cobra.Command, args []string) error {
		if sandbox != "" {
			f.set = append(f.set, "sandbox="+sandbox)
		}
		bench, exp, err := f.load(a, args[0])
		if err != nil {
			return err
		}
		x := &harness.Execution{Bench: bench, Experiment: exp, Dir: cmp.Or(*dir, defaultDir(exp)), Scratch: *scratch, Reuse: a.Remember}
		if x.Jobs, err = harness.Jobs(exp, *jobs); err != nil {
			return err
		}
		if *prepare {
			return a.prepare(c.Context(), x)
		}
		if len(*cells) > 0 {
			if x.Choice, err = exp.Plan().Choose(*cells); err != nil {
				return err
			}
		}
		summary, err := a.Execute(c.Context(), x)
		switch {
		case err != nil:
			return err
		case len(*cells) > 0:
			return a.finishChoice(summary, *asJSON)
		}
		return a.finish(x, summary, *asJSON, *full, true)
	}
}

// defaultDir is the run directory of who names none.
func defaultDir(exp *experiments.Experiment) string {
	return filepath.Join("results", "runs", exp.Name)
}

// prepare builds what cells share, and tells of the libraries for which that failed.
func (a *app) prepare(ctx context.Context, x *harness.Execution) error {
	failed, err := a.Prepare(ctx, x)
	if err != nil {
		return err
	}
	for _, f := range failed {
		fmt.Fprintf(a.Stderr, "bench: %v\n", f)
	}
	if len(failed) == 0 {
		return nil
	}
	return unfinishedf("%s could not be prepared; the cells will try again", trial.Count(len(failed), "library tree"))
}

// finish writes the report, and prints its answer and the next commands.
func (a *app) finish(x *harness.Execution, summary runner.Summary, jsonOut, full, kept bool) error {
	run, err := measured.Read(x.Dir, x.Bench, harness.Stages)
	if err != nil {
		return err
	}
	doc := report.Build(run)
	if err := render.Write(doc, filepath.Join(x.Dir, "report"), a.warn); err != nil {
		return err
	}
	next := []string{"open " + filepath.Join(x.Dir, "report", "index.html")}
	switch {
	case !kept:
		next = afterEvaluate
	case summary.Complete > 0:
		next = append(next, fmt.Sprintf("bench report %s --format text", x.Dir))
		if x.Experiment.Name != recordedName {
			next = append(next, fmt.Sprintf("bench compare %s recorded", x.Dir))
		}
	}
	if jsonOut {
		err = a.printOutcome(x.Dir, summary, kept)
	} else {
		err = a.show(doc, full, next...)
	}
	if err != nil {
		return err
	}
	return a.complete(x.Dir, summary)
}

// complete is the error of a run in dir that ended with something missing. It tells of suites that cannot detect a bug:
// they are empty, which is an error, or none of their programs compiles or passes. With -v it lists the tests that fail.
func (a *app) complete(dir string, summary runner.Summary) error {
	if err := unfinished(summary); err != nil {
		return err
	}
	data, err := results.Load(dir)
	if err != nil {
		return err
	}
	empty := 0
	for _, r := range data.Records() {
		if r.Programs == nil {
			continue
		}
		if a.verbose {
			for _, t := range slices.Concat(r.Alarms, r.Failures) {
				fmt.Fprintf(a.Stderr, "%s %s: %s: %s\n", t.ID, t.Origin, t.Outcome, strings.TrimSpace(t.Detail))
			}
		}
		made := trial.Count(r.Programs.Generated, "program")
		switch {
		case r.Programs.Generated == 0:
			fmt.Fprintf(a.Stderr, "%s: the suite is empty: the tool left no program (%s)\n", r.Cell.ID(), r.Stop)
			empty++
		case r.Programs.Compiled == 0:
			fmt.Fprintf(a.Stderr, "%s: none of %s compiles\n", r.Cell.ID(), made)
		case r.Programs.Executed == 0:
			fmt.Fprintf(a.Stderr, "%s: none of %s passes on the reference build, so none can detect a bug\n",
				r.Cell.ID(), made)
		}
	}
	if empty > 0 {
		return unfinishedf("empty suites: %d of %d; nothing was tested there", empty, len(data.Cells))
	}
	return nil
}

// unfinished is the error of a run that ended with incomplete cells, or with records that lack a part.
func unfinished(s runner.Summary) error {
	if lacks := s.Lacks(); lacks != "" {
		return unfinishedf("%s", lacks)
	}
	return nil
}

// An outcome is what run and evaluate print as JSON; docs/reference/json.md describes it.
type outcome struct {
	Schema int    `json:"schema"`
	Dir    string `json:"dir,omitempty"`
	runner.Summary
	Records []trial.Record `json:"records"` // of the complete cells, in the order of the plan
}

// printOutcome prints a summary with the records of the run in dir, which a run of single cells leaves out. A
// directory that is not kept is not named.
func (a *app) printOutcome(dir string, summary runner.Summary, kept bool) error {
	out := outcome{Schema: 1, Summary: summary, Records: []trial.Record{}}
	if kept {
		out.Dir = dir
	}
	if out.Incomplete == nil {
		out.Incomplete = []trial.Incomplete{} // a script may count them
	}
	if dir != "" {
		data, err := results.Load(dir)
		if err != nil {
			return err
		}
		out.Records = append(out.Records, data.Records()...)
	}
	return a.printJSON(out)
}

// finishChoice tells how the chosen cells ended. The process with the run's last cell, or the scheduler's last
// job, makes the report.
func (a *app) finishChoice(summary runner.Summary, jsonOut bool) error {
	if jsonOut {
		if err := a.printOutcome("", summary, false); err != nil {
			return err
		}
	}
	claimed := slices.IndexFunc(summary.Incomplete, func(i trial.Incomplete) bool { return i.Kind == runner.KindClaimed })
	if claimed >= 0 { // worth another try, unlike a cell with a reason of its own
		return errors.New(summary.Incomplete[claimed].Message)
	}
	return unfinished(summary)
}
