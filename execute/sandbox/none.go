package sandbox

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strconv"
)

// None runs programs without a sandbox around the runner: they see the host's file system,
// its /etc included, and network. The runner still gives each program limits, empty directories and, if the
// harness is root, namespaces and a user of its own. An ordinary user's programs can signal
// whatever belongs to that user. Only for when it is asked for by name.
type None struct{ base }

// NewNone returns the executor.
func NewNone(cfg Config) *None {
	return &None{onThisMachine(cfg, launchBare)}
}

func launchBare(ctx context.Context, s setup) (*process, error) {
	dir, err := os.MkdirTemp("", "lisabench-")
	if err != nil {
		return nil, err
	}
	cleanup := func() error { return os.RemoveAll(dir) }
	work, tmp := filepath.Join(dir, "work"), filepath.Join(dir, "tmp")
	err = errors.Join(os.Chmod(dir, 0o755), os.Mkdir(work, 0o700), os.Mkdir(tmp, 0o700), giveAway([]string{work, tmp}, s.uid))
	if err != nil {
		return nil, errors.Join(err, cleanup())
	}
	return startProcess(ctx, []string{s.runner, work, tmp, strconv.Itoa(s.uid)}, environment(work, tmp, s.env...), cleanup)
}
