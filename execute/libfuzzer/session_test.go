package libfuzzer

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"gotest.tools/v3/assert"

	"github.com/lisa-bench/lisa-bench/bench/libbuild"
	"github.com/lisa-bench/lisa-bench/internal/bounded"
	"github.com/lisa-bench/lisa-bench/internal/trial"
)

// hour is the budget of a session, or of an input, that ends by itself.
const hour = time.Hour

// names lists what was found, without what depends on the clock.
func names(inputs []Input) []string {
	var list []string
	for _, in := range inputs {
		list = append(list, string(in.Failure)+" "+in.SHA1)
	}
	return list
}

func failuresOf(inputs []Input) []Failure {
	var kinds []Failure
	for _, in := range inputs {
		if in.Failure != "" && !slices.Contains(kinds, in.Failure) {
			kinds = append(kinds, in.Failure)
		}
	}
	return kinds
}

func writeFile(t *testing.T, path, text string) string {
	t.Helper()
	assert.NilError(t, os.MkdirAll(filepath.Dir(path), 0o755))
	assert.NilError(t, os.WriteFile(path, []byte(text), 0o644))
	return path
}

func TestRunIsDeterministic(t *testing.T) {
	t.Parallel()
	exe := buildToy(t, overread).target.Executable
	f := newFuzzer(t)
	var first []string
	for range 2 {
		dir := t.TempDir()
		seed := writeFile(t, filepath.Join(dir, "s"), "tox")
		r, err := f.Run(t.Context(), Session{Executable: exe, Seed: 3, Execs: 100_000, Seeds: []string{seed}, Dir: filepath.Join(dir, "f")})
		assert.NilError(t, err)
		assert.Check(t, r.Execs >= 100_000 && r.Execs <= 101_000 && r.Runs >= 2,
			"%d executions in %d runs; want 100000, with a restart after a crash", r.Execs, r.Runs)
		assert.Check(t, slices.Contains(failuresOf(r.Inputs), Crash), "no crash in %v", names(r.Inputs))
		if first == nil {
			first = names(r.Inputs)
		} else if got := names(r.Inputs); !slices.Equal(got, first) {
			t.Errorf("first %v\nthen %v", first, got)
		}
	}
}

func TestRunFindsHang(t *testing.T) {
	t.Parallel()
	f := newFuzzer(t)
	dir := t.TempDir()
	seed := writeFile(t, filepath.Join(dir, "s"), "toy12")
	dict := writeFile(t, filepath.Join(dir, "dict"), "\"!\"\n")
	start := time.Now()
	r, err := f.Run(t.Context(), Session{Executable: buildToy(t, endless).target.Executable, Seed: 1, Wall: hour, UnitTimeout: time.Second,
		Seeds: []string{seed}, Dictionary: dict, Options: []string{"max_len=9"}, Enough: func(context.Context, Input) (bool, error) { return true, nil }, Dir: filepath.Join(dir, "f"), Before: time.Hour})
	assert.NilError(t, err)
	if got := failuresOf(r.Inputs); !slices.Equal(got, []Failure{Hang}) {
		t.Fatalf("found %v after %v", names(r.Inputs), time.Since(start))
	}
	for _, in := range r.Inputs {
		info, err := os.Stat(in.Path)
		assert.Check(t, err == nil && info.Size() <= 9,
			"the project's max_len=9 was not kept: %v, %v", info.Size(), err)
		assert.Check(t, in.Elapsed >= time.Hour && in.Elapsed <= time.Hour+time.Since(start),
			"found at %v, want it after the hour before", in.Elapsed)
	}
}

func TestRunKeepsWallBudget(t *testing.T) {
	f := newFuzzer(t)
	exe := buildToy(t).target.Executable
	// The first process waits for the sandbox's runner to be compiled.
	if _, err := f.Run(t.Context(), Session{Executable: exe, Seed: 1, Execs: 1, Dir: t.TempDir()}); err != nil {
		t.Fatal(err)
	}
	var r Report
	for wall := 2 * time.Second; r.Execs == 0; wall *= 2 { // a slow machine needs longer to start
		start := time.Now()
		var err error
		if r, err = f.Run(t.Context(), Session{Executable: exe, Seed: 1, Wall: wall, Dir: t.TempDir()}); err != nil {
			t.Fatal(err)
		}
		if spent := time.Since(start); spent < wall/2 || spent > hour {
			t.Errorf("%v took %v", wall, spent)
		}
	}
	assert.Check(t, r.CPU != 0 && !r.Stuck, "report %+v", r)
}

func TestRunContinues(t *testing.T) {
	t.Parallel()
	f := newFuzzer(t)
	exe := buildToy(t).target.Executable
	s := Session{Executable: exe, Seed: 1, Execs: 20_000, Dir: t.TempDir()}
	first, err := f.Run(t.Context(), s)
	assert.NilError(t, err)
	// A killed run leaves a file half written.
	half := filepath.Join(s.Dir, "run-0000", "corpus", strings.Repeat("ab", 20))
	writeFile(t, half, "half")
	second, err := f.Run(t.Context(), s)
	assert.NilError(t, err)
	if got := names(second.Inputs)[:len(first.Inputs)]; !slices.Equal(got, names(first.Inputs)) {
		t.Errorf("first %v\nthen %v", names(first.Inputs), got)
	}
	assert.Check(t, second.Execs >= 20_000, "%d executions, want the whole budget again", second.Execs)
}

