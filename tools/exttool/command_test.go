package exttool

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"gotest.tools/v3/assert"

	"github.com/lisa-bench/lisa-bench/execute/sandbox"
	"github.com/lisa-bench/lisa-bench/experiments"
	"github.com/lisa-bench/lisa-bench/internal/testcache"
	"github.com/lisa-bench/lisa-bench/internal/toolchain"
	"github.com/lisa-bench/lisa-bench/internal/trial"
	"github.com/lisa-bench/lisa-bench/tools/tooltest"
)

// bwrap is the sandbox of all tests.
var bwrap sandbox.Executor

func TestMain(m *testing.M) {
	tools, err := toolchain.Find(context.Background(), nil)
	if err == nil {
		bwrap, err = sandbox.NewBwrap(sandbox.Config{Tools: tools, Dir: testcache.Dir("runners"), Limits: sandbox.DefaultLimits})
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(m.Run())
}

// A run is one generation.
type run struct {
	stop  trial.StopReason
	err   error
	suite *tooltest.Suite
	dir   string
}

func (r run) origins() string {
	var names []string
	for _, p := range r.suite.Programs {
		names = append(names, p.Origin)
	}
	return strings.Join(names, " ")
}

// kind is that of the reason why there is no suite.
func (r run) kind() string {
	var inc *trial.IncompleteError
	if errors.As(r.err, &inc) {
		return inc.Kind
	}
	return ""
}

// block is a tool's block with a command of testdata/tools.
func block(t *testing.T, words ...string) experiments.ToolSpec {
	t.Helper()
	path, err := filepath.Abs(filepath.Join("testdata", "tools", words[0]))
	assert.NilError(t, err)
	command := append([]string{path}, words[1:]...)
	return experiments.ToolSpec{Name: "mine", External: experiments.External{Command: command, Contract: experiments.Contract, Oracle: trial.OracleReference}}
}

// jobIn is a job whose library is a directory of its own.
func jobIn(t *testing.T, b trial.Budget) (trial.Job, *tooltest.Suite) {
	t.Helper()
	root := t.TempDir()
	library, work := filepath.Join(root, "library"), filepath.Join(root, "work")
	assert.NilError(t, errors.Join(os.Mkdir(library, 0o755), os.Mkdir(work, 0o755)))
	write(t, filepath.Join(root, "bugs.yaml"), "planted")
	ledger := trial.NewLedger(b, trial.Usage{}, time.Now)
	suite := &tooltest.Suite{Ledger: ledger}
	return trial.Job{
		Target: trial.Target{Library: "tiny", Language: trial.C, Headers: []string{"tiny.h"}, IncludeDirs: []string{library}, SourceDir: library},
		Seed:   1 << 63, Dir: work, Suite: suite, Ledger: ledger, Log: slog.New(slog.DiscardHandler),
		Generation: new(trial.Generation),
		Models:     trial.ModelAccess{Cell: "c", Transcript: filepath.Join(root, "transcript.jsonl"), Fresh: func() {}},
	}, suite
}

// generate runs a command; change may be nil.
func generate(t *testing.T, ctx context.Context, b trial.Budget, change func(*Command), words ...string) run {
	t.Helper()
	job, suite := jobIn(t, b)
	return generateIn(t, ctx, job, suite, change, words...)
}

// generateIn is generate for a job that is there already.
func generateIn(t *testing.T, ctx context.Context, job trial.Job, suite *tooltest.Suite, change func(*Command), words ...string) run {
	t.Helper()
	r := run{suite: suite, dir: job.Dir}
	c := Command{Spec: block(t, words...), Sandbox: bwrap, CC: "cc", CXX: "c++"}
	if change != nil {
		change(&c)
	}
	budgeted, cancel := job.Ledger.Context(ctx)
	defer cancel()
	r.stop, r.err = c.Generate(budgeted, job)
	return r
}

func TestCommandLeavesItsPrograms(t *testing.T) {
	for _, tt := range []struct {
		name, tool string
		budget     trial.Budget
		stop       trial.StopReason
		origins    string
	}{
		{"as listed, to the end of the budget", "good.sh", trial.Budget{Programs: 3}, trial.StopPrograms, "t1.c t2.c t3.c"},
		{"as listed, to its own end", "good.sh", trial.Budget{Wall: time.Hour}, trial.StopExhausted, "t1.c t2.c t3.c t4.c t5.c"},
		{"by their names, when it has ended", "atend.sh", trial.Budget{Programs: 9}, trial.StopExhausted, "t1.c t2.c t3.c"},
		{"more than its budget", "ignores_budget.sh", trial.Budget{Programs: 4}, trial.StopPrograms, "t1.c t2.c t3.c t4.c"},
		{"with daemons", "daemons.sh", trial.Budget{Programs: 9}, trial.StopExhausted, "t1.c"},
		{"in two dialects", "dialects.sh", trial.Budget{Programs: 2}, trial.StopPrograms, "a.c b.c"},
		{"seeing nothing of the host", "peeks.sh", trial.Budget{Programs: 9}, trial.StopExhausted, "t1.c"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Setenv("OPENAI_API_KEY", "sk-secret")
			r := generate(t, t.Context(), tt.budget, nil, tt.tool)
			assert.Assert(t, r.err == nil && r.stop == tt.stop && r.origins() == tt.origins,
				"stop %q, error %v, programs %q; want %q and %q", r.stop, r.err, r.origins(), tt.stop, tt.origins)
			for _, p := range r.suite.Programs {
				assert.Check(t, p.Lang == trial.C && p.Oracle == trial.OracleReference, "program = %+v", p)
			}
			if _, err := os.Stat(filepath.Join(r.dir, "in")); !os.IsNotExist(err) {
				t.Errorf("what the command was given is left: %v", err)
			}
		})
	}
}

