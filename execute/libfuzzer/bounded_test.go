package libfuzzer

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"gotest.tools/v3/assert"

	"github.com/lisa-bench/lisa-bench/internal/bounded"
)

// TestBoundedReadings: a harness can write to the directory of its run whatever it likes.
func TestBoundedReadings(t *testing.T) {
	outside := filepath.Join(t.TempDir(), "secret")
	assert.NilError(t, os.WriteFile(outside, []byte("secret"), 0o644))
	plant := map[string]func(path string) error{
		"a FIFO":                   func(path string) error { return syscall.Mkfifo(path, 0o644) },
		"a link that leads out":    func(path string) error { return os.Symlink(outside, path) },
		"a file of many gigabytes": func(path string) error { return errors.Join(os.WriteFile(path, nil, 0o644), os.Truncate(path, 1<<40)) },
	}
	for name, plant := range plant {
		t.Run(name, func(t *testing.T) {
			r := run{dir: t.TempDir()}
			assert.NilError(t, r.prepare())
			if log, err := readLog(r.dir); log != nil || err != nil {
				t.Errorf("no log: %q, %v", log, err)
			}
			assert.NilError(t, plant(r.path(logFile)))
			var refused *bounded.Error
			if _, err := readLog(r.dir); !errors.As(err, &refused) {
				t.Errorf("the log: %v", err)
			}
			assert.NilError(t, plant(filepath.Join(r.path(corpusDir), strings.Repeat("0", 40))))
			good := filepath.Join(r.path(corpusDir), sha1Of([]byte("good")))
			assert.NilError(t, os.WriteFile(good, []byte("good"), 0o644))
			if inputs, err := readInputs(r.path(corpusDir), started{}); err != nil || len(inputs) != 1 || inputs[0].Path != good {
				t.Errorf("the corpus: %v, %v", inputs, err)
			}
		})
	}
}
