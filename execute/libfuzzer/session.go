// Package libfuzzer runs libFuzzer executables in the sandbox and replays what they found.
//
// It consumes a harness as libbuild.FuzzTarget made it, seeds, a dictionary and a budget. A Fuzzer produces inputs with
// the time at which each was found, and the number of inputs executed. Its Replay produces a result for each input on
// any variant of the library, and the library's coverage counters, which survive an input that crashes.
//
// One libFuzzer process ends at its first crash (-fork=0, as the paper ran it), so a Session is a row of runs.
// Each has a seed of its own, and starts from everything found before. For a budget in executions the same seed
// leaves the same corpus on any machine. Inputs are passed as a sorted list, because libFuzzer would start from
// the file system's order in a directory. The corpus is never reloaded from disk by the clock.
//
// A harness that fails by itself, before any input, is an error; a crash is a finding.
package libfuzzer

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/lisa-bench/lisa-bench/execute/sandbox"
	"github.com/lisa-bench/lisa-bench/internal/bounded"
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

// asanOptions are those of OSS-Fuzz's runner image that change what counts as a failure.
// Leaks are left out, as libFuzzer's own leak check is: a leak is neither crash nor hang.
// Symbolizing is for the few failures that a person reads.
const asanOptions = "alloc_dealloc_mismatch=0:allocator_may_return_null=1:detect_leaks=0:" +
	"detect_odr_violation=0:detect_stack_use_after_return=1:handle_abort=1:" +
	"max_uar_stack_size_log=16:quarantine_size_mb=10:strict_memcmp=1"

// killGrace is how long an interrupted libFuzzer may take to say its last words.
const killGrace = 800 * time.Millisecond

// toLog runs its arguments with standard error in a file, where it survives a kill of the
// harness. The log's path is $0.
const toLog = `exec "$@" 2>"$0"`

// What is in a run's directory.
const (
	corpusDir   = "corpus"
	failuresDir = "artifacts"
	inputsList  = "inputs.list"
	startedFile = "started" // its mtime is the run's start on the file system's clock
	logFile     = "log"
)

// A run is one libFuzzer process and its directory.
type run struct {
	dir     string
	seed    trial.Seed
	execs   int64         // budget, as Session has it
	wall    time.Duration // budget
	inputs  []Input       // to start from
	elapsed time.Duration // of the cell at its start
}

func (r run) path(name string) string { return filepath.Join(r.dir, name) }

// prepare makes the run's directory. The file that makes it count comes last.
func (r run) prepare() error {
	var names []string
	for _, in := range r.inputs {
		if strings.Contains(in.Path, ",") {
			return fmt.Errorf("libFuzzer cannot read %s: its list of inputs is separated by commas", in.Path)
		}
		names = append(names, in.Path)
	}
	if err := errors.Join(os.MkdirAll(r.path(corpusDir), 0o755), os.MkdirAll(r.path(failuresDir), 0o755),
		os.WriteFile(r.path(inputsList), []byte(strings.Join(names, ",")), 0o644)); err != nil {
		return err
	}
	return os.WriteFile(r.path(startedFile), []byte(strconv.FormatInt(int64(r.elapsed), 10)), 0o644)
}

// start runs libFuzzer once, to the end of its budget or its first failure. The log is
// returned with an error too, for what was spent.
func (f *Fuzzer) start(ctx context.Context, s Session, r run) (log runLog, cpu time.Duration, err error) {
	if err := r.prepare(); err != nil {
		return log, 0, err
	}
	args := []string{"/bin/sh", "-c", toLog, r.path(logFile)}
	wall := time.Duration(0)
	if s.Wall > 0 {
		// -max_total_time counts whole seconds and overruns by one.
		left := max(r.wall, shortestRun)
		args = append(args, "/usr/bin/timeout", "--signal=INT", strconv.FormatFloat(left.Seconds(), 'f', 3, 64))
		wall = left + killGrace
	}
	c := f.command(append(args, s.arguments(r)...), "symbolize=0", wall)
	c.ReadOnly = []string{filepath.Dir(s.Executable), s.Dir}
	c.Writable = []string{r.dir}
	verdict, err := f.Sandbox.Exec(ctx, c)
	text, readErr := readLog(r.dir)
	log = parseLog(text)
	if err = errors.Join(err, readErr); err != nil {
		return log, 0, err
	}
	if log.Execs == 0 && !verdict.TimedOut && verdict.ExitCode != exitInterrupted {
		err = fmt.Errorf("libFuzzer does not start: %s", tail(text, verdict.Stderr))
	}
	return log, verdict.CPU, err
}