func TestBadCommandsEndTheirCellWithAReason(t *testing.T) {
	small := func(c *Command) {
		c.Bounds = Bounds{OutputBytes: 8 << 20, OutputFiles: 200, Idle: time.Minute}
		if filepath.Base(c.Spec.Command[0]) == "sleeps.sh" {
			c.Bounds.Idle = time.Second
		}
	}
	programs := trial.Budget{Programs: 1000}
	for _, tt := range []struct {
		name   string
		words  []string
		budget trial.Budget
		kind   string
		want   string
	}{
		{"files", []string{"floods.sh"}, trial.Budget{Wall: time.Hour}, KindFlooded, "tool mine: the output directory holds more than 200 files"},
		{"bytes", []string{"floods.sh", "bytes"}, trial.Budget{Wall: time.Hour}, KindFlooded, "tool mine: the output directory holds more than 8 MiB"},
		{"wants the network", []string{"network.py"}, programs, KindCrashed, "exit status 1 after 0 programs: no network: nothing to generate from"},
		{"Rust", []string{"dialects.sh"}, programs, KindSuite, "tool mine: suite.jsonl:3: c.rs is neither C nor C++ by its name"},
		{"exit status", []string{"crashes.sh"}, programs, KindCrashed, "tool mine: exit status 7 after 1 program: no memory for the second program"},
		{"signal", []string{"crashes.sh", "signal"}, programs, KindCrashed, "tool mine: killed by signal segmentation fault after 1 program"},
		{"idle", []string{"sleeps.sh"}, programs, KindIdle, "tool mine: no program and no request for 1s"},
		{"missing", []string{"none.sh"}, programs, kindMissing, "there is no "},
		{"not executable", []string{"not_executable.sh"}, programs, kindMissing, "not_executable.sh is not executable: chmod +x"},
		{"interpreter missing", []string{"bad_interpreter.sh"}, programs, kindMissing, "asks for the interpreter /opt/none/python, which is not there"},
		{"lists a file of others", []string{"forges.sh", `{"file": "../../other/t.c"}`}, programs, KindSuite, "suite.jsonl:1: file: '../../other/t.c' does not match pattern"},
		{"lists what is not there", []string{"forges.sh", `{"file": "t2.c"}`}, programs, KindSuite, "suite.jsonl:1: t2.c: no such file or directory"},
		{"lists a link", []string{"forges.sh", `{"file": "link.c"}`}, programs, KindSuite, "suite.jsonl:1: link.c: it leads out of "},
		{"lists a pipe", []string{"forges.sh", `{"file": "pipe.c"}`}, programs, KindSuite, "suite.jsonl:1: pipe.c: it is no regular file"},
		{"lists a directory", []string{"forges.sh", `{"file": "dir.c"}`}, programs, KindSuite, "suite.jsonl:1: dir.c: it is a directory"},
		{"claims a detection", []string{"forges.sh", `{"file": "t1.c", "detected": true}`}, programs, KindSuite, "suite.jsonl:1: additional properties 'detected' not allowed"},
		{"claims an oracle", []string{"forges.sh", `{"file": "t1.c", "oracle": "crash"}`}, programs, KindSuite, "suite.jsonl:1: oracle: value must be one of 'specification', 'reference'"},
		{"lists one twice", []string{"forges.sh", "{\"file\": \"t1.c\"}\n{\"file\": \"t1.c\"}"}, programs, KindSuite, "suite.jsonl:2: t1.c is listed twice, first in line 1"},
		{"no JSON", []string{"forges.sh", "t1.c"}, programs, KindSuite, "suite.jsonl:1: not JSON"},
		{"a line without end", []string{"forges.sh", strings.Repeat("x", maxLine+1)}, programs, KindSuite, "suite.jsonl:1: "},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			r := generate(t, t.Context(), tt.budget, small, tt.words...)
			assert.Check(t, r.kind() == tt.kind && strings.Contains(r.err.Error(), tt.want),
				"error = %v (%s), want a %s with %q", r.err, r.kind(), tt.kind, tt.want)
		})
	}
}

