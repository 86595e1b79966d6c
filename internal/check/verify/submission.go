package verify

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"

	"golang.org/x/sync/errgroup"

	"github.com/lisa-bench/lisa-bench/bench/lisabench"
	"github.com/lisa-bench/lisa-bench/experiments"
	"github.com/lisa-bench/lisa-bench/internal/files/durable"
	"github.com/lisa-bench/lisa-bench/internal/run/harness"
	"github.com/lisa-bench/lisa-bench/internal/run/subject"
	"github.com/lisa-bench/lisa-bench/internal/tools/exttool"
	"github.com/lisa-bench/lisa-bench/internal/trial"
	"github.com/lisa-bench/lisa-bench/results"
	"github.com/lisa-bench/lisa-bench/results/submission"
)

// Options say how a submission is verified.
type Options struct {
	NoExec  bool   // check hashes and consistency only; run nothing
	Sandbox string // where programs run, whatever the submission says: one of experiments.Sandboxes
	Jobs    int    // cells worked on at once; 0 for one on each CPU
}

// Submission checks the hashes of a file, makes suites again where that needs no model, and
// measures every suite anew with this machine's builds. A file that was changed after packing is
// a *submission.ChangedError, one that is no submission of this benchmark a *harness.UsageError.
func Submission(ctx context.Context, e *harness.Env, file string, o Options) (found *submission.Verification, err error) {
	dir, err := os.MkdirTemp("", "bench-verify-")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	if err := os.Chmod(dir, 0o755); err != nil { // test programs may run as another user
		return nil, err
	}
	unpacked := filepath.Join(dir, "submission")
	if err := os.Mkdir(unpacked, 0o755); err != nil {
		return nil, err
	}
	sum, err := durable.FileSum(file)
	if err != nil {
		return nil, &harness.UsageError{Err: err}
	}
	h, err := submission.UnpackFile(file, submission.DefaultLimits, unpacked, nil)
	if err != nil {
		return nil, unreadable(err)
	}
	contents, err := submission.Open(unpacked)
	if err != nil {
		return nil, unreadable(fmt.Errorf("%s: %w", file, err))
	}
	bench, err := e.LoadBench()
	if err != nil {
		return nil, err
	}
	v := &verifier{
		Env: e, Options: o, file: file, bench: bench, contents: contents, hashes: h.Hashes(), dir: dir,
		result: submission.Verification{Name: h.Name, SHA256: sum, Bench: harness.Version(), Corpus: contents.Manifest.Corpus, Files: len(h.Files)},
	}
	return &v.result, v.run(ctx)
}

// unreadable sorts an error of reading a submission: one that was changed is refuted, one that
// is none was named by mistake.
func unreadable(err error) error {
	var invalid *submission.InvalidError
	var missing *os.PathError
	if errors.As(err, &invalid) || errors.As(err, &missing) {
		return &harness.UsageError{Err: err}
	}
	return err
}

// A verifier is one verification, with the submission unpacked.
type verifier struct {
	*harness.Env
	Options
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
	if err := v.contents.CheckCorpus(v.bench); err != nil {
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
	v.exp.Sandbox = v.Sandbox
	cells, err := v.open()
	if err != nil {
		return err
	}
	if !v.NoExec {
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
	switch s.Kind {
	case trial.KindCorpus:
		return fmt.Sprintf("%d inputs", len(s.Inputs))
	case trial.KindKnowledge:
		return "a knowledge base"
	}
	return fmt.Sprintf("%d programs", len(s.Programs))
}

// execute makes suites again and measures all of them.
func (v *verifier) execute(ctx context.Context, cells []*checked) error {
	v.result.Executed = true
	if err := v.remake(ctx, cells); err != nil {
		return err
	}
	jobs, err := harness.Jobs(nil, v.Jobs)
	if err != nil {
		return err
	}
	scratch := filepath.Join(v.dir, "scratch")
	shop, err := v.Workshop(ctx, v.bench, harness.Workplace{
		Sandbox: v.Sandbox, Scratch: scratch, Cells: filepath.Join(v.contents.Dir, "cells"), Jobs: jobs,
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
	m := &measurer{shop: shop, test: v.exp.Test, log: v.Log}
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
