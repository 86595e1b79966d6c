package toolchain

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// defaultMaxOutput is how many bytes of each of a command's output streams are kept
// unless the command says otherwise.
const defaultMaxOutput = 1 << 20

// pipeGrace is how long a command's pipes may stay open after it has exited: a background
// process that inherited them must not hold the harness.
const pipeGrace = 2 * time.Second

// defaultEnv is the environment of a command that states none. Locale and time zone are
// fixed because compilers quote and macros like __DATE__ depend on them.
var defaultEnv = []string{
	"PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
	"LC_ALL=C.UTF-8",
	"TZ=UTC",
}

// A Command is one process to run.
type Command struct {
	Args  []string  // Args[0] is a path, or a name that is looked up in the PATH of Env
	Dir   string    // working directory; "" is the harness's own
	Env   []string  // whole environment, never merged with the harness's; nil means a minimal fixed one
	Stdin io.Reader // nil means empty
	// MaxOutput caps the bytes kept of each captured stream: its head is kept, the child is never blocked. 0 means
	// defaultMaxOutput.
	MaxOutput int
	Limits    Limits
	Box       *Box        // where it runs; nil is where the harness does
	Log       *CommandLog // where the command line is written before it starts; may be nil
}

// Limits are resource limits of one process and, separately, each of its children.
// Zero means no limit.
type Limits struct {
	CPU      time.Duration // rounded up to whole seconds
	Memory   uint64        // bytes of address space
	FileSize uint64        // bytes of any one file written
}

// An Output is what a finished command left.
type Output struct {
	Stdout, Stderr []byte
	User, Sys      time.Duration // CPU time of the command and the children it waited for
}

// cpu returns user plus system time.
func (o Output) cpu() time.Duration { return o.User + o.Sys }

// Run runs a command in a process group of its own and waits for it. When ctx ends, the
// whole group is killed and the error is ctx's cause. A status other than 0 is a
// *CommandError, a program that does not exist a *MissingError. A program that was killed, and
// by none of its limits, is a *killedError: nothing is known of what it would have said.
func Run(ctx context.Context, c Command) (Output, error) {
	c.Env = c.environment()
	path, err := lookPath(c.Args[0], c.Env)
	if err != nil {
		return Output{}, err
	}
	most := cmp.Or(c.MaxOutput, defaultMaxOutput)
	stdout, stderr := &capped{max: most}, &capped{max: most}
	cmd := exec.CommandContext(ctx, path, c.Args[1:]...)
	cmd.Args[0] = c.Args[0]
	cmd.Dir, cmd.Env, cmd.Stdin = c.Dir, c.Env, c.Stdin
	cmd.Stdout, cmd.Stderr = stdout, stderr
	cmd.Cancel = func() error { return killGroup(cmd.Process) }
	cmd.WaitDelay = pipeGrace

	c.Log.record(c)
	release := func() error { return nil }
	if c.Box != nil {
		if release, err = c.Box.enter(cmd); err != nil {
			return Output{}, err
		}
	}
	err = start(cmd, c.Limits)
	if releaseErr := release(); err == nil {
		err = errors.Join(releaseErr, cmd.Wait())
	}
	out := Output{Stdout: stdout.kept, Stderr: stderr.kept}
	if s := cmd.ProcessState; s != nil {
		out.User, out.Sys = s.UserTime(), s.SystemTime()
		if count, ok := ctx.Value(meterKey{}).(func(time.Duration)); ok {
			count(out.User + out.Sys)
		}
	}
	return out, c.failure(ctx, cmd, out, err)
}

type meterKey struct{}

// WithMeter returns a context whose commands tell count how much processor time they took when they end.
func WithMeter(ctx context.Context, count func(time.Duration)) context.Context {
	return context.WithValue(ctx, meterKey{}, count)
}

// cpuGrace is how long a process that ignores the signal of its limit of CPU time may go on.
const cpuGrace = 10 * time.Second

// start starts cmd in a process group of its own and limits it. The limits are set from
// outside, some microseconds after the start, because a wrapper that sets them would cost a
// second exec.
func start(cmd *exec.Cmd, l Limits) error {
	// A killed harness leaves no compiler behind. The signal comes when the thread that started
	// the command ends, which those of Go do with the process only.
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
	if err := cmd.Start(); err != nil {
		return err
	}
	limits := []struct {
		resource int
		value    uint64
		grace    uint64 // from the signal of the limit to SIGKILL
	}{
		{unix.RLIMIT_CPU, uint64((l.CPU + time.Second - 1) / time.Second), uint64(cpuGrace / time.Second)},
		{unix.RLIMIT_AS, l.Memory, 0},
		{unix.RLIMIT_FSIZE, l.FileSize, 0},
		{unix.RLIMIT_CORE, 0, 0},
	}
	for _, r := range limits {
		if r.value == 0 && r.resource != unix.RLIMIT_CORE {
			continue
		}
		err := unix.Prlimit(cmd.Process.Pid, r.resource, &unix.Rlimit{Cur: r.value, Max: r.value + r.grace}, nil)
		if err != nil && !errors.Is(err, unix.ESRCH) { // ESRCH: it has ended already
			return errors.Join(fmt.Errorf("limit %s: %w", cmd.Path, err), killGroup(cmd.Process), cmd.Wait())
		}
	}
	return nil
}

