package results

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"sync"

	"github.com/lisa-bench/lisa-bench/internal/durable"
	"github.com/lisa-bench/lisa-bench/internal/trial"
)

// A DivergedError says that a resumed tool made another program than before at the same place. The tool is not
// deterministic, so its cell cannot be continued.
type DivergedError struct {
	Dir string // of the cell
	ID  string
}

func (e *DivergedError) Error() string {
	return fmt.Sprintf("diverged on resume: program %s is not the one kept, so the tool does not repeat itself: "+
		"move %s away to start the cell over", e.ID, e.Dir)
}

// A SuiteWriter keeps a tool's programs. It implements trial.SuiteWriter.
type SuiteWriter struct {
	// Before is what was spent on what the cell starts from: the suite goes on from there.
	Before trial.Usage
	Given  []trial.MadeFile // as Cell.Give returns them

	cell   *Cell
	ledger *trial.Ledger
	fresh  func()

	mu      sync.Mutex
	entries []trial.SuiteEntry // those of earlier sessions first
	kept    int                // how many are of earlier sessions
	next    int
}

// NewSuite returns the writer of the cell's suite. fresh is called before a program is added
// that no earlier session had.
func (c *Cell) NewSuite(l *trial.Ledger, fresh func()) (*SuiteWriter, error) {
	w := &SuiteWriter{cell: c, ledger: l, fresh: fresh}
	for _, e := range c.Events {
		if e.Kind != eventProgram {
			continue
		}
		var entry trial.SuiteEntry
		if err := c.Decode(e, &entry); err != nil {
			return nil, err
		}
		w.entries = append(w.entries, entry)
	}
	w.kept = len(w.entries)
	return w, nil
}

// Add keeps p under the next id (p00001, p00002, …) and charges it. It returns
// trial.ErrBudget once the suite is full, and then keeps nothing; *DivergedError when a
// resumed tool does not repeat itself. A program that is handed in after the time was up
// was begun before, and counts as added when it ended.
func (w *SuiteWriter) Add(p trial.Program) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	id := trial.EntryID(w.next + 1)
	entry := trial.SuiteEntry{
		ID: id, File: id + p.Lang.Ext(), Lang: p.Lang, Oracle: p.Oracle, Origin: p.Origin, Refused: p.Refused, SHA256: digest([]byte(p.Source)),
	}
	if w.next < w.kept {
		was := w.entries[w.next]
		entry.Elapsed, entry.Tokens, entry.Dollars = was.Elapsed, was.Tokens, was.Dollars
		if entry != was {
			return &DivergedError{Dir: w.cell.Dir, ID: id}
		}
		if !w.stored(entry) {
			if err := w.store(entry, p.Source); err != nil {
				return err
			}
		}
	} else if err := w.keep(entry, p.Source); err != nil {
		return err
	}
	w.next++
	w.ledger.Charge(trial.Usage{Programs: 1})
	return nil
}

// keep writes the file before its event. Neither is synced, because a sync of 0.2 to 5 ms would be a large part
// of a program's total cost. What a power failure destroys is made again when the tool is replayed.
func (w *SuiteWriter) keep(entry trial.SuiteEntry, source string) error {
	w.fresh()
	if stop := w.ledger.Full(); stop != "" {
		return fmt.Errorf("program %s: %w: %s", entry.ID, trial.ErrBudget, stop)
	}
	spent := w.ledger.Usage()
	all := spent.Plus(w.Before)
	budget := w.ledger.Budget()
	entry.Elapsed, entry.Tokens, entry.Dollars = all.On(budget), all.Tokens, all.Dollars
	if limit := budget.Limit(); limit > 0 {
		entry.Elapsed = min(entry.Elapsed, w.Before.On(budget)+limit)
	}
	if err := w.store(entry, source); err != nil {
		return err
	}
	if err := w.cell.Journal.AppendLoose(eventProgram, entry.ID, spent.Wall, entry); err != nil {
		return err
	}
	w.entries = append(w.entries, entry)
	return nil
}

func (w *SuiteWriter) path(entry trial.SuiteEntry) string {
	return filepath.Join(w.cell.SuiteDir(), entry.File)
}

