package exttool

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/lisa-bench/lisa-bench/execute/sandbox"
	"github.com/lisa-bench/lisa-bench/internal/llm"
	"github.com/lisa-bench/lisa-bench/internal/trial"
)

const (
	pollEvery    = 50 * time.Millisecond // how soon a finished program is taken up
	measureEvery = 10                    // polls between two looks at the size of the output directory
	maxWords     = 600                   // bytes of a command's last words that a reason shows
	lastPatience = 20 * time.Second      // with a command that has no calls left to its model
)

// errFull is the cause of a command whose budget has no room for programs.
var errFull = errors.New("no room for more programs")

// A work is one run of a command.
type work struct {
	*Command
	job      trial.Job
	bounds   Bounds
	in, out  string // directories: what the command is given, what it leaves
	words    []string
	endpoint *endpoint // nil if it asks no model
	intake   *intake
}

// Generate runs the command and takes up the programs that it finishes.
func (c *Command) Generate(ctx context.Context, job trial.Job) (stop trial.StopReason, err error) {
	if err := c.Check(); err != nil {
		return "", &trial.IncompleteError{Kind: kindMissing, Message: err.Error(), Err: err}
	}
	w := &work{Command: c, job: job, bounds: c.Bounds, in: filepath.Join(job.Dir, "in"), out: filepath.Join(job.Dir, "out")}
	if w.bounds == (Bounds{}) {
		w.bounds = defaultBounds
	}
	if err := w.furnish(); err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(w.in)) }()
	w.intake = &intake{
		dir: w.out, oracle: c.Spec.Oracle, suite: job.Suite, seen: map[string]int{},
		closed: func() bool { return job.Ledger.Closed() != "" },
	}
	working, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	if !c.Spec.Model {
		return w.run(ctx, working, cancel)
	}
	session, err := w.session()
	if err != nil {
		return "", err
	}
	if w.endpoint, err = openEndpoint(working, endpointDir(job.Dir), session, c.Spec.Name, func() error { return w.intake.poll(false) }, cancel); err != nil {
		return "", errors.Join(err, session.Close())
	}
	stop, err = w.run(ctx, working, cancel)
	cancel(nil) // what it asked and did not wait for
	if closeErr := w.endpoint.close(); closeErr != nil {
		err = errors.Join(err, closeErr)
	}
	job.Generation.Answers = w.endpoint.counts()
	if err != nil && !errors.Is(err, trial.ErrBudget) {
		return stop, errors.Join(err, session.Close())
	}
	return stop, errors.Join(err, session.Finish())
}

// furnish makes the directories, empty: a cell that is taken up again starts its command over.
func (w *work) furnish() error {
	for _, dir := range []string{w.in, w.out} {
		if err := removeLocked(dir); err != nil {
			return err
		}
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return err
		}
	}
	var err error
	w.words, err = w.stage(filepath.Join(w.in, "tool"))
	return err
}

// removeLocked removes a directory in which a command of our own user may have left directories without permissions.
func removeLocked(dir string) error {
	if os.RemoveAll(dir) == nil {
		return nil
	}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.IsDir() {
			err = os.Chmod(path, 0o700) // before it is read
		}
		return err
	})
	return errors.Join(err, os.RemoveAll(dir))
}

func (w *work) session() (*llm.Session, error) {
	if w.Models == nil {
		return nil, fmt.Errorf("tool %s asks a model, and there is none", w.Spec.Name)
	}
	params, err := json.Marshal(w.job.Params)
	if err != nil {
		return nil, fmt.Errorf("parameters of tool %s: %w", w.Spec.Name, err)
	}
	return w.Models.Session(w.job.Models.Cell, llm.SessionOptions{
		Transcript: w.job.Models.Transcript, Model: w.job.Models.Model, Ledger: w.job.Ledger, Fresh: w.job.Models.Fresh,
		Config: map[string]string{"tool": w.Spec.Name, "params": string(params), "seed": fmt.Sprint(uint64(w.job.Seed))},
	})
}

