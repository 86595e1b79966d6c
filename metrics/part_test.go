package metrics

import (
	"context"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"testing"

	"golang.org/x/sys/unix"
	"gotest.tools/v3/assert"
	is "gotest.tools/v3/assert/cmp"

	"github.com/lisa-bench/lisa-bench/bench/libbuild"
	"github.com/lisa-bench/lisa-bench/internal/store"
	"github.com/lisa-bench/lisa-bench/internal/toolchain"
	"github.com/lisa-bench/lisa-bench/internal/trial"
)

type brokenReader struct{}

func (brokenReader) Coverage(context.Context, *libbuild.Build, []uint64) (trial.Coverage, error) {
	return trial.Coverage{}, errors.New("llvm-cov was killed")
}

// failing is a build that fails once; the next is b.
func failing[T any](b func(context.Context) (T, error), err error) func(context.Context) (T, error) {
	tried := false
	return func(ctx context.Context) (T, error) {
		if !tried {
			tried = true
			var none T
			return none, err
		}
		return b(ctx)
	}
}

// newWhole makes an evaluation that has every part, of two bugs.
func newWhole(t *testing.T) (*fakeTests, *Programs, []trial.SuiteEntry, []trial.Program) {
	f := &fakeTests{script: map[string][]trial.Outcome{
		"ref b": {trial.Assertion}, "bug a": {trial.Crash}, "bug2 c": {trial.Assertion},
	}, breaks: map[string]error{}}
	e, entries, programs := newPrograms(f, "0", "1", "2")
	programs[0].Oracle = trial.OracleSpecification
	e.Bugs = append(e.Bugs, bugOf("ref", "bug2"))
	e.Verify = (&fakeVerifier{}).Verify
	e.Store, e.Content = store.New(t.TempDir()), func(p trial.Program) string { return p.ID }
	return f, e, entries, programs
}

// gapsOf are the kinds of reasons by what is missing.
func gapsOf(rec *trial.Record) map[string]trial.ReasonKind {
	gaps := map[string]trial.ReasonKind{}
	for _, g := range rec.Gaps() {
		gaps[g.Name()] = g.Reason.Kind
	}
	return gaps
}

