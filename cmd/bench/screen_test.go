package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/lisa-bench/lisa-bench/results"
)

// A tube is the picture of a terminal: what can be read on it after all that was written.
type tube struct {
	columns  int
	lines    [][]rune
	row, col int
	styled   bool // colours are on
	odd      []string
}

// control is what a terminal acts on; ESC 7 and the like are not used.
var control = regexp.MustCompile(`^\x1b\[([0-9;?]*)([A-Za-z])`)

func (u *tube) write(text string) {
	for text != "" {
		if m := control.FindStringSubmatch(text); m != nil {
			u.act(m[1], m[2])
			text = text[len(m[0]):]
			continue
		}
		r := []rune(text)[0]
		text = text[len(string(r)):]
		switch r {
		case '\r':
			u.col = 0
		case '\n':
			u.row, u.col = u.row+1, 0 // the terminal's driver adds the return
		default:
			if u.col == u.columns {
				u.row, u.col = u.row+1, 0
			}
			for len(u.lines) <= u.row {
				u.lines = append(u.lines, nil)
			}
			for len(u.lines[u.row]) <= u.col {
				u.lines[u.row] = append(u.lines[u.row], ' ')
			}
			u.lines[u.row][u.col] = r
			u.col++
		}
	}
}

func (u *tube) act(args, what string) {
	switch n, _ := strconv.Atoi(args); what {
	case "A":
		u.row = max(0, u.row-max(1, n))
	case "J":
		if u.row < len(u.lines) {
			u.lines = u.lines[:u.row+1]
			u.lines[u.row] = u.lines[u.row][:min(u.col, len(u.lines[u.row]))]
		}
	case "m":
		u.styled = args != "0" && args != "39"
	default:
		u.odd = append(u.odd, "ESC["+args+what)
	}
}

func (u *tube) String() string {
	var b strings.Builder
	for _, line := range u.lines {
		b.WriteString(strings.TrimRight(string(line), " ") + "\n")
	}
	return strings.TrimRight(b.String(), "\n") + "\n"
}

// TestScreen writes above pinned lines, which change, and stay the last ones.
func TestScreen(t *testing.T) {
	var out bytes.Buffer
	columns := 40
	s := &screen{w: &out, size: func() (int, int) { return columns, 24 }}
	pin := func(lines ...string) {
		s.Pin(func(int, int, bool) []string { return lines })
	}
	pin("1 of 3", "a at work")
	fmt.Fprint(s, "a is done\n")
	pin("2 of 3", "b at work", "c at work")
	fmt.Fprint(s, "half a")
	pin("never seen before the line is whole")
	fmt.Fprint(s, " line\n")
	pin("\x1b[32m2 of 3\x1b[0m", "c at work")
	picture := func() string {
		u := &tube{columns: columns}
		u.write(out.String())
		if u.col != 0 || u.styled || u.odd != nil {
			t.Errorf("the cursor is in column %d, styled %t, %q", u.col, u.styled, u.odd)
		}
		return u.String()
	}
	if got, want := picture(), "a is done\nhalf a line\n2 of 3\nc at work\n"; got != want {
		t.Errorf("shows\n%s\nwant\n%s", got, want)
	}
	s.Pin(nil)
	if got, want := picture(), "a is done\nhalf a line\n"; got != want {
		t.Errorf("at the end\n%s\nwant\n%s", got, want)
	}
	columns = 10
	pin("0123456789", "01234567890123456789012")
	before := out.Len()
	s.Pin(nil)
	if got := out.String()[before:]; got != "\r\x1b[4A\x1b[J" {
		t.Errorf("lines that wrapped are erased by %q", got)
	}
}

// A console is a terminal in which a program runs.
type console struct {
	*session
	mu   sync.Mutex
	text bytes.Buffer
}

