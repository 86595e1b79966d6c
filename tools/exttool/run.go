package exttool

import (
	"cmp"
	"context"
	_ "embed" // the door's source
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/lisa-bench/lisa-bench/execute/sandbox"
	"github.com/lisa-bench/lisa-bench/experiments"
	"github.com/lisa-bench/lisa-bench/internal/llm"
	"github.com/lisa-bench/lisa-bench/internal/toolchain"
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

// A Space is the workspace of an agent (tools/agentspace).
type Space interface {
	Root() string // directory that the agent works in
	Text() string // of the task
	// Arguments makes the arguments of a command, in JSON, of the words of a shell; ok is false if there is no such
	// command.
	Arguments(command string, words []string) (args string, ok bool)
	// Functions are the commands as a model calls them.
	Functions() []llm.Tool
	// Call runs a command. What comes back is for the agent; an error is of the harness or the end of the budget.
	Call(ctx context.Context, command, args string) (string, error)
	// Finish checks what is left, and ends the work.
	Finish(ctx context.Context) error
	Kept() int // programs in the suite so far
}

// A work is one run of a command.
type work struct {
	*Command
	job      trial.Job
	in, out  string // directories: what the command is given, what it leaves
	words    []string
	intake   *intake
	space    Space     // nil but for an agent
	endpoint *endpoint // nil if it asks no model and is no agent
}

// Generate runs the command and takes up the programs that it finishes.
func (c *Command) Generate(ctx context.Context, job trial.Job) (stop trial.StopReason, err error) {
	if err := c.Check(); err != nil {
		return "", &trial.IncompleteError{Kind: kindMissing, Message: err.Error(), Err: err}
	}
	own := *c
	own.Bounds = cmp.Or(c.Bounds, defaultBounds)
	w := &work{Command: &own, job: job, in: filepath.Join(job.Dir, "in"), out: filepath.Join(job.Dir, "out")}
	for _, dir := range []string{w.in, w.out} { // empty: a cell that is taken up again starts its command over
		if err := errors.Join(removeLocked(dir), os.MkdirAll(dir, 0o755)); err != nil {
			return "", err
		}
	}
	defer func() { err = errors.Join(err, os.RemoveAll(w.in)) }()
	if w.words, err = c.stage(ctx, filepath.Join(w.in, "tool")); err != nil {
		return "", err
	}
	w.intake = &intake{
		dir: w.out, oracle: c.Spec.Oracle, suite: job.Suite, seen: map[string]int{},
		closed: func() bool { return job.Ledger.Closed() != "" },
	}
	working, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	e := &endpoint{stage: c.Spec.Name, ctx: working, fail: cancel, before: func() error { return w.poll(false) }}
	if c.Spec.Agent != nil {
		if w.space, err = c.Space(ctx, job, c.Spec.Agent.Feedback); err != nil {
			return "", err
		}
		w.out, e.space = w.space.Root(), w.space
	}
	if c.Spec.Model {
		if e.model, err = w.session(); err != nil {
			return "", err
		}
	}
	if w.endpoint = e; !c.Spec.Model && w.space == nil {
		w.endpoint = nil
		return w.run(ctx, working, cancel)
	}
	if err = e.open(); err == nil {
		stop, err = w.run(ctx, working, cancel)
		cancel(nil) // what it asked and did not wait for
		err = errors.Join(err, e.close())
	}
	return stop, w.finish(ctx, err)
}

// finish ends the workspace and the session. err is how the command ended.
func (w *work) finish(ctx context.Context, err error) error {
	if w.space != nil {
		if ended := w.space.Finish(ctx); err == nil {
			err = ended
		}
	}
	session := w.endpoint.model
	if session == nil {
		return err
	}
	w.job.Generation.Answers = w.endpoint.counts()
	if err != nil && !errors.Is(err, trial.ErrBudget) {
		return errors.Join(err, session.Close())
	}
	return errors.Join(err, session.Finish())
}

// session opens the cell's session with the model.
func (w *work) session() (*llm.Session, error) {
	if w.Models == nil {
		return nil, fmt.Errorf("tool %s asks a model, and there is none", w.Spec.Name)
	}
	params, err := json.Marshal(w.job.Params)
	if err != nil {
		return nil, fmt.Errorf("parameters of tool %s: %w", w.Spec.Name, err)
	}
	m := w.job.Models
	return w.Models.Session(m.Cell, llm.SessionOptions{
		Transcript: m.Transcript, Model: m.Model, Ledger: w.job.Ledger, Fresh: m.Fresh,
		Config: map[string]string{"tool": w.Spec.Name, "params": string(params), "seed": fmt.Sprint(uint64(w.job.Seed))},
	})
}

// poll takes up what is finished; of an agent its commands do. final says that nobody writes any more.
func (w *work) poll(final bool) error {
	if w.space != nil {
		return nil
	}
	return w.intake.poll(final)
}

// listed counts the finished programs.
func (w *work) listed() int {
	if w.space != nil {
		return w.space.Kept()
	}
	w.intake.mu.Lock()
	defer w.intake.mu.Unlock()
	return w.intake.listed
}

// removeLocked removes a directory in which a command of our own user may have left directories without
// permissions.
func removeLocked(dir string) error {
	if os.RemoveAll(dir) == nil {
		return nil
	}
	_, err := toolchain.Run(context.Background(), toolchain.Command{Args: []string{"chmod", "-R", "u+rwx", dir}})
	return errors.Join(err, os.RemoveAll(dir))
}

// command is what the sandbox runs. It shows the reference build, what may be read of the
// library, and the command's own files: nothing of bugs, other builds, or other cells.
func (w *work) command(ctx context.Context) (c sandbox.Command, err error) {
	t, m := w.job.Target, w.manifestOf(w.job, w.out)
	readable := append([]string{w.in, t.SourceDir}, t.IncludeDirs...)
	for _, lib := range []string{t.SharedLib, t.StaticLib} {
		if lib != "" {
			readable = append(readable, filepath.Dir(lib))
		}
	}
	if w.endpoint != nil {
		readable = append(readable, w.endpoint.dir)
	}
	if w.Spec.Model {
		m.LLM = &manifestLLM{Socket: w.endpoint.socket(), BaseURL: "http://bench/v1", Model: w.endpoint.modelName()}
	}
	if w.Spec.Harnesses {
		if m.Harnesses, err = writeHarnesses(filepath.Join(w.in, "harnesses"), t); err != nil {
			return c, err
		}
		for _, h := range m.Harnesses {
			readable = append(readable, h.Seeds...)
		}
	}
	text, err := json.MarshalIndent(m, "", "  ")
	if err != nil {
		return c, fmt.Errorf("manifest: %w", err)
	}
	path := filepath.Join(w.in, "manifest.json")
	if err := writeReadable(path, append(text, '\n')); err != nil {
		return c, err
	}
	c = sandbox.Command{Args: append(w.words, path), Env: m.environment(path), ReadOnly: readable, Writable: []string{w.out}, Limits: limits, Stdout: w.Heard != nil}
	left := w.job.Ledger.Remaining()
	c.Limits.CPU, c.Limits.FileBytes = cmp.Or(left.CPU, left.Time), min(limits.FileBytes, w.Bounds.OutputBytes)
	if w.space != nil {
		err = w.asAgent(ctx, &c)
	}
	return c, err
}

// doorSource is the one program by which an agent reaches the harness.
//
//go:embed door/door.c
var doorSource string

const (
	spaceDir  = "/work" // an agent's directory in the sandbox: the same in each run, because agents tell it to their models
	modelPort = 8080    // where an agent finds its model, on the sandbox's own loopback
)

// doorNames are the names of the door beside run: an agent's commands, and a server of them for the Model Context Protocol.
var doorNames = []string{"check", "gaps", "suspect", "mcp"}

// asAgent has the door start an agent, and gives it what else it needs.
func (w *work) asAgent(ctx context.Context, c *sandbox.Command) error {
	bin := filepath.Join(w.in, "bin")
	if err := buildDoor(ctx, w.CC, bin); err != nil {
		return err
	}
	c.At = spaceDir
	c.Limits.MemoryBytes, c.Limits.ResidentBytes = 0, limits.MemoryBytes // runtimes of agents reserve more than they use
	c.Env = append(c.Env, "PATH="+bin+":/usr/local/bin:/usr/bin:/bin", "LISA_BENCH_COMMANDS="+w.endpoint.socket())
	models := ""
	if w.Spec.Model {
		models = w.endpoint.socket()
		base := fmt.Sprintf("http://127.0.0.1:%d", modelPort) // the keys are none: whatever is sent is taken
		c.Env = append(c.Env, "OPENAI_BASE_URL="+base+"/v1", "OPENAI_API_KEY=none", "ANTHROPIC_BASE_URL="+base, "ANTHROPIC_API_KEY=none",
			"GOOGLE_GEMINI_BASE_URL="+base, "GEMINI_API_KEY=none")
	}
	c.Args = append([]string{filepath.Join(bin, "run"), spaceDir, models, strconv.Itoa(modelPort)}, w.words...)
	switch w.Spec.Agent.Task {
	case experiments.TaskArgument:
		c.Args = append(c.Args, w.space.Text())
	case experiments.TaskStdin:
		c.Stdin = []byte(w.space.Text())
	}
	return nil
}

// buildDoor builds the door in dir, under all its names.
func buildDoor(ctx context.Context, cc, dir string) error {
	source, door := filepath.Join(dir, "door.c"), filepath.Join(dir, "run")
	if err := errors.Join(os.MkdirAll(dir, 0o755), os.WriteFile(source, []byte(doorSource), 0o644)); err != nil {
		return err
	}
	_, err := toolchain.Run(ctx, toolchain.Command{Args: []string{cc, "-O1", "-o", door, source}, Env: toolchain.TempIn(dir)})
	err = errors.Join(err, os.Chmod(door, 0o755), os.Chmod(dir, 0o755))
	for _, name := range doorNames {
		err = errors.Join(err, os.Symlink("run", filepath.Join(dir, name)))
	}
	return err
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
	if w.Heard != nil {
		w.Heard(strings.ToValidUTF8(string(how.Stderr)+string(how.Stdout), "\uFFFD"))
	}
	if err == nil {
		w.job.Log.Info("command ended", "how", howEnded(how), "stderr", string(how.Stderr))
	}
	why := cmp.Or(context.Cause(ctx), context.Cause(working), err)
	switch {
	case errors.Is(why, errFull):
		return w.job.Ledger.Stop(), nil
	case errors.Is(why, errRecordingEnds):
		return trial.StopRecorded, w.poll(false)
	case why == nil:
		var stop trial.StopReason
		if stop, why = w.left(how); why == nil && ctx.Err() == nil {
			return stop, nil
		}
		why = cmp.Or(why, context.Cause(ctx))
	}
	var fault *trial.IncompleteError
	if errors.As(why, &fault) {
		own := "tool " + w.Spec.Name + ": "
		fault.Message = own + strings.TrimPrefix(fault.Message, own)
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
	idle := func(format string, args ...any) error {
		return &trial.IncompleteError{Kind: KindIdle, Message: fmt.Sprintf(format, args...)}
	}
	busy, was, before := time.Now(), 0, int64(0) // programs and answers at that time, and an agent's commands up to them
	for n := 1; ; n++ {
		select {
		case <-ended:
			return w.poll(false)
		case <-working.Done():
			return nil
		case <-ticks.C:
		}
		if err := w.poll(false); err != nil {
			return err
		}
		if n%measureEvery == 0 {
			if err := w.Bounds.measure(w.out); err != nil {
				return err
			}
		}
		if w.job.Ledger.Closed() != "" {
			return errFull
		}
		now, commands, asking := w.listed(), int64(0), false
		if e := w.endpoint; e != nil {
			for _, c := range e.counts() {
				now += c.Count
			}
			commands, asking = e.calls.Load(), len(e.slots) > 0
		}
		if now != was {
			before = commands
		}
		if now != was || asking || w.job.Ledger.Budget().Wall > 0 {
			busy, was = time.Now(), now
		}
		switch long := time.Since(busy) >= w.Bounds.Idle; {
		case commands-before > maxCommands:
			return idle("%d commands without a program or a request between them", maxCommands)
		case long && w.job.Ledger.Stop() != "": // its model's budget is used up, and nothing more came of it
			return errFull
		case long:
			return idle("no program and no request for %s, and the budget has no wall limit to end it", w.Bounds.Idle)
		}
	}
}

// left takes up what a command has left that ended by itself.
func (w *work) left(how sandbox.Ending) (trial.StopReason, error) {
	if err := w.Bounds.measure(w.out); err != nil {
		return "", err
	}
	end := howEnded(how)
	// A command that crashed may have been at work on a file: only what it had listed is finished.
	if err := w.poll(end == endedWell); err != nil {
		return "", err
	}
	switch stop := w.job.Ledger.Stop(); {
	case stop != "":
		return stop, nil // however it took the news
	case end == endedWell:
		return trial.StopExhausted, nil
	}
	words := strings.TrimSpace(strings.ToValidUTF8(string(how.Stderr), "\uFFFD"))
	if len(words) > maxWords {
		words = "[…] " + strings.ToValidUTF8(words[len(words)-maxWords:], "")
	}
	if words != "" {
		words = ": " + words
	}
	return "", &trial.IncompleteError{Kind: KindCrashed, Message: fmt.Sprintf("%s after %s%s", end, trial.Count(w.listed(), "program"), words)}
}

const endedWell = "exit status 0"

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
