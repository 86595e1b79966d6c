// Package results is the write-once store of runs. It stores what the runner and the tools make (events,
// programs, records), so that a killed process loses at most what was in flight. It reads them back to resume a
// run or to report it. docs/explanation/architecture.md lists the files of a run.
//
// It refuses a directory or cell that another process works on, a directory with another experiment, one that
// cannot be written or is nearly full, and a journal that is damaged before its last line.
package results

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
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

// A DifferentError says that a run directory holds another experiment.
type DifferentError struct {
	Dir string
	Why string // it cannot grow into that one; "" if nobody asked
}

func (e *DifferentError) Error() string {
	text := e.Dir + ": contains a run of another experiment"
	if e.Why != "" {
		text += ", which cannot grow into this one: " + e.Why
	}
	return text + ": name another run directory"
}

// A Run is a run directory that this process holds the lock of: alone after Open, with others
// that work on other cells after Join.
type Run struct {
	Dir    string
	lock   *os.File
	shared bool
	holder string
}

// Open creates or reopens the run directory dir, for holder (e.g. "pid 4711 on build3") alone.
// It refuses with *LockedError, or *DiskError when dir cannot be written or has less than
// minFree to spare.
func Open(dir, holder string) (*Run, error) { return openRun(dir, holder, unix.F_WRLCK) }

// Join is Open together with any number of processes that join as well, on any machine that
// sees dir. Each works on cells that it has claimed, and neither changes what is stored of the
// run as a whole.
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

// Start stores the resolved experiment, or checks that it is the one stored before.
func (r *Run) Start(experiment []byte) error {
	have, err := r.once(experimentFile, experiment)
	if err == nil && !bytes.Equal(have, experiment) {
		err = &DifferentError{Dir: r.Dir}
	}
	return Explain(err, r.Dir)
}

// Grow stores an experiment in the place of the one that a run had: one with the same cells and more.
// A process that joined others must not.
func (r *Run) Grow(experiment []byte) error {
	if r.shared {
		return fmt.Errorf("%s: can grow only while one process uses it: run it once without --cell and --cells, or with --prepare", r.Dir)
	}
	return durable.WriteFile(filepath.Join(r.Dir, experimentFile), experiment)
}

// Experiment returns the experiment that a run stores.
func (r *Run) Experiment() ([]byte, error) {
	return os.ReadFile(filepath.Join(r.Dir, experimentFile))
}

// WriteManifest stores m, keeping the time at which the run was created. A process that joined stores it only if there is
// none; otherwise the stored one must have its cells with their keys, or the error is *MismatchError.
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

// A MismatchError says that this machine would make a cell from something else than the run
// is made from, so that its results may not be put beside the others.
type MismatchError struct {
	Dir, Cell string
	Reasons   []string // what differs between the manifest and this machine, as far as it is known
}

func (e *MismatchError) Error() string {
	why := "the corpus, a tool or the toolchain differs"
	if len(e.Reasons) > 0 {
		why = strings.Join(e.Reasons, "; ")
	}
	return fmt.Sprintf("%s: this machine would make cell %s from other inputs than the run's manifest.json lists (%s): "+
		"use the same bench and toolchain everywhere, or make the manifest anew with `bench run --prepare`", e.Dir, e.Cell, why)
}

// sameCells holds the cells of this machine's manifest against the stored one.
func sameCells(dir string, have, want Manifest) error {
	for _, c := range want.Cells {
		if slices.Contains(have.Cells, c) {
			continue
		}
		e := &MismatchError{Dir: dir, Cell: c.Cell.ID()}
		add := func(what, a, b string) {
			if a != b {
				e.Reasons = append(e.Reasons, fmt.Sprintf("%s is %q there, %q here", what, a, b))
			}
		}
		add("bench", have.Bench, want.Bench)
		add("corpus", have.Corpus, want.Corpus)
		for _, name := range slices.Sorted(maps.Keys(want.Tools)) {
			add(name, have.Tools[name], want.Tools[name])
		}
		return e
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

// GivenDirIn is where a cell has copies of what a parameter of its tool named.
func GivenDirIn(cells, cellID, param string) string {
	return filepath.Join(SuiteDirIn(cells, cellID), trial.GivenDir, param)
}

// SuiteDirIn is the directory of a cell's suite, given the directory of all cells of a run.
func SuiteDirIn(cells, cellID string) string { return filepath.Join(cells, cellID, "suite") }
