package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/lisa-bench/lisa-bench/internal/testcache"
	"github.com/lisa-bench/lisa-bench/internal/trial"
)

const (
	// attackMemory is the most that bench itself may ever hold of memory.
	attackMemory = 1 << 30
	// attackGrace is within what SIGTERM ends bench, whatever it reads or waits for.
	attackGrace = 10 * time.Second
)

// TestAttack runs testdata/attack: what somebody would do who wants to fool, harm or stop bench
// (a script each). LISA_BENCH_ATTACK_SANDBOX
// has them run in another sandbox than bwrap. Besides testscript's commands and those of TestScript there are
//
//	attack CODE COMMAND...  run COMMAND, which must exit with CODE, leave no process, and never hold 1 GiB itself
//	deaf [-until TEXT] COMMAND...   start COMMAND, which reads or waits without end, and end it by SIGTERM,
//	                        after it has said TEXT or after 3 s
//	counts RUN WORD=N...    the only record of the run directory has N programs of an outcome, N bugs detected, N lines
//	                        covered, or N programs with a flag
//	lacks WORD DIR...       no file below the directories, and no output of the last command, holds WORD
//	repeat FILE N HEAD TEXT TAIL   FILE is HEAD, N times TEXT with the count from 0 on for %d, and TAIL
//
// In the scripts' files, @CACHE@, @OUTSIDE@ and @CANARY@ stand for the cache, for a directory outside of
// all that bench was given, and for what a file in there, called secret, holds.
func TestAttack(t *testing.T) {
	if testing.Short() {
		t.Skip("make attack")
	}
	sandbox := os.Getenv("LISA_BENCH_ATTACK_SANDBOX")
	if sandbox == "" {
		sandbox = "bwrap"
	}
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/attack",
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Setup: func(env *testscript.Env) error {
			cache := testcache.Dir("")
			outside := filepath.Join(env.WorkDir, "outside")
			canary := fmt.Sprintf("canary%x", time.Now().UnixNano())
			env.Setenv("HOME", filepath.Join(env.WorkDir, "home"))
			env.Setenv("CACHE", cache)
			env.Setenv("OUTSIDE", outside)
			env.Setenv("CANARY", canary)
			env.Setenv("SANDBOX", sandbox)
			if err := os.MkdirAll(outside, 0o755); err != nil {
				return err
			}
			if err := os.WriteFile(filepath.Join(outside, "secret"), []byte(canary+"\n"), 0o644); err != nil {
				return err
			}
			return substitute(env.WorkDir, strings.NewReplacer("@CACHE@", cache, "@OUTSIDE@", outside, "@CANARY@", canary))
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"exits": scriptExits, "json": scriptJSON, "attack": scriptAttack, "deaf": scriptDeaf,
			"counts": scriptCounts, "lacks": scriptLacks, "repeat": scriptRepeat,
		},
	})
}

// substitute replaces words in all files below dir.
func substitute(dir string, words *strings.Replacer) error {
	return filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() || filepath.Base(path) == "secret" {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		return os.WriteFile(path, []byte(words.Replace(string(text))), 0o644)
	})
}

// A victim is a bench that is attacked.
type victim struct {
	cmd    *exec.Cmd
	out    said
	exited chan struct{}

	mu      sync.Mutex
	peak    int64           // most memory that it held, in bytes
	started map[int]process // its descendants, as far as they were seen
}

// said is what a command has printed so far.
type said struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (s *said) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.text.Write(p)
}

func (s *said) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.text.String()
}

// assail starts a command of a script and watches it.
func assail(ts *testscript.TestScript, args []string) *victim {
	path, err := exec.LookPath(args[0])
	ts.Check(err)
	v := &victim{cmd: exec.Command(path, args[1:]...), exited: make(chan struct{}), started: map[int]process{}}
	v.cmd.Dir = ts.MkAbs(".")
	v.cmd.Env = append(os.Environ(), "HOME="+ts.Getenv("HOME"))
	v.cmd.Stdout, v.cmd.Stderr = &v.out, &v.out
	v.cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	ts.Check(v.cmd.Start())
	go func() {
		_ = v.cmd.Wait() // its ProcessState tells all
		close(v.exited)
	}()
	go v.watch()
	return v
}

// watch keeps the victim's peak of memory until it ends. The kernel keeps the peak itself: only what
// comes in the last moments could be missed, and a process that ends frees memory.
func (v *victim) watch() {
	for {
		text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", v.cmd.Process.Pid))
		_, rest, _ := strings.Cut(string(text), "VmHWM:")
		var kb int64
		if _, err := fmt.Sscan(rest, &kb); err == nil {
			v.mu.Lock()
			v.peak = max(v.peak, kb<<10)
			v.mu.Unlock()
			if kb<<10 > 4*attackMemory { // before the machine suffers
				_ = v.cmd.Process.Kill()
			}
		}
		select {
		case <-v.exited:
			return
		case <-time.After(20 * time.Millisecond):
		}
	}
}

