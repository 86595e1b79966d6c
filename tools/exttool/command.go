package exttool

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/lisa-bench/lisa-bench/execute/sandbox"
	"github.com/lisa-bench/lisa-bench/experiments"
	"github.com/lisa-bench/lisa-bench/internal/llm"
	"github.com/lisa-bench/lisa-bench/internal/toolchain"
	"github.com/lisa-bench/lisa-bench/internal/trial"
)

// The kinds of trial.Incomplete that an external command can end its cell with.
const (
	kindMissing = "missing_tool" // there is no such program, or it cannot be started
	KindCrashed = "tool_crashed" // it ended with another status than 0 before its budget did
	KindFlooded = "tool_flooded" // its output directory holds more than Bounds allow
	KindSuite   = "tool_suite"   // what it left breaks the contract
	KindIdle    = "tool_idle"    // no program and no request for Bounds.Idle or maxCommands commands
)

// Bounds keep a command from filling the disk, or from never ending.
type Bounds struct {
	OutputBytes int64         // of all files in the output directory, as they lie on disk
	OutputFiles int           // files and directories in it
	Idle        time.Duration // without a program or a request, where the budget has no wall limit
}

// defaultBounds are those of every run.
var defaultBounds = Bounds{OutputBytes: 256 << 20, OutputFiles: 20_000, Idle: 10 * time.Minute}

// limits are the sandbox's, of a whole tool: compilers and interpreters need more than one test
// program does. Its wall time is the budget's.
var limits = sandbox.Limits{MemoryBytes: 4 << 30, FileBytes: 256 << 20, Processes: 256}

// A Command is a tool that is an executable from outside. It runs in the sandbox with a manifest
// of its job (Manifest) and leaves a suite in a directory; docs/howto/adding-a-tool.md is the contract.
type Command struct {
	Spec    experiments.ToolSpec // with absolute paths
	Sandbox sandbox.Executor     // shows nothing but the system's programs and what it is told to
	Models  *llm.Models          // nil unless Spec.Model
	CC, CXX string               // compilers that the command may use
	Bounds  Bounds               // zero means defaultBounds
	// Space opens the workspace of an agent, which is nil for other commands.
	Space func(ctx context.Context, job trial.Job, feedback string) (Space, error)
	// SpaceNeeds are the builds that it uses.
	SpaceNeeds   func(feedback string) trial.Needs
	SpaceVersion string            // of what the workspace tells an agent
	Heard        func(said string) // is told what the command printed, to standard error and then output; may be nil
}

// Name returns the tool's name in the experiment.
func (c *Command) Name() string { return c.Spec.Name }

// Stages returns the tool's own name, under which it asks its model; nil if it asks none.
func (c *Command) Stages() []string {
	if !c.Spec.Model {
		return nil
	}
	return []string{c.Spec.Name}
}

// Needs are the library's harnesses, if the block asks for them, and the builds of an agent's commands.
func (c *Command) Needs(map[string]any) trial.Needs {
	var n trial.Needs
	if a := c.Spec.Agent; a != nil && c.SpaceNeeds != nil {
		n = c.SpaceNeeds(a.Feedback)
	}
	n.FuzzTargets = c.Spec.Harnesses
	return n
}

// Version is part of the cells' keys: a hash of the command line, of the content of all the
// files that it names, and of what an agent is told and given to call. Files that cannot be read are left to Check.
func (c *Command) Version() string {
	h := sha256.New()
	for _, w := range c.Spec.Command {
		if isStaged(w) { // what it is is told by its content: where the file lies makes no difference
			w = filepath.Base(w)
		}
		fmt.Fprintf(h, "%q ", w)
	}
	fmt.Fprintf(h, "%d %d %q %t %t", experiments.Contract, c.Spec.Contract, c.Spec.Oracle, c.Spec.Model, c.Spec.Harnesses)
	if c.Spec.Agent != nil {
		fmt.Fprintf(h, "agent 2 %+v %q %q", *c.Spec.Agent, c.SpaceVersion, doorSource)
	}
	files := c.staged()
	if path, err := c.program(); err == nil && !filepath.IsAbs(c.Spec.Command[0]) {
		files = append(files, path)
	}
	for _, root := range files {
		_ = filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return nil
			}
			if data, err := os.ReadFile(path); err == nil {
				fmt.Fprintf(h, "%q %d\n%s\n", strings.TrimPrefix(path, filepath.Dir(root)), len(data), data)
			}
			return nil
		})
	}
	return "5-" + hex.EncodeToString(h.Sum(nil)[:8])
}

