package results

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
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

// Records are those of the complete cells.
func (d *Data) Records() []trial.Record {
	var all []trial.Record
	for _, c := range d.Cells {
		if c.Record != nil {
			all = append(all, *c.Record)
		}
	}
	return all
}

// A NotARunError is a directory, named by a user, that is not one of a run.
type NotARunError struct {
	Dir   string
	Lacks string // the file that every run has; "" where there is no such directory
}

// NewNotARunError looks whether the directory is there at all.
func NewNotARunError(dir, lacks string) *NotARunError {
	if _, err := os.Stat(dir); errors.Is(err, fs.ErrNotExist) {
		lacks = ""
	}
	return &NotARunError{Dir: dir, Lacks: lacks}
}

func (e *NotARunError) Error() string {
	if e.Lacks == "" {
		return e.Dir + ": no such run directory"
	}
	return fmt.Sprintf("%s: not a run directory: it has no %s", e.Dir, e.Lacks)
}

// Load reads a run, without its lock: every file in it is replaced whole or not at all. It refuses a complete cell whose
// files changed since.
func Load(dir string) (*Data, error) {
	m, err := readManifest(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, NewNotARunError(dir, manifestFile)
	}
	if err != nil {
		return nil, err
	}
	d := &Data{Dir: dir, Manifest: m}
	if d.Experiment, err = os.ReadFile(filepath.Join(dir, experimentFile)); err != nil {
		return nil, err
	}
	for _, p := range m.Cells {
		c, err := loadCell(dir, p)
		if err == nil && c.Record != nil {
			err = checkSeal(c.Dir)
		}
		if err != nil {
			return nil, err
		}
		d.Cells = append(d.Cells, c)
	}
	return d, nil
}

// clock is a field of a record's file that depends on the clock: each is named after its unit.
var clock = regexp.MustCompile(`"[a-z]+_ns":\d+`)

// Untimed returns a copy of rec without what depends on the clock: two runs of one seed and
// an untimed budget agree on it byte for byte.
func Untimed(rec *trial.Record) *trial.Record {
	var out trial.Record
	text, err := json.Marshal(rec)
	if err == nil {
		err = json.Unmarshal(clock.ReplaceAll(text, []byte(`"no_ns":0`)), &out)
	}
	if err != nil {
		panic(fmt.Sprintf("results: record of %s: %v", rec.Cell.ID(), err)) // it was read from such a text
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