func TestRunGivesUpOnStuckTarget(t *testing.T) {
	t.Parallel()
	f := newFuzzer(t)
	// Fails on the empty input, which libFuzzer always runs first.
	r, err := f.Run(t.Context(), Session{Executable: buildToy(t, always).target.Executable, Seed: 1, Execs: 1e6, Dir: t.TempDir()})
	assert.NilError(t, err)
	assert.Check(t, r.Stuck && r.Runs <= stuckRuns+1 && slices.Contains(failuresOf(r.Inputs), Crash), "report %+v", r)
}

func TestRunWithoutFailingSeeds(t *testing.T) {
	t.Parallel()
	f := newFuzzer(t)
	dir := t.TempDir()
	seeds := []string{writeFile(t, filepath.Join(dir, "bad"), "toyT\n"), writeFile(t, filepath.Join(dir, "good"), "toy")}
	r, err := f.Run(t.Context(), Session{Executable: buildToy(t, overread).target.Executable, Seed: 1, Execs: 2000, Seeds: seeds, Dir: filepath.Join(dir, "f")})
	assert.NilError(t, err)
	assert.Check(t, !r.Stuck && r.Execs >= 2000 && r.Runs >= 2, "a failing seed stopped the session: %+v", r)
}

func TestRunFails(t *testing.T) {
	f := newFuzzer(t)
	exe := buildToy(t).target.Executable
	badDictionary := writeFile(t, filepath.Join(t.TempDir(), "dict"), "not a dictionary")
	cancelled, cancel := context.WithCancelCause(t.Context())
	reason := errors.New("no more")
	time.AfterFunc(500*time.Millisecond, func() { cancel(reason) })
	tests := []struct {
		name string
		ctx  context.Context
		s    Session
		want string
		is   error
	}{
		{name: "no limit", s: Session{Executable: exe}, want: "without a limit"},
		{name: "no executable", s: Session{Executable: filepath.Join(filepath.Dir(exe), "none"), Execs: 1}, want: "does not start"},
		{name: "bad dictionary", s: Session{Executable: exe, Execs: 1, Dictionary: badDictionary}, want: "ParseDictionaryFile"},
		{name: "no seed", s: Session{Executable: exe, Execs: 1, Seeds: []string{"/nonexistent"}}, is: syscall.ENOENT},
		{name: "cancelled", ctx: cancelled, s: Session{Executable: exe, Wall: hour}, is: reason},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			ctx := tt.ctx
			if ctx == nil {
				ctx = t.Context()
			}
			tt.s.Dir = t.TempDir()
			_, err := f.Run(ctx, tt.s)
			if err == nil || !strings.Contains(err.Error(), tt.want) || tt.is != nil && !errors.Is(err, tt.is) {
				t.Errorf("error %v, want %q or %v", err, tt.want, tt.is)
			}
		})
	}
}

func TestTry(t *testing.T) {
	t.Parallel()
	f := newFuzzer(t)
	dir := t.TempDir()
	input := writeFile(t, filepath.Join(dir, "in"), "toy!\n")
	tests := []struct {
		name string
		bug  []edit
		want trial.Outcome
	}{
		{"reference", nil, trial.OK},
		{"overread", []edit{overread}, trial.Crash},
		{"endless loop", []edit{endless}, trial.Timeout},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			unit := hour
			if tt.want == trial.Timeout {
				unit = time.Second
			}
			r, err := f.Try(t.Context(), buildToy(t, tt.bug...).target.Executable, input, unit)
			assert.NilError(t, err)
			assert.Check(t, r.Outcome == tt.want && (tt.want == trial.OK) == (r.Diagnostic == ""),
				"got %s, %q; want %s", r.Outcome, r.Diagnostic, tt.want)
		})
	}
}

// TestBoundedReadings: a harness can write to the directory of its run whatever it likes.
func TestBoundedReadings(t *testing.T) {
	outside := filepath.Join(t.TempDir(), "secret")
	assert.NilError(t, os.WriteFile(outside, []byte("secret"), 0o644))
	plant := map[string]func(path string) error{
		"a FIFO":                   func(path string) error { return syscall.Mkfifo(path, 0o644) },
		"a link that leads out":    func(path string) error { return os.Symlink(outside, path) },
		"a file of many gigabytes": func(path string) error { return errors.Join(os.WriteFile(path, nil, 0o644), os.Truncate(path, 1<<40)) },
	}
	for name, plant := range plant {
		t.Run(name, func(t *testing.T) {
			r := run{dir: t.TempDir()}
			assert.NilError(t, r.prepare())
			if log, err := readLog(r.dir); log != nil || err != nil {
				t.Errorf("no log: %q, %v", log, err)
			}
			assert.NilError(t, plant(r.path(logFile)))
			var refused *bounded.Error
			if _, err := readLog(r.dir); !errors.As(err, &refused) {
				t.Errorf("the log: %v", err)
			}
			assert.NilError(t, plant(filepath.Join(r.path(corpusDir), strings.Repeat("0", 40))))
			good := filepath.Join(r.path(corpusDir), sha1Of([]byte("good")))
			assert.NilError(t, os.WriteFile(good, []byte("good"), 0o644))
			if inputs, err := readInputs(r.path(corpusDir), started{}); err != nil || len(inputs) != 1 || inputs[0].Path != good {
				t.Errorf("the corpus: %v, %v", inputs, err)
			}
		})
	}
}

