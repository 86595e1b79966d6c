package ossfuzz

import (
	"context"
	"crypto/sha1"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"gotest.tools/v3/assert"

	"github.com/lisa-bench/lisa-bench/execute/libfuzzer"
	"github.com/lisa-bench/lisa-bench/internal/trial"
)

// fakeFuzzer records its sessions and leaves one new input and one crash in each, as
// libFuzzer would.
type fakeFuzzer struct {
	clock    *time.Time
	overrun  time.Duration
	stuck    bool
	sessions []libfuzzer.Session
}

func (f *fakeFuzzer) Run(ctx context.Context, s libfuzzer.Session) (libfuzzer.Report, error) {
	f.sessions = append(f.sessions, s)
	*f.clock = f.clock.Add(s.Wall + f.overrun)
	run := filepath.Join(s.Dir, "run-0000")
	files := map[string]string{filepath.Join(run, "started"): "1000000"}
	for _, content := range []string{"new", "bad"} {
		name := fmt.Sprintf("%x", sha1.Sum([]byte(content)))
		if content == "bad" {
			name = "artifacts/crash-" + name
		} else {
			name = "corpus/" + name
		}
		files[filepath.Join(run, name)] = content
	}
	for _, seed := range s.Seeds {
		data, err := os.ReadFile(seed)
		if err != nil {
			return libfuzzer.Report{}, err
		}
		files[filepath.Join(s.Dir, "seeds", fmt.Sprintf("%x", sha1.Sum(data)))] = string(data)
	}
	for path, content := range files {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return libfuzzer.Report{}, err
		}
		if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
			return libfuzzer.Report{}, err
		}
	}
	return libfuzzer.Report{Execs: s.Execs, CPU: s.Wall, Stuck: f.stuck}, nil
}

// corpus is a trial.CorpusWriter that lists "target content crash".
type corpus []string

func (c *corpus) AddInput(target, path string, _ time.Duration, crash bool) error {
	data, err := os.ReadFile(path)
	*c = append(*c, fmt.Sprint(target, " ", string(data), " ", crash))
	return err
}

func newJob(t *testing.T, b trial.Budget, f *fakeFuzzer, targets ...trial.FuzzTarget) (trial.Job, *corpus) {
	t.Helper()
	clock := time.Unix(1000, 0)
	f.clock = &clock
	c := &corpus{}
	return trial.Job{
		Target: trial.Target{FuzzTargets: targets},
		Seed:   7,
		Dir:    t.TempDir(),
		Corpus: c,
		Ledger: trial.NewLedger(b, trial.Usage{}, func() time.Time { return clock }),
		Log:    slog.New(slog.DiscardHandler),
	}, c
}

func TestGenerate(t *testing.T) {
	seeds := t.TempDir()
	assert.NilError(t, os.WriteFile(filepath.Join(seeds, "s"), []byte("seed"), 0o644))
	f := &fakeFuzzer{}
	job, found := newJob(t, trial.Budget{Wall: 20 * time.Second}, f,
		trial.FuzzTarget{Name: "a", Executable: "/a", Seeds: []string{seeds}, Options: []string{"max_len=9"}},
		trial.FuzzTarget{Name: "b", Executable: "/b", Dictionary: "/b.dict"},
		trial.FuzzTarget{Name: "c", Missing: "not in this tree"})
	stop, err := New(f, 5*time.Second).Generate(t.Context(), job)
	assert.Assert(t, err == nil && stop == trial.StopWall, "stop %q, error %v", stop, err)
	want := corpus{"a seed false", "a new false", "a bad true", "b new false", "b bad true"}
	assert.Check(t, reflect.DeepEqual(*found, want), "suite %q, want %q", *found, want)
	assert.Assert(t, len(f.sessions) == 2, "%d sessions, want one per target that is there", len(f.sessions))
	a, b := f.sessions[0], f.sessions[1]
	assert.Check(t, a.Wall == 10*time.Second && b.Wall == 10*time.Second && b.Before == 10*time.Second,
		"windows %v, %v from %v; want 10s each", a.Wall, b.Wall, b.Before)
	assert.Check(t, a.Seed != b.Seed && a.Dir != b.Dir, "targets share a seed or a directory")
	assert.Check(t, a.UnitTimeout == 5*time.Second && a.Options[0] == "max_len=9" && b.Dictionary == "/b.dict",
		"settings were lost: %+v, %+v", a, b)
}