func (v *victim) check(ts *testscript.TestScript) {
	v.mu.Lock()
	defer v.mu.Unlock()
	ts.Check(os.WriteFile(ts.MkAbs("said"), []byte(v.out.String()), 0o644))
	ts.Logf("bench held %d MiB at most", v.peak>>20)
	if v.peak > attackMemory {
		ts.Fatalf("bench held %d MiB:\n%s", v.peak>>20, v.out.String())
	}
}

// scriptAttack leaves what bench said in the file said.
func scriptAttack(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: attack CODE COMMAND...")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	v := assail(ts, args[1:])
	select {
	case <-v.exited:
	case <-time.After(patience):
		_ = v.cmd.Process.Signal(syscall.SIGQUIT) // the stacks say what it waits for
		<-v.exited
		ts.Fatalf("still running after %s:\n%s", patience, v.out.String())
	}
	v.check(ts)
	if got := v.cmd.ProcessState.ExitCode(); got != want {
		ts.Fatalf("%s exits with %d, not %d:\n%s", strings.Join(args[1:], " "), got, want, v.out.String())
	}
}

func scriptDeaf(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 1 {
		ts.Fatalf("usage: deaf [-until TEXT] COMMAND...")
	}
	text, most := "", 3*time.Second
	if args[0] == "-until" && len(args) > 2 {
		text, most, args = args[1], 5*time.Minute, args[2:]
	}
	v := assail(ts, args)
	// It may well end by itself, because it refuses what would make it wait.
	for began := time.Now(); time.Since(began) < most && (text == "" || !strings.Contains(v.out.String(), text)); {
		select {
		case <-v.exited:
			v.check(ts)
			return
		case <-time.After(50 * time.Millisecond):
		}
	}
	select {
	case <-v.exited:
	default:
		ts.Check(v.cmd.Process.Signal(syscall.SIGTERM))
		select {
		case <-v.exited:
		case <-time.After(attackGrace):
			_ = v.cmd.Process.Signal(syscall.SIGQUIT)
			<-v.exited
			ts.Fatalf("deaf to SIGTERM:\n%s", v.out.String())
		}
	}
	v.check(ts)
}

func scriptCounts(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: counts RUN WORD=N...")
	}
	files, err := filepath.Glob(filepath.Join(ts.MkAbs(args[0]), "cells", "*", "record.json"))
	ts.Check(err)
	if len(files) != 1 {
		ts.Fatalf("%d records in %s", len(files), args[0])
	}
	text, err := os.ReadFile(files[0])
	ts.Check(err)
	var rec trial.Record
	ts.Check(json.Unmarshal(text, &rec))
	have := map[string]int{"detected": 0, "lines": rec.Coverage.LinesCovered}
	for _, f := range rec.Flags {
		have[string(f.Kind)] = f.Tests
	}
	for outcome, n := range rec.Programs.Outcomes {
		have[string(outcome)] = n
	}
	for _, b := range rec.Bugs {
		if b.Detected {
			have["detected"]++
		}
	}
	for _, a := range args[1:] {
		word, number, _ := strings.Cut(a, "=")
		n, err := strconv.Atoi(number)
		ts.Check(err)
		if have[word] != n {
			failures, _ := json.MarshalIndent(slices.Concat(rec.Alarms, rec.Failures), "", " ")
			ts.Fatalf("%s is %d, not %d, of %v:\n%s", word, have[word], n, have, failures)
		}
	}
}

func scriptLacks(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: lacks WORD DIR...")
	}
	holds := func(path string) {
		if text, err := os.ReadFile(path); err == nil && bytes.Contains(text, []byte(args[0])) {
			at := bytes.Index(text, []byte(args[0]))
			ts.Fatalf("%s holds %q: %q", path, args[0], text[max(0, at-200):min(len(text), at+200)])
		}
	}
	holds(ts.MkAbs("said"))
	for _, dir := range args[1:] {
		ts.Check(filepath.WalkDir(ts.MkAbs(dir), func(path string, d fs.DirEntry, err error) error {
			if errors.Is(err, fs.ErrNotExist) {
				return nil
			}
			if err == nil && d.Type().IsRegular() {
				holds(path)
			}
			return err
		}))
	}
}

func scriptRepeat(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 5 {
		ts.Fatalf("usage: repeat FILE N HEAD TEXT TAIL")
	}
	n, err := strconv.Atoi(args[1])
	ts.Check(err)
	var b strings.Builder
	b.WriteString(args[2])
	for i := range n {
		b.WriteString(strings.ReplaceAll(args[3], "%d", strconv.Itoa(i)))
	}
	b.WriteString(args[4])
	ts.Check(os.MkdirAll(filepath.Dir(ts.MkAbs(args[0])), 0o755))
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(b.String()), 0o644))
}
