package main

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"gotest.tools/v3/assert"

	"github.com/lisa-bench/lisa-bench/internal/testcache"
)

// tinyExperiment ends by counting programs, so that its report depends on no clock. Its
// batches are small to give a run many places to be interrupted at. The words in capitals are
// replaced.
const tinyExperiment = `name: tiny
trials: 2
budget: {programs: PROGRAMS}
test: {timeout: TIMEOUT}
libraries:
  - {name: cJSON, edition: debian, bugs: BUGS}
tools:
  - name: randoop
    params: {batch: 10}
`

const (
	// patience bounds every wait, and so only ends one that has no end.
	patience = 30 * time.Minute
	// grace is what a process gets to be gone after it was killed or its parent has ended.
	grace = time.Minute
	// unhurried is the limit of test programs that end by themselves.
	unhurried = "1m"
)

// A lab is a cache and an experiment that the runs of a test share.
type lab struct{ cache, experiment string }

// newLab returns a lab with an experiment of that text. It has the cache of all tests, so a test must not damage it.
func newLab(t *testing.T, experiment string) lab {
	l := lab{cache: testcache.Dir(""), experiment: filepath.Join(t.TempDir(), "tiny.yaml")}
	writeFile(t, l.experiment, experiment)
	return l
}

// equip gives the cache what a machine makes once, whatever is tested, if the tests' cache has it: the
// plugin, the linker's stubs, the runners. To make them takes longer than most tests. How they are made again
// is for TestFaults, which damages them, and for `make torture`, which begins without.
func (l lab) equip(t *testing.T) {
	t.Helper()
	for _, part := range []string{"plugins", "stubs", "runners"} {
		from, to := testcache.Dir(part), filepath.Join(l.cache, part)
		files, err := os.ReadDir(from)
		assert.NilError(t, errors.Join(err, os.MkdirAll(to, 0o755)))
		for _, f := range files {
			data, err := os.ReadFile(filepath.Join(from, f.Name()))
			if !f.Type().IsRegular() || errors.Is(err, fs.ErrNotExist) { // in the making
				continue
			}
			assert.NilError(t, errors.Join(err, os.WriteFile(filepath.Join(to, f.Name()), data, 0o755)))
		}
	}
}

// A session is one bench process.
type session struct {
	cmd    *exec.Cmd
	dir    string
	out    bytes.Buffer // stdout and stderr
	exited chan struct{}
}

// start runs the experiment in dir, in a process group of its own as a shell would.
func (l lab) start(t *testing.T, dir string, args ...string) *session {
	t.Helper()
	return start(t, dir, append([]string{"run", l.experiment, "--cache", l.cache, "--dir", dir, "--fresh"}, args...)...)
}

func start(t *testing.T, dir string, args ...string) *session {
	t.Helper()
	return startProgram(t, dir, "bench", args...)
}

// startProgram starts bench under one of the names that TestMain gives it.
func startProgram(t *testing.T, dir, program string, args ...string) *session {
	t.Helper()
	return startCommand(t, dir, exec.Command(program, args...))
}

func startCommand(t *testing.T, dir string, cmd *exec.Cmd) *session {
	t.Helper()
	s := &session{cmd: cmd, dir: dir, exited: make(chan struct{})}
	s.cmd.Stdout, s.cmd.Stderr = &s.out, &s.out
	s.cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	assert.NilError(t, s.cmd.Start())
	go func() {
		_ = s.cmd.Wait() // its ProcessState tells all
		close(s.exited)
	}()
	t.Cleanup(func() { s.signal(syscall.SIGKILL); <-s.exited })
	return s
}

// run runs the experiment in dir to its end, which must be a complete one.
func (l lab) run(t *testing.T, dir string, args ...string) {
	t.Helper()
	began := time.Now()
	l.start(t, dir, args...).expect(t, exitOK)
	t.Logf("completed in %.1f s", time.Since(began).Seconds())
}

// wait returns the exit code of the session once it has ended.
func (s *session) wait(t *testing.T) int {
	t.Helper()
	select {
	case <-s.exited:
		return s.cmd.ProcessState.ExitCode()
	case <-time.After(patience):
		s.signal(syscall.SIGQUIT) // the stacks say what it waits for
		<-s.exited
		t.Fatalf("still running after %s:\n%s", patience, s.out.String())
		return 0
	}
}

// expect waits for the session's end, which must be with that exit code and those words.
func (s *session) expect(t *testing.T, code int, words ...string) {
	t.Helper()
	got := s.wait(t)
	assert.Assert(t, got == code, "exit code %d, not %d:\n%s", got, code, s.out.String())
	for _, w := range words {
		assert.Check(t, strings.Contains(s.out.String(), w), "does not say %q:\n%s", w, s.out.String())
	}
}

