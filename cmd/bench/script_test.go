package main

import (
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
	"gotest.tools/v3/golden"

	"github.com/lisa-bench/lisa-bench/results"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"bench": main, "bench-jumps": func() { os.Exit(mainExit(jumpingClock())) }})
}

// TestScript runs testdata/script. Besides testscript's own commands there are
//
//	exits CODE COMMAND...   run COMMAND, which must exit with CODE and fit its words on a screen
//	json FILE               FILE, or stdout, is JSON
//	hold DIR                lock the run directory DIR until the script ends
//
// $EXAMPLES and $TOOLS are the directories of external tools, good ones and bad ones.
//
// Scripts that need a machine where something is missing, broken, full or read-only run
// bench inside `bwrap --dev-bind / /`, with something else mounted there.
func TestScript(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		UpdateScripts:       golden.FlagUpdate(),
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Setup: func(env *testscript.Env) error {
			env.Setenv("HOME", filepath.Join(env.WorkDir, "home"))
			for name, dir := range map[string]string{"EXAMPLES": "../../examples/tools", "TOOLS": "../../tools/exttool/testdata/tools"} {
				abs, err := filepath.Abs(dir)
				if err != nil {
					return err
				}
				env.Setenv(name, abs)
			}
			return nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"exits": scriptExits, "json": scriptJSON, "hold": scriptHold,
		},
	})
}

// screenful is how many lines an error may have.
const screenful = 24

func scriptExits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits CODE COMMAND...")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	code := 0
	var exit *exec.ExitError
	if err := ts.Exec(args[1], args[2:]...); errors.As(err, &exit) {
		code = exit.ExitCode()
	} else {
		ts.Check(err)
	}
	if code != want {
		ts.Fatalf("%s exits with %d, not %d", strings.Join(args[1:], " "), code, want)
	}
	words := ts.ReadFile("stderr")
	if n := strings.Count(words, "\n"); code != exitOK && (n == 0 || n > screenful) {
		ts.Fatalf("%d lines of error, which must be on one screen", n)
	}
}

func scriptJSON(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: json FILE")
	}
	var v any
	if err := json.Unmarshal([]byte(ts.ReadFile(args[0])), &v); err != nil {
		ts.Fatalf("%s: %v", args[0], err)
	}
}

func scriptHold(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: hold DIR")
	}
	dir := ts.MkAbs(args[0])
	ts.Check(os.MkdirAll(dir, 0o755))
	run, err := results.Open(dir, "pid 4711 on build3")
	ts.Check(err)
	ts.Defer(func() { ts.Check(run.Close()) })
}
