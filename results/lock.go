package results

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"
)

// A LockedError says that another process is working on the run, or on one cell of it.
type LockedError struct {
	Dir    string
	Cell   string // "" when the run as a whole is meant
	Holder string // as the holder described itself, e.g. "pid 4711 on build3"
}

func (e *LockedError) Error() string {
	if e.Cell != "" {
		return fmt.Sprintf("%s: cell %s is in use by another bench (%s): wait for it, or stop it", e.Dir, e.Cell, e.Holder)
	}
	return fmt.Sprintf("%s: in use by another bench (%s): wait for it, stop it, or name another run directory", e.Dir, e.Holder)
}

// Both kinds of locks are record locks on an open file description (fcntl(2), F_OFD_SETLK).
// Like those of flock they end with the process however it ends. Unlike those, network file
// systems pass them to their server without a mount option of their own, and one can ask who
// has one without taking it (F_OFD_GETLK).

// tryLock locks f as a whole, exclusively (unix.F_WRLCK) or together with others
// (unix.F_RDLCK). free is false when another process has a lock that excludes it.
func tryLock(f *os.File, kind int16) (free bool, err error) {
	err = unix.FcntlFlock(f.Fd(), unix.F_OFD_SETLK, &unix.Flock_t{Type: kind})
	switch {
	case err == nil:
		return true, nil
	case errors.Is(err, unix.EAGAIN), errors.Is(err, unix.EACCES):
		return false, nil
	case errors.Is(err, unix.ENOLCK), errors.Is(err, unix.ENOTSUP), errors.Is(err, unix.ENOSYS), errors.Is(err, unix.EINVAL):
		return false, fmt.Errorf("lock %s: %w: this file system has no locks: mount it with them (NFS: without nolock; "+
			"Lustre: with flock), or name a run directory elsewhere", f.Name(), err)
	}
	return false, fmt.Errorf("lock %s: %w", f.Name(), err)
}

// isLocked asks whether anybody has a file locked, and takes nothing.
func isLocked(path string) (bool, error) {
	f, err := os.Open(path)
	if err != nil {
		return false, err
	}
	defer f.Close()
	l := unix.Flock_t{Type: unix.F_WRLCK}
	if err := unix.FcntlFlock(f.Fd(), unix.F_OFD_GETLK, &l); err != nil {
		return false, fmt.Errorf("lock %s: %w", path, err)
	}
	return l.Type != unix.F_UNLCK, nil
}

// openLock opens a lock's file and creates it if needed. The file stays for good: removing it would
// let two processes lock different files of one name.
func openLock(path string) (*os.File, error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o644)
	return f, err
}

// lockRun takes the run's lock: alone, or together with others that each take single cells.
func lockRun(dir, holder string, kind int16) (*os.File, error) {
	f, err := openLock(filepath.Join(dir, "lock"))
	if err != nil {
		return nil, err
	}
	free, err := tryLock(f, kind)
	if err == nil && !free {
		err = &LockedError{Dir: dir, Holder: holderOf(dir, f)}
	}
	if err == nil && kind == unix.F_WRLCK {
		err = describe(f, []byte(holder))
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

// holderOf says who has the run: those who share it say so in the locks of their cells.
func holderOf(dir string, f *os.File) string {
	claims, err := liveClaims(dir)
	if err != nil || len(claims) < 2 {
		text, err := io.ReadAll(f)
		if err == nil && len(claims) == 1 {
			return claims[0].Holder
		}
		return string(bytes.TrimSpace(text))
	}
	return fmt.Sprintf("%s, and %d more cells are worked on", claims[0].Holder, len(claims)-1)
}

// describeSize is more than any description needs. All are of one size, so that replacing one
// is one write that no reader sees half of.
const describeSize = 1024

func describe(f *os.File, text []byte) error {
	if len(text) >= describeSize {
		text = text[:describeSize-1]
	}
	line := append(bytes.Repeat([]byte(" "), describeSize-1), '\n')
	copy(line, text)
	if _, err := f.WriteAt(line, 0); err != nil {
		return err
	}
	return f.Sync() // or other nodes would not see it for half a minute
}
