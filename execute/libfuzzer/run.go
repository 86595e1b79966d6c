package libfuzzer

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
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

// A runLog is what one libFuzzer run, with -verbosity=2 -print_final_stats=1, said on
// standard error.
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
