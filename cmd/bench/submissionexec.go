package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"sync"

	"github.com/lisa-bench/lisa-bench/internal/harness"

	"golang.org/x/sync/errgroup"

	"github.com/lisa-bench/lisa-bench/bench/lisabench"
	"github.com/lisa-bench/lisa-bench/experiments"
	"github.com/lisa-bench/lisa-bench/internal/exttool"
	"github.com/lisa-bench/lisa-bench/internal/llm"
	"github.com/lisa-bench/lisa-bench/internal/runner"
	"github.com/lisa-bench/lisa-bench/internal/subject"
	"github.com/lisa-bench/lisa-bench/internal/trial"
	"github.com/lisa-bench/lisa-bench/results"
	"github.com/lisa-bench/lisa-bench/results/submission"
)

// A verifier is one bench submission verify, with the submission unpacked.
type verifier struct {
	*app
	flags    verifyFlags
	file     string
	bench    *lisabench.Bench
	exp      *experiments.Experiment
	contents *submission.Contents
	hashes   map[string]string // of the archive's files
	dir      string            // scratch
	result   submission.Verification
}

// A checked is a cell with a record, on its way through the verification.
type checked struct {
	results.CellData
	plan    experiments.Cell
	suite   trial.Suite
	remade  submission.Figure // whether the suite follows from transcript or seed
	again   *trial.Record     // of a suite made again that is the same
	figures []submission.Figure
}

// run fills the result.
func (v *verifier) run(ctx context.Context) error {
	if err := sameCorpus(v.contents, v.bench); err != nil {
		return harness.Usagef("%s: %w", v.file, err)
	}
	k := harness.Known(v.bench)
	k.Tools = append(k.Tools, experiments.ToolKind{Name: exttool.Directory{}.Name()})
	var err error
	if v.exp, err = experiments.Load(experiments.Source{Name: v.file + ": experiment.yaml", Data: v.contents.Experiment}, nil, k); err != nil {
		return err
	}
	if err := harness.CheckParams(v.exp); err != nil {
		return harness.Usagef("%s: experiment.yaml: %w", v.file, err)
	}
	v.exp.Sandbox = v.flags.sandbox
	cells, err := v.open()
	if err != nil {
		return err
	}
	if !v.flags.noExec {
		if err := v.execute(ctx, cells); err != nil {
			return err
		}
	}
	for _, c := range cells {
		figures := append([]submission.Figure{c.remade}, c.figures...)
		v.result.Cells = append(v.result.Cells, submission.CellCheck{Cell: c.Cell.ID(), Figures: figures})
	}
	return nil
}

// open holds every record against the suite that it is of.
func (v *verifier) open() ([]*checked, error) {
	var cells []*checked
	for _, c := range v.contents.Cells {
		if c.Record == nil {
			v.result.Incomplete = append(v.result.Incomplete, *c.Incomplete)
			continue
		}
		suite, err := results.ReadSuite(filepath.Join(c.Dir, "suite"))
		if err != nil {
			return nil, harness.Usagef("%s: cell %s: %w", v.file, c.Cell.ID(), err)
		}
		if err := submission.CheckSuite(v.hashes, path.Join("cells", c.Cell.ID(), "suite"), suite, c.Record); err != nil {
			return nil, fmt.Errorf("%s: cell %s: %w", v.file, c.Cell.ID(), err)
		}
		i := slices.IndexFunc(v.contents.Plan.Cells, func(p experiments.Cell) bool { return p.Cell == c.Cell })
		cell := &checked{CellData: c, plan: v.contents.Plan.Cells[i], suite: suite}
		cell.remade = submission.Figure{Name: "suite", Recorded: sizeOf(suite), Verdict: submission.Unchecked, Why: "nothing was executed"}
		for _, f := range submission.Compare(c.Record, c.Record, "") {
			cell.figures = append(cell.figures, submission.Figure{Name: f.Name, Recorded: f.Recorded, Verdict: submission.Unchecked, Why: "nothing was executed"})
		}
		cells = append(cells, cell)
	}
	return cells, nil
}

func sizeOf(s trial.Suite) string {
	if s.Kind == trial.KindCorpus {
		return fmt.Sprintf("%d inputs", len(s.Inputs))
	}
	return fmt.Sprintf("%d programs", len(s.Programs))
}

