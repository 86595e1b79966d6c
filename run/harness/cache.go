package harness

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/lisa-bench/lisa-bench/internal/durable"
)

// cacheDir returns the cache directory, which can be written and is swept.
func (e *Env) cacheDir() (string, error) {
	dir, err := e.CachePath()
	if err != nil || e.cacheReady {
		return dir, err
	}
	if err = os.MkdirAll(dir, 0o755); err == nil {
		var probe *os.File
		if probe, err = os.CreateTemp(dir, durable.TempPrefix); err == nil {
			err = errors.Join(probe.Close(), os.Remove(probe.Name()))
		}
	}
	if err == nil {
		err = sweepCache(dir, e.Now().Add(-sweepAfter))
	}
	if err != nil {
		return "", fmt.Errorf("cache of sources and builds: %w: make it writable, or name another directory with --cache", err)
	}
	e.cacheReady = true
	return dir, nil
}

// CachePath returns where the cache is, and makes nothing.
func (e *Env) CachePath() (string, error) {
	if e.Cache != "" {
		dir, err := filepath.Abs(e.Cache)
		if strings.Contains(dir, ",") {
			return "", Usagef("--cache %s: a linker takes a comma for the end of a name: choose another directory", e.Cache)
		}
		return dir, err
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

// sweepAfter is how old a temporary file of the cache is before it is taken for one of a killed process: nothing takes
// an hour to make.
const sweepAfter = 24 * time.Hour

// sweepCache removes the temporary files and directories of the cache that nobody has changed since before.
func sweepCache(dir string, before time.Time) (err error) {
	for _, below := range []string{".", "*", "sources/*"} {
		found, _ := filepath.Glob(filepath.Join(dir, below, durable.TempPrefix+"*"))
		for _, path := range found {
			if info, statErr := os.Lstat(path); statErr == nil && info.ModTime().Before(before) {
				err = errors.Join(err, os.RemoveAll(path))
			}
		}
	}
	return err
}
