// Package bounded reads untrusted files up to a limit: answers, suites, benchmarks, submissions, output of a
// compiler. An *Error refuses files that are not regular (a FIFO or a device would be read for ever), files
// larger than the limit, and links that lead out of a directory. Opening never blocks.
package bounded

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
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
	return check(f, err, path, max)
}

// OpenIn is Open of a file below dir, whose name and links must not lead out of it.
func OpenIn(dir, name string, max int64) (*os.File, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	f, err := root.OpenFile(name, flags, 0)
	return check(f, outside(err, dir, name), filepath.Join(dir, name), max)
}

// outside makes of an error of package os a typed one, where a name leads out of a directory.
func outside(err error, dir, name string) error {
	var path *fs.PathError
	if errors.As(err, &path) && path.Err.Error() == "path escapes from parent" { // os has no value for it
		return &Error{filepath.Join(dir, name), "it leads out of " + dir}
	}
	return err
}

func check(f *os.File, err error, path string, max int64) (*os.File, error) {
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	switch {
	case err != nil:
	case info.IsDir():
		err = &Error{path, "it is a directory"}
	case !info.Mode().IsRegular():
		err = &Error{path, "it is no regular file"}
	case max > 0 && info.Size() > max:
		err = tooLarge(path, max)
	default:
		return f, nil
	}
	return nil, errors.Join(err, f.Close())
}

func tooLarge(path string, max int64) error {
	return &Error{path, "it has more than " + strconv.FormatInt(max, 10) + " bytes, which is the most that is read"}
}

// ReadFile returns the content of a file that Open opens.
func ReadFile(path string, max int64) ([]byte, error) {
	f, err := Open(path, max)
	return readAll(f, err, path, max)
}

// ReadFileIn returns the content of a file that OpenIn opens.
func ReadFileIn(dir, name string, max int64) ([]byte, error) {
	f, err := OpenIn(dir, name, max)
	return readAll(f, err, filepath.Join(dir, name), max)
}

func readAll(f *os.File, err error, path string, max int64) ([]byte, error) {
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, max+1)) // it may still grow
	if err == nil && int64(len(data)) > max {
		return nil, tooLarge(path, max)
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
	root, err := os.OpenRoot(t.dir)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	f, err := root.OpenFile(name, flags, 0)
	if err != nil {
		return nil, outside(err, t.dir, name)
	}
	if info, err := f.Stat(); err == nil && info.IsDir() {
		return f, nil
	}
	if f, err = check(f, nil, filepath.Join(t.dir, name), t.max); err != nil {
		return nil, err
	}
	return limited{f, io.LimitReader(f, t.max)}, nil
}

// limited is a file that is read no further than its limit, even if it grows.
type limited struct {
	*os.File
	left io.Reader
}

func (l limited) Read(p []byte) (int, error) { return l.left.Read(p) }
