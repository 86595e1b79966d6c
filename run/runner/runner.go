package runner

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"golang.org/x/sys/unix"

	"github.com/lisa-bench/lisa-bench/experiments"
	"github.com/lisa-bench/lisa-bench/internal/toolchain"
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

// An InputReader is a tool that reads files which its parameters name, such as programs to start
// from.
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

// A Subject is a library in one edition.
type Subject struct {
	Library, Edition string
	Bugs             []string // those the experiment asks for
}

// Keys are hashes of all that can change the results on a library, apart from tool and
// settings.
type Keys struct {
	Generate string // what tools see: the reference tree, its recipe, the toolchain, the sandbox
	Evaluate string // what is measured with: the buggy trees, the coverage build
}

// Prepared is a library ready to be tested.
type Prepared struct {
	Target   trial.Target
	Executor trial.Executor     // safe for concurrent use
	Mutants  trial.MutantRunner // of the reference build
}

// A Preparer fetches and builds libraries.
type Preparer interface {
	// Keys is quick and builds nothing, so that a finished run is recognised without a build.
	Keys(ctx context.Context, s Subject) (Keys, error)
	// Prepare is called at most once for each subject of a run. It makes the reference build, and no
	// other.
	Prepare(ctx context.Context, s Subject) (*Prepared, error)
	// Provide makes what a tool needs of a prepared library, and returns the target with it.
	Provide(ctx context.Context, s Subject, n trial.Needs, t trial.Target) (trial.Target, error)
}

// An Evaluator measures suites.
type Evaluator interface {
	// Version changes whenever what it measures does.
	Version() string
	// Evaluate returns a record with the measurements. Cell, Key, Kind, Stop and Usage are
	// filled in by the runner. A part that could not be measured has its reason in the record: the next session
	// evaluates again, and need not do what is done. An error is for what keeps all from being measured.
	Evaluate(ctx context.Context, e Evaluation) (*trial.Record, error)
}

// An Evaluation is one suite to measure.
type Evaluation struct {
	Cell     trial.Cell
	Subject  Subject
	Budget   trial.Budget // of the cell's generation
	Suite    trial.Suite
	SuiteDir string // absolute if the run directory is
	CellDir  string
	Test     experiments.Test
	Interim  string                      // directory for results to go on with after a kill; "" for none
	Looking  func(bug string, done bool) // is told when a bug is looked for and when that is done; may be nil
	Log      *slog.Logger
}

