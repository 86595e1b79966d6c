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

// TestAdoptAsksWhoAnswered: a cell is not taken from a run whose model was another one under the same name.
func TestAdoptAsksWhoAnswered(t *testing.T) {
	root := t.TempDir()
	from := open(t, filepath.Join(root, "from"))
	assert.NilError(t, from.WriteManifest(Manifest{Name: "n"}))
	c := openCell(t, from, "key")
	rec := &trial.Record{Schema: trial.RecordSchema, Key: "record", Cell: cellA, Answers: "https://api.example/v1"}
	assert.NilError(t, errors.Join(c.WriteRecord(rec), c.Close()))
	for name, answers := range map[string]string{"other": "http://localhost:8000/v1", "same": rec.Answers} {
		to := open(t, filepath.Join(root, name))
		got, err := to.Adopt(cellA, trial.Budget{}, "record", answers, Host{})
		assert.Check(t, err == nil && (got == from.Dir) == (answers == rec.Answers),
			"answered by %s: adopted from %q, %v", answers, got, err)
	}
}

// TestSealedCell: what is changed by hand or taken away is refused by its name.
func TestSealedCell(t *testing.T) {
	const record = "{\n  \"schema\": 2\n}\n"
	for name, tt := range map[string]struct {
		change func(dir string) error
		file   string // refused; "" if nothing is
	}{
		"nothing": {func(string) error { return nil }, ""},
		"record": {func(dir string) error {
			return os.WriteFile(filepath.Join(dir, "record.json"), []byte(strings.Replace(record, "2", "3", 1)), 0o644)
		}, "record.json"},
		"suite": {func(dir string) error {
			return os.WriteFile(filepath.Join(dir, "suite", "p00001.c"), []byte("int y;"), 0o644)
		}, "suite/p00001.c"},
		"program gone": {func(dir string) error { return os.Remove(filepath.Join(dir, "suite", "p00001.c")) }, "suite/p00001.c"},
		"log":          {func(dir string) error { return os.WriteFile(filepath.Join(dir, "log.jsonl"), []byte("{}"), 0o644) }, ""},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			err := errors.Join(os.Mkdir(filepath.Join(dir, "suite"), 0o755), os.WriteFile(filepath.Join(dir, "suite", "p00001.c"), []byte("int x;"), 0o644),
				writeSeal(dir, []byte(record)), os.WriteFile(filepath.Join(dir, "record.json"), []byte(record), 0o644), tt.change(dir))
			assert.NilError(t, err)
			err = checkSeal(dir)
			switch {
			case tt.file == "" && err != nil:
				t.Error(err)
			case tt.file != "" && (err == nil || !strings.HasPrefix(err.Error(), filepath.Join(dir, tt.file)+" changed")):
				t.Errorf("error %v, want one of %s", err, tt.file)
			}
		})
	}
	if err := checkSeal(t.TempDir()); err != nil {
		t.Errorf("a cell without a seal: %v", err)
	}
}
