package sandbox

import (
	"context"
	"testing"
	"time"

	"gotest.tools/v3/assert"
)

// TestKilledWhileStarting: a launcher that is killed before its runner lives leaves a child that
// holds the pipes. It must not hold the harness.
func TestKilledWhileStarting(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
	defer cancel()
	ended := make(chan error, 1)
	go func() {
		_, err := startProcess(ctx, []string{"/bin/sh", "-c", "sleep 1000 & kill -9 $$"}, nil, func() error { return nil })
		ended <- err
	}()
	select {
	case err := <-ended:
		assert.Check(t, err != nil, "a runner that never greeted was taken")
	case <-time.After(grace):
		t.Fatal("the harness waits for a child of a launcher that is gone")
	}
}