// failure turns how a command ended into Run's error.
func (c Command) failure(ctx context.Context, cmd *exec.Cmd, out Output, err error) error {
	if errors.Is(err, exec.ErrWaitDelay) {
		// The command is done, a descendant is not: its group still exists.
		err = killGroup(cmd.Process)
	}
	if ctx.Err() != nil && err != nil {
		return fmt.Errorf("%s: %w", c.Args[0], context.Cause(ctx))
	}
	var exit *exec.ExitError
	if !errors.As(err, &exit) {
		return err
	}
	if trouble := c.Box.trouble(out.Stderr); trouble != nil {
		return trouble
	}
	e := &CommandError{Args: c.Args, Dir: c.Dir, ExitCode: exit.ExitCode(), Stderr: out.Stderr, Stdout: out.Stdout}
	if ws, ok := exit.Sys().(syscall.WaitStatus); ok && ws.Signaled() {
		e.Signal = ws.Signal()
	} else if c.Box != nil && e.ExitCode > signalled {
		e.Signal, e.ExitCode = syscall.Signal(e.ExitCode-signalled), -1
	}
	// The limit of CPU time kills what goes on after its own signal. A busy machine accounts for less (measured: 6 %).
	if e.Signal == syscall.SIGKILL && (c.Limits.CPU == 0 || out.cpu() < c.Limits.CPU) {
		return &killedError{e}
	}
	return e
}

// signalled is what bubblewrap adds to the number of the signal that ended its command.
const signalled = 128

func killGroup(p *os.Process) error {
	err := syscall.Kill(-p.Pid, syscall.SIGKILL)
	if errors.Is(err, syscall.ESRCH) {
		return os.ErrProcessDone
	}
	return err
}

func (c Command) environment() []string {
	if c.Env == nil {
		return defaultEnv
	}
	return c.Env
}

// TempIn is the environment of a command that states none, with its temporary files in dir: a compiler that is killed
// leaves its objects there.
func TempIn(dir string) []string { return append(slices.Clone(defaultEnv), "TMPDIR="+dir) }

// lookPath resolves a program name in the PATH of env. os/exec would use the harness's
// own PATH, which the command line in the log would not show.
func lookPath(name string, env []string) (string, error) {
	if strings.ContainsRune(name, '/') {
		if _, err := os.Stat(name); err != nil && filepath.IsAbs(name) {
			return "", missing(filepath.Base(name), fmt.Sprintf("there is no %s", name))
		}
		return name, nil
	}
	for _, e := range env {
		if dirs, ok := strings.CutPrefix(e, "PATH="); ok {
			if path := findProgram(filepath.SplitList(dirs), name); path != "" {
				return path, nil
			}
		}
	}
	return "", missing(name, "it is not in PATH")
}

// findProgram returns the first executable file of that name in dirs, or "".
func findProgram(dirs []string, name string) string {
	for _, d := range dirs {
		path := filepath.Join(d, name)
		if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() && unix.Access(path, unix.X_OK) == nil {
			return path
		}
	}
	return ""
}

// A CommandError is a command that ended with a status other than 0.
type CommandError struct {
	Args           []string
	Dir            string
	ExitCode       int            // -1 if a signal ended it
	Signal         syscall.Signal // 0 if it exited by itself
	Stdout, Stderr []byte         // as far as they were captured
}

// Error shows how it ended, the command as a shell line that can be run again, and the
// tool's own last words.
func (e *CommandError) Error() string {
	status := fmt.Sprintf("exit status %d", e.ExitCode)
	if e.Signal != 0 {
		status = "killed by " + e.Signal.String()
	}
	words := e.Stderr
	if len(bytes.TrimSpace(words)) == 0 {
		words = e.Stdout
	}
	const most = 4000 // one screen
	if len(words) > most {
		words = append([]byte("[…]\n"), words[len(words)-most:]...)
	}
	return strings.TrimSpace(fmt.Sprintf("%s: %s\n  %s\n%s",
		filepath.Base(e.Args[0]), status, ShellLine(e.Dir, nil, e.Args), words))
}

// A killedError is a command that something else killed, usually the kernel, because the machine
// has no memory left. It is no CommandError, which is about the command's input.
type killedError struct{ command *CommandError }

func (e *killedError) Error() string {
	return fmt.Sprintf("%v\nkilled from outside: is the machine out of memory (see dmesg)? Run the same command again, with fewer --jobs", e.command)
}

// capped keeps the head of what is written to it.
type capped struct {
	kept []byte
	max  int
}

func (w *capped) Write(p []byte) (int, error) {
	w.kept = append(w.kept, p[:min(len(p), w.max-len(w.kept))]...)
	return len(p), nil
}
