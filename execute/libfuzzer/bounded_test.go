package libfuzzer

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/lisa-bench/lisa-bench/internal/bounded"
)

// TestBoundedReadings: a harness can write to the directory of its run whatever it likes.
func TestBoundedReadings(t *testing.T) {
	outside := filepath.Join(t.TempDir(), "secret")
	if err := os.WriteFile(outside, []byte("secret"), 0o644); err != nil {
		t.Fatal(err)
	}
	plant := map[string]func(path string) error{
		"a FIFO":                   func(path string) error { return syscall.Mkfifo(path, 0o644) },
		"a link that leads out":    func(path string) error { return os.Symlink(outside, path) },
		"a file of many gigabytes": func(path string) error { return errors.Join(os.WriteFile(path, nil, 0o644), os.Truncate(path, 1<<40)) },
	}
	for name, plant := range plant {
		t.Run(name, func(t *testing.T) {
			r := run{dir: t.TempDir()}
			if err := r.prepare(); err != nil {
				t.Fatal(err)
			}
			if log, err := readLog(r.dir); log != nil || err != nil {
				t.Errorf("no log: %q, %v", log, err)
			}
			if err := plant(r.log()); err != nil {
				t.Fatal(err)
			}
			var refused *bounded.Error
			if _, err := readLog(r.dir); !errors.As(err, &refused) {
				t.Errorf("the log: %v", err)
			}
			if err := plant(filepath.Join(r.corpus(), strings.Repeat("0", 40))); err != nil {
				t.Fatal(err)
			}
			good := filepath.Join(r.corpus(), sha1Of([]byte("good")))
			if err := os.WriteFile(good, []byte("good"), 0o644); err != nil {
				t.Fatal(err)
			}
			if inputs, err := readInputs(r.corpus(), started{}); err != nil || len(inputs) != 1 || inputs[0].Path != good {
				t.Errorf("the corpus: %v, %v", inputs, err)
			}
		})
	}
}
