package source

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/lisa-bench/lisa-bench/internal/durable"
)

// A tree has its digest beside it, in a file of this name. It is written before the tree comes
// to its place, so that a tree without one is of an older version, and taken as it is.
const sumSuffix = ".sum"

// whole reports whether a tree is there and as it was made. Each is read once by a process.
func (s *Store) whole(t Tree) bool {
	if _, err := os.Stat(t.Dir); err != nil {
		return false
	}
	if _, known := s.checked.Load(t.Key); known {
		return true
	}
	want, err := os.ReadFile(t.Dir + sumSuffix)
	if err == nil {
		var have string
		have, err = digestOf(t.Dir)
		if err == nil && have != strings.TrimSpace(string(want)) {
			s.log.Warn("damaged source tree: making it anew", "dir", t.Dir)
			return false
		}
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return false
	}
	s.checked.Store(t.Key, true)
	return true
}

// place moves a finished tree to its place, where a damaged one may be.
func (s *Store) place(tmp string, t Tree) error {
	sum, err := digestOf(tmp)
	if err != nil {
		return err
	}
	if err := durable.WriteFile(t.Dir+sumSuffix, []byte(sum+"\n")); err != nil {
		return err
	}
	if err := os.RemoveAll(t.Dir); err != nil {
		return err
	}
	if err := os.Rename(tmp, t.Dir); err != nil {
		return err
	}
	s.checked.Store(t.Key, true)
	return nil
}

// digestOf hashes the names, kinds and contents of all that is below dir.
func digestOf(dir string) (string, error) {
	h := sha256.New()
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(dir, path)
		if err != nil {
			return err
		}
		content := ""
		switch {
		case d.Type().IsRegular():
			content, err = durable.FileSum(path)
		case d.Type()&fs.ModeSymlink != 0:
			content, err = os.Readlink(path)
		}
		if err != nil {
			return err
		}
		fmt.Fprintf(h, "%q %s %q\n", rel, d.Type(), content)
		return nil
	})
	return hex.EncodeToString(h.Sum(nil)), err
}