// signal sends sig to the session's process group, as a terminal does.
func (s *session) signal(sig syscall.Signal) { _ = syscall.Kill(-s.cmd.Process.Pid, sig) }

// await waits until what is true, and fails if the session ends before.
func (s *session) await(t *testing.T, what string, is func() bool) {
	t.Helper()
	for deadline := time.Now().Add(patience); !is(); time.Sleep(5 * time.Millisecond) {
		select {
		case <-s.exited:
			t.Fatalf("ended before %s:\n%s", what, s.out.String())
		default:
		}
		if time.Now().After(deadline) {
			s.signal(syscall.SIGQUIT)
			<-s.exited
			t.Fatalf("no %s after %s:\n%s", what, patience, s.out.String())
		}
	}
}

// occurs returns how often word is in the files named name of the run's cells.
func (s *session) occurs(t *testing.T, name, word string) int {
	t.Helper()
	n := 0
	for _, f := range matches(t, filepath.Join(s.dir, "cells", "*", name)) {
		n += strings.Count(readFile(t, f), word)
	}
	return n
}

// A process is a process by its number and when it was started, for numbers are used again.
type process struct {
	pid     int
	started string
	name    string
}

func (p process) String() string { return fmt.Sprintf("%s (%d)", p.name, p.pid) }

// processes returns all that run, zombies apart, by the process that started them.
func processes(t *testing.T) map[int][]process {
	t.Helper()
	files, err := filepath.Glob("/proc/[0-9]*/stat")
	assert.NilError(t, err)
	byParent := map[int][]process{}
	for _, f := range files {
		data, err := os.ReadFile(f)
		if err != nil {
			continue // it has ended
		}
		// proc(5): pid (name) state ppid …, and as the 22nd field when it was started.
		head, tail, _ := strings.Cut(string(data), " (")
		end := strings.LastIndexByte(tail, ')')
		rest := strings.Fields(tail[end+1:])
		if rest[0] == "Z" {
			continue
		}
		pid, perr := strconv.Atoi(head)
		parent, err := strconv.Atoi(rest[1])
		assert.NilError(t, errors.Join(perr, err))
		byParent[parent] = append(byParent[parent], process{pid, rest[19], tail[:end]})
	}
	return byParent
}

// descendants returns the processes that the session has started and those that these have.
func (s *session) descendants(t *testing.T) []process {
	t.Helper()
	byParent := processes(t)
	found := byParent[s.cmd.Process.Pid]
	for i := 0; i < len(found); i++ {
		found = append(found, byParent[found[i].pid]...)
	}
	return found
}

// gone fails unless all of list end.
func gone(t *testing.T, list []process) {
	t.Helper()
	left := lingering(t, list)
	assert.Check(t, len(left) == 0, "left behind: %v", left)
}

// lingering waits until all of list have ended, or for their grace, and returns those left.
func lingering(t *testing.T, list []process) []process {
	t.Helper()
	for deadline := time.Now().Add(grace); ; {
		var left []process
		for _, children := range processes(t) {
			for _, p := range children {
				if slices.Contains(list, p) {
					left = append(left, p)
				}
			}
		}
		if len(left) == 0 || time.Now().After(deadline) {
			return left
		}
		time.Sleep(5 * time.Millisecond)
	}
}

// files returns the content of all files below dir.
func files(t *testing.T, dir string) map[string]string {
	t.Helper()
	content := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		content[strings.TrimPrefix(path, dir)] = string(data)
		return err
	})
	assert.NilError(t, err)
	return content
}

// sameReport compares the reports of two runs byte for byte.
func sameReport(t *testing.T, wantRun, gotRun string) {
	t.Helper()
	for _, d := range differences(t, wantRun, gotRun) {
		t.Error(d)
	}
}

// differences returns in what a run's report differs from another's, byte for byte.
func differences(t *testing.T, wantRun, gotRun string) (list []string) {
	t.Helper()
	want, got := files(t, filepath.Join(wantRun, "report")), files(t, filepath.Join(gotRun, "report"))
	assert.Assert(t, len(want) != 0, "no report")
	for name := range want {
		if _, ok := got[name]; !ok {
			list = append(list, fmt.Sprintf("report%s is missing", name))
		}
	}
	for name, text := range got {
		if text == want[name] {
			continue
		}
		a, b := strings.Split(want[name], "\n"), strings.Split(text, "\n")
		i := 0
		for i < min(len(a), len(b)) && a[i] == b[i] {
			i++
		}
		list = append(list, fmt.Sprintf("report%s differs from line %d on:\n%.300s\nundisturbed:\n%.300s", name, i+1,
			strings.Join(b[i:], "\n"), strings.Join(a[i:], "\n")))
	}
	return list
}
