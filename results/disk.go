package results

import (
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"

	"github.com/lisa-bench/lisa-bench/internal/durable"
)

// A DiskError says that the results directory cannot take more: it is full, read-only or
// not ours. Whatever was stored before it stays valid.
type DiskError struct {
	Path string
	Err  error
}

func (e *DiskError) Error() string {
	if errors.Is(e.Err, unix.ENOSPC) || errors.Is(e.Err, unix.EDQUOT) {
		return fmt.Sprintf("%s: %v: free some space and run the same command again; everything finished is kept", e.Path, e.Err)
	}
	return fmt.Sprintf("%s: %v: make the results directory writable, or name another one", e.Path, e.Err)
}

func (e *DiskError) Unwrap() error { return e.Err }

// IsDisk reports whether err means that the disk takes no more: going on to the next cell would only meet that again.
func IsDisk(err error) bool {
	var disk *DiskError
	return errors.As(err, &disk) || errors.Is(err, unix.ENOSPC) || errors.Is(err, unix.EDQUOT) || errors.Is(err, unix.EROFS)
}

// Explain turns the error of the file system that a run is on into a *DiskError, of the file that err names or else of
// path. It leaves others as they are.
func Explain(err error, path string) error {
	var disk *DiskError
	if errors.As(err, &disk) {
		return err
	}
	var file *fs.PathError
	if errors.As(err, &file) {
		path = file.Path
	}
	for _, e := range []unix.Errno{unix.ENOSPC, unix.EDQUOT, unix.EROFS, unix.EACCES, unix.EPERM, unix.EIO, unix.ENOTDIR} {
		if errors.Is(err, e) {
			return &DiskError{Path: path, Err: e}
		}
	}
	return err
}

// minFree is the space in bytes below which a run is not started: a few hundred programs
// with their journals and a report fit into it.
const minFree = 64 << 20

// checkSpace refuses a directory on a file system with less than minFree to spare.
func checkSpace(dir string) error {
	var s unix.Statfs_t
	if err := unix.Statfs(dir, &s); err != nil {
		return fmt.Errorf("statfs %s: %w", dir, err)
	}
	if free := s.Bavail * uint64(s.Bsize); free < minFree {
		return &DiskError{Path: dir, Err: fmt.Errorf("%d MiB free, %d MiB needed: %w", free>>20, minFree>>20, unix.ENOSPC)}
	}
	return nil
}

// sweep removes what a killed writer left in a directory.
func sweep(dir string) (err error) {
	left, _ := filepath.Glob(filepath.Join(dir, durable.TempPrefix+"*"))
	for _, f := range left {
		err = errors.Join(err, os.RemoveAll(f))
	}
	return err
}

// syncTree puts every file below dir on disk. What the kernel wrote back in the meantime
// costs next to nothing; syncfs would wait for everybody else's files as well.
func syncTree(dir string) error {
	return filepath.WalkDir(dir, func(path string, _ fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		return durable.Sync(path)
	})
}

// remove removes a file, if it is there.
func remove(path string) error {
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// readFile reads a file, or what gzip made of it, in NAME.gz: the run that comes with the project has its records so.
func readFile(path string) ([]byte, error) {
	data, err := os.ReadFile(path)
	if !errors.Is(err, fs.ErrNotExist) {
		return data, err
	}
	f, packedErr := os.Open(path + ".gz")
	if packedErr != nil {
		return nil, err
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err == nil {
		const most = 64 << 20 // bytes; a longer file is cut, which its reader notices
		data, err = io.ReadAll(io.LimitReader(z, most))
	}
	if err != nil {
		err = fmt.Errorf("%s: %w", f.Name(), err)
	}
	return data, err
}

func readJSON(path string, v any) error {
	data, err := readFile(path)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(data, v); err != nil {
		err = fmt.Errorf("decode %s: %w", path, err)
		if filepath.Base(path) == recordFile {
			err = fmt.Errorf("%w\nthe file is damaged: remove it and repeat bench run or bench evaluate, which measures the suite anew", err)
		}
		return err
	}
	return nil
}