// Options is all that a run needs.
type Options struct {
	Plan      experiments.Plan
	Store     *results.Run
	Manifest  results.Manifest // its cells are filled in here
	Tools     []Tool
	Preparer  Preparer
	Evaluator Evaluator
	Only      func(trial.Cell) bool // the cells of the plan to work on; nil for all
	Made      string                // directory of another run's cells, in which is what this plan's cells use; "" for this run's
	Jobs      int                   // cells worked on at once; at least 1
	Reuse     bool                  // cells that runs in the same directory as this one have completed
	Now       func() time.Time
	Log       *slog.Logger
	Progress  *Progress
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

// CellGaps are the parts that a complete cell's record lacks.
type CellGaps struct {
	Cell trial.Cell  `json:"cell"`
	Gaps []trial.Gap `json:"gaps"`
}

// A run is the state that the workers share.
type run struct {
	Options
	tools    map[string]Tool
	subjects map[string]*subject // by library and edition
	stop     context.CancelCauseFunc

	mu       sync.Mutex
	outcomes []*trial.Incomplete // by cell of the plan; nil when complete
	gaps     [][]trial.Gap       // of complete cells, by cell of the plan
	reused   int
	chosen   []int             // the cells of the plan to work on
	used     trial.Usage       // by those of them that were complete when the session began
	keys     []string          // of their records, by cell of the plan; "" if it could not be determined
	index    map[string]int    // cells of the plan by ID
	made     map[string]string // keys of generation, by ID, as far as other cells use them
	queue    queue
}

// A subject is a library with what is found out about it once.
type subject struct {
	Subject
	keys    Keys
	keysErr error
	prepare func() (*Prepared, error)
}

// Run does the plan and returns how it ended. The error is ErrInterrupted, or what kept the
// run from going on at all; incomplete cells are none.
func Run(ctx context.Context, o Options) (Summary, error) {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	r := newRun(o, stop)
	pending, err := r.begin(ctx)
	if err != nil {
		return Summary{Planned: len(r.chosen)}, err
	}
	o.Progress.begin(o, len(r.chosen), pending, r.used)
	defer o.Progress.end()

	r.queue.fill(pending)
	defer context.AfterFunc(ctx, r.queue.close)()
	var workers sync.WaitGroup
	for range max(1, o.Jobs) {
		workers.Go(func() {
			for i, ok := r.queue.next(r.uses); ok; i, ok = r.queue.next(r.uses) {
				r.work(ctx, i)
				r.queue.done(i)
			}
		})
	}
	workers.Wait()
	return r.summary(), ending(ctx)
}

func newRun(o Options, stop context.CancelCauseFunc) *run {
	r := &run{Options: o, tools: map[string]Tool{}, subjects: map[string]*subject{}, stop: stop, index: map[string]int{}, made: map[string]string{}}
	for _, t := range o.Tools {
		r.tools[t.Name()] = t
	}
	for i, c := range o.Plan.Cells {
		r.index[c.ID()] = i
	}
	chosen := make([]bool, len(o.Plan.Cells))
	for i, c := range o.Plan.Cells {
		if o.Only == nil || o.Only(c.Cell) {
			r.choose(chosen, i)
		}
	}
	for i, is := range chosen {
		if is {
			r.chosen = append(r.chosen, i)
		}
	}
	return r
}

// ending is the error of a run whose context has ended.
func ending(ctx context.Context) error {
	switch cause := context.Cause(ctx); {
	case ctx.Err() == nil:
		return nil
	case results.IsDisk(cause):
		return cause
	default:
		return ErrInterrupted
	}
}

// begin finds out which cells are still to be done, and writes the manifest.
func (r *run) begin(ctx context.Context) (pending []int, err error) {
	m := r.Manifest
	m.Cells = nil
	for _, c := range r.Plan.Cells {
		s := r.subject(ctx, c)
		key := ""
		if tool := r.tools[c.Tool]; tool != nil && s.keysErr == nil {
			var made results.Generation
			if made, key, err = r.cellKeys(c, tool, s.keys); err != nil {
				return nil, err
			}
			r.made[c.ID()] = made.Key
		}
		m.Cells = append(m.Cells, results.PlannedCell{Cell: c.Cell, Key: key})
		r.outcomes = append(r.outcomes, &trial.Incomplete{Cell: c.Cell, Kind: KindNotRun, Message: "the run ended before this cell was started"})
		r.keys, r.gaps = append(r.keys, key), append(r.gaps, nil)
	}
	for _, i := range r.chosen {
		rec := r.recorded(i)
		if rec != nil {
			r.settle(i, nil, rec.Gaps())
		}
		if rec == nil || len(r.gaps[i]) > 0 {
			pending = append(pending, i)
		} else {
			r.used = r.used.Plus(rec.Usage)
		}
	}
	if ctx.Err() != nil {
		return nil, ending(ctx)
	}
	return pending, r.Store.WriteManifest(m)
}

// recorded returns the record of a cell of the plan, nil if it has none.
func (r *run) recorded(i int) *trial.Record {
	if r.keys[i] == "" {
		return nil
	}
	rec, err := r.Store.Record(r.Plan.Cells[i].Cell, r.keys[i])
	if err != nil {
		return nil
	}
	return rec
}

func (r *run) subject(ctx context.Context, c experiments.Cell) *subject {
	name := c.Library + " " + c.Edition
	s := r.subjects[name]
	if s == nil {
		s = &subject{Subject: Subject{Library: c.Library, Edition: c.Edition, Bugs: r.bugsOf(c)}}
		s.keys, s.keysErr = r.Preparer.Keys(ctx, s.Subject)
		s.prepare = sync.OnceValues(func() (*Prepared, error) {
			r.Progress.preparing(s.Subject)
			return r.Preparer.Prepare(ctx, s.Subject)
		})
		r.subjects[name] = s
	}
	return s
}

// bugsOf returns the bugs that cells on the same library are checked for, each once: the parts of an
// experiment may ask for different ones.
func (r *run) bugsOf(c experiments.Cell) []string {
	var bugs []string
	for _, o := range r.Plan.Cells {
		if o.Library != c.Library || o.Edition != c.Edition {
			continue
		}
		for _, id := range o.Bugs {
			if !slices.Contains(bugs, id) {
				bugs = append(bugs, id)
			}
		}
	}
	return bugs
}

// work does one cell and notes how it ended.
func (r *run) work(ctx context.Context, i int) {
	if ctx.Err() != nil {
		return
	}
	cell := r.Plan.Cells[i]
	c := &cellRun{run: r, plan: cell, subject: r.subjects[cell.Library+" "+cell.Edition], tool: r.tools[cell.Tool]}
	r.Progress.start(cell)
	release, err := c.claim(ctx)
	if err != nil {
		r.fail(ctx, i, c, err)
		return
	}
	defer release()
	if rec := r.recorded(i); rec != nil && (len(r.gaps[i]) == 0 || len(rec.Gaps()) == 0) { // by another process, since this one began
		r.settle(i, nil, rec.Gaps())
		r.Progress.done(cell.Cell, rec, "complete already")
		return
	}
	if from, err := r.reuse(c); err != nil {
		r.fail(ctx, i, c, err)
		return
	} else if rec := r.recorded(i); from != "" && rec != nil && len(rec.Gaps()) == 0 {
		r.settle(i, nil, nil)
		r.Progress.done(cell.Cell, rec, "reused from "+from)
		return
	} else if from != "" {
		r.Progress.note("%s: suite reused from %s, and measured here", cell.Cell.ID(), from)
	}
	began := r.Now()
	rec, err := c.do(ctx)
	took := r.Now().Sub(began)
	if err == nil {
		r.settle(i, nil, rec.Gaps())
		r.Progress.done(cell.Cell, rec, describe(rec, took))
		return
	}
	r.fail(ctx, i, c, err)
}

// reuse takes the cell over from another run, if one has it, and returns which.
func (r *run) reuse(c *cellRun) (from string, err error) {
	if !r.Reuse || c.tool == nil || c.subject.keysErr != nil {
		return "", nil
	}
	generation, key, err := r.cellKeys(c.plan, c.tool, c.subject.keys)
	if err != nil {
		return "", err
	}
	if from, err = r.Store.Adopt(c.plan.Cell, generation, key, r.Manifest.Host); from != "" {
		r.mu.Lock()
		r.reused++
		r.mu.Unlock()
	}
	return from, err
}

// fail notes why a cell has no record: with the cell, unless it is another process's. A record with
// gaps that could not be filled stays.
func (r *run) fail(ctx context.Context, i int, c *cellRun, err error) {
	cell := c.plan
	inc := r.reason(ctx, cell.Cell, c.stage, err)
	if inc.Kind == KindDisk {
		var disk *results.DiskError
		if !errors.As(err, &disk) { // a compiler's words, or of another file
			err = &results.DiskError{Path: r.fullPlace(err), Err: unix.ENOSPC}
			inc.Message = err.Error()
		}
		r.stop(err)
	}
	if len(r.gaps[i]) > 0 {
		r.Log.Warn("parts not measured", "cell", cell.Cell.ID(), "error", err)
		r.Progress.done(cell.Cell, nil, fmt.Sprintf("complete, but for %s: %s: %s", trial.DescribeGaps(r.gaps[i]), inc.Kind, inc.Message))
		return
	}
	if !c.claimed {
		r.Log.Warn("not worked on", "cell", cell.Cell.ID(), "error", err)
	} else if werr := r.Store.WriteIncomplete(inc); werr != nil {
		r.Log.Error("reason not stored", "cell", cell.Cell.ID(), "error", werr)
		if results.IsDisk(werr) {
			r.stop(werr)
		}
	}
	r.settle(i, &inc, nil)
	r.Progress.done(cell.Cell, nil, fmt.Sprintf("incomplete: %s: %s", inc.Kind, inc.Message))
}

// fullPlace returns the file that a full disk had no room for, as far as err tells.
func (r *run) fullPlace(err error) string {
	var path *fs.PathError
	var command *toolchain.CommandError
	switch {
	case errors.As(err, &path):
		return path.Path
	case errors.As(err, &command):
		if i := slices.Index(command.Args, "-o"); i >= 0 && i+1 < len(command.Args) && filepath.IsAbs(command.Args[i+1]) {
			return command.Args[i+1]
		}
	}
	return r.Store.Dir
}

// reason sorts an error of a cell.
func (r *run) reason(ctx context.Context, cell trial.Cell, stage string, err error) trial.Incomplete {
	inc := trial.Incomplete{Cell: cell, Kind: stage, Message: err.Error()}
	var own *trial.IncompleteError
	var corrupt *results.CorruptError
	var command *toolchain.CommandError
	var locked *results.LockedError
	switch {
	case errors.As(err, &locked):
		inc.Kind = KindClaimed
	case results.IsDisk(err) || errors.As(err, &command) && command.DiskFull():
		inc.Kind = KindDisk
	case ctx.Err() != nil:
		// Whatever the error says, it is what being cut short looks like.
		inc.Kind, inc.Message = KindInterrupted, "interrupted while working on it; its results so far are kept"
	case errors.As(err, &own):
		inc.Kind, inc.Message = own.Kind, own.Message
	case errors.As(err, &corrupt):
		inc.Kind = KindJournal
	}
	return inc
}

func (r *run) settle(i int, inc *trial.Incomplete, gaps []trial.Gap) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.outcomes[i], r.gaps[i] = inc, gaps
}

