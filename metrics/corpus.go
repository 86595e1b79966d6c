package metrics

import (
	"context"
	"fmt"
	"log/slog"
	"path/filepath"
	"strings"
	"time"

	"github.com/lisa-bench/lisa-bench/bench/libbuild"
	"github.com/lisa-bench/lisa-bench/execute/libfuzzer"
	"github.com/lisa-bench/lisa-bench/internal/store"
	"github.com/lisa-bench/lisa-bench/internal/trial"
)

// A FuzzRunner runs inputs of fuzz targets in the sandbox.
type FuzzRunner interface {
	// Replay runs inputs through a target's replay object on one build of the library.
	Replay(ctx context.Context, j libfuzzer.ReplayJob) (libfuzzer.Replayed, error)
	// Try runs one input through a target's libFuzzer executable.
	Try(ctx context.Context, executable, input string, timeout time.Duration) (trial.Result, error)
	// Run fuzzes.
	Run(ctx context.Context, s libfuzzer.Session) (libfuzzer.Report, error)
}

// FuzzBuilds is one tree of a library as a corpus is run on it: its plain build, and each
// fuzz target by name.
type FuzzBuilds struct {
	Plain   *libbuild.Build
	Targets map[string]*libbuild.FuzzBuild
}

// A FuzzBug is a re-introduced bug as a corpus is evaluated. Builds returns the builds
// without and with it; they are made on demand.
type FuzzBug struct {
	ID     string
	Key    string // of the bug's content
	Builds func(ctx context.Context) (fixed, buggy FuzzBuilds, err error)
}

// Corpus evaluates a fuzzing corpus, on the same library builds, and so with the same
// denominators, as test programs are.
type Corpus struct {
	Runner FuzzRunner
	Cov    CoverageReader
	// Coverage returns the coverage build of the reference tree, and Replay its fuzz targets by
	// name. Both are made on demand.
	Coverage func(ctx context.Context) (*libbuild.Build, error)
	Replay   func(ctx context.Context) (map[string]*libbuild.FuzzBuild, error)
	Targets  []trial.FuzzTarget // for seeds' dictionaries and options; those with Missing are passed over and noted
	Bugs     []FuzzBug
	Repeats  int           // n: a detection must fail on the buggy build and pass on the fixed one in n of n runs
	Timeout  time.Duration // of one input; at most libfuzzer.UnitTimeout while fuzzing
	Budget   trial.Budget  // the cell's
	// Generated is how long the generation took: what is found on a buggy build comes after it.
	Generated time.Duration
	Seed      trial.Seed                  // the cell's
	CellDir   string                      // absolute; holds suite/, and gets evaluation/ with the inputs that detect bugs
	Looking   func(bug string, done bool) // as of Programs
	Log       *slog.Logger

	Store *store.Store // of what fuzzing found on a bug's builds, for what goes on after a kill
	Key   string       // of all that the results depend on beside bugs
}

// Evaluate fills the record's inputs, coverage, growth and bugs. Parts that cannot be measured and
// errors are as those of Programs.Evaluate.
func (e *Corpus) Evaluate(ctx context.Context, inputs []trial.CorpusInput, rec *trial.Record) error {
	rec.Inputs = len(inputs)
	for _, t := range e.Targets {
		if t.Missing != "" {
			rec.Notes = append(rec.Notes, fmt.Sprintf("fuzz target %s could not be had and took no part: %s", t.Name, briefly(t.Missing)))
		}
	}
	if err := coverageParts(ctx, e.Log, rec, func() (*curve, error) { return e.coverage(ctx, inputs) }); err != nil {
		return fmt.Errorf("replay the corpus: %w", err)
	}
	for _, bug := range e.Bugs {
		if e.Looking != nil {
			e.Looking(bug.ID, false)
		}
		res, err := e.bug(ctx, bug, inputs)
		if err != nil {
			return fmt.Errorf("bug %s: %w", bug.ID, err)
		}
		if e.Looking != nil {
			e.Looking(bug.ID, true)
		}
		rec.Bugs = append(rec.Bugs, res)
	}
	return nil
}

// briefly returns the first line of a reason, with what a compiler says first if it is one's.
func briefly(reason string) string {
	first, rest, _ := strings.Cut(reason, "\n")
	for line := range strings.Lines(rest) {
		if _, said, ok := strings.Cut(line, "error: "); ok {
			return first + ": " + strings.TrimSpace(said)
		}
	}
	return first
}

// coverage replays the inputs in the order in which they were found.
func (e *Corpus) coverage(ctx context.Context, inputs []trial.CorpusInput) (*curve, error) {
	build, err := e.Coverage(ctx)
	if err != nil {
		return nil, as(trial.ReasonBuild, err)
	}
	targets, err := e.Replay(ctx)
	if err != nil {
		return nil, as(trial.ReasonBuild, err)
	}
	c := newCurve(e.Cov, nil, build)
	done := 0
	for _, mark := range checkpoints(len(inputs), growthPoints) {
		for _, part := range byTarget(inputs[done:mark]) {
			target := targets[part[0].Target]
			if target == nil {
				return nil, as(trial.ReasonBuild, fmt.Errorf("fuzz target %s could not be had here", part[0].Target))
			}
			replayed, err := e.Runner.Replay(ctx, e.replayJob(build, target, part))
			if err != nil {
				return nil, as(trial.ReasonSandbox, err)
			}
			if err := c.add(replayed.Counters); err != nil {
				return nil, err
			}
			for _, r := range replayed.Results {
				if r.Outcome != trial.OK {
					c.failing++
				}
			}
		}
		done = mark
		c.mark(trial.GrowthPoint{Programs: done, Elapsed: inputs[done-1].Elapsed})
	}
	return c, nil
}

// replayJob is the replay of inputs of one target.
func (e *Corpus) replayJob(b *libbuild.Build, target *libbuild.FuzzBuild, inputs []trial.CorpusInput) libfuzzer.ReplayJob {
	j := libfuzzer.ReplayJob{Library: b, Target: target, Timeout: e.Timeout}
	for _, in := range inputs {
		j.Inputs = append(j.Inputs, e.path(in))
	}
	return j
}

func (e *Corpus) path(in trial.CorpusInput) string {
	return filepath.Join(e.CellDir, "suite", in.File)
}

// byTarget splits inputs into rows of the same target, keeping their order.
func byTarget(inputs []trial.CorpusInput) [][]trial.CorpusInput {
	var rows [][]trial.CorpusInput
	for i, in := range inputs {
		if i == 0 || in.Target != inputs[i-1].Target {
			rows = append(rows, nil)
		}
		rows[len(rows)-1] = append(rows[len(rows)-1], in)
	}
	return rows
}
