package results

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/lisa-bench/lisa-bench/internal/durable"
	"github.com/lisa-bench/lisa-bench/internal/trial"
)

// errStale says that a record exists but was made from something else than what its cell
// would be made from now.
var errStale = errors.New("stale record")

// A Cell is the open directory of one cell.
type Cell struct {
	Dir     string
	Journal *Journal
	Events  []Event // what earlier sessions journalled, the first one apart
	Grown   bool    // an earlier session, or another run, had a smaller budget

	cell trial.Cell
}

// A Generation is what a cell's suite is made from.
type Generation struct {
	Key    string // hash of everything that can change it
	Budget trial.Budget
	KeyOf  func(trial.Budget) string // the key if the budget were another; nil if a larger one changes everything
}

// begun is the data of the first event of a journal, and of those of a larger budget.
type begun struct {
	trial.Cell
	Budget trial.Budget `json:"budget"`
}

// OpenCell opens or creates a cell's directory. One whose generation differs from g only in a smaller
// budget is gone on with: its events are there, and its suite is unfinished. A directory whose generation had
// another key is moved to stale/ first: its suite was paid for, so it is not deleted. A damaged journal is
// a *CorruptError.
func (r *Run) OpenCell(c trial.Cell, g Generation) (*Cell, error) {
	dir := cellDir(r.Dir, c)
	for {
		for _, d := range []string{dir, filepath.Join(dir, "suite"), filepath.Join(dir, "work")} {
			if err := os.MkdirAll(d, 0o755); err != nil {
				return nil, err
			}
		}
		j, events, err := openJournal(filepath.Join(dir, "events.jsonl"))
		if err != nil {
			return nil, err
		}
		opened := &Cell{Dir: dir, Journal: j, cell: c}
		if len(events) == 0 {
			err = j.Append(eventCell, g.Key, 0, begun{c, g.Budget})
		} else {
			opened.Events = events[1:]
		}
		goesOn := len(events) == 0
		if !goesOn && events[0].Kind == eventCell {
			goesOn, err = opened.goOn(events, g)
		}
		if goesOn || err != nil {
			if err = errors.Join(err, opened.remove("incomplete.json")); err != nil {
				j.Close()
				return nil, err
			}
			return opened, nil
		}
		j.Close()
		if err := r.SetAside(c, events[0].Key); err != nil {
			return nil, err
		}
	}
}

// goOn reports whether the journalled generation is g or a beginning of it, and notes that it has a
// larger budget now.
func (c *Cell) goOn(events []Event, g Generation) (bool, error) {
	last := 0
	for i, e := range events {
		if e.Kind == eventCell || e.Kind == eventGrown {
			last = i
		}
	}
	if events[last].Key == g.Key {
		if last > 0 {
			c.grow(last)
		}
		return true, nil
	}
	var was begun
	if g.KeyOf == nil || json.Unmarshal(events[last].Data, &was) != nil || was.Budget == (trial.Budget{}) ||
		!was.Budget.GrowsTo(g.Budget) || g.KeyOf(was.Budget) != events[last].Key {
		return false, nil
	}
	if s, err := ReadSuite(c.SuiteDir()); err == nil && s.Kind == trial.KindCorpus {
		return false, nil // a fuzzer divides its budget otherwise
	}
	c.grow(len(events))
	return true, c.Journal.Append(eventGrown, g.Key, 0, begun{c.cell, g.Budget})
}

// grow makes what was finished before event n of the journal unfinished.
func (c *Cell) grow(n int) {
	c.Grown = true
	before := slices.DeleteFunc(slices.Clone(c.Events[:n-1]), func(e Event) bool { return e.Kind == eventGenerated })
	c.Events = slices.Concat(before, c.Events[n-1:])
}

// SetAside moves a cell made with another key out of the way, to stale/.
func (r *Run) SetAside(c trial.Cell, key string) error {
	if err := os.MkdirAll(filepath.Join(r.Dir, "stale"), 0o755); err != nil {
		return err
	}
	base := filepath.Join(r.Dir, "stale", c.ID()+"."+key[:min(8, len(key))])
	to := base
	for n := 2; ; n++ {
		if _, err := os.Lstat(to); errors.Is(err, fs.ErrNotExist) {
			break
		}
		to = fmt.Sprintf("%s.%d", base, n)
	}
	return os.Rename(cellDir(r.Dir, c), to)
}