func (r *run) summary() Summary {
	r.mu.Lock()
	defer r.mu.Unlock()
	s := Summary{Planned: len(r.chosen)}
	for _, i := range r.chosen {
		if inc := r.outcomes[i]; inc != nil {
			s.Incomplete = append(s.Incomplete, *inc)
		}
		if gaps := r.gaps[i]; len(gaps) > 0 {
			s.Gaps = append(s.Gaps, CellGaps{r.Plan.Cells[i].Cell, gaps})
		}
	}
	s.Complete, s.Reused = s.Planned-len(s.Incomplete), r.reused
	return s
}

// describe is the line about a complete cell.
func describe(rec *trial.Record, took time.Duration) string {
	if rec.Kind == trial.KindKnowledge {
		return fmt.Sprintf("a knowledge base, %s, %s", rec.Stop, took.Round(100*time.Millisecond))
	}
	found, checked := 0, 0
	for _, b := range rec.Bugs {
		if b.Missing == nil {
			checked++
		}
		if b.Detected {
			found++
		}
	}
	size := fmt.Sprintf("%d inputs", rec.Inputs)
	if wall := rec.Usage.Wall.Seconds(); rec.Usage.Execs > 0 && wall > 0 {
		size += fmt.Sprintf(" of %d executed (%.0f a second)", rec.Usage.Execs, float64(rec.Usage.Execs)/wall)
	}
	if rec.Kind == trial.KindPrograms {
		size = trial.Count(rec.Usage.Programs, "program")
	}
	line := fmt.Sprintf("%s, %d of %d bugs, %s, %s", size, found, checked, rec.Stop, took.Round(100*time.Millisecond))
	if gaps := rec.Gaps(); len(gaps) > 0 {
		line += "; without " + trial.DescribeGaps(gaps)
	}
	return line
}
