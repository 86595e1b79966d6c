package harness

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"golang.org/x/sys/unix"

	"github.com/lisa-bench/lisa-bench/internal/durable"
)

// How old a temporary file of the cache must be to be swept. Nothing takes an hour to make; the
// day is for a file system whose locks other machines do not see.
const (
	sweepAlone  = time.Hour      // no other bench uses the cache
	sweepShared = 24 * time.Hour // another one does
)

// cacheDir returns the cache directory and creates it if needed. From then on until it ends, this
// process is one of those that use the cache.
func (e *Env) cacheDir() (string, error) {
	dir, err := e.CachePath()
	if err != nil {
		return "", err
	}
	if err = os.MkdirAll(dir, 0o755); err == nil {
		var probe *os.File
		if probe, err = os.CreateTemp(dir, durable.TempPrefix+"probe-"); err == nil {
			err = errors.Join(probe.Close(), os.Remove(probe.Name()), e.useCache(dir))
		}
	}
	if err != nil {
		return "", fmt.Errorf("cache of sources and builds: %w: make it writable, or name another directory with --cache", err)
	}
	return dir, nil
}

// CachePath returns where the cache is, and makes nothing.
func (e *Env) CachePath() (string, error) {
	if e.Cache != "" {
		return filepath.Abs(e.Cache)
	}
	if dir := e.Getenv("XDG_CACHE_HOME"); dir != "" {
		return filepath.Join(dir, "lisa-bench"), nil
	}
	home := e.Getenv("HOME")
	if home == "" {
		return "", Usagef("HOME and XDG_CACHE_HOME are not set; choose a directory for sources and builds with --cache DIR")
	}
	return filepath.Join(home, ".cache", "lisa-bench"), nil
}

// useCache locks the cache together with every other bench that uses it, until this process
// ends, and sweeps what killed ones have left there.
func (e *Env) useCache(dir string) error {
	if e.cacheLock != nil {
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
	err = sweepCache(dir, e.Now().Add(-age))
	if lockErr := unix.Flock(int(f.Fd()), unix.LOCK_SH); lockErr != nil && !errors.Is(lockErr, unix.ENOLCK) && !errors.Is(lockErr, unix.ENOTSUP) {
		err = errors.Join(err, fmt.Errorf("lock %s: %w", f.Name(), lockErr))
	}
	e.cacheLock = f
	return err
}

// sweepCache removes the temporary files and directories of the cache that nobody has changed
// since before.
func sweepCache(dir string, before time.Time) error {
	for _, place := range []string{".", "*", "objects/*", "sources/*"} {
		found, err := filepath.Glob(filepath.Join(dir, place, durable.TempPrefix+"*"))
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
