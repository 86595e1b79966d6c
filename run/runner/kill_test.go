package runner

import (
	"context"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"gotest.tools/v3/assert"

	"github.com/lisa-bench/lisa-bench/experiments"
	"github.com/lisa-bench/lisa-bench/internal/trial"
)

// childDir names the run directory of a child of TestKilledRunEqualsUndisturbedRun.
const childDir = "LISABENCH_TEST_RUN_DIR"

func TestMain(m *testing.M) {
	if dir := os.Getenv(childDir); dir != "" {
		os.Exit(child(dir))
	}
	os.Exit(m.Run())
}

// child runs the experiment of the test in dir: 0 when it is complete.
func child(dir string) int {
	lab := newLab()
	lab.exec = &hashExecutor{pause: 200 * time.Microsecond, count: filepath.Join(dir, "executed")}
	lab.pause = 200 * time.Microsecond
	s, err := session(context.Background(), dir, killPlan(), lab, 2, feedbackTool{name: "a"}, feedbackTool{name: "b"})
	if err != nil || len(s.Incomplete) > 0 {
		return 1
	}
	return 0
}

func killPlan() experiments.Plan {
	return plan(trial.Budget{Programs: 60}, 2, []string{"a", "b"}, []string{"zlib"})
}

func TestKilledRunEqualsUndisturbedRun(t *testing.T) {
	self, err := os.Executable()
	assert.NilError(t, err)
	// run runs the child, and kills it when its journals have grown by so many bytes; 0 lets it end.
	run := func(dir string, grown int64) (killed bool) {
		cmd := exec.Command(self)
		// The race detector would sleep a second before each exit, and be killed in it.
		cmd.Env = append(os.Environ(), childDir+"="+dir, "GORACE=atexit_sleep_ms=0")
		assert.NilError(t, cmd.Start())
		ended := make(chan struct{})
		go func() {
			for before := journals(t, dir); grown > 0; time.Sleep(100 * time.Microsecond) {
				select {
				case <-ended:
					return
				default:
				}
				if journals(t, dir)-before >= grown {
					_ = cmd.Process.Kill()
					return
				}
			}
		}()
		err := cmd.Wait()
		close(ended)
		if err != nil && cmd.ProcessState.Exited() {
			t.Fatalf("child ended with %v", err)
		}
		return err != nil
	}
	plain, dir := t.TempDir(), t.TempDir()
	assert.Assert(t, !run(plain, 0), "the undisturbed run was killed")
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	rng := rand.New(rand.NewPCG(seed, 0))
	kills, whole := 0, journals(t, plain)
	for run(dir, 1+whole/40+rng.Int64N(whole/10)) {
		if kills++; kills > 500 {
			t.Fatal("500 kills and no end: a session makes no progress")
		}
	}
	t.Logf("%d kills", kills)
	assert.Check(t, kills >= 3, "killed only %d times: the run is too short to test anything", kills)
	assert.Check(t, maps.Equal(content(t, dir), content(t, plain)), "the killed run differs from the undisturbed one")
	once, twice := size(t, plain), size(t, dir)
	// Two workers lose a batch of five programs each, at most, by each kill.
	if lost := twice - once; lost < 0 || lost > int64(10*kills) {
		t.Errorf("%d programs executed, %d undisturbed, %d kills", twice, once, kills)
	}
}

// journals is how long the journals of a run are.
func journals(t *testing.T, dir string) (bytes int64) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "cells", "*", "events.jsonl"))
	if err != nil {
		t.Error(err)
	}
	for _, f := range files {
		if info, err := os.Stat(f); err == nil {
			bytes += info.Size()
		}
	}
	return bytes
}

func size(t *testing.T, dir string) int64 {
	t.Helper()
	info, err := os.Stat(filepath.Join(dir, "executed"))
	assert.NilError(t, err)
	return info.Size()
}
