package results

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/lisa-bench/lisa-bench/internal/durable"
)

// sealFile lists the hashes of what a complete cell's figures come from: its record and its suite.
// It tells of edits and of damage; it is no signature, for it lies beside what it lists.
const sealFile = "seal.json"

// A seal has the SHA-256 of each file by its path in the cell.
type seal struct {
	Files map[string]string `json:"files"`
}

// A changedError is a file of a complete cell that is not what it was when the cell ended.
type changedError struct{ File string }

func (e *changedError) Error() string {
	return fmt.Sprintf("%s changed after its cell was complete (its SHA-256 is not the one in %s): move the cell's directory away and run it again",
		e.File, sealFile)
}

// writeSeal writes the seal of the cell in dir, whose record has that text.
func writeSeal(dir string, record []byte) error {
	s := seal{Files: map[string]string{"record.json": digest(record)}}
	err := filepath.WalkDir(filepath.Join(dir, "suite"), func(path string, d fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) || err == nil && !d.Type().IsRegular() {
			return nil
		}
		if err != nil {
			return err
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		name, err := filepath.Rel(dir, path)
		s.Files[filepath.ToSlash(name)] = digest(data)
		return err
	})
	if err != nil {
		return err
	}
	return durable.WriteJSON(filepath.Join(dir, sealFile), s)
}

// checkSeal returns a *changedError if a file of the complete cell in dir is not as it was sealed.
// A cell without a seal is taken as it is: whoever can change a record can remove its seal.
func checkSeal(dir string) error {
	var s seal
	switch err := readJSON(filepath.Join(dir, sealFile), &s); {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return err
	}
	for _, name := range slices.Sorted(maps.Keys(s.Files)) {
		if !filepath.IsLocal(name) {
			return fmt.Errorf("%s: %q is not in the cell", filepath.Join(dir, sealFile), name)
		}
		path := filepath.Join(dir, name)
		data, err := os.ReadFile(path)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		sum := digest(data)
		if err != nil || sum != s.Files[name] {
			return &changedError{File: path}
		}
	}
	return nil
}