// execute makes suites again and measures all of them.
func (v *verifier) execute(ctx context.Context, cells []*checked) error {
	v.result.Executed = true
	if err := v.remake(ctx, cells); err != nil {
		return err
	}
	jobs, err := harness.Jobs(nil, v.flags.jobs)
	if err != nil {
		return err
	}
	scratch := filepath.Join(v.dir, "scratch")
	shop, err := v.Workshop(ctx, v.bench, harness.Workplace{
		Sandbox: v.flags.sandbox, Scratch: scratch, Cells: filepath.Join(v.contents.Dir, "cells"), Jobs: jobs,
		Limits: subject.TestLimits(v.exp.Test.Timeout),
	})
	if err != nil {
		return fmt.Errorf("%w\n--no-exec checks hashes and consistency without it", err)
	}
	here := map[string]string{}
	for _, t := range shop.Tools.Describe() {
		here[t.Name] = t.Version
	}
	unlike := otherPrograms(v.contents.Manifest.Tools, here)
	if unlike != "" {
		v.result.Notes = append(v.result.Notes, "Coverage and AUVC may be counted otherwise: "+unlike+".")
	}
	m := &measurer{shop: shop, test: v.exp.Test, app: v.app, prepared: map[string]func() (*runner.Prepared, error){}}
	var group errgroup.Group
	group.SetLimit(jobs)
	for _, c := range cells {
		group.Go(func() error {
			now := c.again
			if now == nil {
				fmt.Fprintf(v.Stderr, "measuring %s\n", c.Cell.ID())
				var err error
				if now, err = m.measure(ctx, c); ctx.Err() != nil {
					return context.Cause(ctx)
				} else if err != nil {
					c.undecided(err)
					return nil
				}
			}
			c.figures = submission.Compare(c.Record, now, unlike)
			return nil
		})
	}
	if err := errors.Join(group.Wait(), shop.Close()); err != nil {
		return err
	}
	if slices.ContainsFunc(cells, (*checked).lacksFiles) {
		v.result.Notes = append(v.result.Notes, "Programs that compiled there do not compile here: tests of a directory (bench evaluate) are packed without the files that they include, so put those into the tests before scoring them.")
	}
	return nil
}

// lacksFiles reports whether hand-written tests compile no longer, away from their directory.
func (c *checked) lacksFiles() bool {
	return c.Cell.Tool == (exttool.Directory{}).Name() &&
		slices.ContainsFunc(c.figures, func(f submission.Figure) bool { return f.Name == "CSR" && f.Verdict == submission.Differs })
}

// undecided notes why a cell could not be measured here.
func (c *checked) undecided(err error) {
	for i := range c.figures {
		c.figures[i].Verdict, c.figures[i].Why = submission.Undecided, "could not be measured here: "+err.Error()
	}
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
	jobs, err := harness.Jobs(nil, v.flags.jobs)
	if err != nil {
		return err
	}
	dir := filepath.Join(v.dir, "again")
	x := &harness.Execution{Bench: v.bench, Experiment: &exp, Dir: dir, Jobs: jobs,
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
// theirs was: they make the same ones in the same order, and a forger no endless ones.
func countPrograms(exp *experiments.Experiment, most int64) {
	lists := [][]experiments.Tool{exp.Tools} // which fromTranscripts has copied
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
func timed(stop trial.StopReason) bool { return stop == trial.StopWall || stop == trial.StopCPU }

// sameCost compares what models were asked for two suites, and what the tool tells of it.
func sameCost(a, b trial.Suite) bool {
	x, y := a.Usage, b.Usage
	x.Wall, x.CPU, y.Wall, y.CPU = 0, 0, 0, 0
	before, err := json.Marshal(a.Generation)
	after, err2 := json.Marshal(b.Generation)
	return x == y && err == nil && err2 == nil && string(before) == string(after)
}

// A measurer evaluates suites on this machine's builds.
type measurer struct {
	app  *app
	shop *subject.Workshop
	test experiments.Test

	mu       sync.Mutex
	prepared map[string]func() (*runner.Prepared, error) // by library and edition
}

func (m *measurer) measure(ctx context.Context, c *checked) (*trial.Record, error) {
	s := runner.Subject{Library: c.Cell.Library, Edition: c.Cell.Edition, Bugs: c.plan.Bugs}
	p, err := m.prepare(ctx, s)
	if err != nil {
		return nil, err
	}
	rec, err := subject.Evaluator{Shop: m.shop}.Evaluate(ctx, runner.Evaluation{
		Cell: c.Cell, Subject: s, Budget: c.plan.Budget, Prepared: p, Suite: c.suite,
		SuiteDir: filepath.Join(c.Dir, "suite"), CellDir: c.Dir, Test: m.test, Memo: memory{}, Log: m.app.logger(),
	})
	if err != nil {
		return nil, err
	}
	rec.Kind = c.suite.Kind
	return rec, nil
}

// prepare opens a library once, for whichever cell comes first.
func (m *measurer) prepare(ctx context.Context, s runner.Subject) (*runner.Prepared, error) {
	name := s.Library + " " + s.Edition
	m.mu.Lock()
	if m.prepared[name] == nil {
		m.prepared[name] = sync.OnceValues(func() (*runner.Prepared, error) { return m.shop.Prepare(ctx, s) })
	}
	prepare := m.prepared[name]
	m.mu.Unlock()
	return prepare()
}

// memory keeps the steps of one evaluation that is not to be resumed: a runner.Memo.
type memory map[string]json.RawMessage

func (m memory) Get(key string, v any) (bool, error) {
	text, ok := m[key]
	if !ok {
		return false, nil
	}
	return true, json.Unmarshal(text, v)
}

func (m memory) Put(key string, v any) (err error) {
	m[key], err = json.Marshal(v)
	return err
}