func (w *SuiteWriter) store(entry trial.SuiteEntry, source string) error {
	return os.WriteFile(w.path(entry), []byte(source), 0o644)
}

// stored reports whether the entry's file is there and whole.
func (w *SuiteWriter) stored(entry trial.SuiteEntry) bool {
	data, err := os.ReadFile(w.path(entry))
	return err == nil && digest(data) == entry.SHA256
}

// Entries returns the programs of the suite, in order. A resumed tool whose time is up may
// not come to all that earlier sessions kept: they count, as far as they are on disk.
func (w *SuiteWriter) Entries() []trial.SuiteEntry {
	w.mu.Lock()
	defer w.mu.Unlock()
	n := w.next
	for n < len(w.entries) && w.stored(w.entries[n]) {
		n++
	}
	return slices.Clone(w.entries[:n])
}

func digest(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// AddFile copies a file of the tool's own directory into the suite.
func (c *Cell) AddFile(name string) (trial.MadeFile, error) {
	data, err := os.ReadFile(filepath.Join(c.WorkDir(), name))
	if err != nil {
		return trial.MadeFile{}, fmt.Errorf("cell %s: %w", c.cell.ID(), err)
	}
	to := filepath.Join(c.SuiteDir(), name)
	return trial.MadeFile{File: name, SHA256: digest(data)}, os.WriteFile(to, data, 0o644)
}

// Give copies what a tool reads into the suite, and returns where the copies lie: its parameters are to name
// these. What is not there is left to the tool.
func (c *Cell) Give(inputs []trial.Input) (dirs map[string]string, given []trial.MadeFile, err error) {
	root := filepath.Join(c.SuiteDir(), trial.GivenDir)
	if err := os.RemoveAll(root); err != nil { // an earlier session's
		return nil, nil, err
	}
	dirs = map[string]string{}
	for _, in := range inputs {
		data, err := os.ReadFile(in.Path)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, nil, fmt.Errorf("cell %s: %w", c.cell.ID(), err)
		}
		dirs[in.Param] = GivenDirIn(filepath.Dir(c.Dir), c.cell.ID(), in.Param)
		to := filepath.Join(dirs[in.Param], filepath.Base(in.Path))
		if err := os.MkdirAll(dirs[in.Param], 0o755); err != nil {
			return nil, nil, err
		}
		if err := os.WriteFile(to, data, 0o644); err != nil {
			return nil, nil, err
		}
		given = append(given, trial.MadeFile{File: path.Join(trial.GivenDir, in.Param, filepath.Base(in.Path)), SHA256: digest(data)})
	}
	return dirs, given, nil
}

// FinishSuite writes suite.json with what was added to w and k, and with other files, and journals
// that the tool is done. A suite with inputs is a corpus, one with other files a knowledge base.
func (c *Cell) FinishSuite(w *SuiteWriter, k *CorpusWriter, stop trial.StopReason, used trial.Usage, how *trial.Generation, files ...trial.MadeFile) (trial.Suite, error) {
	s := trial.Suite{Schema: trial.SuiteSchema, Kind: trial.KindPrograms, Programs: w.Entries(), Inputs: k.Inputs(), Files: files, Given: w.Given, Stop: stop, Usage: used, Generation: how}
	if w.Before != (trial.Usage{}) {
		s.Before = &w.Before
	}
	switch {
	case len(s.Inputs) > 0:
		s.Kind = trial.KindCorpus
	case len(files) > 0:
		s.Kind = trial.KindKnowledge
	}
	if len(s.Inputs) > 0 && len(s.Programs) > 0 {
		return s, fmt.Errorf("cell %s: a suite of %d programs and %d inputs: it may have only one kind", c.cell.ID(), len(s.Programs), len(s.Inputs))
	}
	if err := syncTree(c.SuiteDir()); err != nil {
		return s, err
	}
	if err := durable.WriteJSON(filepath.Join(c.SuiteDir(), trial.SuiteFile), s); err != nil {
		return s, err
	}
	return s, c.Journal.Append(eventGenerated, "", used.Wall, nil)
}
