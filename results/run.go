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

// manifestFile is what makes a directory a run.
const manifestFile = "manifest.json"

// ManifestSchema is the version of manifest.json.
const ManifestSchema = 1

// minFree is the space in bytes below which a run is not started: a few hundred programs
// with their journals and a report fit into it.
const minFree = 64 << 20

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
	l, err := lockRun(dir, holder, kind)
	if err != nil {
		return nil, Explain(err, dir)
	}
	r := &Run{Dir: dir, lock: l, shared: kind == unix.F_RDLCK, holder: holder}
	if err := errors.Join(checkSpace(dir, minFree), r.probe()); err != nil {
		r.Close()
		return nil, Explain(err, dir)
	}
	return r, nil
}

// probe proves that dir can be written, and clears what killed writers left at its top.
func (r *Run) probe() error {
	f, err := os.CreateTemp(r.Dir, ".tmp-probe-")
	if err != nil {
		return err
	}
	_, err = f.WriteString("probe\n")
	err = errors.Join(err, f.Close(), os.Remove(f.Name()))
	if r.shared || err != nil { // others may be writing
		return err
	}
	return r.sweep(".tmp-*")
}

// sweep removes temporary files of writers that are known to be dead.
func (r *Run) sweep(patterns ...string) error {
	for _, pattern := range patterns {
		left, err := filepath.Glob(filepath.Join(r.Dir, pattern))
		if err != nil {
			return fmt.Errorf("sweep %s: %w", r.Dir, err)
		}
		for _, f := range left {
			if err := os.RemoveAll(f); err != nil {
				return err
			}
		}
	}
	return nil
}

// Close frees the lock.
func (r *Run) Close() error { return r.lock.Close() }

// Start stores the resolved experiment, or checks that it is the one stored before.
func (r *Run) Start(experiment []byte) (err error) {
	defer func() { err = Explain(err, r.Dir) }()
	path := filepath.Join(r.Dir, "experiment.yaml")
	have, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		if err = r.create(path, experiment); err == nil {
			return nil
		}
		if errors.Is(err, fs.ErrExist) { // another process that joined was faster
			have, err = os.ReadFile(path)
		}
	}
	if err != nil {
		return err
	}
	if bytes.Equal(have, experiment) {
		return nil
	}
	return &DifferentError{Dir: r.Dir}
}

// Grow stores an experiment in the place of the one that a run had: one with the same cells and more.
// A process that joined others must not.
func (r *Run) Grow(experiment []byte) error {
	if r.shared {
		return fmt.Errorf("%s: can grow only while one process uses it: run it once without --cell and --cells, or with --prepare", r.Dir)
	}
	return durable.WriteFile(filepath.Join(r.Dir, "experiment.yaml"), experiment)
}

// Experiment returns the experiment that a run stores.
func (r *Run) Experiment() ([]byte, error) {
	return os.ReadFile(filepath.Join(r.Dir, "experiment.yaml"))
}

// WriteManifest stores m, keeping the time at which the run was created. One that is cut or
// garbled is replaced. A process that joined stores it only if there is none; otherwise the
// stored one must have its cells with their keys, or the error is *MismatchError.
func (r *Run) WriteManifest(m Manifest) (err error) {
	defer func() { err = Explain(err, r.Dir) }()
	m.Schema = ManifestSchema
	path := filepath.Join(r.Dir, manifestFile)
	old, err := readManifest(r.Dir)
	switch {
	case err == nil && r.shared:
		return sameCells(r.Dir, old, m)
	case err == nil:
		m.Created = old.Created
	case !errors.Is(err, fs.ErrNotExist) && (r.shared || !garbled(err)):
		return err
	}
	if !r.shared {
		return durable.WriteJSON(path, m)
	}
	text, err := encodeJSON(path, m)
	if err == nil {
		err = r.create(path, text)
	}
	if errors.Is(err, fs.ErrExist) {
		return r.WriteManifest(m)
	}
	return err
}

// garbled reports whether an error of readJSON says that the file is cut or is no JSON.
func garbled(err error) bool {
	var syntax *json.SyntaxError
	return errors.As(err, &syntax)
}

// create writes a file that must not be there yet; the error is then fs.ErrExist.
func (r *Run) create(path string, data []byte) error {
	tmp, err := os.MkdirTemp(r.Dir, ".tmp-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(tmp)
	whole := filepath.Join(tmp, filepath.Base(path))
	if err := durable.WriteFile(whole, data); err != nil {
		return err
	}
	// A link, because a rename would replace what another machine made in the meantime.
	if err := os.Link(whole, path); err != nil {
		return err
	}
	return durable.Sync(r.Dir)
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

func sameCells(dir string, have, want Manifest) error {
	keys := map[string]string{}
	for _, c := range have.Cells {
		keys[c.Cell.ID()] = c.Key
	}
	for _, c := range want.Cells {
		if key, ok := keys[c.Cell.ID()]; ok && key == c.Key {
			continue
		}
		return &MismatchError{Dir: dir, Cell: c.Cell.ID(), Reasons: differences(have, want)}
	}
	return nil
}

func differences(have, want Manifest) []string {
	var list []string
	add := func(what, a, b string) {
		if a != b {
			list = append(list, fmt.Sprintf("%s is %q there, %q here", what, a, b))
		}
	}
	add("bench", have.Bench, want.Bench)
	add("corpus", have.Corpus, want.Corpus)
	for _, name := range slices.Sorted(maps.Keys(want.Tools)) {
		add(name, have.Tools[name], want.Tools[name])
	}
	return list
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