func TestBudgets(t *testing.T) {
	three := []trial.FuzzTarget{{Name: "a", Executable: "/a"}, {Name: "b", Executable: "/b"}, {Name: "c", Executable: "/c"}}
	tests := []struct {
		name    string
		budget  trial.Budget
		overrun time.Duration
		stuck   bool
		want    string // "wall/execs" of each session
		stop    trial.StopReason
	}{
		{name: "executions add up", budget: trial.Budget{Execs: 100}, want: "0s/33 0s/33 0s/34", stop: trial.StopExecs},
		{name: "fewer executions than targets", budget: trial.Budget{Execs: 2}, want: "0s/1 0s/1", stop: trial.StopExecs},
		{name: "both", budget: trial.Budget{Wall: 3 * time.Second, Execs: 9}, want: "1s/3 1s/3 1s/3", stop: trial.StopExecs},
		{name: "overrun shortens the next", budget: trial.Budget{Wall: 30 * time.Second}, overrun: 4 * time.Second,
			want: "10s/0 6s/0 6s/0", stop: trial.StopWall},
		{name: "no time left for the last", budget: trial.Budget{Wall: 3 * time.Second}, overrun: time.Second,
			want: "1s/0 1s/0", stop: trial.StopWall},
		{name: "CPU time", budget: trial.Budget{CPU: 6 * time.Second}, want: "2s/0 2s/0 2s/0", stop: trial.StopCPU},
		{name: "all stuck early", budget: trial.Budget{Wall: 30 * time.Second}, overrun: -5 * time.Second, stuck: true,
			want: "10s/0 15s/0 15s/0", stop: trial.StopExhausted},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			f := &fakeFuzzer{overrun: tt.overrun, stuck: tt.stuck}
			job, _ := newJob(t, tt.budget, f, three...)
			stop, err := New(f, 0).Generate(t.Context(), job)
			assert.NilError(t, err)
			var got []string
			for _, s := range f.sessions {
				got = append(got, fmt.Sprintf("%v/%d", s.Wall, s.Execs))
			}
			if g := strings.Join(got, " "); g != tt.want || stop != tt.stop {
				t.Errorf("sessions %s, stop %s; want %s, %s", g, stop, tt.want, tt.stop)
			}
		})
	}
}

func TestRefuses(t *testing.T) {
	ok := trial.FuzzTarget{Name: "a", Executable: "/a"}
	tests := []struct {
		name    string
		budget  trial.Budget
		targets []trial.FuzzTarget
		params  map[string]any
		kind    string // of an IncompleteError
		message string
	}{
		{name: "no harness at all", budget: trial.Budget{Wall: 1}, kind: "missing_harness", message: "no official fuzz target"},
		{name: "every harness missing", budget: trial.Budget{Wall: 1}, kind: "missing_harness",
			targets: []trial.FuzzTarget{{Name: "z", Missing: "not in this tree"}}, message: "z: not in this tree"},
		{name: "budget in programs", budget: trial.Budget{Programs: 5}, targets: []trial.FuzzTarget{ok}, message: "needs a budget"},
		{name: "budget in tokens", budget: trial.Budget{Tokens: 5}, targets: []trial.FuzzTarget{ok}, message: "needs a budget"},
		{name: "parameter", budget: trial.Budget{Wall: 1}, targets: []trial.FuzzTarget{ok}, params: map[string]any{"x": 1}, message: "no parameters"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			f := &fakeFuzzer{}
			job, _ := newJob(t, tt.budget, f, tt.targets...)
			job.Params = tt.params
			_, err := New(f, 0).Generate(t.Context(), job)
			assert.Assert(t, err != nil && strings.Contains(err.Error(), tt.message),
				"error %v, want one with %q", err, tt.message)
			var incomplete *trial.IncompleteError
			if errors.As(err, &incomplete) != (tt.kind != "") || tt.kind != "" && incomplete.Kind != tt.kind {
				t.Errorf("error %#v, want kind %q", err, tt.kind)
			}
			assert.Check(t, len(f.sessions) == 0, "fuzzed all the same")
		})
	}
}
