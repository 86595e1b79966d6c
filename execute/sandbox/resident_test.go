package sandbox

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"testing"

	"gotest.tools/v3/assert"
)

// TestGuard: the context ends when the processes below one have more in memory than they may, and with less it goes on.
func TestGuard(t *testing.T) {
	child := exec.Command("sleep", "60")
	assert.NilError(t, child.Start())
	defer func() { _ = child.Process.Kill(); _ = child.Wait() }()
	ctx, end := guard(t.Context(), os.Getpid(), 1)
	defer end()
	<-ctx.Done()
	assert.Check(t, errors.Is(context.Cause(ctx), errResident), "ended with %v", context.Cause(ctx))
	if n := resident(child.Process.Pid); n <= 0 || n >= resident(os.Getpid()) {
		t.Errorf("sleep has %d bytes, the test %d", n, resident(os.Getpid()))
	}
}