// TestEveryPartFailsAlone breaks one part after the other. The others are as if nothing had broken,
// and the next evaluation measures what is missing and nothing else.
func TestEveryPartFailsAlone(t *testing.T) {
	f, e, entries, programs := newWhole(t)
	whole := evaluate(t, e, entries, programs)
	runs := f.runs
	if len(whole.Gaps()) > 0 || whole.Coverage == nil || whole.Verifications == nil || !whole.Bugs[0].Detected || !whole.Bugs[1].Detected {
		t.Fatalf("the whole record is %+v", whole)
	}
	broken := errors.New("it broke")
	type gaps = map[string]trial.ReasonKind
	tests := []struct {
		name string
		do   func(*fakeTests, *Programs)
		want gaps
	}{
		{"the run on the reference build", func(f *fakeTests, _ *Programs) { f.breaks["ref"] = broken },
			gaps{"success": "sandbox", "verifications": "success", "bug bug": "success", "bug bug2": "success"}},
		{"the compiler of the programs", func(f *fakeTests, _ *Programs) {
			f.breaks["ref"] = &toolchain.CommandError{Args: []string{"clang"}, ExitCode: -1}
		},
			gaps{"success": "toolchain", "verifications": "success", "bug bug": "success", "bug bug2": "success"}},
		{"the coverage build", func(_ *fakeTests, e *Programs) { e.Coverage = failing(e.Coverage, broken) },
			gaps{"coverage": "build", "growth": "build"}},
		{"the source of the coverage build", func(_ *fakeTests, e *Programs) {
			e.Coverage = failing(e.Coverage, error(&trial.IncompleteError{Kind: "source", Message: "no network"}))
		}, gaps{"coverage": "source", "growth": "source"}},
		{"the run on the coverage build", func(f *fakeTests, _ *Programs) { f.breaks["cov"] = broken },
			gaps{"coverage": "sandbox", "growth": "sandbox"}},
		{"the reader of coverage", func(_ *fakeTests, e *Programs) { e.Cov = brokenReader{} },
			gaps{"coverage": "toolchain", "growth": "toolchain"}},
		{"the reading of assertions", func(_ *fakeTests, e *Programs) { e.Verify = (&fakeVerifier{err: broken}).Verify }, gaps{"verifications": "assertions"}},
		{"the lack of a compiler", func(_ *fakeTests, e *Programs) {
			e.Verify = (&fakeVerifier{err: &toolchain.MissingError{Tool: "clang", Package: "clang-19", Why: "it is not installed"}}).Verify
		}, gaps{"verifications": "missing_tool"}},
		{"a verifier with an error", func(_ *fakeTests, e *Programs) { e.Verify = panics{}.Verify }, gaps{"verifications": "panic"}},
		{"one bug's build", func(_ *fakeTests, e *Programs) {
			build := e.Bugs[0].Builds
			e.Bugs[0].Builds = func(context.Context) (a, b *libbuild.Build, err error) {
				e.Bugs[0].Builds = build
				return nil, nil, broken
			}
		}, gaps{"bug bug": "build"}},
		{"the run on one bug's build", func(f *fakeTests, _ *Programs) { f.breaks["bug2"] = broken }, gaps{"bug bug2": "sandbox"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			f, e, entries, programs := newWhole(t)
			cov := e.Cov
			tt.do(f, e)
			rec := evaluate(t, e, entries, programs)
			if got := gapsOf(rec); !maps.Equal(got, tt.want) {
				t.Fatalf("missing %v, want %v", got, tt.want)
			}
			for _, g := range rec.Gaps() {
				assert.Check(t, g.Reason.Message != "", "%s has no reason", g.Name())
			}
			sameParts(t, rec, whole)
			e.Cov, e.Verify = cov, (&fakeVerifier{}).Verify
			if again := evaluate(t, e, entries, programs); !reflect.DeepEqual(again, whole) {
				t.Errorf("then %+v, want %+v", again, whole)
			}
			assert.Check(t, f.runs == runs,
				"%d runs of programs in both, want %d as in one without the break", f.runs, runs)
		})
	}
}

type panics struct{}

func (panics) Verify(context.Context, *libbuild.Build, []trial.Program) (trial.Verifications, error) {
	panic("index out of range")
}

// sameParts checks that what a record has is as in the whole one, and what it lacks has no value.
func sameParts(t *testing.T, rec, whole *trial.Record) {
	t.Helper()
	for part, values := range map[trial.Part][2]any{
		trial.PartSuccess: {rec.Programs, whole.Programs}, trial.PartCoverage: {rec.Coverage, whole.Coverage},
		trial.PartGrowth: {rec.Growth, whole.Growth}, trial.PartVerifications: {rec.Verifications, whole.Verifications},
	} {
		if _, lacks := rec.Missing[part]; lacks != reflect.ValueOf(values[0]).IsNil() {
			t.Errorf("%s is missing: %t, with the value %+v", part, lacks, values[0])
		} else if !lacks && !reflect.DeepEqual(values[0], values[1]) {
			t.Errorf("%s is %+v, want %+v", part, values[0], values[1])
		}
	}
	for i, b := range rec.Bugs {
		want := whole.Bugs[i]
		if b.Missing != nil {
			want = trial.BugResult{Bug: want.Bug, Missing: b.Missing}
		}
		assert.Check(t, reflect.DeepEqual(b, want), "bug %+v, want %+v", b, want)
	}
}

