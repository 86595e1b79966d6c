package results

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/lisa-bench/lisa-bench/internal/trial"
)

// ManifestSchema is the version of manifest.json.
const ManifestSchema = 1

// MinFree is the space in bytes below which a run is not started: a few hundred programs
// with their journals and a report fit into it.
const MinFree = 64 << 20

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
	Dir  string
	Line int // first line of experiment.yaml that differs
	Have string
	Want string
}

func (e *DifferentError) Error() string {
	return fmt.Sprintf("%s: holds a run of another experiment (experiment.yaml:%d is %q, not %q): name another run directory",
		e.Dir, e.Line, e.Have, e.Want)
}

// A Run is a run directory that this process holds the lock of.
type Run struct {
	Dir  string
	lock *os.File
}

// Open creates or reopens the run directory dir, for holder (e.g. "pid 4711 on build3").
// It refuses with *LockedError, or *DiskError when dir cannot be written or has less than
// MinFree to spare.
func Open(dir, holder string) (*Run, error) {
	if err := mkdir(filepath.Join(dir, "cells")); err != nil {
		return nil, err
	}
	l, err := lock(dir, holder)
	if err != nil {
		return nil, err
	}
	r := &Run{Dir: dir, lock: l}
	if err := errors.Join(checkSpace(dir, MinFree), r.sweep()); err != nil {
		r.Close()
		return nil, err
	}
	return r, nil
}

// sweep proves that dir can be written, and clears what killed writers left in it.
func (r *Run) sweep() error {
	probe := filepath.Join(r.Dir, ".tmp-probe")
	if err := os.WriteFile(probe, []byte("probe\n"), 0o644); err != nil {
		return onDisk(r.Dir, err)
	}
	for _, pattern := range []string{".tmp-*", "cells/*/.tmp-*", "cells/*/suite/.tmp-*"} {
		left, err := filepath.Glob(filepath.Join(r.Dir, pattern))
		if err != nil {
			return fmt.Errorf("sweep %s: %w", r.Dir, err)
		}
		for _, f := range left {
			if err := os.Remove(f); err != nil {
				return onDisk(r.Dir, err)
			}
		}
	}
	return nil
}

// Close frees the lock.
func (r *Run) Close() error { return r.lock.Close() }

// Start stores the resolved experiment, or checks that it is the one stored before.
func (r *Run) Start(experiment []byte) error {
	path := filepath.Join(r.Dir, "experiment.yaml")
	have, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return writeFile(path, experiment)
	}
	if err != nil {
		return onDisk(path, err)
	}
	if bytes.Equal(have, experiment) {
		return nil
	}
	line, a, b := firstDifference(have, experiment)
	return &DifferentError{Dir: r.Dir, Line: line, Have: a, Want: b}
}

func firstDifference(a, b []byte) (line int, inA, inB string) {
	as, bs := bytes.Split(a, []byte("\n")), bytes.Split(b, []byte("\n"))
	for i := range max(len(as), len(bs)) {
		inA, inB = "", ""
		if i < len(as) {
			inA = string(as[i])
		}
		if i < len(bs) {
			inB = string(bs[i])
		}
		if inA != inB {
			return i + 1, inA, inB
		}
	}
	return 0, "", ""
}

// WriteManifest stores m, keeping the time at which the run was created.
func (r *Run) WriteManifest(m Manifest) error {
	m.Schema = ManifestSchema
	old, err := readManifest(r.Dir)
	switch {
	case err == nil:
		m.Created = old.Created
	case !errors.Is(err, fs.ErrNotExist):
		return err
	}
	return writeJSON(filepath.Join(r.Dir, "manifest.json"), m)
}

func readManifest(dir string) (Manifest, error) {
	var m Manifest
	path := filepath.Join(dir, "manifest.json")
	if err := readJSON(path, &m); err != nil {
		return m, err
	}
	if m.Schema != ManifestSchema {
		return m, fmt.Errorf("%s: schema %d, this bench reads %d", path, m.Schema, ManifestSchema)
	}
	return m, nil
}

func cellDir(run string, c trial.Cell) string { return filepath.Join(run, "cells", c.ID()) }