// command is what the sandbox runs. It shows the reference build, what may be read of the
// library, and the command's own files: nothing of bugs, other builds, or other cells.
func (w *work) command() (sandbox.Command, error) {
	m := w.manifestOf(w.job, w.out)
	readable := []string{w.in, w.job.Target.SourceDir}
	readable = append(readable, w.job.Target.IncludeDirs...)
	for _, lib := range []string{w.job.Target.SharedLib, w.job.Target.StaticLib} {
		if lib != "" {
			readable = append(readable, filepath.Dir(lib))
		}
	}
	if w.endpoint != nil {
		m.LLM = &manifestLLM{Socket: w.endpoint.socket(), BaseURL: "http://bench/v1", Model: w.endpoint.modelName()}
		readable = append(readable, w.endpoint.dir)
	}
	if w.Spec.Harnesses {
		dir := filepath.Join(w.in, "harnesses")
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return sandbox.Command{}, err
		}
		var err error
		if m.Harnesses, err = writeHarnesses(dir, w.job.Target); err != nil {
			return sandbox.Command{}, err
		}
		for _, h := range m.Harnesses {
			readable = append(readable, h.Seeds...)
		}
	}
	path := filepath.Join(w.in, "manifest.json")
	if err := m.write(path); err != nil {
		return sandbox.Command{}, err
	}
	l := limits
	left := w.job.Ledger.Remaining()
	l.CPU = cmp.Or(left.CPU, left.Time)
	l.FileBytes = min(l.FileBytes, w.bounds.OutputBytes)
	return sandbox.Command{
		Args: append(w.words, path), Env: m.environment(path), ReadOnly: readable, Writable: []string{w.out}, Limits: l, Stdout: w.Observe != nil,
	}, nil
}

// run runs the command to its end, or to that of its budget. ctx is the cell's, and working ends
// besides when cancel is called.
func (w *work) run(ctx, working context.Context, cancel context.CancelCauseFunc) (trial.StopReason, error) {
	command, err := w.command()
	if err != nil {
		return "", err
	}
	type ending struct {
		verdict sandbox.Ending
		err     error
	}
	ended := make(chan ending, 1)
	go func() {
		v, err := w.Sandbox.Exec(working, command)
		ended <- ending{v, err}
	}()
	w.watch(working, cancel, func() bool { return len(ended) > 0 })
	e := <-ended
	w.observe(e.verdict, e.err)
	if e.err == nil {
		w.job.Log.Info("command ended", "how", howEnded(e.verdict), "stderr", string(e.verdict.Stderr))
	}
	w.job.Ledger.Charge(trial.Usage{CPU: e.verdict.CPU})
	if working.Err() != nil {
		return w.cut(ctx, working)
	}
	if e.err != nil {
		return "", e.err
	}
	stop, err := w.finish(e.verdict)
	if err == nil && ctx.Err() != nil {
		return "", context.Cause(ctx)
	}
	return stop, err
}

// watch takes up programs until the command has ended or working has.
func (w *work) watch(working context.Context, cancel context.CancelCauseFunc, over func() bool) {
	ticks := time.NewTicker(pollEvery)
	defer ticks.Stop()
	idle := time.NewTimer(w.bounds.Idle)
	defer idle.Stop()
	var grace <-chan time.Time
	var was [2]int64 // programs and requests
	for n := 1; !over(); n++ {
		select {
		case <-working.Done():
			return
		case <-grace:
			cancel(errFull)
			return
		case <-idle.C:
			if w.job.Ledger.Stop() != "" { // its model's budget is used up, and nothing more came of it
				cancel(errFull)
				return
			}
			cancel(&trial.IncompleteError{Kind: KindIdle, Message: fmt.Sprintf("no program and no request for %s, and the budget has no wall limit to end it", w.bounds.Idle)})
			return
		case <-ticks.C:
		}
		if err := w.look(n%measureEvery == 0); err != nil {
			cancel(err)
			return
		}
		if w.job.Ledger.Closed() != "" && grace == nil {
			grace = time.After(w.Grace)
		}
		listed, _ := w.intake.state()
		now := [2]int64{int64(listed), w.requests()}
		if now != was || w.job.Ledger.Budget().Wall > 0 || w.endpoint != nil && w.endpoint.busy.Load() > 0 {
			was = now
			idle.Reset(w.patience())
		}
	}
}

