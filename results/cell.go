package results

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"golang.org/x/sys/unix"

	"github.com/lisa-bench/lisa-bench/internal/durable"
	"github.com/lisa-bench/lisa-bench/internal/trial"
)

// The files of a cell. A seal lists the hashes of what a complete cell's figures come from: its record and its suite.
// It tells of edits and of damage; it is no signature, for it lies beside what it lists.
const (
	journalFile    = "events.jsonl"
	recordFile     = "record.json"
	incompleteFile = "incomplete.json"
	sealFile       = "seal.json"
)

// errStale says that a record exists but was made from something else than what its cell would be made from now.
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

// OpenCell opens or creates a cell's directory. One whose generation differs from g only in a smaller budget is gone on
// with: its events are there, and its suite is unfinished. A directory whose generation had another key is moved to
// stale/ first: its suite was paid for, so it is not deleted. A damaged journal is a *CorruptError.
func (r *Run) OpenCell(c trial.Cell, g Generation) (*Cell, error) {
	dir := cellDir(r.Dir, c)
	if err := errors.Join(os.MkdirAll(filepath.Join(dir, "suite"), 0o755), os.MkdirAll(filepath.Join(dir, "work"), 0o755)); err != nil {
		return nil, err
	}
	j, events, err := openJournal(filepath.Join(dir, journalFile))
	if err != nil {
		return nil, err
	}
	opened, goesOn := &Cell{Dir: dir, Journal: j, cell: c}, true
	if len(events) == 0 {
		err = j.Append(eventCell, g.Key, 0, begun{c, g.Budget})
	} else {
		goesOn, err = opened.goOn(events, g)
	}
	if err == nil && goesOn {
		err = remove(filepath.Join(dir, incompleteFile))
	}
	if err == nil && goesOn {
		return opened, nil
	}
	j.Close()
	if err == nil {
		err = r.SetAside(c, events[0].Key)
	}
	if err != nil {
		return nil, err
	}
	return r.OpenCell(c, g)
}

// goOn reports whether the journalled generation is g or a beginning of it, and notes that it has a larger budget now.
func (c *Cell) goOn(events []Event, g Generation) (bool, error) {
	last := len(events) - 1 // event that says the budget
	for last > 0 && events[last].Kind != eventGrown {
		last--
	}
	if events[last].Key != g.Key {
		var was begun
		if g.KeyOf == nil || json.Unmarshal(events[last].Data, &was) != nil || was.Budget == (trial.Budget{}) ||
			!was.Budget.GrowsTo(g.Budget) || g.KeyOf(was.Budget) != events[last].Key {
			return false, nil
		}
		if s, err := ReadSuite(c.SuiteDir()); err == nil && s.Kind == trial.KindCorpus {
			return false, nil // a fuzzer divides its budget otherwise
		}
		if err := c.Journal.Append(eventGrown, g.Key, 0, begun{c.cell, g.Budget}); err != nil {
			return false, err
		}
		last = len(events)
	}
	c.Grown = last > 0
	for i, e := range events[1:] {
		if i+1 >= last || e.Kind != eventGenerated { // what was finished with a smaller budget is not
			c.Events = append(c.Events, e)
		}
	}
	return true, nil
}

// SetAside moves a cell made with another key out of the way, to stale/.
func (r *Run) SetAside(c trial.Cell, key string) error {
	stale := filepath.Join(r.Dir, "stale")
	if err := os.MkdirAll(stale, 0o755); err != nil {
		return err
	}
	for n := 1; ; n++ {
		to := filepath.Join(stale, fmt.Sprintf("%s.%s.%d", c.ID(), key[:min(8, len(key))], n))
		if err := os.Rename(cellDir(r.Dir, c), to); !errors.Is(err, fs.ErrExist) {
			return err
		}
	}
}

// Record returns the cell's record. The error is fs.ErrNotExist when there is none, errStale
// when its key or schema is another one, or its files are not as they were when it was written.
func (r *Run) Record(c trial.Cell, key string) (*trial.Record, error) {
	dir := cellDir(r.Dir, c)
	rec, err := readRecord(dir, key)
	if err != nil {
		return nil, err
	}
	return rec, checkSeal(dir)
}

func readRecord(dir, key string) (*trial.Record, error) {
	path := filepath.Join(dir, recordFile)
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
	path := filepath.Join(c.Dir, recordFile)
	data, err := json.MarshalIndent(rec, "", "  ")
	if err != nil {
		return fmt.Errorf("encode %s: %w", path, err)
	}
	data = append(data, '\n')
	err = remove(path) // an earlier one, which the new seal is not of
	if err == nil {
		err = writeSeal(c.Dir, data)
	}
	if err == nil {
		err = durable.WriteFile(path, data)
	}
	if err == nil {
		err = remove(filepath.Join(c.Dir, incompleteFile))
	}
	return err
}

// A seal has the SHA-256 of each file by its path in the cell.
type seal struct {
	Files map[string]string `json:"files"`
}

