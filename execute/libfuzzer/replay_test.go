package libfuzzer

import (
	"fmt"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"gotest.tools/v3/assert"

	"github.com/lisa-bench/lisa-bench/bench/libbuild"
	"github.com/lisa-bench/lisa-bench/internal/trial"
)

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
