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
	"time"

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

// Load reads a run, without its lock: every file in it is replaced whole or not at all. It refuses a complete cell whose
// files changed since.
func Load(dir string) (*Data, error) {
	m, err := readManifest(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, NotARun(dir, manifestFile)
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

// A State is what a cell of a run is in.
type State string

// The states of a cell.
const (
	Done       State = "done"
	Running    State = "running"
	Incomplete State = "incomplete" // it was tried; the reason is known
	Waiting    State = "waiting"    // never tried, or its record is stale
)

// A Status is how far a run is. Counts are of cells.
type Status struct {
	Planned    int         `json:"planned"`
	Done       int         `json:"done"`
	Running    int         `json:"running"`
	Incomplete int         `json:"incomplete"`
	Waiting    int         `json:"waiting"`
	Gaps       int         `json:"gaps,omitempty"` // cells done whose records lack a part
	Usage      trial.Usage `json:"usage"`          // of the generation of cells done and running

	Cells []CellStatus `json:"cells"` // in the order of the plan
}

// CellStatus is one cell of a Status.
type CellStatus struct {
	Cell    string      `json:"cell"`
	Tool    string      `json:"tool"`
	State   State       `json:"state"`
	Stage   string      `json:"stage,omitempty"`   // if running
	Holder  string      `json:"holder,omitempty"`  // who works on it, or who did last
	Since   *time.Time  `json:"since,omitempty"`   // when the holder began
	Kind    string      `json:"kind,omitempty"`    // of the reason, if incomplete
	Message string      `json:"message,omitempty"` // of the reason
	Usage   trial.Usage `json:"usage"`             // of its generation, so far
	Gaps    []trial.Gap `json:"gaps,omitempty"`    // parts that its record lacks, if done

	Took time.Duration `json:"took_ns,omitempty"` // the last session of a cell done or incomplete; 0 if unknown
}

// ReadStatus reads how far the cells are, without any lock, even while others work on them. If the run has no
// manifest yet, planned is used.
func ReadStatus(dir string, planned []PlannedCell) (*Status, error) {
	m, err := readManifest(dir)
	switch {
	case err == nil:
		planned = m.Cells
	case !errors.Is(err, fs.ErrNotExist):
		return nil, err
	}
	s := &Status{Planned: len(planned)}
	count := map[State]*int{Done: &s.Done, Running: &s.Running, Incomplete: &s.Incomplete, Waiting: &s.Waiting}
	for _, p := range planned {
		c, err := readCellStatus(dir, p)
		if err != nil {
			return nil, err
		}
		s.Cells = append(s.Cells, c)
		*count[c.State]++
		if len(c.Gaps) > 0 {
			s.Gaps++
		}
		if c.State == Done || c.State == Running {
			s.Usage = s.Usage.Plus(c.Usage)
		}
	}
	return s, nil
}

func readCellStatus(run string, p PlannedCell) (CellStatus, error) {
	c := CellStatus{Cell: p.Cell.ID(), Tool: p.Tool, State: Waiting}
	path := cellLock(run, c.Cell)
	held, err := isLocked(path)
	if err != nil {
		return c, err
	}
	n := readNote(path)
	if n.Holder != "" {
		c.Holder, c.Since, c.Usage = n.Holder, &n.Since, n.Usage
	}
	if held {
		c.State, c.Stage = Running, n.Stage
		return c, nil
	}
	if n.Ended != nil {
		c.Took = n.Ended.Sub(n.Since)
	}
	data, err := loadCell(run, p)
	switch {
	case err != nil:
	case data.Record != nil:
		c.State, c.Usage, c.Gaps = Done, data.Record.Usage, data.Record.Gaps()
	case data.Incomplete.Kind != kindStale && data.Incomplete.Kind != kindNotRun:
		c.State, c.Kind, c.Message = Incomplete, data.Incomplete.Kind, data.Incomplete.Message
	case n.Holder != "" && n.Ended == nil:
		c.State, c.Kind = Incomplete, "interrupted"
		c.Message = fmt.Sprintf("%s ended without a message; what the cell has is kept, and the next session resumes it", n.Holder)
	}
	return c, err
}

// A CellData is one planned cell: exactly one of Record and Incomplete is set.
type CellData struct {
	Cell       trial.Cell
	Dir        string
	Record     *trial.Record
	Incomplete *trial.Incomplete
	Reused     string // the run beside this one that it was copied from; "" for a cell of this one
}

// The kinds of trial.Incomplete of a cell that nobody has tried, or not as it is planned now.
const (
	kindStale  = "stale"
	kindNotRun = "not_run"
)

// loadCell reads a cell. It does not check the seal.
func loadCell(run string, p PlannedCell) (CellData, error) {
	c := CellData{Cell: p.Cell, Dir: cellDir(run, p.Cell)}
	var inc trial.Incomplete
	rec, err := readRecord(c.Dir, p.Key)
	switch {
	case err == nil:
		var copied reused
		if err = readJSON(filepath.Join(c.Dir, reusedFile), &copied); errors.Is(err, fs.ErrNotExist) {
			err = nil
		}
		c.Record, c.Reused = rec, copied.From
		return c, err
	case errors.Is(err, errStale):
		inc = trial.Incomplete{Cell: p.Cell, Kind: kindStale, Message: err.Error()}
	case errors.Is(err, fs.ErrNotExist):
		inc = trial.Incomplete{Cell: p.Cell, Kind: kindNotRun, Message: "not run yet"}
	default:
		return c, err
	}
	c.Incomplete = &inc
	if err = readJSON(filepath.Join(c.Dir, incompleteFile), &inc); errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	return c, err
}
