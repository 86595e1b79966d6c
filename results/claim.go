package results

import (
	"bytes"
	"context"
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

// BeatEvery is the interval at which the process that works on a cell says so.
const BeatEvery = 10 * time.Second

// silence is how long a claim of another machine must stay as it is before it is taken for
// dead. Only whether it changes counts, so that the machines' clocks may differ.
const silence = 3 * BeatEvery

// A note is what the lock of a cell says: who works on it, or who did last.
type note struct {
	Cell   string      `json:"cell"`
	Holder string      `json:"holder"` // e.g. "pid 4711 on build3"
	Host   string      `json:"host"`
	Since  time.Time   `json:"since"`
	Stage  string      `json:"stage,omitempty"` // building, generating, evaluating
	Usage  trial.Usage `json:"usage"`           // of the generation, so far
	Beat   int64       `json:"beat"`            // counts up while the holder lives
	Ended  *time.Time  `json:"ended,omitempty"` // when it was let go; nil while it is held, or was never let go
}

// A Claim is a cell that only this process may write.
//
// The kernel's lock decides. Some file systems keep locks to one machine (NFS mounted with nolock or
// local_lock, Lustre with localflock). There the note in the lock's file decides between machines: a note that
// another machine keeps rewriting is held.
type Claim struct {
	run  string
	file *os.File

	mu   sync.Mutex
	note note
}

func locksDir(run string) string { return filepath.Join(run, "locks") }

// Claim takes a cell. It returns *LockedError if another process works on it. If another
// machine did and never let it go, it waits until that is known to be dead; now is a clock.
func (r *Run) Claim(ctx context.Context, c trial.Cell, now func() time.Time) (*Claim, error) {
	if err := mkdir(locksDir(r.Dir)); err != nil {
		return nil, err
	}
	// Not in the cell's directory: that one is moved away when it is stale, its lock is not.
	f, err := openLock(filepath.Join(locksDir(r.Dir), c.ID()))
	if err != nil {
		return nil, err
	}
	claim := &Claim{run: r.Dir, file: f, note: note{Cell: c.ID(), Holder: r.holder, Host: r.host, Since: now().UTC()}}
	err = claim.take(ctx, r.patience)
	if err == nil {
		err = r.sweep(filepath.Join("cells", c.ID(), ".tmp-*"), filepath.Join("cells", c.ID(), "suite", ".tmp-*"))
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return claim, nil
}

func (c *Claim) take(ctx context.Context, patience time.Duration) error {
	free, err := tryLock(c.file, unix.F_WRLCK)
	if err != nil {
		return err
	}
	before, known := readNote(c.file.Name())
	if !free {
		return &LockedError{Dir: c.run, Cell: c.note.Cell, Holder: before.Holder}
	}
	if known && before.Ended == nil && before.Host != c.note.Host {
		select {
		case <-time.After(patience):
		case <-ctx.Done():
			return context.Cause(ctx)
		}
		if now, _ := readNote(c.file.Name()); now.Beat != before.Beat || now.Holder != before.Holder {
			return &LockedError{Dir: c.run, Cell: c.note.Cell, Holder: now.Holder}
		}
	}
	c.note.Beat = before.Beat + 1
	return c.write()
}

// Beat says that the holder lives, and how far it is.
func (c *Claim) Beat(stage string, u trial.Usage) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.note.Beat++
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
	return onDisk(c.file.Name(), describe(c.file, text))
}

// readNote reads what a cell's lock says. It opens the file again, because a network file system then shows
// what others wrote. A lock that says nothing yet is not known.
func readNote(path string) (n note, known bool) {
	text, err := os.ReadFile(path)
	if err != nil {
		return n, false
	}
	return parseNote(text)
}

func parseNote(text []byte) (n note, known bool) {
	if err := json.Unmarshal(bytes.TrimSpace(text), &n); err != nil {
		return note{}, false
	}
	return n, true
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
	f, err := os.Open(path)
	if err != nil {
		return n, false, err
	}
	defer f.Close()
	n, _ = readNote(path)
	held, err = isLocked(f)
	return n, held, err
}
