package results

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/sys/unix"
)

// A LockedError says that another process is working on the run.
type LockedError struct {
	Dir    string
	Holder string // as the holder described itself, e.g. "pid 4711 on build3"
}

func (e *LockedError) Error() string {
	return fmt.Sprintf("%s: in use by another bench (%s): wait for it, stop it, or name another run directory", e.Dir, e.Holder)
}

// lock takes the run's lock, which the kernel frees when the process dies however it dies.
// The file stays: removing it would let two processes lock different files of one name.
func lock(dir, holder string) (*os.File, error) {
	path := filepath.Join(dir, "lock")
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o644)
	if err != nil {
		return nil, onDisk(path, err)
	}
	if err := unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB); err != nil {
		defer f.Close()
		if !errors.Is(err, unix.EWOULDBLOCK) {
			return nil, fmt.Errorf("lock %s: %w", path, err)
		}
		text, _ := io.ReadAll(f)
		return nil, &LockedError{Dir: dir, Holder: strings.TrimSpace(string(text))}
	}
	if err := describe(f, holder); err != nil {
		f.Close()
		return nil, onDisk(path, err)
	}
	return f, nil
}

func describe(f *os.File, holder string) error {
	if err := f.Truncate(0); err != nil {
		return err
	}
	_, err := f.WriteAt([]byte(holder+"\n"), 0)
	return err
}
