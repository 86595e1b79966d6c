package toolchain

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"gotest.tools/v3/assert"
)

// grace is what the kernel gets to end a process that was killed.
const grace = time.Minute

func TestRunOutcomes(t *testing.T) {
	ctx := context.Background()
	tests := []struct {
		name   string
		script string
		limits Limits
		check  func(*CommandError) bool // nil: success expected
	}{
		{name: "success", script: "exit 0"},
		{name: "exit status", script: "echo words >&2; exit 3",
			check: func(e *CommandError) bool { return e.ExitCode == 3 && string(e.Stderr) == "words\n" }},
		{name: "signal", script: "kill -SEGV $$",
			check: func(e *CommandError) bool { return e.Signal == syscall.SIGSEGV }},
		{name: "CPU limit", script: "while :; do :; done", limits: Limits{CPU: time.Second},
			check: func(e *CommandError) bool { return e.Signal == syscall.SIGKILL || e.Signal == syscall.SIGXCPU }},
		{name: "file size limit", script: `until [ "$(ulimit -f)" != unlimited ]; do :; done; head -c 2000000 /dev/zero > big`, limits: Limits{FileSize: 1 << 20},
			check: func(e *CommandError) bool { return e.ExitCode > 0 }},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := Run(ctx, Command{Args: []string{"sh", "-c", tt.script}, Dir: t.TempDir(), Limits: tt.limits})
			var failed *CommandError
			switch {
			case tt.check == nil && err != nil:
				t.Error(err)
			case tt.check != nil && (!errors.As(err, &failed) || !tt.check(failed)):
				t.Errorf("got %#v", err)
			}
		})
	}
}

func TestRunEnvironmentIsExact(t *testing.T) {
	t.Setenv("LISABENCH_LEAK", "1")
	for name, env := range map[string][]string{"stated": {"PATH=/usr/bin:/bin", "X=a b"}, "default": nil} {
		out, err := Run(context.Background(), Command{Args: []string{"env"}, Env: env})
		assert.NilError(t, err)
		want := env
		if env == nil {
			want = defaultEnv
		}
		if got := strings.TrimSpace(string(out.Stdout)); got != strings.Join(want, "\n") {
			t.Errorf("%s environment: got\n%s", name, got)
		}
	}
}

// TestRunKillsTheGroup starts a child that ignores everything and starts another, ends
// the context, and looks for survivors.
func TestRunKillsTheGroup(t *testing.T) {
	cause := errors.New("enough")
	ctx, cancel := context.WithCancelCause(context.Background())
	pids := filepath.Join(t.TempDir(), "pids")
	script := `trap '' TERM INT; sleep 1000 & echo $! > ` + pids + `.part; echo $$ >> ` + pids + `.part; mv ` + pids + `.part ` + pids + `; wait`
	go func() {
		for {
			if _, err := os.Stat(pids); err == nil {
				cancel(cause)
				return
			}
			time.Sleep(time.Millisecond)
		}
	}()
	if _, err := Run(ctx, Command{Args: []string{"sh", "-c", script}}); !errors.Is(err, cause) {
		t.Fatalf("error %v, want the context's cause", err)
	}
	text, err := os.ReadFile(pids)
	assert.NilError(t, err)
	for _, f := range strings.Fields(string(text)) {
		pid, err := strconv.Atoi(f)
		assert.NilError(t, err)
		// SIGKILL has been sent, but a busy machine takes its time to act on it.
		for deadline := time.Now().Add(grace); alive(pid); time.Sleep(time.Millisecond) {
			assert.Assert(t, !time.Now().After(deadline), "process %d survived", pid)
		}
	}
}

// alive reports whether a process exists and is no zombie. The orphan of a killed parent is
// dead at once but is reaped by another process, in its own time.
func alive(pid int) bool {
	stat, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(pid), "stat"))
	if err != nil {
		return false
	}
	fields := strings.Fields(string(stat[bytes.LastIndexByte(stat, ')')+1:]))
	return fields[0] != "Z" && fields[0] != "X"
}

func TestRunDoesNotWaitForOrphans(t *testing.T) {
	start := time.Now()
	out, err := Run(context.Background(), Command{Args: []string{"sh", "-c", "echo done; sleep 1000 &"}})
	assert.Check(t, err == nil && string(out.Stdout) == "done\n", "%q, %v", out.Stdout, err)
	if d := time.Since(start); d > pipeGrace+grace {
		t.Errorf("took %v", d)
	}
}

func TestRunCapsOutput(t *testing.T) {
	script := `echo first; head -c 3000000 /dev/zero | tr '\0' x; echo; echo last`
	out, err := Run(context.Background(), Command{Args: []string{"sh", "-c", script}, MaxOutput: 1000})
	assert.NilError(t, err)
	if s := string(out.Stdout); !strings.HasPrefix(s, "first\nxxx") || len(s) != 1000 {
		t.Errorf("%d bytes: %.40q", len(s), s)
	}
}

// TestKilledCommandIsNoVerdict: a command that somebody kills is never taken for one that refused its input.
func TestKilledCommandIsNoVerdict(t *testing.T) {
	_, err := Run(t.Context(), Command{Args: []string{"sh", "-c", "kill -9 $$"}})
	assert.Check(t, errors.As(err, new(*killedError)) && !errors.As(err, new(*CommandError)), "killed: %v", err)
}

func TestMissingProgramNamesItsPackage(t *testing.T) {
	for _, name := range []string{"bwrap", "/nowhere/bin/bwrap"} {
		_, err := Run(context.Background(), Command{Args: []string{name}, Env: []string{"PATH=/nowhere"}})
		var m *MissingError
		assert.Check(t, errors.As(err, &m) && m.Package == "bubblewrap", "%s: %v", name, err)
	}
}

// TestCommandLineReplays runs the line that an error shows in a shell.
func TestCommandLineReplays(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "it's here")
	assert.NilError(t, os.Mkdir(dir, 0o777))
	args := []string{"printf", "%s|", "plain", "", "two words", "it's", `a"b\c$d`, "*", "new\nline"}
	var log strings.Builder
	out, err := Run(context.Background(), Command{Args: args, Dir: dir, Log: NewCommandLog(&log)})
	assert.NilError(t, err)
	again, err := Run(context.Background(), Command{Args: []string{"sh"}, Stdin: strings.NewReader(log.String())})
	assert.NilError(t, err)
	assert.Check(t, bytes.Equal(out.Stdout, again.Stdout),
		"%q, replayed %q, from %s", out.Stdout, again.Stdout, log.String())
}
