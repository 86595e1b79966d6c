// Package results is the write-once store of runs. It stores what the runner and the tools make (events,
// programs, records), so that a killed process loses at most what was in flight. It reads them back to resume a
// run or to report it. docs/explanation/architecture.md lists the files of a run.
//
// It refuses a directory or cell that another process works on, a directory with another experiment, one that
// cannot be written or is nearly full, and a journal that is damaged before its last line.
package results

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"golang.org/x/sys/unix"

	"github.com/lisa-bench/lisa-bench/internal/durable"
	"github.com/lisa-bench/lisa-bench/internal/trial"
)

// The files of a run. The manifest is what makes a directory one.
const (
	manifestFile   = "manifest.json"
	experimentFile = "experiment.yaml"
)

// ManifestSchema is the version of manifest.json.
const ManifestSchema = 1

// A Manifest says what a run was made with. It is written at every start; Created stays.
type Manifest struct {
	Schema  int               `json:"schema"`
	Name    string            `json:"name"`             // of the experiment
	Bench   string            `json:"bench"`            // version of this program
	Corpus  string            `json:"corpus,omitempty"` // version of the benchmark's libraries and bugs
	Created time.Time         `json:"created"`
	Seed    trial.Seed        `json:"seed"`
	Jobs    int               `json:"jobs"`
	Host    Host              `json:"host"`
	Tools   map[string]string `json:"tools,omitempty"`   // compiler and other programs -> version
	Sources map[string]string `json:"sources,omitempty"` // "zlib debian" -> version and hash
	Models  map[string]string `json:"models,omitempty"`  // stage -> model and settings, as "gpt-5.1, reasoning effort medium"
	Image   string            `json:"image,omitempty"`   // digest of the sandbox image
	Cells   []PlannedCell     `json:"cells"`
}

// A Host is the machine that made a run.
type Host struct {
	Name   string `json:"name"`
	OS     string `json:"os"`
	Arch   string `json:"arch"`
	Kernel string `json:"kernel,omitempty"`
	CPU    string `json:"cpu,omitempty"`
	CPUs   int    `json:"cpus"`
}

// A PlannedCell is a cell with the key that its record must have.
type PlannedCell struct {
	trial.Cell
	Key string `json:"key"` // "" when it could not be determined
}

// A Refusal is why a directory is not the run that was asked for: it is none, or one of another experiment, or made from
// other inputs.
type Refusal struct{ Dir, Why string }

func (e *Refusal) Error() string { return e.Dir + ": " + e.Why }

// NotARun refuses a directory, named by a user, that lacks a file that every run has.
func NotARun(dir, lacks string) error {
	if _, err := os.Stat(dir); errors.Is(err, fs.ErrNotExist) {
		return &Refusal{dir, "no such run directory"}
	}
	return &Refusal{dir, "not a run directory: it has no " + lacks}
}

// A Run is a run directory that this process holds the lock of: alone after Open, with others
// that work on other cells after Join.
type Run struct {
	Dir    string
	lock   *os.File
	shared bool
	holder string
}

// Open creates or reopens the run directory dir, for holder (e.g. "pid 4711 on build3") alone. It refuses with
// *LockedError, or *DiskError when dir cannot be written or has less than minFree to spare.
func Open(dir, holder string) (*Run, error) { return openRun(dir, holder, unix.F_WRLCK) }

// Join is Open together with any number of processes that join as well, on any machine that sees dir. Each works on
// cells that it has claimed, and neither changes what is stored of the run as a whole.
func Join(dir, holder string) (*Run, error) { return openRun(dir, holder, unix.F_RDLCK) }

func openRun(dir, holder string, kind int16) (*Run, error) {
	cells := filepath.Join(dir, "cells")
	if err := os.MkdirAll(cells, 0o755); err != nil {
		if full := Explain(errors.Unwrap(err), cells); IsDisk(full) { // of the directory that was asked for
			err = full
		}
		return nil, err
	}
	f, err := lock(lockOf(dir), kind)
	if err == nil && f == nil {
		err = &LockedError{Dir: dir, Holder: holderOf(dir)}
	}
	if err != nil {
		return nil, Explain(err, dir)
	}
	r := &Run{Dir: dir, lock: f, shared: kind == unix.F_RDLCK, holder: holder}
	err = checkSpace(dir)
	if err == nil && !r.shared { // others may be writing
		err = errors.Join(note{Holder: holder}.write(f), sweep(dir))
	}
	if err != nil {
		r.Close()
		return nil, Explain(err, dir)
	}
	return r, nil
}

// Close frees the lock.
func (r *Run) Close() error { return r.lock.Close() }

