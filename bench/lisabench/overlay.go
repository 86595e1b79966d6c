package lisabench

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/lisa-bench/lisa-bench/internal/bounded"
)

// An overlay is a benchmark with a directory laid over it, file by file.
type overlay struct {
	base fs.FS
	top  fs.FS
	dir  string // of top, for messages
}

// maxFile is the most that a file of a benchmark from outside may have, in bytes.
const maxFile = 4 << 20

// Over returns base with the files below dir added to it, or in the place of base's own at
// the same path. Load tells problems of them under their real path. The error says what is
// wrong with dir as a whole.
func Over(base fs.FS, dir string) (fs.FS, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	if _, err := os.Stat(filepath.Join(dir, "library.yaml")); err == nil {
		return nil, fmt.Errorf("%s is a library itself: give the directory that holds it", dir)
	}
	if !slices.ContainsFunc(entries, isLibraryDir) {
		return nil, fmt.Errorf("%s holds no directory of a library, as in %s", dir, filepath.Join(dir, "zlib", "bugs", "zlib-99.yaml"))
	}
	return &overlay{base: base, top: bounded.Dir(dir, maxFile), dir: dir}, nil
}

// isLibraryDir reports whether an entry of a benchmark's root is read: hidden directories
// belong to version control and editors.
func isLibraryDir(e fs.DirEntry) bool { return e.IsDir() && e.Name()[0] != '.' }

// Open implements fs.FS.
func (o *overlay) Open(name string) (fs.File, error) {
	f, err := o.top.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		return o.base.Open(name)
	}
	return f, err
}

// ReadDir implements fs.ReadDirFS: what either has, sorted.
func (o *overlay) ReadDir(name string) ([]fs.DirEntry, error) {
	above, err := fs.ReadDir(o.top, name)
	below, belowErr := fs.ReadDir(o.base, name)
	if err != nil && (belowErr != nil || !errors.Is(err, fs.ErrNotExist)) {
		return nil, err
	}
	entries := slices.Concat(above, below)
	slices.SortStableFunc(entries, func(a, b fs.DirEntry) int { return cmp.Compare(a.Name(), b.Name()) })
	return slices.CompactFunc(entries, func(a, b fs.DirEntry) bool { return a.Name() == b.Name() }), nil
}

// shown is the name of a file in messages: where it really is.
func (o *overlay) shown(name string) string {
	if _, err := fs.Stat(o.top, name); err == nil {
		return filepath.Join(o.dir, name)
	}
	return name
}
