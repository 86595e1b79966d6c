// Package submission reads runs that are handed in: run directories (package results) that may come from anybody. It refuses
// those that hold links or large files, and those whose cells are not those of their experiment. It also finds the records
// of a run that a ranking over a set of bugs asks for.
package submission

import (
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"

	"github.com/lisa-bench/lisa-bench/internal/durable"
	"github.com/lisa-bench/lisa-bench/internal/trial"
)

// Limits of a file that is read, in bytes.
const (
	maxFile = 64 << 20
	maxLog  = 1 << 30 // of a transcript or a journal
)

// An invalidError says that a directory is no run that can be read, and why.
type invalidError struct{ Reason string }

func (e *invalidError) Error() string { return e.Reason }

func invalid(format string, args ...any) error {
	return &invalidError{Reason: fmt.Sprintf(format, args...)}
}

// checkFiles refuses links, special files and large files in a run directory, but for directories that nobody reads.
func checkFiles(dir string) error {
	dir, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return err
	}
	return filepath.WalkDir(dir, func(file string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name, err := filepath.Rel(dir, file)
		if err != nil {
			return err
		}
		switch {
		case name == "." && !d.IsDir():
			return invalid("not a run directory: unpack it first if it is packed")
		case d.IsDir():
			parts := strings.Split(name, "/")
			if parts[0] != "cells" && name != "." || len(parts) == 3 && parts[2] != "suite" && parts[2] != "evaluation" {
				return fs.SkipDir
			}
			return nil
		case !d.Type().IsRegular():
			return invalid("%s is a link or special file: a run has plain files", name)
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		limit := int64(maxFile)
		if filepath.Ext(name) == ".jsonl" {
			limit = maxLog
		}
		if info.Size() > limit {
			return invalid("%s has %d bytes, and the limit is %d", name, info.Size(), limit)
		}
		return nil
	})
}

// CheckSuite makes sure that the files of the suite in dir lie there and are what its tool made, and that its programs
// can be told apart by their names. What is wrong is an *invalidError.
func CheckSuite(dir string, s trial.Suite) error {
	ids := map[string]bool{}
	for _, p := range s.Programs {
		if p.ID == "" || filepath.Base(p.ID) != p.ID || ids[p.ID] {
			return invalid("%s lists the program %q, which is no name or there twice", trial.SuiteFile, p.ID)
		}
		ids[p.ID] = true
	}
	for _, f := range s.Listed() {
		if !filepath.IsLocal(f.File) {
			return invalid("%s lists %q, which is outside of the suite", trial.SuiteFile, f.File)
		}
		if sum, err := durable.FileSum(filepath.Join(dir, f.File)); err != nil || sum != f.SHA256 {
			return invalid("%s is not what its tool made: its SHA-256 is not the one in %s", f.File, trial.SuiteFile)
		}
	}
	return nil
}