// patience is how long the command may be idle.
func (w *work) patience() time.Duration {
	if w.job.Ledger.Stop() != "" {
		return min(w.bounds.Idle, lastPatience)
	}
	return w.bounds.Idle
}

// look takes up what is finished, and measures the output directory if measure says so.
func (w *work) look(measure bool) error {
	if err := w.intake.poll(false); err != nil {
		return err
	}
	if !measure {
		return nil
	}
	err := w.bounds.measure(w.out)
	var flooded *trial.IncompleteError
	if errors.As(err, &flooded) {
		flooded.Message = fmt.Sprintf("tool %s: %s", w.Spec.Name, flooded.Message)
	}
	return err
}

func (w *work) requests() int64 {
	if w.endpoint == nil {
		return 0
	}
	return w.endpoint.asked.Load()
}

// observe tells the observer.
func (w *work) observe(v sandbox.Ending, err error) {
	if w.Observe == nil {
		return
	}
	listed, written := w.intake.state()
	said := slices.Concat(v.Stderr, v.Stdout)
	w.Observe(Observation{Listed: listed, Ended: err == nil && wellEnded(v), Incremental: written, Said: strings.ToValidUTF8(string(said), "\uFFFD")})
}

// cut is the end of a command that was ended: by the cell's context, its budget, or a fault.
func (w *work) cut(ctx, working context.Context) (trial.StopReason, error) {
	why := context.Cause(working)
	if ctx.Err() != nil {
		why = context.Cause(ctx)
	}
	switch {
	case errors.Is(why, errFull):
		return w.job.Ledger.Stop(), nil
	case errors.Is(why, errRecordingEnds):
		return trial.StopRecorded, w.intake.poll(false)
	}
	var fault *trial.IncompleteError
	if errors.As(why, &fault) && fault.Kind == KindFlooded {
		_ = removeLocked(w.out) // it is of no use, and the disk may be needed
	}
	return "", w.named(why)
}

// named says which tool it was whose fault a reason tells.
func (w *work) named(err error) error {
	var fault *trial.IncompleteError
	if errors.As(err, &fault) && !strings.HasPrefix(fault.Message, "tool ") {
		fault.Message = "tool " + w.Spec.Name + ": " + fault.Message
	}
	return err
}

func wellEnded(v sandbox.Ending) bool {
	return v.LoadError == "" && !v.TimedOut && v.Signal == 0 && v.ExitCode == 0
}

// finish takes up what a command has left that ended by itself.
func (w *work) finish(v sandbox.Ending) (trial.StopReason, error) {
	if err := w.bounds.measure(w.out); err != nil {
		_ = removeLocked(w.out)
		return "", w.named(err)
	}
	// A command that crashed may have been at work on a file: only what it had listed is finished.
	last := func() error { return w.intake.poll(wellEnded(v)) }
	if err := last(); err != nil {
		return "", w.named(err)
	}
	if stop := w.job.Ledger.Stop(); stop != "" {
		return stop, nil // however it took the news
	}
	if wellEnded(v) {
		return trial.StopExhausted, nil
	}
	listed, _ := w.intake.state()
	return "", w.named(&trial.IncompleteError{Kind: KindCrashed, Message: fmt.Sprintf("%s after %s%s", howEnded(v), trial.Count(listed, "program"), lastWords(v))})
}

func howEnded(v sandbox.Ending) string {
	switch {
	case v.LoadError != "":
		return "could not be started: " + v.LoadError
	case v.TimedOut:
		return "ended at a limit of CPU time"
	case v.Signal != 0:
		return "killed by signal " + v.Signal.String()
	}
	return fmt.Sprintf("exit status %d", v.ExitCode)
}

// lastWords is the end of what the command wrote to its standard error.
func lastWords(v sandbox.Ending) string {
	words := strings.TrimSpace(strings.ToValidUTF8(string(v.Stderr), "\uFFFD"))
	if words == "" {
		return ""
	}
	if len(words) > maxWords {
		words = "[…] " + strings.ToValidUTF8(words[len(words)-maxWords:], "")
	}
	return ": " + words
}
