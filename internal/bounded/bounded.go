// Package bounded reads untrusted files up to a limit: answers, suites, benchmarks, submissions, output of a
// compiler. An *Error refuses files that are not regular (a FIFO or a device would be read for ever), files
// larger than the limit, and links that lead out of a directory. Opening never blocks.
package bounded

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

// An Error is a file that is not read for what it is.
type Error struct{ Path, Problem string }

func (e *Error) Error() string { return e.Path + ": " + e.Problem }

// flags keep open(2) from waiting for a FIFO's writer.
const flags = os.O_RDONLY | syscall.O_NONBLOCK | syscall.O_NOCTTY

// Open opens a regular file of at most max bytes; 0 means of any size.
func Open(path string, max int64) (*os.File, error) {
	f, err := os.OpenFile(path, flags, 0)
	return check(f, err, max, false)
}

// OpenIn is Open of a file below dir, whose name and links must not lead out of it.
func OpenIn(dir, name string, max int64) (*os.File, error) { return openIn(dir, name, max, false) }

func openIn(dir, name string, max int64, directories bool) (*os.File, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	f, err := root.OpenFile(name, flags, 0)
	var path *fs.PathError
	if errors.As(err, &path) && path.Err.Error() == "path escapes from parent" { // os has no value for it
		return nil, &Error{filepath.Join(dir, name), "it leads out of " + dir}
	}
	return check(f, err, max, directories)
}

func check(f *os.File, err error, max int64, directories bool) (*os.File, error) {
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	switch {
	case err != nil:
	case info.IsDir() && !directories:
		err = &Error{f.Name(), "it is a directory"}
	case !info.Mode().IsRegular() && !info.IsDir():
		err = &Error{f.Name(), "it is no regular file"}
	case max > 0 && info.Size() > max && !info.IsDir():
		err = tooLarge(f, max)
	default:
		return f, nil
	}
	return nil, errors.Join(err, f.Close())
}

func tooLarge(f *os.File, max int64) error {
	return &Error{f.Name(), fmt.Sprintf("it has more than %d bytes, which is the most that is read", max)}
}

// ReadFile returns the content of a file that Open opens.
func ReadFile(path string, max int64) ([]byte, error) {
	f, err := Open(path, max)
	return readAll(f, err, max)
}

// ReadFileIn returns the content of a file that OpenIn opens.
func ReadFileIn(dir, name string, max int64) ([]byte, error) {
	f, err := OpenIn(dir, name, max)
	return readAll(f, err, max)
}

func readAll(f *os.File, err error, max int64) ([]byte, error) {
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, max+1)) // it may still grow
	if err == nil && int64(len(data)) > max {
		return nil, tooLarge(f, max)
	}
	return data, err
}

// Dir is os.DirFS whose files are those that OpenIn opens, each of at most max bytes.
func Dir(dir string, max int64) fs.FS { return tree{dir, max} }

type tree struct {
	dir string
	max int64
}

// Open implements fs.FS. Directories are opened too.
func (t tree) Open(name string) (fs.File, error) {
	if !fs.ValidPath(name) {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrInvalid}
	}
	f, err := openIn(t.dir, name, t.max, true)
	if err != nil {
		return nil, err
	}
	return f, nil
}
