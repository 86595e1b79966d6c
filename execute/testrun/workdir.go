package testrun

import (
	"errors"
	"os"
	"path/filepath"
	"time"

	"golang.org/x/sys/unix"
)

// memoryDir is where compilers read programs and write objects, if it has room: a new file
// is nearly free there. Measured on ext4: up to 1 ms, for as long as it remembers the files
// that were removed in the last minutes. Each program is a source, an object and a
// temporary one that are removed at once.
const memoryDir = "/dev/shm"

// workPrefix begins the names of the directories in which programs are compiled.
const workPrefix = ".compile-lisa-bench-"

// memoryRoom is the free space that memoryDir must have. The objects of compileBatch programs
// have 20 to 60 MB.
const memoryRoom = 1 << 30

// hasRoom reports whether dir is in memory and has room to compile programs in.
func hasRoom(dir string) bool {
	var fs unix.Statfs_t
	if unix.Statfs(dir, &fs) != nil || fs.Type != unix.TMPFS_MAGIC || fs.Bavail < memoryRoom/uint64(fs.Bsize) {
		return false
	}
	return unix.Access(dir, unix.W_OK) == nil
}

// abandoned is the age from which on a directory in memoryDir is nobody's: none is worked in
// for so long.
const abandoned = 24 * time.Hour

// sweep removes what harnesses that were killed left in dir.
func sweep(dir string, now time.Time) error {
	found, err := filepath.Glob(filepath.Join(dir, workPrefix+"*"))
	if err != nil {
		return err
	}
	var errs []error
	for _, path := range found {
		if info, err := os.Lstat(path); err == nil && now.Sub(info.ModTime()) > abandoned {
			errs = append(errs, os.RemoveAll(path))
		}
	}
	return errors.Join(errs...)
}
