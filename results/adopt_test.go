package results

import (
	"errors"
	"path/filepath"
	"testing"

	"gotest.tools/v3/assert"

	"github.com/lisa-bench/lisa-bench/internal/trial"
)

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