// Record returns the cell's record. The error is fs.ErrNotExist when there is none, errStale
// when its key or schema is another one, or its files are not as they were when it was written.
func (r *Run) Record(c trial.Cell, key string) (*trial.Record, error) {
	rec, err := readRecord(cellDir(r.Dir, c), key)
	if err != nil {
		return nil, err
	}
	var changed *changedError
	if err := checkSeal(cellDir(r.Dir, c)); errors.As(err, &changed) {
		return nil, fmt.Errorf("%w: %w", errStale, err)
	} else if err != nil {
		return nil, err
	}
	return rec, nil
}

func readRecord(dir, key string) (*trial.Record, error) {
	path := filepath.Join(dir, "record.json")
	var rec trial.Record
	if err := readJSON(path, &rec); err != nil {
		return nil, err
	}
	if rec.Schema != trial.RecordSchema {
		return nil, fmt.Errorf("%w: %s: schema %d, this bench reads %d", errStale, path, rec.Schema, trial.RecordSchema)
	}
	if rec.Key != key {
		return nil, fmt.Errorf("%w: %s: source, toolchain, tool or settings changed since", errStale, path)
	}
	return &rec, nil
}

// WriteRecord seals the cell and completes it: the record is written last, so a complete cell has its seal.
func (c *Cell) WriteRecord(rec *trial.Record) error {
	path := filepath.Join(c.Dir, "record.json")
	data, err := encodeJSON(path, rec)
	if err != nil {
		return err
	}
	if err := c.remove("record.json"); err != nil { // an earlier one, which the new seal is not of
		return err
	}
	if err := writeSeal(c.Dir, data); err != nil {
		return err
	}
	if err := durable.WriteFile(path, data); err != nil {
		return err
	}
	return c.remove("incomplete.json")
}

// remove removes a file of the cell, if it is there.
func (c *Cell) remove(name string) error {
	path := filepath.Join(c.Dir, name)
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// WriteIncomplete notes why a cell has no record. It works on a cell that was never opened,
// for its preparation may be what went wrong; the note goes when the cell completes.
func (r *Run) WriteIncomplete(inc trial.Incomplete) error {
	dir := cellDir(r.Dir, inc.Cell)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	return durable.WriteJSON(filepath.Join(dir, "incomplete.json"), inc)
}

// SuiteDir is where the cell's suite is kept.
func (c *Cell) SuiteDir() string { return filepath.Join(c.Dir, "suite") }

// WorkDir is the tool's own directory.
func (c *Cell) WorkDir() string { return filepath.Join(c.Dir, "work") }

// Transcript is the file that keeps what models answered the cell's tool.
func (c *Cell) Transcript() string { return filepath.Join(c.Dir, "transcript.jsonl") }

// HasTranscript reports whether an earlier session asked a model.
func (c *Cell) HasTranscript() bool {
	_, err := os.Stat(c.Transcript())
	return err == nil
}

// Generated returns the finished suite, and whether the tool had finished it. One that was damaged
// since counts as unfinished if the journal has its programs: a replay of the tool restores it.
func (c *Cell) Generated() (trial.Suite, bool, error) {
	if !c.journalled(eventGenerated) {
		return trial.Suite{}, false, nil
	}
	s, err := ReadSuite(c.SuiteDir())
	files := s.Files
	for _, p := range s.Programs {
		files = append(files, trial.MadeFile{File: p.File, SHA256: p.SHA256})
	}
	for _, f := range files {
		if have, readErr := os.ReadFile(filepath.Join(c.SuiteDir(), filepath.Base(f.File))); readErr != nil || digest(have) != f.SHA256 {
			err = fmt.Errorf("%s is not what was generated", f.File)
		}
	}
	if err != nil && (c.journalled(eventProgram) || len(s.Files) > 0) {
		return trial.Suite{}, false, nil
	}
	return s, err == nil, err
}

// journalled reports whether an earlier session journalled an event of a kind.
func (c *Cell) journalled(kind string) bool {
	return slices.ContainsFunc(c.Events, func(e Event) bool { return e.Kind == kind })
}

// Close closes the journal.
func (c *Cell) Close() error { return c.Journal.Close() }

// ReadSuite reads the manifest of a suite's directory.
func ReadSuite(dir string) (trial.Suite, error) {
	var s trial.Suite
	path := filepath.Join(dir, trial.SuiteFile)
	if err := readJSON(path, &s); err != nil {
		return s, err
	}
	if s.Schema != trial.SuiteSchema {
		return s, fmt.Errorf("%s: schema %d, this bench reads %d", path, s.Schema, trial.SuiteSchema)
	}
	return s, nil
}

// Decode decodes an event's data into v.
func (c *Cell) Decode(e Event, v any) error {
	if err := json.Unmarshal(e.Data, v); err != nil {
		return &CorruptError{Path: c.Journal.path, Line: int(e.Seq), Reason: err.Error()}
	}
	return nil
}