// writeSeal writes the seal of the cell in dir, whose record has that text.
func writeSeal(dir string, record []byte) error {
	s := seal{Files: map[string]string{recordFile: digest(record)}}
	err := filepath.WalkDir(filepath.Join(dir, "suite"), func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		name, err := filepath.Rel(dir, path)
		if err == nil {
			s.Files[name], err = durable.FileSum(path)
		}
		return err
	})
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return durable.WriteJSON(filepath.Join(dir, sealFile), s)
}

// checkSeal returns an error if a file of the complete cell in dir is not as it was sealed.
// A cell without a seal is taken as it is: whoever can change a record can remove its seal.
func checkSeal(dir string) error {
	var s seal
	if err := readJSON(filepath.Join(dir, sealFile), &s); errors.Is(err, fs.ErrNotExist) {
		return nil
	} else if err != nil {
		return err
	}
	for _, name := range slices.Sorted(maps.Keys(s.Files)) {
		path := filepath.Join(dir, name)
		if !filepath.IsLocal(name) {
			return fmt.Errorf("%s: %q is not in the cell", filepath.Join(dir, sealFile), name)
		}
		if sum, err := durable.FileSum(path); err != nil || sum != s.Files[name] {
			return fmt.Errorf("%s changed after its cell was complete (its SHA-256 is not the one in %s): "+
				"move the cell's directory away and run it again", path, sealFile)
		}
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
	return durable.WriteJSON(filepath.Join(dir, incompleteFile), inc)
}

// SuiteDir is where the cell's suite is kept.
func (c *Cell) SuiteDir() string { return filepath.Join(c.Dir, "suite") }

// WorkDir is the tool's own directory.
func (c *Cell) WorkDir() string { return filepath.Join(c.Dir, "work") }

// Transcript is the file that keeps what models answered the cell's tool.
func (c *Cell) Transcript() string { return filepath.Join(c.Dir, "transcript.jsonl") }

// Begun reports whether an earlier session came as far as a program of the suite, or a question to a model.
func (c *Cell) Begun() bool {
	_, err := os.Stat(c.Transcript())
	return err == nil || c.journalled(eventProgram)
}

// Generated returns the finished suite, and whether the tool had finished it. One that was damaged
// since counts as unfinished if the tool can be replayed, which restores it; otherwise it is an error, for a suite that
// was edited must not be scored as the tool's.
func (c *Cell) Generated() (s trial.Suite, done bool, err error) {
	if !c.journalled(eventGenerated) {
		return s, false, nil
	}
	s, err = ReadSuite(c.SuiteDir())
	for _, f := range s.Listed() {
		path := filepath.Join(c.SuiteDir(), f.File)
		if sum, readErr := durable.FileSum(path); readErr != nil || sum != f.SHA256 {
			err = fmt.Errorf("suite: %s is not what was generated, its SHA-256 differs: "+
				"move its cell's directory away to generate it again", path)
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

// reusedFile is in a cell that was copied, and names the run that it is of.
const reusedFile = "reused.json"

type reused struct {
	From string `json:"from"`
}

// Adopt copies a cell that a run beside this one has completed: one whose record has that key, and whose
// model was answered by the same endpoint or directory. It returns the directory of that run, or "" if there is none, or
// if this run has begun the cell. What depends on a clock is taken only from the
// same machine, and nothing from directories of other users.
func (r *Run) Adopt(c trial.Cell, b trial.Budget, recordKey, answers string, host Host) (from string, err error) {
	if _, err := os.Stat(filepath.Join(cellDir(r.Dir, c), journalFile)); err == nil {
		return "", nil
	}
	own, err := filepath.Abs(r.Dir)
	if err != nil {
		return "", err
	}
	runs, err := os.ReadDir(filepath.Dir(own))
	if err != nil {
		return "", err
	}
	for _, e := range runs {
		run := filepath.Join(filepath.Dir(own), e.Name())
		var stat unix.Stat_t
		if run == own || unix.Stat(run, &stat) != nil || int(stat.Uid) != os.Geteuid() {
			continue
		}
		m, err := readManifest(run)
		if err != nil || b.Timed() && (m.Host.Name != host.Name || m.Host.CPU != host.CPU) {
			continue
		}
		if rec, err := (&Run{Dir: run}).Record(c, recordKey); err != nil || rec.Answers != answers {
			continue
		}
		if err := r.copyCell(run, c); err == nil || IsDisk(err) {
			return run, err
		}
	}
	return "", nil // one that cannot be copied is made anew
}

// copyCell copies a cell's directory from another run, whole or not at all.
func (r *Run) copyCell(run string, c trial.Cell) error {
	tmp, err := os.MkdirTemp(r.Dir, durable.TempPrefix)
	if err != nil {
		return err
	}
	defer os.RemoveAll(tmp)
	whole, to := filepath.Join(tmp, "cell"), cellDir(r.Dir, c)
	err = os.CopyFS(whole, os.DirFS(cellDir(run, c)))
	if err == nil {
		err = durable.WriteJSON(filepath.Join(whole, reusedFile), reused{filepath.Base(run)})
	}
	if err == nil {
		err = errors.Join(syncTree(whole), os.RemoveAll(to)) // no more than a note why it is incomplete
	}
	if err == nil {
		err = os.Rename(whole, to)
	}
	return err
}