// command is what every libFuzzer process has in common.
func (f *Fuzzer) command(args []string, asan string, wall time.Duration) sandbox.Command {
	c := sandbox.Command{Flavour: sandbox.Sanitized, Args: args, Limits: f.Limits}
	c.Env = []string{fmt.Sprintf("ASAN_OPTIONS=%s:exitcode=%d:%s", asanOptions, sandbox.SanitizerExit, asan)}
	c.Limits.Wall = wall
	c.Limits.CPU = 0            // a fuzzer is busy for as long as it may run
	c.Limits.MemoryBytes = 0    // -rss_limit_mb counts what is used, not the sanitizer's terabytes
	c.Limits.FileBytes = maxLog // whatever a harness writes is limited by its empty directories
	return c
}

// maxLog is the size at which a run's log ends it, which the next one follows: about a million new inputs.
const maxLog = 256 << 20

// readLog returns the log of a run, nil if it has not begun.
func readLog(dir string) ([]byte, error) {
	text, err := bounded.ReadFileIn(dir, logFile, maxLog)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return text, err
}

// A runLog is what one libFuzzer run, with -verbosity=2 -print_final_stats=1, said on standard error.
type runLog struct {
	Execs int64 // inputs executed, seeds included: by the final statistics, or else the last sign of life
	// Summary is what ended the run, e.g. "AddressSanitizer: heap-buffer-overflow …" or
	// "libFuzzer: timeout"; "" if it ended by itself.
	Summary string
	// Written are the corpus files, by their SHA-1, in the order in which they were found. Many are gone
	// again by the end: libFuzzer removes what it replaces by a smaller input.
	Written []string
}

// parseLog reads a run's log, whole or cut off anywhere.
func parseLog(log []byte) (l runLog) {
	final := false
	for line := range bytes.Lines(log) {
		text := strings.TrimRight(string(line), "\r\n")
		if said, ok := strings.CutPrefix(text, "SUMMARY: "); ok {
			l.Summary = said
		} else if said, ok := strings.CutPrefix(text, "stat::number_of_executed_units:"); ok {
			if n, err := strconv.ParseUint(strings.TrimSpace(said), 10, 63); err == nil {
				l.Execs, final = int64(n), true
			}
		} else if said, ok := strings.CutPrefix(text, "#"); ok && !final {
			// "#4096\tpulse  cov: 12 …"; the frames of a stack trace are indented.
			number, _, _ := strings.Cut(said, "\t")
			if n, err := strconv.ParseUint(number, 10, 63); err == nil {
				l.Execs = int64(n)
			}
		} else if name := path.Base(text); strings.HasPrefix(text, "Written ") && isSHA1(name) {
			l.Written = append(l.Written, name) // "Written 12 bytes to /dir/<sha1>"
		}
	}
	return l
}

// tail returns the last lines of what a process said.
func tail(texts ...[]byte) string {
	const most = 2000
	text := strings.TrimSpace(string(bytes.Join(texts, nil)))
	return text[max(0, len(text)-most):]
}

// The exit codes of libFuzzer, its defaults, and of timeout(1).
const (
	exitTimeout     = 70
	exitOutOfMemory = 71
	exitCrash       = 77  // a signal, or the harness called exit
	exitInterrupted = 124 // timeout(1): time was up
)

// Try runs one input through a libFuzzer executable. The outcome is OK, Crash (which an
// exhausted memory is too) or Timeout.
func (f *Fuzzer) Try(ctx context.Context, executable, input string, timeout time.Duration) (trial.Result, error) {
	c := f.command([]string{executable, fmt.Sprintf("-timeout=%d", wholeSeconds(timeout)),
		fmt.Sprintf("-rss_limit_mb=%d", rssLimitMB), "-detect_leaks=0", "-close_fd_mask=3", input},
		"symbolize=1", 2*timeout+5*time.Second) // libFuzzer looks at the clock every timeout/2+1 seconds
	c.ReadOnly = []string{filepath.Dir(executable), filepath.Dir(input)}
	verdict, err := f.Sandbox.Exec(ctx, c)
	if err != nil {
		return trial.Result{}, err
	}
	r := sandbox.Classify(verdict)
	r.ID = filepath.Base(input)
	switch {
	case r.Outcome == trial.OK || r.Outcome == trial.Timeout:
	case r.ExitCode == exitTimeout:
		r.Outcome = trial.Timeout
	case r.Signal != 0 || r.ExitCode == exitCrash || r.ExitCode == exitOutOfMemory || r.ExitCode == sandbox.SanitizerExit:
		r.Outcome = trial.Crash
	default:
		return r, fmt.Errorf("run %s on %s: exit status %d: %s", executable, input, r.ExitCode, tail(verdict.Stderr))
	}
	if s := parseLog(verdict.Stderr).Summary; s != "" {
		r.Diagnostic = s
	}
	return r, nil
}
