package results

import (
	"errors"
	"path/filepath"
	"testing"

	"github.com/lisa-bench/lisa-bench/internal/trial"
)

// TestAdoptAsksWhoAnswered: a cell is not taken from a run whose model was another one under the same name.
func TestAdoptAsksWhoAnswered(t *testing.T) {
	root := t.TempDir()
	from := open(t, filepath.Join(root, "from"))
	if err := from.WriteManifest(Manifest{Name: "n"}); err != nil {
		t.Fatal(err)
	}
	c := openCell(t, from, "key")
	rec := &trial.Record{Schema: trial.RecordSchema, Key: "record", Cell: cellA, Answers: "https://api.example/v1"}
	if err := errors.Join(c.WriteRecord(rec), c.Close()); err != nil {
		t.Fatal(err)
	}
	for name, answers := range map[string]string{"other": "http://localhost:8000/v1", "same": rec.Answers} {
		to := open(t, filepath.Join(root, name))
		got, err := to.Adopt(cellA, Generation{Key: "key"}, "record", answers, Host{})
		if err != nil || (got == from.Dir) != (answers == rec.Answers) {
			t.Errorf("answered by %s: adopted from %q, %v", answers, got, err)
		}
	}
}
