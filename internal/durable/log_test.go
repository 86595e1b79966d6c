package durable

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
	"gotest.tools/v3/assert"
)

// A fullFile takes room bytes and then says that the disk is full, like a real one after
// having written a part.
type fullFile struct {
	bytes.Buffer
	room int
}

func (f *fullFile) Write(p []byte) (int, error) {
	if n := f.room - f.Len(); n < len(p) {
		f.Buffer.Write(p[:n])
		return n, &os.PathError{Op: "write", Path: "events.jsonl", Err: unix.ENOSPC}
	}
	return f.Buffer.Write(p)
}
func (f *fullFile) Sync() error               { return nil }
func (f *fullFile) Close() error              { return nil }
func (f *fullFile) Truncate(size int64) error { f.Buffer.Truncate(int(size)); return nil }

func TestFullDiskLeavesTheLogWhole(t *testing.T) {
	f := &fullFile{room: 150}
	l := &Log{path: "events.jsonl", file: f}
	assert.NilError(t, l.Append([]byte("a\n"), true))
	err := l.Append([]byte(strings.Repeat("long", 50)+"\n"), true)
	assert.Assert(t, errors.Is(err, unix.ENOSPC), "error = %v", err)
	assert.Check(t, f.String() == "a\n", "log is now %q", f.String())
	if again := l.Append([]byte("c\n"), false); !errors.Is(again, err) {
		t.Errorf("a log with a hole is written on: %v", again)
	}
}

func TestLogGoesOnBehindWhatIsWhole(t *testing.T) {
	path := filepath.Join(t.TempDir(), "log")
	assert.NilError(t, os.WriteFile(path, []byte("one\ntor"), 0o644))
	l, err := OpenLog(path, func(r io.Reader) (int64, error) { return 4, nil })
	assert.NilError(t, err)
	assert.NilError(t, errors.Join(l.Append([]byte("two\n"), true), l.Append([]byte("three\n"), false), l.Close()))
	if err := l.Append([]byte("late\n"), true); !errors.Is(err, os.ErrClosed) {
		t.Errorf("append after close: %v", err)
	}
	if got, err := os.ReadFile(path); err != nil || string(got) != "one\ntwo\nthree\n" {
		t.Errorf("%q, %v", got, err)
	}
}
