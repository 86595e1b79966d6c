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
	if err != nil {
		t.Fatal(err)
	}
	run := func(dir string, killAfter time.Duration) (killed bool) {
		cmd := exec.Command(self)
		// The race detector would sleep a second before each exit, and be killed in it.
		cmd.Env = append(os.Environ(), childDir+"="+dir, "GORACE=atexit_sleep_ms=0")
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		if killAfter > 0 {
			timer := time.AfterFunc(killAfter, func() { cmd.Process.Kill() })
			defer timer.Stop()
		}
		err := cmd.Wait()
		if err != nil && cmd.ProcessState.Exited() {
			t.Fatalf("child ended with %v", err)
		}
		return err != nil
	}
	plain, dir := t.TempDir(), t.TempDir()
	if run(plain, 0) {
		t.Fatal("the undisturbed run was killed")
	}
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	rng := rand.New(rand.NewPCG(seed, 0))
	kills := 0
	// Every session is given more time, so that the race detector's slow start ends as well.
	for run(dir, time.Duration(5+rng.IntN(60)+kills)*time.Millisecond) {
		if kills++; kills > 500 {
			t.Fatal("500 kills and no end: a session makes no progress")
		}
	}
	t.Logf("%d kills", kills)
	if kills < 3 {
		t.Errorf("killed only %d times: the run is too short to test anything", kills)
	}
	if !maps.Equal(content(t, dir), content(t, plain)) {
		t.Error("the killed run differs from the undisturbed one")
	}
	once, twice := size(t, plain), size(t, dir)
	// Two workers lose a batch of five programs each, at most, by each kill.
	if lost := twice - once; lost < 0 || lost > int64(10*kills) {
		t.Errorf("%d programs executed, %d undisturbed, %d kills", twice, once, kills)
	}
}

func size(t *testing.T, dir string) int64 {
	t.Helper()
	info, err := os.Stat(filepath.Join(dir, "executed"))
	if err != nil {
		t.Fatal(err)
	}
	return info.Size()
}
