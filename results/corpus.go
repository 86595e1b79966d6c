package results

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/lisa-bench/lisa-bench/internal/trial"
)

// A CorpusWriter keeps a fuzzer's inputs under suite/corpus and suite/crashes, named by
// content. It implements trial.CorpusWriter. Inputs are not journalled: the fuzzer keeps
// them in its own directory and adds all of them again after a restart.
type CorpusWriter struct {
	dir string

	mu     sync.Mutex
	inputs []trial.CorpusInput
	known  map[string]bool // by File
}

// NewCorpus returns the writer of the cell's corpus.
func (c *Cell) NewCorpus() *CorpusWriter {
	return &CorpusWriter{dir: c.SuiteDir(), known: map[string]bool{}}
}

// AddInput copies the file at path into the corpus; see trial.CorpusWriter.
func (w *CorpusWriter) AddInput(target, path string, elapsed time.Duration, crash bool) error {
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
	if w.known[in.File] {
		return nil
	}
	to := filepath.Join(w.dir, in.File)
	if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
		return err
	}
	// A torn copy that a crash leaves is written over by the next session; FinishSuite syncs.
	if err := os.WriteFile(to, data, 0o644); err != nil {
		return err
	}
	w.known[in.File] = true
	w.inputs = append(w.inputs, in)
	return nil
}

// Inputs returns what was added, in order.
func (w *CorpusWriter) Inputs() []trial.CorpusInput {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.Clone(w.inputs)
}
