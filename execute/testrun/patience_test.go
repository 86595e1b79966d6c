package testrun

import (
	"syscall"
	"testing"
	"time"

	"gotest.tools/v3/assert"

	"github.com/lisa-bench/lisa-bench/execute/sandbox"
	"github.com/lisa-bench/lisa-bench/internal/trial"
)

// TestLimitsOfEachProgram: processor time ends what works, wall time what sleeps, and only those that have the limit.
func TestLimitsOfEachProgram(t *testing.T) {
	lib := tinyLibrary(t, twice)
	e := newEngine(t, lib, sandbox.DefaultLimits)
	const spin = "int main(void) { for (volatile int i = 0; twice(1) == 2; i++); }\n"
	programs := []trial.Program{
		program("spins", spin),
		program("well", "int main(void) { return twice(0); }\n"),
		program("sleeps", "#include <unistd.h>\nint main(void) { for (;;) sleep(100); }\n"),
		program("own", "int twice(int x) { return 2 * x; }\n"+spin), // only the plain way can judge it
	}
	results, err := e.Run(t.Context(), lib.plain, programs, Options{
		CPU: []time.Duration{time.Second, time.Second, time.Hour, time.Second}, Wall: []time.Duration{0, time.Hour, 300 * time.Millisecond, 0},
	})
	assert.NilError(t, err)
	for i, want := range []struct {
		outcome trial.Outcome
		signal  syscall.Signal
	}{{trial.Timeout, syscall.SIGXCPU}, {trial.OK, 0}, {trial.Timeout, syscall.SIGKILL}, {trial.Timeout, syscall.SIGXCPU}} {
		if r := results[i]; r.Outcome != want.outcome || r.Signal != int(want.signal) {
			t.Errorf("%s: %s, signal %d; want %s, %d", r.ID, r.Outcome, r.Signal, want.outcome, want.signal)
		}
	}
}
