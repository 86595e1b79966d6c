package toolchain

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
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
		if err != nil {
			t.Fatal(err)
		}
		if text, err := os.ReadFile(path); err != nil || string(text) != "content" || filepath.Dir(path) != dir {
			t.Fatalf("%s has %q, %v", path, text, err)
		}
		return path
	}
	path := get()
	if get() != path || made != 1 {
		t.Errorf("made %d times", made)
	}
	for n, damage := range []func() error{
		func() error { return os.Truncate(path, 3) },
		func() error { return os.WriteFile(path, []byte("Content"), 0o644) },
		func() error { return os.Remove(path) },
	} {
		if err := damage(); err != nil {
			t.Fatal(err)
		}
		if get() != path || made != n+2 {
			t.Errorf("damage %d: made %d times", n, made)
		}
	}
	broken := errors.New("no space")
	if _, err := Kept(dir, "other", "", func(string) (string, error) { return "", broken }); !errors.Is(err, broken) {
		t.Errorf("error %v", err)
	}
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) != 1 || !strings.HasPrefix(entries[0].Name(), "stub-01-") {
		t.Errorf("left are %v, %v", entries, err)
	}
}

// TestKilledCommandIsNoVerdict: a command that somebody kills is started again if it may be, and
// never taken for one that refused its input.
func TestKilledCommandIsNoVerdict(t *testing.T) {
	dir := t.TempDir()
	for _, tt := range []struct {
		kills  int
		repeat bool
		ok     bool
	}{{0, false, true}, {1, false, false}, {2, true, true}, {starts, true, false}} {
		tally := filepath.Join(dir, "tally")
		if err := os.WriteFile(tally, []byte(strings.Repeat("x", tt.kills)), 0o644); err != nil {
			t.Fatal(err)
		}
		script := `if [ -s tally ]; then truncate -s -1 tally; kill -9 $$; fi`
		_, err := Run(t.Context(), Command{Args: []string{"sh", "-c", script}, Dir: dir, Repeatable: tt.repeat})
		var killed *killedError
		var verdict *CommandError
		if (err == nil) != tt.ok || err != nil && !errors.As(err, &killed) || errors.As(err, &verdict) {
			t.Errorf("%d kills, repeatable %v: %v", tt.kills, tt.repeat, err)
		}
	}
}