// TestWhatEndsAnEvaluation checks that a full disk, and an interruption are no reasons of a part, wherever they are met.
func TestWhatEndsAnEvaluation(t *testing.T) {
	full := &os.PathError{Op: "write", Path: "lib.a", Err: unix.ENOSPC}
	places := map[string]func(f *fakeTests, e *Programs, err error){
		"reference": func(f *fakeTests, _ *Programs, err error) { f.breaks["ref"] = err },
		"coverage":  func(_ *fakeTests, e *Programs, err error) { e.Coverage = failing(e.Coverage, err) },
		"solver":    func(_ *fakeTests, e *Programs, err error) { e.Verify = (&fakeVerifier{err: err}).Verify },
		"bug":       func(f *fakeTests, _ *Programs, err error) { f.breaks["bug"] = err },
	}
	for _, place := range slices.Sorted(maps.Keys(places)) {
		t.Run(place, func(t *testing.T) {
			f, e, entries, programs := newWhole(t)
			places[place](f, e, full)
			if err := e.Evaluate(t.Context(), entries, programs, &trial.Record{}); !errors.Is(err, full) {
				t.Errorf("with a full disk: error %v", err)
			}
			f, e, entries, programs = newWhole(t)
			interrupted := errors.New("interrupted")
			ctx, cancel := context.WithCancelCause(t.Context())
			places[place](f, e, context.Canceled)
			cancel(interrupted)
			if err := e.Evaluate(ctx, entries, programs, &trial.Record{}); !errors.Is(err, interrupted) {
				t.Errorf("when interrupted: error %v", err)
			}
		})
	}
}

// TestBrokenStore: that results cannot be stored is no reason of a part.
func TestBrokenStore(t *testing.T) {
	_, e, entries, programs := newWhole(t)
	file := filepath.Join(t.TempDir(), "file")
	assert.NilError(t, os.WriteFile(file, nil, 0o644))
	e.Store = store.New(filepath.Join(file, "store"))
	if err := e.Evaluate(t.Context(), entries, programs, &trial.Record{}); !errors.As(err, new(*store.Error)) {
		t.Errorf("error %v", err)
	}
}

// TestCorpusPartsFailAlone is TestEveryPartFailsAlone for a fuzzing corpus.
func TestCorpusPartsFailAlone(t *testing.T) {
	broken := errors.New("it broke")
	found := map[string]string{"buggy.exe": "x"}
	for name, tt := range map[string]struct {
		do   func(e *Corpus)
		want map[string]trial.ReasonKind
	}{
		"the coverage build": {func(e *Corpus) { e.Coverage = failing(e.Coverage, broken) }, map[string]trial.ReasonKind{"coverage": "build", "growth": "build"}},
		"the fuzz targets":   {func(e *Corpus) { e.Replay = failing(e.Replay, broken) }, map[string]trial.ReasonKind{"coverage": "build", "growth": "build"}},
		"no target here": {func(e *Corpus) { e.Targets, e.Replay = e.Targets[1:], made(map[string]*libbuild.FuzzBuild{}) },
			map[string]trial.ReasonKind{"coverage": "build", "growth": "build", "bug bug": "build"}},
		"a bug's build": {func(e *Corpus) {
			e.Bugs[0].Builds = func(context.Context) (a, b FuzzBuilds, err error) { return a, b, broken }
		}, map[string]trial.ReasonKind{"bug bug": "build"}},
	} {
		t.Run(name, func(t *testing.T) {
			e, inputs := newCorpus(t, &fakeFuzz{found: found, fails: map[string][]trial.Outcome{"buggy.exe x": {trial.Crash}}}, "a", "ab")
			tt.do(e)
			var rec trial.Record
			assert.NilError(t, e.Evaluate(t.Context(), inputs, &rec))
			assert.Check(t, is.DeepEqual(gapsOf(&rec), tt.want), "missing")
			if b := rec.Bugs[0]; b.Detected != (b.Missing == nil) || (rec.Coverage == nil) != (rec.Missing["coverage"].Kind != "") {
				t.Errorf("bug %+v, coverage %+v", b, rec.Coverage)
			}
		})
	}
}
