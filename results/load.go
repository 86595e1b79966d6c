package results

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/lisa-bench/lisa-bench/internal/trial"
)

// Data is a run as reports read it.
type Data struct {
	Dir        string
	Experiment []byte // experiment.yaml
	Manifest   Manifest
	Cells      []CellData // in the order of the plan
}

// CellData is one planned cell: exactly one of Record and Incomplete is set.
type CellData struct {
	Cell       trial.Cell
	Dir        string
	Record     *trial.Record
	Incomplete *trial.Incomplete
	Reused     string // the run beside this one that it was copied from; "" for a cell of this one
}

// A NotARunError is a directory, named by a user, that is not one of a run.
type NotARunError struct {
	Dir   string
	Lacks string // the file that every run has
}

func (e *NotARunError) Error() string {
	return fmt.Sprintf("%s: not a run directory: it has no %s", e.Dir, e.Lacks)
}

// Load reads a run, without its lock: every file in it is replaced whole or not at all.
func Load(dir string) (*Data, error) {
	m, err := readManifest(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, &NotARunError{Dir: dir, Lacks: manifestFile}
	}
	if err != nil {
		return nil, err
	}
	d := &Data{Dir: dir, Manifest: m}
	if d.Experiment, err = os.ReadFile(filepath.Join(dir, "experiment.yaml")); err != nil {
		return nil, err
	}
	for _, p := range m.Cells {
		c, err := loadCell(dir, p)
		if err != nil {
			return nil, err
		}
		d.Cells = append(d.Cells, c)
	}
	return d, nil
}

func loadCell(run string, p PlannedCell) (CellData, error) {
	c := CellData{Cell: p.Cell, Dir: cellDir(run, p.Cell)}
	rec, err := readRecord(c.Dir, p.Key)
	if err == nil {
		var copied reused
		if err := readJSON(filepath.Join(c.Dir, reusedFile), &copied); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return c, err
		}
		c.Record, c.Reused = rec, copied.From
		return c, checkSeal(c.Dir)
	}
	c.Incomplete = &trial.Incomplete{Cell: p.Cell}
	switch {
	case errors.Is(err, errStale):
		c.Incomplete.Kind, c.Incomplete.Message = "stale", err.Error()
	case !errors.Is(err, fs.ErrNotExist):
		return c, err
	default:
		c.Incomplete.Kind, c.Incomplete.Message = "not_run", "not run yet"
	}
	var inc trial.Incomplete
	switch err := readJSON(filepath.Join(c.Dir, "incomplete.json"), &inc); {
	case err == nil:
		c.Incomplete = &inc
	case !errors.Is(err, fs.ErrNotExist):
		return c, err
	}
	return c, nil
}

// Untimed returns a copy of rec without what depends on the clock: two runs of one seed and
// an untimed budget agree on it byte for byte.
func Untimed(rec *trial.Record) *trial.Record {
	out := *rec
	out.Usage = rec.Usage.Untimed()
	if rec.Before != nil {
		before := rec.Before.Untimed()
		out.Before = &before
	}
	if rec.Mutation != nil {
		mutation := *rec.Mutation
		mutation.CPU = 0
		out.Mutation = &mutation
	}
	out.Growth = append([]trial.GrowthPoint(nil), rec.Growth...)
	for i := range out.Growth {
		out.Growth[i].Elapsed = 0
	}
	out.Alarms, out.Failures = untimedRefs(rec.Alarms), untimedRefs(rec.Failures)
	out.Bugs = append([]trial.BugResult(nil), rec.Bugs...)
	for i := range out.Bugs {
		out.Bugs[i].First, out.Bugs[i].Nearest = untimedRefs(out.Bugs[i].First), untimedRefs(out.Bugs[i].Nearest)
		if f := out.Bugs[i].Fuzzed; f != nil {
			out.Bugs[i].Fuzzed = &trial.Fuzzed{Execs: f.Execs}
		}
	}
	return &out
}

// Common returns copies of two records of one cell without the parts that one of them lacks.
func Common(a, b *trial.Record) (x, y *trial.Record) {
	one, other := *a, *b
	for _, g := range slices.Concat(a.Gaps(), b.Gaps()) {
		one.Drop(g)
		other.Drop(g)
	}
	return &one, &other
}

func untimedRefs(refs []trial.TestReference) []trial.TestReference {
	out := append([]trial.TestReference(nil), refs...)
	for i := range out {
		out[i].Elapsed = 0
	}
	return out
}
