package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"
	"gotest.tools/v3/assert"
)

// A console is a terminal in which a program runs.
type console struct {
	*session
	mu   sync.Mutex
	text bytes.Buffer
}

// openConsole starts bench in a terminal of its own, of 80 columns and 24 rows.
func openConsole(t *testing.T, dir string, env []string, args ...string) *console {
	t.Helper()
	ctrl, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	if err != nil {
		t.Skip(err)
	}
	n, err := unix.IoctlGetInt(int(ctrl.Fd()), unix.TIOCGPTN)
	if err == nil {
		err = unix.IoctlSetPointerInt(int(ctrl.Fd()), unix.TIOCSPTLCK, 0)
	}
	if err == nil {
		err = unix.IoctlSetWinsize(int(ctrl.Fd()), unix.TIOCSWINSZ, &unix.Winsize{Row: 24, Col: 80})
	}
	assert.NilError(t, err)
	tty, err := os.OpenFile(fmt.Sprintf("/dev/pts/%d", n), os.O_RDWR|syscall.O_NOCTTY, 0)
	assert.NilError(t, err)
	defer tty.Close()
	c := &console{session: &session{cmd: exec.Command("bench", args...), dir: dir, exited: make(chan struct{})}}
	c.cmd.Stdin, c.cmd.Stdout, c.cmd.Stderr = tty, tty, tty
	c.cmd.Env = append(os.Environ(), env...)
	c.cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	assert.NilError(t, c.cmd.Start())
	read := make(chan struct{})
	go func() {
		defer close(read)
		_, _ = io.Copy(c, ctrl) // ends with an error when nobody has the terminal any more
	}()
	go func() {
		_ = c.cmd.Wait()
		<-read
		close(c.exited)
	}()
	t.Cleanup(func() { c.signal(syscall.SIGKILL); <-c.exited; ctrl.Close() })
	return c
}

func (c *console) Write(text []byte) (int, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.text.Write(text)
}

func (c *console) raw() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.text.String()
}

// TestTerminal runs an experiment in a terminal and in one that cannot move its cursor.
func TestTerminal(t *testing.T) {
	t.Parallel()
	l := newLab(t, strings.NewReplacer("PROGRAMS", "12", "BUGS", "[cjson-5]", "TIMEOUT", unhurried).Replace(tinyExperiment))
	for _, term := range []string{"xterm", "dumb"} {
		t.Run(term, func(t *testing.T) {
			if testing.Short() && term == "dumb" {
				t.Skip("one terminal is enough for a short test")
			}
			dir := filepath.Join(t.TempDir(), "run")
			s := openConsole(t, dir, []string{"TERM=" + term, "NO_COLOR=1"}, "run", l.experiment, "--cache", l.cache, "--dir", dir, "--fresh")
			code := s.wait(t)
			assert.Assert(t, code == exitOK, "exit code %d:\n%s", code, s.raw())
			raw := s.raw()
			shown := strings.Contains(raw, "of 2 cells, ") && strings.Contains(raw, "░ randoop.default.cJSON.debian.1  ")
			assert.Check(t, shown == (term == "xterm"), "bars are shown: %t\n%s", shown, raw)
			assert.Check(t, term != "dumb" || !strings.Contains(raw, "\x1b"), "controls for a terminal that has none: %q", raw)
			lines := strings.Split(strings.TrimRight(raw, "\r\n"), "\n")
			if last := strings.Join(lines[max(0, len(lines)-8):], "\n"); !strings.Contains(last, "report/index.html") || !strings.Contains(last, "randoop") || strings.Contains(last, "░") {
				t.Errorf("does not end with the headline and where to look:\n%s", last)
			}
		})
	}
}