func TestCommandEndsWithItsCell(t *testing.T) {
	t.Run("wall", func(t *testing.T) {
		unbounded := func(c *Command) { // a fast machine writes 20,000 files in the time
			c.Bounds = defaultBounds
			c.Bounds.OutputFiles = math.MaxInt
		}
		made := 0
		for wall := time.Second; made == 0; wall *= 2 { // a slow machine needs longer for the first
			r := generate(t, t.Context(), trial.Budget{Wall: wall}, unbounded, "ignores_budget.sh")
			if made = len(r.suite.Programs); !errors.Is(r.err, trial.ErrBudget) {
				t.Fatalf("error %v with %d programs", r.err, made)
			}
		}
	})
	t.Run("cancelled, with daemons", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		job, suite := jobIn(t, trial.Budget{Programs: 9})
		log := filepath.Join(job.Dir, "out", "daemon.log")
		go func() { // cancels when the daemons are at work
			for {
				if info, err := os.Stat(log); t.Context().Err() != nil || err == nil && info.Size() > 0 {
					cancel()
					return
				}
				time.Sleep(5 * time.Millisecond)
			}
		}()
		r := generateIn(t, ctx, job, suite, nil, "daemons.sh", "stays")
		assert.Check(t, errors.Is(r.err, context.Canceled), "error %v", r.err)
		before, err := os.ReadFile(log)
		assert.Assert(t, err == nil && len(before) != 0, "the daemons did nothing: %v", err)
		time.Sleep(300 * time.Millisecond)
		if after, err := os.ReadFile(log); err != nil || len(after) != len(before) {
			t.Errorf("the daemons go on: %d bytes, then %d (%v)", len(before), len(after), err)
		}
	})
}

func TestCommandVersionIsItsContent(t *testing.T) {
	dir := t.TempDir()
	script, data := filepath.Join(dir, "a.sh"), filepath.Join(dir, "data")
	write(t, script, "#!/bin/sh\n")
	write(t, data, "1")
	spaceVersion := ""
	version := func(change func(*experiments.ToolSpec)) string {
		spec := experiments.ToolSpec{Name: "mine", External: experiments.External{Command: []string{script, "-n", "1"}, Files: []string{data}, Contract: 1}}
		if change != nil {
			change(&spec)
		}
		return (&Command{Spec: spec, SpaceVersion: spaceVersion}).Version()
	}
	seen := map[string]string{}
	check := func(what, v string) {
		if before, twice := seen[v]; twice {
			t.Errorf("%s: version %s as for %s", what, v, before)
		}
		seen[v] = what
	}
	check("as it is", version(nil))
	check("another argument", version(func(s *experiments.ToolSpec) { s.Command = []string{script, "-n", "2"} }))
	check("another oracle", version(func(s *experiments.ToolSpec) { s.Oracle = trial.OracleReference }))
	agent := func(s *experiments.ToolSpec) { s.Agent = &experiments.Agent{Task: experiments.TaskFile} }
	check("an agent", version(agent))
	spaceVersion = "2"
	check("another task", version(agent))
	check("a program of the system", version(func(s *experiments.ToolSpec) { s.Command = []string{"sh", script} }))
	write(t, data, "2")
	check("another file", version(nil))
	write(t, script, "#!/bin/sh\nexit\n")
	changed := version(nil)
	check("another script", changed)
	moved := filepath.Join(t.TempDir(), "elsewhere")
	assert.NilError(t, os.Rename(dir, moved))
	script, data = filepath.Join(moved, "a.sh"), filepath.Join(moved, "data")
	if v := version(nil); v != changed {
		t.Errorf("the same tool elsewhere has version %s, not %s", v, changed)
	}
}

// TestFilesAreStagedAsTheyLie: what a command reads beside itself it finds there, whoever may read the original.
func TestFilesAreStagedAsTheyLie(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"bin/tool.sh", "lib/a/data", "lib/b"} {
		assert.NilError(t, os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o700))
		if err := os.WriteFile(filepath.Join(dir, name), []byte("#!/bin/sh\ncat \"$(dirname \"$0\")/../lib/a/data\" >&2; exit 3\n"), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	tool, lib := filepath.Join(dir, "bin", "tool.sh"), filepath.Join(dir, "lib")
	for _, tt := range []struct {
		name  string
		words []string
		files []string
	}{
		{"side by side", []string{tool}, []string{lib}},
		{"all of the directory", []string{tool}, []string{dir}},
		{"twice", []string{tool, lib}, []string{lib, filepath.Join(lib, "a")}},
		{"an argument", []string{"sh", tool, lib}, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := generate(t, t.Context(), trial.Budget{Programs: 1}, func(c *Command) { c.Spec.Command, c.Spec.Files = tt.words, tt.files }, "good.sh")
			if r.kind() != KindCrashed || !strings.Contains(r.err.Error(), "exit status 3 after 0 programs: #!/bin/sh") {
				t.Errorf("error = %v", r.err)
			}
		})
	}
}
