package recordings

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gotest.tools/v3/assert"
	"gotest.tools/v3/golden"
)

// sums has the hash of every file, as sha256sum prints it, so that `sha256sum -c SHA256SUMS` checks them too.
const sums = "SHA256SUMS"

// maxBytes is what all recordings may have together: they lie in Git.
const maxBytes = 30 << 20

// TestSums: the files are those that were recorded, and not more than a clone should carry.
func TestSums(t *testing.T) {
	var list bytes.Buffer
	total := 0
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Dir(path) == "." {
			return err
		}
		data, err := os.ReadFile(path)
		total += len(data)
		fmt.Fprintf(&list, "%x  %s\n", sha256.Sum256(data), filepath.ToSlash(path))
		return err
	})
	assert.NilError(t, err)
	if total > maxBytes {
		t.Errorf("the recordings have %d bytes, and may have %d: leave out variants, or pack the prompts' common parts", total, maxBytes)
	}
	if golden.FlagUpdate() {
		assert.NilError(t, os.WriteFile(sums, list.Bytes(), 0o644))
	}
	if want, err := os.ReadFile(sums); err != nil || !bytes.Equal(want, list.Bytes()) {
		t.Errorf("the files differ from %s (%v). No recorded answer is ever changed; after a recording was added: go test ./recordings -update", sums, err)
	}
}

// TestFormat: each recording has its experiment, its transcripts and its tables, and no cell is in two of them, for a replay finds a cell by its name.
func TestFormat(t *testing.T) {
	experiments, err := fs.Glob(Experiments, "*/experiment.yaml")
	assert.Assert(t, err == nil && len(experiments) != 0, "no recording (%v)", err)
	of := map[string]string{}
	for _, e := range experiments {
		dir := filepath.Dir(e)
		if _, err := os.Stat(filepath.Join(dir, "tables.txt")); err != nil {
			t.Error(err)
		}
		files, err := filepath.Glob(filepath.Join(dir, "transcripts", "*"))
		assert.Check(t, err == nil && len(files) != 0, "%s has no transcripts (%v)", dir, err)
		for _, f := range files {
			cell, ok := strings.CutSuffix(filepath.Base(f), ".jsonl.gz")
			assert.Check(t, ok, "%s is no CELL.jsonl.gz", f)
			if other := of[cell]; other != "" {
				t.Errorf("cell %s is in %s and in %s", cell, other, dir)
			}
			of[cell] = dir
		}
		text, err := fs.ReadFile(Experiments, e)
		assert.Check(t, err == nil && bytes.Contains(text, []byte("provider: replay, dir: recordings,")),
			"%s does not replay from the directory recordings (%v)", e, err)
	}
}
