// Package runner carries out an experiment's plan: it runs tools on libraries, has their suites measured, and stores
// the results. It consumes a plan, an open run directory, tools and a Workshop. It produces one record or one typed
// reason for each cell, and a Summary. Whatever goes wrong in one cell leaves the others alone; only a disk that takes
// no more, or an interrupt, ends a run early.
//
// A killed run resumes where it was. Generation is replayed: the tool starts again from its seed, and the journal
// answers for every program that was executed before. So it reaches the point of the kill in the same state without
// executing anything twice, and the ledger's clock stands still until then. A cell whose record lacks a part is
// evaluated again by the next session; the store has what was measured.
package runner

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/lisa-bench/lisa-bench/experiments"
	"github.com/lisa-bench/lisa-bench/internal/trial"
	"github.com/lisa-bench/lisa-bench/results"
)

// A Tool turns a library into a test suite. The same job must lead to the same programs in
// the same order, whenever its budget is not in seconds.
type Tool interface {
	Name() string
	// Version changes whenever the tool's results may.
	Version() string
	// Generate fills the job's suite until the ledger says stop, or there is nothing more to
	// try. An error leaves the cell incomplete; *trial.IncompleteError says with which reason.
	Generate(ctx context.Context, job trial.Job) (trial.StopReason, error)
}

// A ModelUser is a tool that asks models.
type ModelUser interface {
	// Stages are the names of its parts that ask, as experiments configure them.
	Stages() []string
}

// An InputReader is a tool that reads files which its parameters name, such as programs to start from.
type InputReader interface {
	// Inputs are the files that it reads for a cell of a library; one need not be there. A cell keeps copies,
	// and the tool gets directories with these in the place of its parameters.
	Inputs(library string, params map[string]any) []trial.Input
}

// A Needer is a tool that uses more than the plain reference build.
type Needer interface {
	Needs(params map[string]any) trial.Needs
}

// A Maker is a tool whose cells make no tests but a file for other cells to use.
type Maker interface {
	// Product is the name of the file that it leaves in its job's directory.
	Product(library string) string
}

// needsOf are the builds that a tool uses with these parameters.
func needsOf(t Tool, params map[string]any) trial.Needs {
	if n, ok := t.(Needer); ok {
		return n.Needs(params)
	}
	return trial.Needs{}
}

// A Library is a library in one edition.
type Library struct {
	Name, Edition string
	Bugs          []string // those the experiment asks for
}

func (l Library) String() string { return l.Name + " (" + l.Edition + ")" }

// Keys are hashes of all that can change the results on a library, apart from tool and settings.
type Keys struct {
	Generate string // what tools see: the reference tree, its recipe, the toolchain, the sandbox
	Evaluate string // what is measured and with what: the buggy trees, the coverage build, the metrics
}

// A Workshop fetches and builds libraries, and measures suites.
type Workshop interface {
	// Keys is quick and builds nothing, so that a finished run is recognised without a build.
	Keys(ctx context.Context, l Library) (Keys, error)
	// Prepare makes the reference build, and what a tool needs beside it. Every cell calls it; what is there, or could
	// not be had, is not tried again. The job has what is the library's: Target, Exec, Mutants and Coverage, which are
	// safe for concurrent use.
	Prepare(ctx context.Context, l Library, n trial.Needs) (trial.Job, error)
	// Evaluate returns a record with the measurements; the runner adds what it knows of the cell. A part that could not
	// be measured has its reason in the record: the next session evaluates again, and need not do what is done. An error
	// is for what keeps all from being measured.
	Evaluate(ctx context.Context, e Evaluation) (*trial.Record, error)
}

// An Evaluation is one suite to measure.
type Evaluation struct {
	Cell    experiments.Cell // with the bugs to look for
	Suite   trial.Suite
	Dir     string // of the cell, whose suite is below it; absolute if the run directory is
	Test    experiments.Test
	Interim string                      // directory for results to go on with after a kill; "" for none
	Looking func(bug string, done bool) // is told when a bug is looked for and when that is done; may be nil
	Log     *slog.Logger
}

// Options is all that a run needs.
type Options struct {
	Plan     experiments.Plan
	Store    *results.Run
	Manifest results.Manifest // its cells are filled in here
	Tools    []Tool
	Workshop Workshop
	Only     func(trial.Cell) bool // the cells of the plan to work on; nil for all
	Made     string                // directory of another run's cells, in which is what this plan's cells use; "" for this run's
	Jobs     int                   // cells worked on at once; at least 1
	Reuse    bool                  // cells that runs in the same directory as this one have completed
	Now      func() time.Time
	Log      *slog.Logger
	Progress *Progress // nil shows nothing
}

