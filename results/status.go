package results

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/lisa-bench/lisa-bench/internal/trial"
)

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

// readersAtOnce hides the latency of network file systems; status reads two small files for
// each cell.
const readersAtOnce = 32

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
	s := &Status{Planned: len(planned), Cells: make([]CellStatus, len(planned))}
	var readers errgroup.Group
	readers.SetLimit(readersAtOnce)
	for i, p := range planned {
		readers.Go(func() (err error) {
			s.Cells[i], err = readCellStatus(dir, p)
			return err
		})
	}
	if err := readers.Wait(); err != nil {
		return nil, err
	}
	s.sum()
	return s, nil
}

func readCellStatus(run string, p PlannedCell) (CellStatus, error) {
	c := CellStatus{Cell: p.Cell.ID(), Tool: p.Tool, State: Waiting}
	path := filepath.Join(locksDir(run), c.Cell)
	n, held, err := claimAt(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return c, err
	}
	noted := n.Holder != ""
	if noted {
		c.Holder, c.Since, c.Stage, c.Usage = n.Holder, &n.Since, n.Stage, n.Usage
	}
	if held {
		c.State = Running
		return c, nil
	}
	c.Stage = ""
	if n.Ended != nil {
		c.Took = n.Ended.Sub(n.Since)
	}
	rec, err := readRecord(cellDir(run, p.Cell), p.Key)
	if err == nil {
		c.State, c.Usage, c.Gaps = Done, rec.Usage, rec.Gaps()
	}
	if err == nil || !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, errStale) {
		return c, err
	}
	var inc trial.Incomplete
	switch err := readJSON(filepath.Join(cellDir(run, p.Cell), "incomplete.json"), &inc); {
	case err == nil:
		c.State, c.Kind, c.Message = Incomplete, inc.Kind, inc.Message
	case !errors.Is(err, fs.ErrNotExist):
		return c, err
	case noted && n.Ended == nil:
		c.State, c.Kind = Incomplete, "interrupted"
		c.Message = fmt.Sprintf("%s ended without a message; what the cell has is kept, and the next session resumes it", n.Holder)
	}
	return c, nil
}

// sum fills in what follows from the cells.
func (s *Status) sum() {
	for _, c := range s.Cells {
		switch c.State {
		case Done:
			s.Done++
		case Running:
			s.Running++
		case Incomplete:
			s.Incomplete++
		case Waiting:
			s.Waiting++
		}
		if len(c.Gaps) > 0 {
			s.Gaps++
		}
		if c.State == Done || c.State == Running {
			s.Usage = s.Usage.Plus(c.Usage)
		}
	}
}
