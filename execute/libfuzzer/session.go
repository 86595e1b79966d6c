// Package libfuzzer runs libFuzzer executables in the sandbox and replays what they found.
//
// It consumes a harness as libbuild.FuzzTarget made it, seeds, a dictionary and a budget.
// A Fuzzer produces inputs with the time at which each was found, and the number of
// inputs executed. Its Replay produces a result for each input on any variant of the
// library, and the library's coverage counters, which survive an input that crashes.
//
// One libFuzzer process ends at its first crash (-fork=0, as the paper ran it), so a Session is a row of runs.
// Each has a seed of its own, and starts from everything found before. For a budget in executions the same seed
// leaves the same corpus on any machine. Inputs are passed as a sorted list, because libFuzzer would start from
// the file system's order in a directory. The corpus is never reloaded from disk by the clock.
//
// A harness that fails by itself, before any input, is an error; a crash is a finding.
package libfuzzer

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
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
	start, target := f.Now(), filepath.Base(s.Executable)
	seeds, err := copySeeds(s.Seeds, s.Dir)
	if err != nil {
		return Report{}, fmt.Errorf("fuzz %s: seeds: %w", target, err)
	}
	if s.Dictionary != "" { // where the sandbox shows it
		data, err := os.ReadFile(s.Dictionary)
		if err == nil {
			s.Dictionary = filepath.Join(s.Dir, "dictionary")
			err = os.WriteFile(s.Dictionary, data, 0o644)
		}
		if err != nil {
			return Report{}, fmt.Errorf("fuzz %s: dictionary: %w", target, err)
		}
	}
	found, err := collect(s.Dir)
	if err != nil {
		return Report{}, err
	}
	var report Report
	judging, enough := time.Duration(0), false
	for idle := 0; ; {
		report.Wall = f.Now().Sub(start) - judging
		execs, wall := s.Execs-report.Execs, s.Wall-report.Wall
		usedUp := s.Execs > 0 && execs <= 0 || s.Wall > 0 && wall < shortestRun
		report.Inputs, report.Stuck = found.inputs, idle >= stuckRuns
		if report.Stuck || report.Runs > 0 && usedUp || enough {
			return report, nil
		}
		r := run{
			dir: runDir(s.Dir, found.runs), seed: s.Seed.Derive(fmt.Sprintf("run %d", found.runs)),
			execs: execs, wall: wall, inputs: found.starting(seeds), elapsed: s.Before + report.Wall,
		}
		log, cpu, err := f.start(ctx, s, r)
		report.Runs++
		report.Execs += log.Execs
		report.CPU += cpu
		if err != nil {
			return report, fmt.Errorf("fuzz %s: %w", target, err)
		}
		before := len(found.inputs)
		if err := found.add(r.dir); err != nil {
			return report, err
		}
		// Two inputs of libFuzzer's own and the starting ones run before anything is mutated.
		if idle++; len(found.inputs) > before || log.Execs > int64(len(r.inputs))+2 {
			idle = 0
		}
		asked := f.Now()
		for _, in := range found.inputs[before:] {
			if in.Failure == "" || s.Enough == nil {
				continue
			}
			if enough, err = s.Enough(ctx, in); enough || err != nil {
				break
			}
		}
		if err != nil {
			return report, err
		}
		judging += f.Now().Sub(asked)
		f.Log.Debug("libFuzzer run", "target", target, "run", found.runs, "execs", log.Execs,
			"new_inputs", len(found.inputs)-before, "ended_by", log.Summary)
	}
}

// shortestRun is the least time for which libFuzzer is started.
const shortestRun = 300 * time.Millisecond

// unitTimeout is the time one input may take. A short session must be able to see a hang
// before it ends, so it waits for a quarter of its time at most. Whether such an input
// really hangs is for the evaluation to confirm with the whole timeout.
func (s Session) unitTimeout() time.Duration {
	t := min(unitTimeout, cmp.Or(s.UnitTimeout, unitTimeout))
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
		"-artifact_prefix="+r.path(failuresDir)+"/",
	)
	if s.Execs > 0 {
		args = append(args, fmt.Sprintf("-runs=%d", r.execs))
	}
	if len(r.inputs) > 0 {
		args = append(args, "-seed_inputs=@"+r.path(inputsList))
	}
	return append(args, r.path(corpusDir))
}

func wholeSeconds(d time.Duration) int { return int((d + time.Second - 1) / time.Second) }