// Check says what keeps the command from being started; nil if nothing does.
func (c *Command) Check() error {
	for _, f := range c.staged() {
		if _, err := os.Stat(f); err != nil {
			return fmt.Errorf("tool %s: there is no %s: command and files name what lies relative to the experiment file", c.Spec.Name, f)
		}
	}
	program, err := c.program()
	if err != nil {
		return err
	}
	info, err := os.Stat(program)
	switch {
	case err != nil:
		return fmt.Errorf("tool %s: %w", c.Spec.Name, err)
	case !info.Mode().IsRegular() || info.Mode()&0o111 == 0:
		return fmt.Errorf("tool %s: %s is not executable: chmod +x %[2]s", c.Spec.Name, program)
	}
	text, _ := os.ReadFile(program) // a program that cannot be read is no script
	if m := interpreter.FindSubmatch(text); m != nil {
		if real, err := filepath.EvalSymlinks(string(m[1])); err != nil || !isSystem(real) {
			return fmt.Errorf("tool %s: %s asks for the interpreter %s, which is not there or not in /usr, /bin or /lib, "+
				"which is all of the system that the sandbox shows", c.Spec.Name, program, m[1])
		}
	}
	return nil
}

// interpreter matches the first line of a script.
var interpreter = regexp.MustCompile(`^#!\s*(\S+)`)

// systemDirs are shown to every program in the sandbox.
var systemDirs = []string{"/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/dev", "/proc"}

// program returns the path of the command's program.
func (c *Command) program() (string, error) {
	name := c.Spec.Command[0]
	if filepath.IsAbs(name) {
		return name, nil
	}
	for _, dir := range []string{"/usr/local/bin", "/usr/bin", "/bin"} {
		path := filepath.Join(dir, name)
		if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() {
			return path, nil
		}
	}
	return "", fmt.Errorf("tool %s: no program %s in /usr/local/bin, /usr/bin and /bin: install it, or write ./%[2]s for a file beside the experiment", c.Spec.Name, name)
}

// staged returns the files and directories outside the system's that the command names, each once, a directory
// before what lies in it.
func (c *Command) staged() []string {
	var list []string
	for _, w := range slices.Concat(c.Spec.Command, c.Spec.Files) {
		if isStaged(w) {
			list = append(list, filepath.Clean(w))
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// isStaged reports whether a word of the block is a path that the command is given a copy of.
func isStaged(word string) bool { return filepath.IsAbs(word) && !isSystem(word) }

func isSystem(path string) bool {
	return slices.ContainsFunc(systemDirs, func(dir string) bool { return path == dir || strings.HasPrefix(path, dir+"/") })
}

// stage copies the command's files below dir, each under its whole path, so that they lie to each other as they
// do. They are what Version says however long the cell takes, and the sandbox's user may read them whoever owns
// them. Links are copied as links. It returns the command's words as they are in the copy.
func (c *Command) stage(ctx context.Context, dir string) (words []string, err error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	copies := []string{"cp", "-RH", "--parents", "--target-directory=" + dir, "--"}
	last := "\x00"
	for _, f := range c.staged() {
		if !strings.HasPrefix(f, last+"/") { // else it comes with its directory
			copies, last = append(copies, f), f
		}
	}
	if last != "\x00" {
		for _, args := range [][]string{copies, {"chmod", "-R", "u+w,a+rX", dir}} {
			if _, err := toolchain.Run(ctx, toolchain.Command{Args: args}); err != nil {
				return nil, fmt.Errorf("tool %s: %w", c.Spec.Name, err)
			}
		}
	}
	for _, w := range c.Spec.Command {
		if isStaged(w) {
			w = filepath.Join(dir, w)
		}
		words = append(words, w)
	}
	if !filepath.IsAbs(words[0]) {
		words[0], err = c.program()
	}
	return words, err
}
