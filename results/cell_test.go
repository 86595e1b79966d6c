package results

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"gotest.tools/v3/assert"

	"github.com/lisa-bench/lisa-bench/internal/trial"
)

// TestOnlyWhatWasGeneratedIsScored: a corpus that was edited is refused; a program that was is made again by a replay.
func TestOnlyWhatWasGeneratedIsScored(t *testing.T) {
	r := open(t, t.TempDir())
	ledger := trial.NewLedger(trial.Budget{Programs: 3}, trial.Usage{}, time.Now)
	finish := func(key string, add func(*SuiteWriter) error) (suite string) {
		c := openCell(t, r, key)
		w, err := c.NewSuite(ledger, func() {})
		assert.NilError(t, err)
		assert.NilError(t, add(w))
		_, err = w.Finish(trial.StopExhausted, nil, "")
		assert.NilError(t, errors.Join(err, c.Close()))
		return c.SuiteDir()
	}
	in := filepath.Join(t.TempDir(), "in")
	assert.NilError(t, os.WriteFile(in, []byte("x"), 0o644))
	dir := finish("corpus", func(w *SuiteWriter) error { return w.AddInput("t", in, 0, false) })
	assert.NilError(t, os.WriteFile(filepath.Join(dir, "corpus", "t", digest([]byte("x"))), []byte("y"), 0o644))
	_, done, err := openCell(t, r, "corpus").Generated()
	assert.Check(t, !done && err != nil && strings.Contains(err.Error(), "is not what was generated"), "%v, %v", done, err)

	dir = finish("programs", func(w *SuiteWriter) error { return w.Add(trial.Program{Lang: trial.C, Source: "x"}) })
	assert.NilError(t, os.WriteFile(filepath.Join(dir, "p00001.c"), []byte("y"), 0o644))
	_, done, err = openCell(t, r, "programs").Generated()
	assert.Check(t, !done && err == nil, "%v, %v", done, err)
}