func TestParseLog(t *testing.T) {
	tests := []struct {
		name string
		log  string
		file string // instead of log
		want runLog
	}{
		{name: "empty"},
		{name: "killed in flight", log: "#2\tINITED cov: 2\n#4096\tpulse  cov: 12 exec/s: 0\n",
			want: runLog{Execs: 4096}},
		{name: "cut off within a line", log: "#7\tNEW cov: 1\nWritten 4 bytes to td/0787aa5331daf528",
			want: runLog{Execs: 7}},
		{name: "stack frame is no progress", log: "#7\tNEW cov: 1\n    #123 0x55 in main\n#12 garbage\n",
			want: runLog{Execs: 7}},
		{name: "negative and malformed", log: "#-4\tNEW\nstat::number_of_executed_units: -3\nstat::number_of_executed_units:\n"},
		{name: "nothing counts after the statistics", log: "#12\tNEW cov: 1\nstat::number_of_executed_units: 40\n#99\tlate\n",
			want: runLog{Execs: 40}},
		{name: "ended by itself", file: "testdata/done.log", want: runLog{Execs: 5000,
			Written: []string{"0787aa5331daf528317ba82d28bbf90c71deda8d"}}},
		{name: "crash", file: "testdata/crash.log", want: runLog{Execs: 172744,
			Summary: "AddressSanitizer: heap-buffer-overflow toyb.c:21:13 in toy_parse",
			Written: []string{
				"0787aa5331daf528317ba82d28bbf90c71deda8d",
				"876a505124a9add38c02871a0fabf077b5b36e39",
				"98712a25a92ce79f4f985099e93ed5f4eb073d03",
			}}},
		{name: "hang", file: "testdata/hang.log", want: runLog{Execs: 14222, Summary: "libFuzzer: timeout"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			log := []byte(tt.log)
			if tt.file != "" {
				var err error
				if log, err = os.ReadFile(tt.file); err != nil {
					t.Fatal(err)
				}
			}
			assert.Check(t, reflect.DeepEqual(parseLog(log), tt.want), "%+v", parseLog(log))
		})
	}
}

// alive counts the counters that are not 0.
func alive(counters []uint64) int {
	n := 0
	for _, c := range counters {
		if c > 0 {
			n++
		}
	}
	return n
}

func TestReplay(t *testing.T) {
	t.Parallel()
	f := newFuzzer(t)
	bug := buildToy(t, abort, endless)
	dir := readableDir(t)
	var inputs []string
	texts := []string{"to", "toy9", "toy!", "", "toy55", "xyz1"}
	for i, text := range texts {
		inputs = append(inputs, writeFile(t, filepath.Join(dir, fmt.Sprint(i)), text))
	}
	r, err := f.Replay(t.Context(), ReplayJob{Library: bug.build(libbuild.Plain), Target: bug.target, Inputs: inputs, Timeout: 5 * time.Second})
	assert.NilError(t, err)
	var got []trial.Outcome
	for _, res := range r.Results {
		got = append(got, res.Outcome)
	}
	want := []trial.Outcome{trial.OK, trial.OK, trial.Timeout, trial.OK, trial.Crash, trial.OK}
	assert.Check(t, slices.Equal(got, want), "outcomes %v of %q, want %v", got, texts, want)
	assert.Check(t, r.Counters == nil, "counters of a plain build")
}

func TestReplayKeepsCoverageOfFailingInputs(t *testing.T) {
	t.Parallel()
	f := newFuzzer(t)
	bug := buildToy(t, abort)
	dir := readableDir(t)
	deep, crash := writeFile(t, filepath.Join(dir, "deep"), "toy9"), writeFile(t, filepath.Join(dir, "crash"), "toy55")
	reached := func(inputs ...string) int {
		r, err := f.Replay(t.Context(), ReplayJob{Library: bug.build(libbuild.Coverage), Target: bug.target, Inputs: inputs, Timeout: hour})
		assert.NilError(t, err)
		return alive(r.Counters)
	}
	if none, ok, crashed := reached(), reached(deep), reached(crash); none != 0 || ok == 0 || crashed <= ok {
		t.Errorf("%d counters alive without input, %d after an input that returns, %d after one that goes on and crashes", none, ok, crashed)
	}
	if crashed, both := reached(crash), reached(deep, crash, deep); crashed > both {
		t.Errorf("%d counters alive after the crash, only %d after it and others", crashed, both)
	}
}
