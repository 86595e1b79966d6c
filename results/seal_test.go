package results

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gotest.tools/v3/assert"
)

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
