package testrun

import (
	"errors"
	"os"
	"slices"
	"testing"
	"time"

	"gotest.tools/v3/assert"

	"github.com/lisa-bench/lisa-bench/execute/sandbox"
	"github.com/lisa-bench/lisa-bench/internal/trial"
)

// TestExecutorsGiveTheSameVerdicts runs the programs of the differential test in bubblewrap
// and in docker containers, with coverage, and a tenth of them the plain way.
func TestExecutorsGiveTheSameVerdicts(t *testing.T) {
	if testing.Short() {
		t.Skip("starts containers")
	}
	lib, counts := openLibrary(t, "cJSON"), map[trial.Outcome]int{}
	for wall, programs := range workload(t) {
		sameInContainers(t, lib, wall, programs, counts)
	}
	t.Logf("outcomes %v", counts)
}

func sameInContainers(t *testing.T, lib *testLibrary, wall time.Duration, programs []trial.Program, counts map[trial.Outcome]int) {
	t.Helper()
	limits := sandbox.Limits{Wall: wall, FileBytes: 16 << 20, MemoryBytes: 1 << 30, Processes: 32}
	bwrap := newEngine(t, lib, limits)
	docker := newEngineIn(t, lib, limits, func(cfg sandbox.Config) (sandbox.Executor, error) {
		d, err := sandbox.NewDocker(t.Context(), cfg, os.Getenv("DOCKER_HOST"))
		var missing *sandbox.DockerError
		if errors.As(err, &missing) && os.Getenv("LISA_BENCH_DOCKER") != "1" {
			t.Skipf("%v (LISA_BENCH_DOCKER=1 makes this a failure)", err)
		}
		if err == nil {
			t.Cleanup(func() { _ = d.Close() })
		}
		return d, err
	})
	want, err := bwrap.Run(t.Context(), lib.coverage, programs, Options{Counters: true})
	assert.NilError(t, err)
	got, err := docker.Run(t.Context(), lib.coverage, programs, Options{Counters: true})
	assert.NilError(t, err)
	for i, p := range programs {
		counts[want[i].Outcome]++
		assert.Check(t, essence(got[i]) == essence(want[i]),
			"%s:\n bwrap  %s\n docker %s", p.ID, essence(want[i]), essence(got[i]))
		if want[i].Outcome != trial.Timeout && !slices.Equal(got[i].Counters, want[i].Counters) {
			t.Errorf("%s: the executors count differently", p.ID)
		}
	}
	for i := 0; i < len(programs); i += 10 {
		r, err := docker.Plain(t.Context(), lib.plain, programs[i], PlainOptions{})
		assert.NilError(t, err)
		assert.Check(t, essence(r[0]) == essence(want[i]),
			"%s:\n bwrap            %s\n docker, plain way %s", programs[i].ID, essence(want[i]), essence(r[0]))
	}
}
