package bounded

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"gotest.tools/v3/assert"
)

func TestRefuses(t *testing.T) {
	top := t.TempDir()
	dir := filepath.Join(top, "in")
	write := func(path, text string) {
		assert.NilError(t, errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(text), 0o644)))
	}
	write(filepath.Join(dir, "good"), "12345")
	write(filepath.Join(dir, "large"), "123456")
	write(filepath.Join(top, "secret"), "1")
	err := errors.Join(
		syscall.Mkfifo(filepath.Join(dir, "fifo"), 0o644),
		os.Symlink("/dev/zero", filepath.Join(dir, "zero")),
		os.Symlink("../secret", filepath.Join(dir, "out")),
		os.Symlink("good", filepath.Join(dir, "link")),
		os.Symlink("loop", filepath.Join(dir, "loop")),
		os.Symlink("..", filepath.Join(dir, "up")),
		os.Mkdir(filepath.Join(dir, "directory"), 0o755))
	assert.NilError(t, err)
	const max = 5
	ways := map[string]func(name string) ([]byte, error){
		"ReadFile":   func(name string) ([]byte, error) { return ReadFile(filepath.Join(dir, name), max) },
		"ReadFileIn": func(name string) ([]byte, error) { return ReadFileIn(dir, name, max) },
		"Dir":        func(name string) ([]byte, error) { return fs.ReadFile(Dir(dir, max), name) },
	}
	for way, read := range ways {
		for _, name := range []string{"good", "link"} {
			if got, err := read(name); err != nil || string(got) != "12345" {
				t.Errorf("%s: %s: %q, %v", way, name, got, err)
			}
		}
		for name, want := range map[string]string{"large": "more than 5 bytes", "fifo": "no regular file", "zero": "", "out": "leads out of",
			"up/secret": "leads out of", "loop": "", "missing": "", "directory": ""} {
			if way == "ReadFile" && (name == "out" || name == "up/secret") {
				continue // the user named it
			}
			got, err := read(name)
			assert.Check(t, err != nil && strings.Contains(err.Error(), want),
				"%s: %s: %q, %v, want %q", way, name, got, err, want)
			var typed *Error
			if want != "" && !errors.As(err, &typed) {
				t.Errorf("%s: %s: %T", way, name, err)
			}
		}
		if _, err := read("missing"); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s: %v", way, err)
		}
	}
	entries, err := fs.ReadDir(Dir(dir, max), ".")
	assert.Check(t, err == nil && len(entries) == 9, "%d entries, %v", len(entries), err)
}
