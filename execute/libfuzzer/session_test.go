package libfuzzer

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"gotest.tools/v3/assert"

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
