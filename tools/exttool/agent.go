package exttool

import (
	"bufio"
	"context"
	_ "embed" // the door's source
	"errors"
	"fmt"
	"io"
	"math"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/lisa-bench/lisa-bench/experiments"
	"github.com/lisa-bench/lisa-bench/internal/llm"
	"github.com/lisa-bench/lisa-bench/internal/toolchain"
	"github.com/lisa-bench/lisa-bench/internal/trial"
)

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

// doorSource is the one program by which an agent reaches the harness.
//
//go:embed door/door.c
var doorSource string

// spaceDir is the agent's directory in the sandbox. It is the same in each run, because agents tell it to their models.
const spaceDir = "/work"

// modelPort is where an agent finds its model, on the sandbox's own loopback.
const modelPort = 8080

// A desk answers an agent's commands at a Unix socket.
type desk struct {
	ctx      context.Context // of the cell
	space    Space
	fail     context.CancelCauseFunc
	dir      string // with the socket
	listener net.Listener
	all      sync.WaitGroup

	calls, working atomic.Int64 // commands so far, and those under way
}

func openDesk(ctx context.Context, space Space, fail context.CancelCauseFunc) (*desk, error) {
	listener, dir, err := listenIn(deskSocket)
	if err != nil {
		return nil, err
	}
	d := &desk{ctx: ctx, space: space, fail: fail, dir: dir, listener: listener}
	d.all.Go(d.accept)
	return d, nil
}

// accept serves connections until the desk is closed. Another error, such as too many open files, passes.
func (d *desk) accept() {
	for {
		conn, err := d.listener.Accept()
		switch {
		case errors.Is(err, net.ErrClosed):
			return
		case err != nil:
			time.Sleep(pollEvery)
			continue
		}
		d.all.Go(func() { d.serve(conn) })
	}
}

const deskSocket = "desk.sock"

func (d *desk) socket() string { return filepath.Join(d.dir, deskSocket) }

// close ends the desk. Its context must have ended before, so that nobody waits for a command any more.
func (d *desk) close() error {
	err := errors.Join(d.listener.Close(), os.RemoveAll(d.dir))
	d.all.Wait()
	return err
}

// maxCommand bounds what a command is given, in bytes.
const maxCommand = 64 << 10

// serve answers one command: words that each end with a null byte, and an empty one behind them.
func (d *desk) serve(conn net.Conn) {
	defer conn.Close()
	defer context.AfterFunc(d.ctx, func() { conn.Close() })()
	limited := &io.LimitedReader{R: conn, N: maxCommand}
	in := bufio.NewReader(limited)
	var words []string
	for {
		word, err := in.ReadString(0)
		if err != nil {
			return
		}
		if word = strings.TrimSuffix(word, "\x00"); word == "" {
			break
		}
		words = append(words, word)
	}
	if len(words) == 0 {
		return
	}
	if words[0] == mcpCommand {
		limited.N = math.MaxInt64
		d.serveMCP(conn, in)
		return
	}
	args, ok := d.space.Arguments(words[0], words[1:])
	if !ok {
		d.calls.Add(1)
		fmt.Fprintf(conn, "there is no command %q\n", words[0])
		return
	}
	fmt.Fprintln(conn, d.call(words[0], args)) // the agent may have hung up
}

// call runs a command of the space and returns what the agent is told.
func (d *desk) call(command, args string) string {
	d.calls.Add(1)
	d.working.Add(1)
	defer d.working.Add(-1)
	said, err := d.space.Call(d.ctx, command, args)
	if err == nil {
		return said
	}
	if !errors.Is(err, trial.ErrBudget) {
		d.fail(err)
	}
	return "the work has ended: " + err.Error()
}

// mcpCommand is the command that is a server of the Model Context Protocol, with the other commands as its tools.
const mcpCommand = "mcp"

// agentCommands are the names of the door beside run.
var agentCommands = []string{"check", "gaps", "suspect", mcpCommand}

// openDoor builds the door in dir, under all its names.
func (w *work) openDoor(ctx context.Context, dir string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	source, door := filepath.Join(dir, "door.c"), filepath.Join(dir, "run")
	if err := os.WriteFile(source, []byte(doorSource), 0o644); err != nil {
		return err
	}
	if _, err := toolchain.Run(ctx, toolchain.Command{Args: []string{w.CC, "-O1", "-o", door, source}, Env: toolchain.TempIn(dir)}); err != nil {
		return err
	}
	if err := errors.Join(os.Chmod(door, 0o755), os.Chmod(dir, 0o755)); err != nil {
		return err
	}
	for _, name := range agentCommands {
		if err := os.Symlink("run", filepath.Join(dir, name)); err != nil {
			return err
		}
	}
	return nil
}

// agentWords are the words of the command that starts an agent.
func (w *work) agentWords(bin string) (words []string, stdin []byte) {
	models := ""
	if w.endpoint != nil {
		models = w.endpoint.socket()
	}
	words = append([]string{filepath.Join(bin, "run"), spaceDir, models, strconv.Itoa(modelPort)}, w.words...)
	switch w.Spec.Agent.Task {
	case experiments.TaskArgument:
		words = append(words, w.space.Text())
	case experiments.TaskStdin:
		stdin = []byte(w.space.Text())
	}
	return words, stdin
}

// agentEnv is what an agent's environment has beside the manifest's. The key is none: whatever is sent is taken.
func (w *work) agentEnv(bin string) []string {
	base := fmt.Sprintf("http://127.0.0.1:%d", modelPort)
	env := []string{"PATH=" + bin + ":/usr/local/bin:/usr/bin:/bin", "LISA_BENCH_COMMANDS=" + w.desk.socket()}
	if w.endpoint != nil {
		env = append(env, "OPENAI_BASE_URL="+base+"/v1", "OPENAI_API_KEY=none", "ANTHROPIC_BASE_URL="+base, "ANTHROPIC_API_KEY=none",
			"GOOGLE_GEMINI_BASE_URL="+base, "GEMINI_API_KEY=none")
	}
	return env
}

// A desktop takes up what an agent has finished: its commands do.
type desktop struct{ *work }

func (d desktop) poll(bool) error { return nil }

func (d desktop) state() (listed int, written bool) { return d.space.Kept(), true }
