package results

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"time"

	"golang.org/x/sys/unix"

	"github.com/lisa-bench/lisa-bench/internal/trial"
)

// BeatEvery is the interval at which the process that works on a cell says how far it is.
const BeatEvery = 10 * time.Second

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

// Locks are record locks on an open file description (fcntl(2), F_OFD_SETLK). Like those of flock they end with the
// process however it ends. Unlike those, network file systems pass them to their server without a mount option of
// their own, and one can ask who has one without taking it (F_OFD_GETLK).

// lock locks a file as a whole, alone (unix.F_WRLCK) or together with others (unix.F_RDLCK). It returns nil if another
// process has a lock that excludes it. The file stays for good: removing it would let two processes lock different
// files of one name.
func lock(path string, kind int16) (*os.File, error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o644)
	if err != nil {
		return nil, err
	}
	if err = unix.FcntlFlock(f.Fd(), unix.F_OFD_SETLK, &unix.Flock_t{Type: kind}); err == nil {
		return f, nil
	}
	f.Close()
	switch err {
	case unix.EAGAIN, unix.EACCES:
		return nil, nil
	case unix.ENOLCK, unix.ENOTSUP, unix.ENOSYS, unix.EINVAL:
		err = fmt.Errorf("%w: this file system has no locks: mount it with them (NFS: without nolock; Lustre: with flock), "+
			"or name a run directory elsewhere", err)
	}
	return nil, fmt.Errorf("lock %s: %w", path, err)
}

// isLocked asks whether anybody has a file locked, and takes nothing. A file that is not there is not locked.
func isLocked(path string) (bool, error) {
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
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

func lockOf(run string) string              { return filepath.Join(run, "lock") }
func cellLock(run string, id string) string { return filepath.Join(run, "locks", id) }

// holderOf says who has a run: those who work on cells say so in the locks of these.
func holderOf(run string) string {
	cells, _ := filepath.Glob(cellLock(run, "*"))
	for _, path := range cells {
		if held, err := isLocked(path); err == nil && held {
			return readNote(path).Holder
		}
	}
	return readNote(lockOf(run)).Holder
}

// A note is what a lock says: who has it, or had it last.
type note struct {
	Cell   string      `json:"cell"`
	Holder string      `json:"holder"` // e.g. "pid 4711 on build3"
	Since  time.Time   `json:"since"`
	Stage  string      `json:"stage,omitempty"` // building, generating, evaluating
	Usage  trial.Usage `json:"usage"`           // of the generation, so far
	Ended  *time.Time  `json:"ended,omitempty"` // when it was let go; nil while it is held, or was never let go
}

// noteSize is more than any note needs. All are of one size, so that replacing one is one write that no reader sees
// half of.
const noteSize = 1024

func (n note) write(f *os.File) error {
	text, err := json.Marshal(n)
	if err != nil {
		return err
	}
	line := append(bytes.Repeat([]byte(" "), noteSize-1), '\n')
	copy(line[:noteSize-1], text)
	if _, err := f.WriteAt(line, 0); err != nil {
		return err
	}
	return f.Sync() // or other nodes would not see it for half a minute
}

// readNote reads what a lock says, if it says something yet. It opens the file again, because a network file system
// then shows what others wrote.
func readNote(path string) (n note) {
	text, err := os.ReadFile(path)
	if err != nil || json.Unmarshal(bytes.TrimSpace(text), &n) != nil {
		return note{}
	}
	return n
}

// A Claim is a cell that only this process may write.
type Claim struct {
	file *os.File

	mu   sync.Mutex
	note note
}

// Claim takes a cell. It returns *LockedError if another process works on it.
func (r *Run) Claim(c trial.Cell, now time.Time) (*Claim, error) {
	// Not in the cell's directory: that one is moved away when it is stale, its lock is not.
	path := cellLock(r.Dir, c.ID())
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return nil, err
	}
	f, err := lock(path, unix.F_WRLCK)
	if err != nil {
		return nil, err
	}
	if f == nil {
		return nil, &LockedError{Dir: r.Dir, Cell: c.ID(), Holder: readNote(path).Holder}
	}
	claim := &Claim{file: f, note: note{Cell: c.ID(), Holder: r.holder, Since: now.UTC()}}
	dir := cellDir(r.Dir, c)
	if err := errors.Join(claim.note.write(f), sweep(dir), sweep(filepath.Join(dir, "suite"))); err != nil {
		f.Close()
		return nil, err
	}
	return claim, nil
}

// Beat says how far the holder is.
func (c *Claim) Beat(stage string, u trial.Usage) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.note.Stage, c.note.Usage = stage, u
	return c.note.write(c.file)
}

// Release lets the cell go.
func (c *Claim) Release(now time.Time) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	now = now.UTC()
	c.note.Ended = &now
	// On a full disk the kernel's lock goes all the same; its note is then an old one.
	err := c.note.write(c.file)
	return errors.Join(err, c.file.Close())
}
