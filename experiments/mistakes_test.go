package experiments

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
	"gotest.tools/v3/assert"
	"gotest.tools/v3/golden"
)

// TestMistakes holds each message whole, for it is all that a user sees. In testdata/mistakes, CASE.yaml is loaded as
// x.yaml with the override in CASE.set and the profile in CASE.profile, and CASE.want is the message (-update writes
// it). Files without one are there to be included.
func TestMistakes(t *testing.T) {
	archives, err := filepath.Glob("testdata/mistakes/*.txtar")
	assert.Assert(t, err == nil && len(archives) != 0, "no archives (%v)", err)
	for _, name := range archives {
		archive, err := txtar.ParseFile(name)
		assert.NilError(t, err)
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txtar"), func(t *testing.T) {
			mistakes(t, archive)
		})
		if golden.FlagUpdate() {
			assert.NilError(t, os.WriteFile(name, txtar.Format(archive), 0o644))
		}
	}
}

func mistakes(t *testing.T, archive *txtar.Archive) {
	files := map[string]string{}
	for _, f := range archive.Files {
		files[f.Name] = string(f.Data)
	}
	inDirectory(t, files)
	for i, f := range archive.Files {
		name, isCase := strings.CutSuffix(f.Name, ".want")
		if !isCase {
			continue
		}
		src := Source{Name: "x.yaml", Data: []byte(files[name+".yaml"]), Profile: strings.TrimSpace(files[name+".profile"])}
		var overrides []string
		if set, given := files[name+".set"]; given {
			overrides = []string{strings.TrimSuffix(set, "\n")}
		}
		_, err := Load(src, overrides, known())
		var invalid *Error
		if !errors.As(err, &invalid) {
			t.Errorf("%s: error = %v, want an *Error", name, err)
			continue
		}
		if got := err.Error() + "\n"; golden.FlagUpdate() {
			archive.Files[i].Data = []byte(got)
		} else if got != string(f.Data) {
			t.Errorf("%s: got\n%swant\n%s", name, got, f.Data)
		}
	}
}
