package durable

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gotest.tools/v3/assert"
)

// TestKept makes a file, and makes it again only after it was damaged.
func TestKept(t *testing.T) {
	dir, made := t.TempDir(), 0
	get := func() string {
		path, err := Kept(dir, "stub-01", ".so", func(work string) (string, error) {
			made++
			file := filepath.Join(work, "x")
			return file, os.WriteFile(file, []byte("content"), 0o644)
		})
		assert.NilError(t, err)
		if text, err := os.ReadFile(path); err != nil || string(text) != "content" || filepath.Dir(path) != dir {
			t.Fatalf("%s has %q, %v", path, text, err)
		}
		return path
	}
	path := get()
	assert.Check(t, get() == path && made == 1, "made %d times", made)
	for n, damage := range []func() error{
		func() error { return os.Truncate(path, 3) },
		func() error { return os.WriteFile(path, []byte("Content"), 0o644) },
		func() error { return os.Remove(path) },
	} {
		assert.NilError(t, damage())
		assert.Check(t, get() == path && made == n+2, "damage %d: made %d times", n, made)
	}
	broken := errors.New("no space")
	if _, err := Kept(dir, "other", "", func(string) (string, error) { return "", broken }); !errors.Is(err, broken) {
		t.Errorf("error %v", err)
	}
	entries, err := os.ReadDir(dir)
	assert.Check(t, err == nil && len(entries) == 1 && strings.HasPrefix(entries[0].Name(), "stub-01-"),
		"left are %v, %v", entries, err)
}
