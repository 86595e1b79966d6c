package results

import (
	"encoding/json"
	"errors"
	"fmt"
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

// The errors of a disk, as against those of a program: going on to the next cell would only
// meet them again.
var diskErrnos = []unix.Errno{unix.ENOSPC, unix.EDQUOT, unix.EROFS, unix.EACCES, unix.EPERM, unix.EIO, unix.ENOTDIR}

// onDisk turns an error of the file system on path into a *DiskError where it is one.
func onDisk(path string, err error) error {
	for _, e := range diskErrnos {
		if errors.Is(err, e) {
			return &DiskError{Path: path, Err: e}
		}
	}
	return err
}

// IsDisk reports whether err means that the disk takes no more, so that a run has to stop.
func IsDisk(err error) bool {
	var d *DiskError
	return errors.As(err, &d) || errors.Is(err, unix.ENOSPC) || errors.Is(err, unix.EDQUOT)
}

// checkSpace refuses a directory on a file system with less than need bytes to spare.
func checkSpace(dir string, need uint64) error {
	var s unix.Statfs_t
	if err := unix.Statfs(dir, &s); err != nil {
		return onDisk(dir, fmt.Errorf("statfs %s: %w", dir, err))
	}
	if free := s.Bavail * uint64(s.Bsize); free < need {
		return &DiskError{Path: dir, Err: fmt.Errorf("%d MiB free, %d MiB needed: %w", free>>20, need>>20, unix.ENOSPC)}
	}
	return nil
}

// writeFile replaces path by data so that after any crash either the old or the new content
// is there, whole.
func writeFile(path string, data []byte) error { return onDisk(path, durable.WriteFile(path, data)) }

// syncTree puts every file below dir on disk. What the kernel wrote back in the meantime
// costs next to nothing; syncfs would wait for everybody else's files as well.
func syncTree(dir string) error {
	return filepath.WalkDir(dir, func(path string, _ fs.DirEntry, err error) error {
		if err == nil {
			err = durable.Sync(path)
		}
		return onDisk(path, err)
	})
}

func writeJSON(path string, v any) error {
	data, err := encodeJSON(path, v)
	if err != nil {
		return err
	}
	return writeFile(path, data)
}

func encodeJSON(path string, v any) ([]byte, error) {
	data, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		return nil, fmt.Errorf("encode %s: %w", path, err)
	}
	return append(data, '\n'), nil
}

func readJSON(path string, v any) error {
	data, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(data, v); err != nil {
		return fmt.Errorf("decode %s: %w", path, err)
	}
	return nil
}

// notJSON reports whether an error of readJSON says that the file is cut or garbled.
func notJSON(err error) bool {
	var syntax *json.SyntaxError
	return errors.As(err, &syntax)
}

func mkdir(dir string) error { return onDisk(dir, os.MkdirAll(dir, 0o755)) }