// openConsole starts bench in a terminal of its own, with 24 rows.
func openConsole(t *testing.T, dir string, columns int, env []string, args ...string) *console {
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
		err = unix.IoctlSetWinsize(int(ctrl.Fd()), unix.TIOCSWINSZ, &unix.Winsize{Row: 24, Col: uint16(columns)})
	}
	if err != nil {
		t.Fatal(err)
	}
	tty, err := os.OpenFile(fmt.Sprintf("/dev/pts/%d", n), os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer tty.Close()
	c := &console{session: &session{cmd: exec.Command("bench", args...), dir: dir, exited: make(chan struct{})}}
	c.cmd.Stdin, c.cmd.Stdout, c.cmd.Stderr = tty, tty, tty
	c.cmd.Env = append(append(os.Environ(), "TERM=xterm", "NO_COLOR="), env...)
	c.cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	if err := c.cmd.Start(); err != nil {
		t.Fatal(err)
	}
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

// picture is what can be read in the terminal, which must be left as it was found.
func (c *console) picture(t *testing.T, columns int) string {
	t.Helper()
	u := &tube{columns: columns}
	u.write(c.raw())
	if u.col != 0 || u.styled || u.odd != nil {
		t.Errorf("the cursor is in column %d, styled %t, %q", u.col, u.styled, u.odd)
	}
	return u.String()
}

// TestTerminal runs an experiment in a terminal: to its end at 80 and at 200 columns, with and without
// colours; in one that cannot move its cursor; and until Ctrl-C or a kill.
func TestTerminal(t *testing.T) {
	t.Parallel()
	l := newLab(t, strings.NewReplacer("PROGRAMS", "12", "BUGS", "[cjson-5]", "TIMEOUT", unhurried).Replace(tinyExperiment))
	open := func(t *testing.T, columns int, env ...string) *console {
		dir := filepath.Join(t.TempDir(), "run")
		return openConsole(t, dir, columns, env, "run", l.experiment, "--cache", l.cache, "--dir", dir, "--fresh")
	}
	const live = "of 2 cells  "
	for _, c := range []struct {
		name    string
		columns int
		env     []string
	}{
		{"80", 80, nil}, {"200", 200, nil}, {"80 without colour", 80, []string{"NO_COLOR=1"}}, {"dumb", 80, []string{"TERM=dumb"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := open(t, c.columns, c.env...)
			if code := s.wait(t); code != exitOK {
				t.Fatalf("exit code %d:\n%s", code, s.raw())
			}
			raw, got := s.raw(), s.picture(t, c.columns)
			if shown := strings.Contains(raw, live); shown == (c.name == "dumb") {
				t.Errorf("cells at work are shown: %t", shown)
			}
			if coloured := strings.Contains(raw, "\x1b[32m") || strings.Contains(raw, "\x1b[1m"); coloured != (c.env == nil) {
				t.Errorf("colours: %t", coloured)
			}
			if c.name == "dumb" && strings.Contains(raw, "\x1b") {
				t.Errorf("controls for a terminal that has none: %q", raw)
			}
			if strings.Contains(got, live) {
				t.Errorf("what was shown stays:\n%s", got)
			}
			for _, line := range strings.Split(got[strings.LastIndex(got, "\n\n")+1:], "\n") {
				if n := len([]rune(line)); n > c.columns {
					t.Errorf("%d columns: %s", n, line)
				}
			}
			last := strings.Split(strings.TrimRight(got, "\n"), "\n")
			if n := len(last); n < 4 || !strings.HasPrefix(strings.Join(last[n-2:], ""), "report: ") && !strings.HasPrefix(last[n-1], "report: ") {
				t.Errorf("does not end with where to look:\n%s", got)
			}
			if !strings.Contains(strings.Join(last[max(0, len(last)-8):], "\n"), "randoop") {
				t.Errorf("the headline is not at the end:\n%s", got)
			}
		})
	}
	t.Run("watched", func(t *testing.T) { watched(t, l) })
	for name, sig := range map[string]syscall.Signal{"Ctrl-C": syscall.SIGINT, "kill -9": syscall.SIGKILL} {
		t.Run(name, func(t *testing.T) {
			s := open(t, 80)
			s.await(t, "cells at work", func() bool { return strings.Contains(s.raw(), "generating") || strings.Contains(s.raw(), "evaluating") })
			children := s.descendants(t)
			if sig == syscall.SIGKILL {
				_ = s.cmd.Process.Kill()
			} else {
				s.signal(sig)
			}
			s.wait(t)
			gone(t, children)
			got := s.picture(t, 80)
			if sig == syscall.SIGINT && (strings.Contains(got, live) || !strings.Contains(got, "bench: interrupted: run the same command again to resume")) {
				t.Errorf("after Ctrl-C:\n%s", got)
			}
			if strings.Count(got, live) > 1 {
				t.Errorf("several pictures of the cells at work:\n%s", got)
			}
		})
	}
}

// watched follows a run that somebody has, and that is given up.
func watched(t *testing.T, l lab) {
	dir := filepath.Join(t.TempDir(), "run")
	l.run(t, dir)
	held, err := results.Open(dir, "test")
	if err != nil {
		t.Fatal(err)
	}
	page := filepath.Join(dir, "report", "index.html")
	s := start(t, dir, "report", dir, "--cache", l.cache, "--watch=1s")
	s.await(t, "a page that follows the run", func() bool {
		text := readFile(t, page)
		return strings.Contains(text, "Under way: 2 of 2 cells done") && strings.Contains(text, `http-equiv="refresh"`)
	})
	if err := held.Close(); err != nil {
		t.Fatal(err)
	}
	s.expect(t, exitOK, "made again every", "nobody works on the run")
	if text := readFile(t, page); strings.Contains(text, "Under way") || strings.Contains(text, `http-equiv="refresh"`) {
		t.Error("the last page goes on looking for a newer one")
	}
}
