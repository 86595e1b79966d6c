package libfuzzer

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"github.com/lisa-bench/lisa-bench/bench/libbuild"
	"github.com/lisa-bench/lisa-bench/execute/sandbox"
	"github.com/lisa-bench/lisa-bench/internal/toolchain"
	"github.com/lisa-bench/lisa-bench/internal/trial"
)

// replayBatch is how many inputs one process runs: enough to make starting it cheap, few
// enough that a harness which leaks does not fill the memory.
const replayBatch = 500

// A ReplayJob is a replay of inputs on one build of a library.
type ReplayJob struct {
	Library *libbuild.Build // of a variant without a sanitizer
	Target  *libbuild.FuzzBuild
	Inputs  []string      // files, absolute
	Timeout time.Duration // of one input
	// MaxFailures ends the replay after so many inputs that fail, or one that hangs: each
	// hang costs two timeouts. 0 means no end.
	MaxFailures int
}

// Replayed is what a replay showed.
type Replayed struct {
	Results  []trial.Result // Results[i] belongs to Inputs[i]; fewer if MaxFailures ended it
	Counters []uint64       // summed over all inputs, failing ones included; nil if the build has none
}

// Replay runs the inputs in batches. The input at which a batch dies is run again alone, and the lone result counts:
// what earlier inputs of the batch left behind may have killed it. The rest of the batch goes on after it.
func (f *Fuzzer) Replay(ctx context.Context, j ReplayJob) (_ Replayed, err error) {
	runner, err := f.Sandbox.Start(ctx, sandbox.Plain)
	if err != nil {
		return Replayed{}, err
	}
	defer func() { err = errors.Join(err, runner.Close()) }()
	r := replay{ReplayJob: j, runner: runner, limits: f.Limits}
	if j.Library.Variant == libbuild.Coverage {
		r.out.Counters = make([]uint64, j.Library.Counters)
	}
	failures := 0
	for n := 0; n < len(j.Inputs); n = len(r.out.Results) {
		last, err := r.batch(ctx, j.Inputs[n:min(n+replayBatch, len(j.Inputs))])
		if err != nil {
			return Replayed{}, fmt.Errorf("replay %s on %s: %w", j.Target.Target, j.Library.SharedLib, err)
		}
		if last != trial.OK {
			failures++
		}
		if j.MaxFailures > 0 && (failures >= j.MaxFailures || last == trial.Timeout) {
			break
		}
	}
	return r.out, nil
}

// replay is a replay under way.
type replay struct {
	ReplayJob
	runner sandbox.Runner
	limits sandbox.Limits
	out    Replayed
}

// batch adds the results of inputs up to the first one that fails, that one included, and returns how the last one ended.
func (r *replay) batch(ctx context.Context, inputs []string) (trial.Outcome, error) {
	ending, started, finished, err := r.run(ctx, inputs)
	if err != nil {
		return "", err
	}
	last := started - 1 // unless all have finished, it did not return
	if !finished && last > 0 {
		if ending, _, finished, err = r.run(ctx, inputs[last:started]); err != nil {
			return "", err
		}
	}
	for _, in := range inputs[:started] {
		r.out.Results = append(r.out.Results, trial.Result{ID: filepath.Base(in), Outcome: trial.OK})
	}
	if finished {
		return trial.OK, nil
	}
	result := sandbox.Classify(ending)
	result.Counters = nil
	result.ID = filepath.Base(inputs[last])
	if result.Outcome == trial.OK {
		result.Outcome = trial.NonzeroExit // it ended the process, which libFuzzer calls a failure too
		result.Diagnostic = "the harness called exit(0)"
	}
	r.out.Results[len(r.out.Results)-1] = result
	return result.Outcome, nil
}

// run runs inputs in one process. It returns how many were started and whether all of them
// returned; the counters are added up whatever happened.
func (r *replay) run(ctx context.Context, inputs []string) (v sandbox.Ending, started int, finished bool, err error) {
	limits := r.limits
	limits.Wall = r.Timeout
	job := sandbox.Job{
		ID: r.Target.Target, Library: r.Library.SharedLib, Test: r.Target.Replay,
		Entries: []sandbox.Entry{{Symbol: "main", ReturnsInt: true}},
		Limits:  limits, Stdin: []byte(strings.Join(inputs, "\n") + "\n"), Stdout: true,
		CountersAt: r.Library.CountersAt, Counters: len(r.out.Counters),
	}
	if v, err = r.runner.Run(ctx, job); err != nil {
		return v, 0, false, err
	}
	if r.out.Counters != nil {
		if err := toolchain.AddCounters(r.out.Counters, v.Counters); err != nil {
			return v, 0, false, err
		}
	}
	dots, rest, finished := strings.Cut(string(v.Stdout), "\n")
	started = strings.Count(dots, ".")
	if started == 0 || strings.HasSuffix(dots, "!") || started > len(inputs) || rest != "" {
		return v, 0, false, fmt.Errorf("the replay program answers %q (%s)", v.Stdout, v.Stderr)
	}
	return v, started, finished, nil
}