// ErrInterrupted says that the run's context ended before the run did.
var ErrInterrupted = errors.New("interrupted: run the same command again to resume")

// The kinds of trial.Incomplete that the runner gives by itself.
const (
	KindBuild       = "build"
	KindTool        = "tool"
	KindMissingTool = "missing_tool"
	KindEvaluate    = "evaluate"
	KindJournal     = "journal" // the cell's journal is damaged
	KindDisk        = "disk"
	KindInterrupted = "interrupted"
	KindNotRun      = "not_run"
	KindClaimed     = "claimed" // another process works on the cell
	KindUses        = "uses"    // a cell that it uses is incomplete
)

// A Summary says how a run ended. With Options.Only, the other cells of the plan are left out.
type Summary struct {
	Planned    int                `json:"planned"`
	Complete   int                `json:"complete"`   // with a record, those of earlier sessions included
	Incomplete []trial.Incomplete `json:"incomplete"` // in the order of the plan
	Gaps       []CellGaps         `json:"gaps,omitempty"`
	Reused     int                `json:"reused,omitempty"` // cells of other runs that were taken over in this session
}

// Lacks says which cells are incomplete, and which records lack a part; "" if there are none.
func (s Summary) Lacks() string {
	var parts []string
	if n := len(s.Incomplete); n > 0 {
		parts = append(parts, fmt.Sprintf("%d of %d cells %s incomplete: the report says why; "+
			"run the same command to try again", n, s.Planned, trial.Form(n, "is", "are")))
	}
	if n := len(s.Gaps); n > 0 {
		var gaps []trial.Gap
		for _, c := range s.Gaps {
			gaps = append(gaps, c.Gaps...)
		}
		const most = 3 // reasons
		groups := trial.GroupGaps(gaps)
		more := ""
		if n := len(groups) - most; n > 0 {
			groups, more = groups[:most], fmt.Sprintf(", and for %d more reasons", n)
		}
		parts = append(parts, fmt.Sprintf("%d of %d cells %s complete except for %s%s; run the same command to measure these again, "+
			"without generating new tests", n, s.Planned, trial.Form(n, "is", "are"), trial.DescribeGaps(slices.Concat(groups...)), more))
	}
	return strings.Join(parts, "\n")
}

// CellGaps are the parts that a complete cell's record lacks.
type CellGaps struct {
	Cell trial.Cell  `json:"cell"`
	Gaps []trial.Gap `json:"gaps"`
}

// A run is the state that the workers share.
type run struct {
	Options
	libraries map[string]*library // by name and edition
	cells     []*cell             // of the plan, in its order
	stop      context.CancelCauseFunc
}

// A library with what is found out about it once.
type library struct {
	Library
	keys      Keys
	keysErr   error
	preparing sync.Once
}

// Run does the plan and returns how it ended. The error is ErrInterrupted, or what kept the
// run from going on at all; incomplete cells are none.
func Run(ctx context.Context, o Options) (Summary, error) {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	r, err := begin(ctx, o, stop)
	if err != nil {
		return Summary{Planned: len(r.cells)}, err
	}
	var pending []*cell
	var chosen int
	var spent trial.Usage // by cells that are complete already
	for _, c := range r.cells {
		if !c.chosen {
			continue
		}
		chosen++
		rec := c.recorded()
		if rec != nil {
			c.incomplete, c.gaps = nil, rec.Gaps()
		}
		if rec == nil || len(c.gaps) > 0 {
			pending = append(pending, c)
			continue
		}
		close(c.done)
		spent = spent.Plus(rec.Usage)
	}
	// What is used is made first, so that no worker waits for what no worker makes.
	slices.SortStableFunc(pending, func(a, b *cell) int { return cmp.Compare(a.depth(), b.depth()) })
	var todo []*work
	for _, c := range pending {
		todo = append(todo, &c.work)
	}
	r.Progress.begin(o, chosen-len(pending), spent, todo)
	defer r.Progress.end()
	var workers errgroup.Group
	workers.SetLimit(max(1, o.Jobs))
	for _, c := range pending {
		workers.Go(func() error {
			defer close(c.done)
			c.run(ctx)
			return nil
		})
	}
	_ = workers.Wait() // a cell's error is with the cell
	return r.summary(), ending(ctx)
}

