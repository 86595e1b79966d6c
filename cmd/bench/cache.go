package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"golang.org/x/sys/unix"

	"github.com/lisa-bench/lisa-bench/internal/toolchain"
)

// How old a temporary file of the cache must be to be swept. Nothing takes an hour to make; the
// day is for a file system whose locks other machines do not see.
const (
	sweepAlone  = time.Hour      // no other bench uses the cache
	sweepShared = 24 * time.Hour // another one does
)

// useCache locks the cache together with every other bench that uses it, until this process
// ends, and sweeps what killed ones have left there.
func (a *app) useCache(dir string) error {
	if a.cacheLock != nil {
		return nil
	}
	f, err := os.OpenFile(filepath.Join(dir, "lock"), os.O_CREATE|os.O_RDWR, 0o644)
	if err != nil {
		return err
	}
	age := sweepAlone
	if err := unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB); err != nil {
		age = sweepShared
	}
	err = sweepCache(dir, a.now().Add(-age))
	if lockErr := unix.Flock(int(f.Fd()), unix.LOCK_SH); lockErr != nil && !errors.Is(lockErr, unix.ENOLCK) && !errors.Is(lockErr, unix.ENOTSUP) {
		err = errors.Join(err, fmt.Errorf("lock %s: %w", f.Name(), lockErr))
	}
	a.cacheLock = f
	return err
}

// sweepCache removes the temporary files and directories of the cache that nobody has changed
// since before.
func sweepCache(dir string, before time.Time) error {
	for _, place := range []string{".", "*", "objects/*", "sources/*"} {
		found, err := filepath.Glob(filepath.Join(dir, place, toolchain.TempPrefix+"*"))
		if err != nil {
			return err
		}
		for _, path := range found {
			info, err := os.Lstat(path)
			if err == nil && info.ModTime().Before(before) {
				err = os.RemoveAll(path)
			}
			if err != nil && !errors.Is(err, fs.ErrNotExist) {
				return err
			}
		}
	}
	return nil
}
