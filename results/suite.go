package results

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

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

// A SuiteWriter keeps what a tool makes: programs, or a fuzzer's inputs under suite/corpus and suite/crashes, which are
// named by content. It implements trial.SuiteWriter and trial.CorpusWriter. Inputs are not journalled: the fuzzer keeps
// them in its own directory and adds all of them again after a restart.
type SuiteWriter struct {
	// Before is what was spent on what the cell starts from: the suite goes on from there.
	Before trial.Usage

	cell   *Cell
	ledger *trial.Ledger
	fresh  func()
	given  []trial.MadeFile // by Give

	mu      sync.Mutex
	entries []trial.SuiteEntry // those of earlier sessions first
	kept    int                // how many are of earlier sessions
	next    int
	inputs  []trial.CorpusInput
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

// Add keeps p under the next id (p00001, p00002, …) and charges it. It returns trial.ErrBudget once the suite is full,
// and then keeps nothing; *DivergedError when a resumed tool does not repeat itself. A program that is handed in after
// the time was up was begun before, and counts as added when it ended.
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
			if err := os.WriteFile(w.path(entry.File), []byte(p.Source), 0o644); err != nil {
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
	spent, budget := w.ledger.Usage(), w.ledger.Budget()
	all := spent.Plus(w.Before)
	entry.Elapsed, entry.Tokens, entry.Dollars = all.On(budget), all.Tokens, all.Dollars
	if limit := budget.Limit(); limit > 0 {
		entry.Elapsed = min(entry.Elapsed, w.Before.On(budget)+limit)
	}
	if err := os.WriteFile(w.path(entry.File), []byte(source), 0o644); err != nil {
		return err
	}
	if err := w.cell.Journal.AppendLoose(eventProgram, entry.ID, spent.Wall, entry); err != nil {
		return err
	}
	w.entries = append(w.entries, entry)
	return nil
}

func (w *SuiteWriter) path(file string) string { return filepath.Join(w.cell.SuiteDir(), file) }

// stored reports whether the entry's file is there and whole.
func (w *SuiteWriter) stored(entry trial.SuiteEntry) bool {
	sum, err := durable.FileSum(w.path(entry.File))
	return err == nil && sum == entry.SHA256
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

// AddInput copies the file at path into the corpus; see trial.CorpusWriter.
func (w *SuiteWriter) AddInput(target, path string, elapsed time.Duration, crash bool) error {
	if target == "" || target != filepath.Base(target) {
		return fmt.Errorf("fuzz target %q: not a file name", target)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return fmt.Errorf("fuzz target %s: input: %w", target, err)
	}
	kind := "corpus"
	if crash {
		kind = "crashes"
	}
	in := trial.CorpusInput{Target: target, SHA256: digest(data), Elapsed: elapsed, Crash: crash}
	in.File = filepath.Join(kind, target, in.SHA256)
	w.mu.Lock()
	defer w.mu.Unlock()
	if slices.ContainsFunc(w.inputs, func(o trial.CorpusInput) bool { return o.File == in.File }) {
		return nil
	}
	w.inputs = append(w.inputs, in)
	return write(w.path(in.File), data)
}

// write writes a file in a directory that need not be there. A torn one that a crash leaves is written over by the next
// session; Finish syncs.
func write(path string, data []byte) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return os.WriteFile(path, data, 0o644)
}

func digest(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// Give copies what a tool reads into the suite, and returns where the copies lie: its parameters are to name
// these. What is not there is left to the tool.
func (w *SuiteWriter) Give(inputs []trial.Input) (dirs map[string]string, err error) {
	if err := os.RemoveAll(w.path(trial.GivenDir)); err != nil { // an earlier session's
		return nil, err
	}
	dirs = map[string]string{}
	for _, in := range inputs {
		data, err := os.ReadFile(in.Path)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		file := trial.MadeFile{File: filepath.Join(trial.GivenDir, in.Param, filepath.Base(in.Path)), SHA256: digest(data)}
		if err == nil {
			err = write(w.path(file.File), data)
		}
		if err != nil {
			return nil, fmt.Errorf("cell %s: %w", w.cell.cell.ID(), err)
		}
		dirs[in.Param] = filepath.Dir(w.path(file.File))
		w.given = append(w.given, file)
	}
	return dirs, nil
}

// Finish writes suite.json with what was added, and journals that the tool is done. A suite with inputs is a corpus; one
// with product, a file that the tool made in its own directory, is a knowledge base.
func (w *SuiteWriter) Finish(stop trial.StopReason, how *trial.Generation, product string) (trial.Suite, error) {
	used, id := w.ledger.Usage(), w.cell.cell.ID()
	s := trial.Suite{Schema: trial.SuiteSchema, Kind: trial.KindPrograms, Programs: w.Entries(), Inputs: w.inputs, Given: w.given,
		Stop: stop, Usage: used, Generation: how}
	if w.Before != (trial.Usage{}) {
		s.Before = &w.Before
	}
	if product != "" {
		data, err := os.ReadFile(filepath.Join(w.cell.WorkDir(), product))
		if err == nil {
			err = os.WriteFile(w.path(product), data, 0o644)
		}
		if err != nil {
			return s, fmt.Errorf("cell %s: %w", id, err)
		}
		s.Kind, s.Files = trial.KindKnowledge, []trial.MadeFile{{File: product, SHA256: digest(data)}}
	}
	if len(s.Inputs) > 0 {
		s.Kind = trial.KindCorpus
		if len(s.Programs) > 0 {
			return s, fmt.Errorf("cell %s: a suite of %d programs and %d inputs: it may have only one kind", id, len(s.Programs), len(s.Inputs))
		}
	}
	if err := syncTree(w.cell.SuiteDir()); err != nil {
		return s, err
	}
	if err := durable.WriteJSON(w.path(trial.SuiteFile), s); err != nil {
		return s, err
	}
	return s, w.cell.Journal.Append(eventGenerated, "", used.Wall, nil)
}
