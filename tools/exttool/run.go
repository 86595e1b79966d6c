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
	maxCommands  = 1000                  // of an agent, without a program or an answer between them
	maxWords     = 600                   // bytes of a command's last words that a reason shows
)

// errFull is the cause of a command whose budget is used up.
var errFull = errors.New("no room for more programs")

// A work is one run of a command.
type work struct {
	*Command
	job      trial.Job
	bounds   Bounds
	in, out  string // directories: what the command is given, what it leaves
	words    []string
	endpoint *endpoint   // nil if it asks no model
	intake   interface { // takes up what is finished
		poll(final bool) error
		state() (listed int, written bool)
	}
	space Space // nil but for an agent
	desk  *desk
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
	if c.Spec.Agent != nil {
		if w.space, err = c.Space(ctx, job, c.Spec.Agent.Feedback); err != nil {
			return "", err
		}
		w.out, w.intake = w.space.Root(), desktop{w}
	}
	if c.Spec.Model {
		return w.asking(ctx)
	}
	working, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	return w.work(ctx, working, cancel)
}

// work runs the command, with a desk if it is an agent.
func (w *work) work(ctx, working context.Context, cancel context.CancelCauseFunc) (stop trial.StopReason, err error) {
	if w.space == nil {
		return w.run(ctx, working, cancel)
	}
	if w.desk, err = openDesk(working, w.space, cancel); err != nil {
		return "", err
	}
	stop, err = w.run(ctx, working, cancel)
	cancel(nil) // commands under way
	err = errors.Join(err, w.desk.close())
	if ended := w.space.Finish(ctx); err == nil {
		err = ended
	}
	return stop, err
}

// asking runs a command that asks its model.
func (w *work) asking(ctx context.Context) (trial.StopReason, error) {
	if w.Models == nil {
		return "", fmt.Errorf("tool %s asks a model, and there is none", w.Spec.Name)
	}
	params, err := json.Marshal(w.job.Params)
	if err != nil {
		return "", fmt.Errorf("parameters of tool %s: %w", w.Spec.Name, err)
	}
	session, err := w.Models.Session(w.job.Models.Cell, llm.SessionOptions{
		Transcript: w.job.Models.Transcript, Model: w.job.Models.Model, Ledger: w.job.Ledger, Fresh: w.job.Models.Fresh,
		Config: map[string]string{"tool": w.Spec.Name, "params": string(params), "seed": fmt.Sprint(uint64(w.job.Seed))},
	})
	if err != nil {
		return "", err
	}
	working, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	w.endpoint, err = openEndpoint(working, session, w.Spec.Name, func() error { return w.intake.poll(false) }, cancel)
	if err != nil {
		return "", errors.Join(err, session.Close())
	}
	stop, err := w.work(ctx, working, cancel)
	cancel(nil) // what it asked and did not wait for
	err = errors.Join(err, w.endpoint.close())
	w.job.Generation.Answers = w.endpoint.counts()
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

// removeLocked removes a directory in which a command of our own user may have left directories without
// permissions.
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

// command is what the sandbox runs. It shows the reference build, what may be read of the
// library, and the command's own files: nothing of bugs, other builds, or other cells.
func (w *work) command(ctx context.Context) (sandbox.Command, error) {
	m := w.manifestOf(w.job, w.out)
	readable := append([]string{w.in, w.job.Target.SourceDir}, w.job.Target.IncludeDirs...)
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
		var err error
		if m.Harnesses, err = writeHarnesses(filepath.Join(w.in, "harnesses"), w.job.Target); err != nil {
			return sandbox.Command{}, err
		}
		for _, h := range m.Harnesses {
			readable = append(readable, h.Seeds...)
		}
	}
	text, err := json.MarshalIndent(m, "", "  ")
	if err != nil {
		return sandbox.Command{}, fmt.Errorf("manifest: %w", err)
	}
	path := filepath.Join(w.in, "manifest.json")
	if err := writeReadable(path, append(text, '\n')); err != nil {
		return sandbox.Command{}, err
	}
	l, left := limits, w.job.Ledger.Remaining()
	l.CPU = cmp.Or(left.CPU, left.Time)
	l.FileBytes = min(l.FileBytes, w.bounds.OutputBytes)
	c := sandbox.Command{
		Args: append(w.words, path), Env: m.environment(path), ReadOnly: readable, Writable: []string{w.out},
		Limits: l, Stdout: w.Observe != nil,
	}
	if w.space != nil {
		bin := filepath.Join(w.in, "bin")
		if err := w.openDoor(ctx, bin); err != nil {
			return c, err
		}
		c.Limits.MemoryBytes, c.Limits.ResidentBytes = 0, limits.MemoryBytes // runtimes of agents reserve more than they use
		c.Args, c.Stdin = w.agentWords(bin)
		c.At = spaceDir
		c.Env, c.ReadOnly = append(c.Env, w.agentEnv(bin)...), append(c.ReadOnly, w.desk.dir)
	}
	return c, nil
}