// begin finds out what each cell is made from, and writes the manifest.
func begin(ctx context.Context, o Options, stop context.CancelCauseFunc) (*run, error) {
	r := &run{Options: o, libraries: map[string]*library{}, stop: stop}
	if r.Progress == nil {
		r.Progress = NewProgress(io.Discard, nil)
	}
	byID := map[string]*cell{}
	for _, planned := range o.Plan.Cells { // each after those that it uses
		c := &cell{work: work{Cell: planned}, r: r, library: r.libraryOf(ctx, planned), kind: KindBuild, done: make(chan struct{})}
		c.incomplete = &trial.Incomplete{Cell: planned.Cell, Kind: KindNotRun, Message: "the run ended before this cell was started"}
		if i := slices.IndexFunc(o.Tools, func(t Tool) bool { return t.Name() == planned.Tool }); i >= 0 {
			c.tool = o.Tools[i]
		}
		r.cells, byID[planned.ID()] = append(r.cells, c), c
	}
	m := o.Manifest
	m.Cells = nil
	for _, c := range r.cells {
		for _, u := range c.Uses {
			if other := byID[u.Cell]; other != nil && r.Made == "" {
				c.uses = append(c.uses, other)
			}
		}
		if c.tool != nil && c.library.keysErr == nil {
			if err := c.setKeys(byID); err != nil {
				return r, err
			}
		}
		m.Cells = append(m.Cells, results.PlannedCell{Cell: c.Cell.Cell, Key: c.key})
		if o.Only == nil || o.Only(c.Cell.Cell) {
			c.choose()
		}
	}
	if ctx.Err() != nil {
		return r, ending(ctx)
	}
	return r, o.Store.WriteManifest(m)
}

// libraryOf returns the library of a cell with all bugs that the plan's cells are checked for on it: the parts of an
// experiment may ask for different ones.
func (r *run) libraryOf(ctx context.Context, c experiments.Cell) *library {
	name := c.Library + " " + c.Edition
	if l := r.libraries[name]; l != nil {
		return l
	}
	l := &library{Library: Library{Name: c.Library, Edition: c.Edition}}
	for _, o := range r.Plan.Cells {
		if o.Library != c.Library || o.Edition != c.Edition {
			continue
		}
		for _, id := range o.Bugs {
			if !slices.Contains(l.Bugs, id) {
				l.Bugs = append(l.Bugs, id)
			}
		}
	}
	l.keys, l.keysErr = r.Workshop.Keys(ctx, l.Library)
	r.libraries[name] = l
	return l
}

// ending is the error of a run whose context has ended.
func ending(ctx context.Context) error {
	switch cause := context.Cause(ctx); {
	case ctx.Err() == nil:
		return nil
	case results.IsDisk(cause):
		return cause
	}
	return ErrInterrupted
}

func (r *run) summary() (s Summary) {
	for _, c := range r.cells {
		if !c.chosen {
			continue
		}
		s.Planned++
		if c.incomplete != nil {
			s.Incomplete = append(s.Incomplete, *c.incomplete)
		}
		if len(c.gaps) > 0 {
			s.Gaps = append(s.Gaps, CellGaps{c.Cell.Cell, c.gaps})
		}
		if c.reused {
			s.Reused++
		}
	}
	s.Complete = s.Planned - len(s.Incomplete)
	return s
}

// Prepare does what the cells of a plan share, and none of them. It writes the manifest, and
// fetches and builds every library with warm, which is given each once, with all that the plan's
// tools need of it. The errors of libraries that fail, sorted by name, are returned; their cells say so as well when their
// turn comes. err is ErrInterrupted, or what kept all from being done.
func Prepare(ctx context.Context, o Options, warm func(context.Context, Library, trial.Needs) error) (failed []error, err error) {
	r, err := begin(ctx, o, nil)
	if err != nil {
		return nil, err
	}
	for _, name := range slices.Sorted(maps.Keys(r.libraries)) {
		l := r.libraries[name]
		var needs trial.Needs
		for _, c := range r.cells {
			if c.library == l && c.tool != nil {
				n := needsOf(c.tool, c.Params)
				needs.Sanitizer, needs.FuzzTargets = needs.Sanitizer || n.Sanitizer, needs.FuzzTargets || n.FuzzTargets
				needs.Mutants, needs.Coverage = needs.Mutants || n.Mutants, needs.Coverage || n.Coverage
			}
		}
		r.Progress.note("preparing %s", l)
		if err := warm(ctx, l.Library, needs); err != nil {
			failed = append(failed, fmt.Errorf("%s: %w", l, err))
		}
		if ctx.Err() != nil {
			return nil, ending(ctx)
		}
	}
	return failed, nil
}
