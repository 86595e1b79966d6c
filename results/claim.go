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

// A note is what the lock of a cell says: who works on it, or who did last.
type note struct {
	Cell   string      `json:"cell"`
	Holder string      `json:"holder"` // e.g. "pid 4711 on build3"
	Since  time.Time   `json:"since"`
	Stage  string      `json:"stage,omitempty"` // building, generating, evaluating
	Usage  trial.Usage `json:"usage"`           // of the generation, so far
	Ended  *time.Time  `json:"ended,omitempty"` // when it was let go; nil while it is held, or was never let go
}

// A Claim is a cell that only this process may write.
type Claim struct {
	file *os.File

	mu   sync.Mutex
	note note
}

func locksDir(run string) string { return filepath.Join(run, "locks") }

// Claim takes a cell. It returns *LockedError if another process works on it.
func (r *Run) Claim(c trial.Cell, now time.Time) (*Claim, error) {
	if err := os.MkdirAll(locksDir(r.Dir), 0o755); err != nil {
		return nil, err
	}
	// Not in the cell's directory: that one is moved away when it is stale, its lock is not.
	f, err := openLock(filepath.Join(locksDir(r.Dir), c.ID()))
	if err != nil {
		return nil, err
	}
	claim := &Claim{file: f, note: note{Cell: c.ID(), Holder: r.holder, Since: now.UTC()}}
	free, err := tryLock(f, unix.F_WRLCK)
	if err == nil && !free {
		err = &LockedError{Dir: r.Dir, Cell: c.ID(), Holder: readNote(f.Name()).Holder}
	}
	if err == nil {
		err = claim.write()
	}
	if err == nil {
		err = r.sweep(filepath.Join("cells", c.ID(), ".tmp-*"), filepath.Join("cells", c.ID(), "suite", ".tmp-*"))
	}
	if err != nil {
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
	return c.write()
}

// Release lets the cell go.
func (c *Claim) Release(now time.Time) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	now = now.UTC()
	c.note.Ended = &now
	// On a full disk the kernel's lock goes all the same; its note is then an old one.
	err := c.write()
	return errors.Join(err, c.file.Close())
}

func (c *Claim) write() error {
	text, err := json.Marshal(c.note)
	if err != nil {
		return fmt.Errorf("lock of cell %s: %w", c.note.Cell, err)
	}
	return describe(c.file, text)
}

// readNote reads what a cell's lock says, if it says something yet. It opens the file again, because a network file
// system then shows what others wrote.
func readNote(path string) note {
	text, err := os.ReadFile(path)
	if err != nil {
		return note{}
	}
	return parseNote(text)
}

func parseNote(text []byte) (n note) {
	if err := json.Unmarshal(bytes.TrimSpace(text), &n); err != nil {
		return note{}
	}
	return n
}

// liveClaims returns the notes of all cells of a run that are worked on, by cell.
func liveClaims(run string) ([]note, error) {
	entries, err := os.ReadDir(locksDir(run))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var live []note
	for _, e := range entries {
		n, held, err := claimAt(filepath.Join(locksDir(run), e.Name()))
		if err != nil {
			return nil, err
		}
		if held {
			live = append(live, n)
		}
	}
	return live, nil
}

// claimAt reads a cell's note, and whether the cell is held. It takes no lock.
func claimAt(path string) (n note, held bool, err error) {
	held, err = isLocked(path)
	return readNote(path), held, err
}