// Start stores the resolved experiment. Where another one is stored it is a *Refusal, unless that can grow into this one:
// with the same cells and more. grow says why it cannot; nil: nobody asks. A process that joined others does not grow.
func (r *Run) Start(experiment []byte, grow func(stored []byte) error) error {
	have, err := r.once(experimentFile, experiment)
	if err != nil || bytes.Equal(have, experiment) {
		return Explain(err, r.Dir)
	}
	why := ""
	if grow != nil {
		if no := grow(have); no != nil {
			why = ", which cannot grow into this one: " + no.Error()
		} else if r.shared {
			return fmt.Errorf("%s: can grow only while one process uses it: run it once without --cell and --cells, or with --prepare", r.Dir)
		} else {
			return Explain(durable.WriteFile(filepath.Join(r.Dir, experimentFile), experiment), r.Dir)
		}
	}
	return &Refusal{r.Dir, "contains a run of another experiment" + why + ": name another run directory"}
}

// WriteManifest stores m, keeping the time at which the run was created. A process that joined stores it only if there is
// none; otherwise the stored one must have its cells with their keys, or the error is a *Refusal: results that were made
// from something else may not be put beside the others.
func (r *Run) WriteManifest(m Manifest) (err error) {
	defer func() { err = Explain(err, r.Dir) }()
	m.Schema = ManifestSchema
	if !r.shared {
		if old, err := readManifest(r.Dir); err == nil {
			m.Created = old.Created
		}
		return durable.WriteJSON(filepath.Join(r.Dir, manifestFile), m)
	}
	text, err := json.MarshalIndent(m, "", "  ")
	if err != nil {
		return err
	}
	if _, err = r.once(manifestFile, append(text, '\n')); err != nil {
		return err
	}
	have, err := readManifest(r.Dir)
	if err != nil {
		return err
	}
	return sameCells(r.Dir, have, m)
}

// once writes a file unless it is there, and returns what is in it then.
func (r *Run) once(name string, data []byte) ([]byte, error) {
	path := filepath.Join(r.Dir, name)
	have, err := os.ReadFile(path)
	if !errors.Is(err, fs.ErrNotExist) {
		return have, err
	}
	tmp, err := os.MkdirTemp(r.Dir, durable.TempPrefix)
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(tmp)
	whole := filepath.Join(tmp, name)
	if err := durable.WriteFile(whole, data); err != nil {
		return nil, err
	}
	// A link, because a rename would replace what another machine made in the meantime.
	if err := os.Link(whole, path); err != nil && !errors.Is(err, fs.ErrExist) {
		return nil, err
	}
	if err := durable.Sync(r.Dir); err != nil {
		return nil, err
	}
	return os.ReadFile(path)
}

// sameCells holds the cells of this machine's manifest against the stored one.
func sameCells(dir string, have, want Manifest) error {
	for _, c := range want.Cells {
		if slices.Contains(have.Cells, c) {
			continue
		}
		var differs []string
		add := func(what, a, b string) {
			if a != b {
				differs = append(differs, fmt.Sprintf("%s is %q there, %q here", what, a, b))
			}
		}
		add("bench", have.Bench, want.Bench)
		add("corpus", have.Corpus, want.Corpus)
		for _, name := range slices.Sorted(maps.Keys(want.Tools)) {
			add(name, have.Tools[name], want.Tools[name])
		}
		return &Refusal{dir, fmt.Sprintf("this machine would make cell %s from other inputs than the run's manifest.json lists (%s): "+
			"use the same bench and toolchain everywhere, or make the manifest anew with `bench run --prepare`",
			c.Cell.ID(), cmp.Or(strings.Join(differs, "; "), "the corpus, a tool or the toolchain differs"))}
	}
	return nil
}

func readManifest(dir string) (Manifest, error) {
	var m Manifest
	path := filepath.Join(dir, manifestFile)
	if err := readJSON(path, &m); err != nil {
		return m, err
	}
	if m.Schema != ManifestSchema {
		return m, fmt.Errorf("%s: schema %d, this bench reads %d", path, m.Schema, ManifestSchema)
	}
	return m, nil
}

func cellDir(run string, c trial.Cell) string { return filepath.Join(run, "cells", c.ID()) }

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
	Cell   string      `json:"cell,omitempty"`  // "" for the run
	Holder string      `json:"holder"`          // e.g. "pid 4711 on build3"
	Since  time.Time   `json:"since,omitzero"`  // of a cell
	Stage  string      `json:"stage,omitempty"` // building, generating, evaluating
	Usage  trial.Usage `json:"usage,omitzero"`  // of the generation, so far
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