// run runs the command to its end, or to that of its budget. ctx is the cell's, and working ends
// besides when cancel is called.
func (w *work) run(ctx, working context.Context, cancel context.CancelCauseFunc) (trial.StopReason, error) {
	command, err := w.command(ctx)
	if err != nil {
		return "", err
	}
	ended := make(chan struct{})
	var how sandbox.Ending
	go func() {
		defer close(ended)
		how, err = w.Sandbox.Exec(working, command)
	}()
	if trouble := w.watch(working, ended); trouble != nil {
		cancel(trouble)
	}
	<-ended
	w.job.Ledger.Charge(trial.Usage{CPU: how.CPU})
	if w.Observe != nil {
		listed, written := w.intake.state()
		said := strings.ToValidUTF8(string(slices.Concat(how.Stderr, how.Stdout)), "\uFFFD")
		w.Observe(Observation{Listed: listed, Ended: err == nil && wellEnded(how), Incremental: written, Said: said})
	}
	if err == nil {
		w.job.Log.Info("command ended", "how", howEnded(how), "stderr", string(how.Stderr))
	}
	why := cmp.Or(context.Cause(ctx), context.Cause(working), err)
	switch {
	case errors.Is(why, errFull):
		return w.job.Ledger.Stop(), nil
	case errors.Is(why, errRecordingEnds):
		return trial.StopRecorded, w.intake.poll(false)
	case why == nil:
		var stop trial.StopReason
		if stop, why = w.finish(how); why == nil && ctx.Err() == nil {
			return stop, nil
		}
		why = cmp.Or(why, context.Cause(ctx))
	}
	var fault *trial.IncompleteError
	if errors.As(why, &fault) {
		fault.Message = "tool " + w.Spec.Name + ": " + strings.TrimPrefix(fault.Message, "tool "+w.Spec.Name+": ")
		if fault.Kind == KindFlooded {
			_ = removeLocked(w.out) // it is of no use, and the disk may be needed
		}
	}
	return "", why
}

// watch takes up programs until the command has ended or working has. The error is why the command is to end.
func (w *work) watch(working context.Context, ended <-chan struct{}) error {
	ticks := time.NewTicker(pollEvery)
	defer ticks.Stop()
	var full time.Time // since when the budget has no room for programs
	busy, was, commands := time.Now(), 0, 0
	for n := 1; ; n++ {
		select {
		case <-ended:
			return w.intake.poll(false)
		case <-working.Done():
			return nil
		case <-ticks.C:
		}
		if err := w.intake.poll(false); err != nil {
			return err
		}
		if n%measureEvery == 0 {
			if err := w.bounds.measure(w.out); err != nil {
				return err
			}
		}
		if w.job.Ledger.Closed() != "" && full.IsZero() {
			full = time.Now()
		}
		if !full.IsZero() && time.Since(full) >= w.Grace {
			return errFull
		}
		now, asking := w.progress()
		asked := w.asked()
		if now != was {
			commands = asked
		}
		if now != was || asking || w.job.Ledger.Budget().Wall > 0 {
			busy, was = time.Now(), now
		}
		if asked-commands > maxCommands {
			return &trial.IncompleteError{Kind: KindIdle, Message: fmt.Sprintf("%d commands without a program or a request between them", maxCommands)}
		}
		switch idle := time.Since(busy) >= w.bounds.Idle; {
		case idle && w.job.Ledger.Stop() != "": // its model's budget is used up, and nothing more came of it
			return errFull
		case idle:
			return &trial.IncompleteError{
				Kind:    KindIdle,
				Message: fmt.Sprintf("no program and no request for %s, and the budget has no wall limit to end it", w.bounds.Idle),
			}
		}
	}
}

// progress counts programs and answers, and reports whether a request or a command is under way.
func (w *work) progress() (n int, asking bool) {
	n, _ = w.intake.state()
	if w.endpoint != nil {
		for _, c := range w.endpoint.counts() {
			n += c.Count
		}
		asking = len(w.endpoint.slots) > 0
	}
	return n, asking || w.desk != nil && w.desk.working.Load() > 0
}

// asked counts an agent's commands.
func (w *work) asked() int {
	if w.desk == nil {
		return 0
	}
	return int(w.desk.calls.Load())
}

// finish takes up what a command has left that ended by itself.
func (w *work) finish(how sandbox.Ending) (trial.StopReason, error) {
	if err := w.bounds.measure(w.out); err != nil {
		return "", err
	}
	// A command that crashed may have been at work on a file: only what it had listed is finished.
	if err := w.intake.poll(wellEnded(how)); err != nil {
		return "", err
	}
	switch stop := w.job.Ledger.Stop(); {
	case stop != "":
		return stop, nil // however it took the news
	case wellEnded(how):
		return trial.StopExhausted, nil
	}
	listed, _ := w.intake.state()
	words := strings.TrimSpace(strings.ToValidUTF8(string(how.Stderr), "\uFFFD"))
	if len(words) > maxWords {
		words = "[…] " + strings.ToValidUTF8(words[len(words)-maxWords:], "")
	}
	if words != "" {
		words = ": " + words
	}
	return "", &trial.IncompleteError{
		Kind: KindCrashed, Message: fmt.Sprintf("%s after %s%s", howEnded(how), trial.Count(listed, "program"), words),
	}
}

func wellEnded(e sandbox.Ending) bool {
	return e.LoadError == "" && !e.TimedOut && e.Signal == 0 && e.ExitCode == 0
}

func howEnded(e sandbox.Ending) string {
	switch {
	case e.LoadError != "":
		return "could not be started: " + e.LoadError
	case e.TimedOut:
		return "ended at a limit of CPU time"
	case e.Signal != 0:
		return "killed by signal " + e.Signal.String()
	}
	return fmt.Sprintf("exit status %d", e.ExitCode)
}
