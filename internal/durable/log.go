package durable

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync"
)

// logFile is what a Log needs of its file; tests put a full disk here.
type logFile interface {
	io.WriteCloser
	Sync() error
	Truncate(size int64) error
}

// A Log is a file that lines are appended to. A line survives the death of this process at once; it survives a
// power failure when Append returns with sync, or with the next line that is synced. Safe for concurrent use.
type Log struct {
	path string

	mu     sync.Mutex
	file   logFile
	size   int64
	broken error // after it nothing is appended: what is on disk is no longer known
}

// OpenLog opens or creates a log. What follows the part that read takes for whole, of which it returns the size in
// bytes, is cut off.
func OpenLog(path string, read func(io.Reader) (size int64, err error)) (*Log, error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o644)
	if err != nil {
		return nil, err
	}
	size, err := read(f)
	if err == nil {
		err = f.Truncate(size)
	}
	if err == nil {
		err = Sync(filepath.Dir(path))
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return &Log{path: path, file: f, size: size}, nil
}

// Append writes a line, which must end with its newline. An error leaves the log without it.
func (l *Log) Append(line []byte, sync bool) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.broken != nil {
		return l.broken
	}
	_, err := l.file.Write(line)
	if err == nil && sync {
		err = l.file.Sync()
	}
	if err != nil {
		l.broken = fmt.Errorf("append to %s: %w", l.path, err)
		// The next opening drops a torn line as well, so a failure here loses nothing.
		_ = l.file.Truncate(l.size)
		return l.broken
	}
	l.size += int64(len(line))
	return nil
}

// Close closes the file; later Appends are errors.
func (l *Log) Close() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.broken == nil {
		l.broken = fmt.Errorf("%s: %w", l.path, os.ErrClosed)
	}
	return l.file.Close()
}
