package verify

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"

	"github.com/lisa-bench/lisa-bench/experiments"
	"github.com/lisa-bench/lisa-bench/internal/llm"
	"github.com/lisa-bench/lisa-bench/internal/run/harness"
	"github.com/lisa-bench/lisa-bench/internal/run/runner"
	"github.com/lisa-bench/lisa-bench/internal/trial"
	"github.com/lisa-bench/lisa-bench/results"
	"github.com/lisa-bench/lisa-bench/results/submission"
)

// The tools whose suites follow from the transcript, and those that need only the
// seed. Nothing else is made again: what a submission's own tool would do on this machine
// is not known.
var (
	fromTranscript = []string{"citywalk", experiments.KnowledgeTool, "lisa", experiments.SeedTool, "lisa-prop", "vanilla"}
	fromSeed       = []string{"randoop"}
)

// The parameters that name directories outside of the run, of which a cell has copies, and those that
// name what would be executed here.
var (
	pathParams   = []string{"seeds", "contracts", "sequences"}
	binaryParams = []string{"daikon"}
)

// remakes says from what a cell's suite can be made again, or why it cannot.
func remakes(c *checked, hasTranscript bool) (from, whyNot string) {
	tool := c.Cell.Tool
	for _, name := range pathParams {
		if value := c.plan.Params[name]; value == nil || value == experiments.Auto {
			continue
		}
		if !slices.ContainsFunc(c.suite.Given, func(f trial.MadeFile) bool { return path.Dir(f.File) == path.Join(trial.GivenDir, name) }) {
			return "", fmt.Sprintf("its parameter %s names files that are not in the submission", name)
		}
	}
	for _, name := range binaryParams {
		if c.plan.Params[name] != nil {
			return "", fmt.Sprintf("its parameter %s names a program, and none of a submission's is executed", name)
		}
	}
	switch {
	case slices.Contains(fromTranscript, tool) && hasTranscript:
		return "its transcript", ""
	case slices.Contains(fromTranscript, tool):
		return "", "it has no transcript"
	case slices.Contains(fromSeed, tool):
		return "its seed", ""
	}
	return "", "the tool is not run again: only the suite that it left is measured"
}

// remake makes the suites again for which that needs no model, all in one run.
func (v *verifier) remake(ctx context.Context, cells []*checked) error {
	sources := map[trial.Cell]string{}
	most := int64(1)
	for _, c := range cells {
		_, err := os.Stat(filepath.Join(c.Dir, llm.TranscriptFile))
		from, whyNot := remakes(c, err == nil)
		if c.remade.Why = whyNot; from != "" {
			sources[c.Cell] = from
			most = max(most, int64(len(c.suite.Programs)))
		}
	}
	if len(sources) == 0 {
		return nil
	}
	exp := *v.exp
	fromTranscripts(&exp, filepath.Join(v.contents.Dir, "cells"))
	countPrograms(&exp, most)
	jobs, err := harness.Jobs(nil, v.Jobs)
	if err != nil {
		return err
	}
	dir := filepath.Join(v.dir, "again")
	x := &harness.Execution{Bench: v.bench, Experiment: &exp, Dir: dir, Jobs: jobs, Made: filepath.Join(v.contents.Dir, "cells"),
		Only: func(c trial.Cell) bool { return sources[c] != "" }}
	if _, err := v.Execute(ctx, x); err != nil {
		return fmt.Errorf("%w\n--no-exec checks hashes and consistency without it", err)
	}
	again, err := results.Load(dir)
	if err != nil {
		return err
	}
	for _, now := range again.Cells {
		i := slices.IndexFunc(cells, func(c *checked) bool { return c.Cell == now.Cell })
		if err := cells[i].holdAgainst(now, sources[now.Cell]); err != nil {
			return err
		}
	}
	return nil
}

// countPrograms gives the tools that need only a seed a budget of that many programs, whatever
// theirs was. They make the same ones in the same order, and a forger no endless ones.
func countPrograms(exp *experiments.Experiment, most int64) {
	lists := [][]experiments.ToolSpec{exp.Tools} // which fromTranscripts has copied
	for _, p := range exp.Parts {
		lists = append(lists, p.Tools)
	}
	for _, list := range lists {
		for i, t := range list {
			if slices.Contains(fromSeed, t.Name) {
				list[i].Budget = &trial.Budget{Programs: most}
			}
		}
	}
}

// holdAgainst compares a cell's suite with the one made again.
func (c *checked) holdAgainst(now results.CellData, from string) error {
	f := &c.remade
	f.Why = ""
	switch {
	case now.Record == nil && now.Incomplete.Kind == runner.KindTool:
		f.Verdict, f.Why = submission.Differs, fmt.Sprintf("does not follow from %s: %s", from, now.Incomplete.Message)
		return nil
	case now.Record == nil:
		f.Verdict, f.Why = submission.Undecided, fmt.Sprintf("could not be made again here: %s: %s", now.Incomplete.Kind, now.Incomplete.Message)
		return nil
	}
	suite, err := results.ReadSuite(filepath.Join(now.Dir, "suite"))
	if err != nil {
		return err
	}
	f.Found = sizeOf(c.suite) + " from " + from
	if err := sameSuite(c.suite, suite); err != nil {
		f.Verdict, f.Why = submission.Differs, err.Error()
		return nil
	}
	f.Verdict = submission.Holds
	switch {
	case c.suite.Stop == suite.Stop && len(c.suite.Programs) == len(suite.Programs) && sameCost(c.suite, suite):
		c.again = now.Record
	case !timed(c.suite.Stop) && !slices.Contains(fromSeed, c.Cell.Tool): // those may have been let make more
		f.Verdict, f.Why = submission.Differs, "the programs are the same, but not what they cost or how the tool came to them"
	}
	return nil
}

// timed reports whether a suite ended when a clock said so: how long it is depends on the machine.
func timed(stop trial.StopReason) bool {
	return stop == trial.StopTime || stop == trial.StopWall || stop == trial.StopCPU
}

// sameCost compares what models were asked for two suites, and what the tool tells of it.
func sameCost(a, b trial.Suite) bool {
	x, y := a.Usage.Untimed(), b.Usage.Untimed()
	before, err := json.Marshal(a.Generation)
	after, err2 := json.Marshal(b.Generation)
	return x == y && err == nil && err2 == nil && string(before) == string(after)
}
