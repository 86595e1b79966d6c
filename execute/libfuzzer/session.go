package libfuzzer

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"path/filepath"
	"strings"
	"time"

	"github.com/lisa-bench/lisa-bench/execute/sandbox"
	"github.com/lisa-bench/lisa-bench/internal/trial"
)

// The limits with which OSS-Fuzz runs a fuzzer.
const (
	unitTimeout = 25 * time.Second // for one input
	rssLimitMB  = 2560
)

// stuckRuns is how many runs in a row may end at a starting input, by a failure that is
// known already, until a session gives up.
const stuckRuns = 3

// A Session is one budget's worth of fuzzing of one harness.
type Session struct {
	Executable  string // as libbuild.FuzzTarget made it
	Seed        trial.Seed
	Execs       int64         // budget in inputs executed; 0 means no limit
	Wall        time.Duration // budget in wall time, kept to a second; 0 means no limit
	UnitTimeout time.Duration // 0 means OSS-Fuzz's
	Seeds       []string      // files, absolute
	Dictionary  string        // file, absolute; may be ""
	Options     []string      // the project's libFuzzer flags, which win over OSS-Fuzz's defaults
	// Enough is asked about each new failing input, in the order of finding; true ends the session.
	// What it takes to answer is not of the budget. nil: the session goes on to the end of it.
	Enough func(context.Context, Input) (bool, error)
	Before time.Duration // how long the cell had been going on, for Input.Elapsed
	// Dir holds everything the session writes. Runs that are in it belong to an
	// interrupted session, which this one continues; the budget is this one's alone.
	Dir string
}

// A Report is what a session spent and found.
type Report struct {
	Execs int64
	Wall  time.Duration
	CPU   time.Duration
	Runs  int // libFuzzer processes
	// Stuck says that the target fails on its own starting inputs, so that nothing more
	// can come of it whatever the budget.
	Stuck  bool
	Inputs []Input // as Inputs(Session.Dir)
}

// A Fuzzer runs fuzz targets in a sandbox.
type Fuzzer struct {
	Sandbox sandbox.Executor
	Limits  sandbox.Limits // of one process; what libFuzzer limits by itself is taken out
	Now     func() time.Time
	Log     *slog.Logger
}

// Run fuzzes until the budget is used up. Failures of the harness on an input are findings;
// an error means that the fuzzer could not be run, or that ctx ended.
func (f *Fuzzer) Run(ctx context.Context, s Session) (Report, error) {
	if s.Execs <= 0 && s.Wall <= 0 {
		return Report{}, errors.New("fuzzing without a limit in executions or time")
	}
	start := f.Now()
	seeds, err := copySeeds(s.Seeds, filepath.Join(s.Dir, "seeds"))
	if err != nil {
		return Report{}, fmt.Errorf("fuzz %s: seeds: %w", filepath.Base(s.Executable), err)
	}
	if s.Dictionary, err = s.copyDictionary(); err != nil {
		return Report{}, fmt.Errorf("fuzz %s: dictionary: %w", filepath.Base(s.Executable), err)
	}
	found, err := collect(s.Dir)
	if err != nil {
		return Report{}, err
	}
	var report Report
	judging, enough := time.Duration(0), false
	for idle := 0; ; {
		spent := f.Now().Sub(start) - judging
		report.Wall = spent
		left := limits{execs: s.Execs - report.Execs, wall: s.Wall - spent}
		report.Inputs = found.inputs
		report.Stuck = idle >= stuckRuns
		if report.Stuck || report.Runs > 0 && s.usedUp(left) || enough {
			return report, nil
		}
		r := run{
			dir:     filepath.Join(s.Dir, fmt.Sprintf(runPattern, found.runs)),
			seed:    s.Seed.Derive(fmt.Sprintf("run %d", found.runs)),
			limits:  left,
			inputs:  append(found.starting(), without(seeds, found.failing)...),
			elapsed: s.Before + spent,
		}
		log, cpu, err := f.start(ctx, s, r)
		report.Runs++
		report.Execs += log.Execs
		report.CPU += cpu
		if err != nil {
			return report, fmt.Errorf("fuzz %s: %w", filepath.Base(s.Executable), err)
		}
		before := len(found.inputs)
		if err := found.add(r.dir); err != nil {
			return report, err
		}
		// Two inputs of libFuzzer's own and the starting ones run before anything is mutated.
		if len(found.inputs) == before && log.Execs <= int64(len(r.inputs))+2 {
			idle++
		} else {
			idle = 0
		}
		asked := f.Now()
		if enough, err = s.enough(ctx, found.inputs[before:]); err != nil {
			return report, err
		}
		judging += f.Now().Sub(asked)
		f.Log.Debug("libFuzzer run", "target", filepath.Base(s.Executable), "run", found.runs, "execs", log.Execs,
			"new_inputs", len(found.inputs)-before, "ended_by", log.Summary)
	}
}

// limits is what is left of a session's budget.
type limits struct {
	execs int64
	wall  time.Duration
}

// shortestRun is the least time for which libFuzzer is started.
const shortestRun = 300 * time.Millisecond

func (s Session) usedUp(left limits) bool {
	return s.Execs > 0 && left.execs <= 0 || s.Wall > 0 && left.wall < shortestRun
}

// enough reports whether one of the new inputs ends the session.
func (s Session) enough(ctx context.Context, new []Input) (enough bool, err error) {
	for _, in := range new {
		if in.Failure == "" || s.Enough == nil {
			continue
		}
		if enough, err = s.Enough(ctx, in); enough || err != nil {
			return enough, err
		}
	}
	return false, nil
}

// unitTimeout is the time one input may take. A short session must be able to see a hang
// before it ends, so it waits for a quarter of its time at most. Whether such an input
// really hangs is for the evaluation to confirm with the whole timeout.
func (s Session) unitTimeout() time.Duration {
	t := unitTimeout
	if s.UnitTimeout > 0 {
		t = min(t, s.UnitTimeout)
	}
	if s.Wall > 0 {
		t = min(t, s.Wall/4)
	}
	return max(t, time.Second)
}

// arguments are libFuzzer's for one run. The project's options come after OSS-Fuzz's
// defaults and before what the session depends on: the last one of a kind counts.
func (s Session) arguments(r run) []string {
	args := []string{
		s.Executable,
		fmt.Sprintf("-rss_limit_mb=%d", rssLimitMB),
		fmt.Sprintf("-timeout=%d", wholeSeconds(s.unitTimeout())),
	}
	if s.Dictionary != "" {
		args = append(args, "-dict="+s.Dictionary)
	}
	for _, o := range s.Options {
		args = append(args, "-"+strings.TrimLeft(o, "-"))
	}
	args = append(args,
		"-fork=0", "-jobs=0",
		fmt.Sprintf("-seed=%d", uint32(r.seed)|1), // 0 would mean the clock
		"-reload=0",
		"-detect_leaks=0",
		"-print_funcs=0",
		"-print_final_stats=1",
		"-verbosity=2",     // log the order in which files are written
		"-close_fd_mask=3", // the harness's output would drown the log
		"-artifact_prefix="+r.artifacts()+"/",
	)
	if s.Execs > 0 {
		args = append(args, fmt.Sprintf("-runs=%d", r.limits.execs))
	}
	if len(r.inputs) > 0 {
		args = append(args, "-seed_inputs=@"+r.list())
	}
	return append(args, r.corpus())
}

func wholeSeconds(d time.Duration) int { return int((d + time.Second - 1) / time.Second) }
