// Package exttool adapts tests that nobody here generated. It consumes a directory of C or
// C++ files, each a program of its own (with a main, or with test functions), and hands
// them over as a suite, so that they are scored by the same code as any tool's. It refuses
// a directory without such files.
package exttool

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/lisa-bench/lisa-bench/internal/trial"
)

// maxSourceBytes bounds one test file; a larger one is not something a person or a
// generator wrote as a test.
const maxSourceBytes = 8 << 20

// A Directory is the tool whose suite is the files of a directory, in the order of their
// names.
type Directory struct {
	Path   string
	Oracle trial.OracleClass // class of the tests' assertions
}

// Name returns the name under which the suite is reported.
func (d Directory) Name() string { return "suite" }

// Version is part of the cells' keys.
func (d Directory) Version() string { return "1" }

// Generate adds every test file to the job's suite.
func (d Directory) Generate(ctx context.Context, job trial.Job) (trial.StopReason, error) {
	files, err := d.Files()
	if err != nil {
		return "", err
	}
	for _, file := range files {
		if ctx.Err() != nil {
			return "", context.Cause(ctx)
		}
		src, err := os.ReadFile(filepath.Join(d.Path, file))
		if err != nil {
			return "", err
		}
		p := trial.Program{Lang: language(file), Source: string(src), Oracle: d.Oracle, Origin: file}
		if err := job.Suite.Add(p); err != nil {
			return "", fmt.Errorf("%s: %w", file, err)
		}
	}
	return trial.StopExhausted, nil
}

// Files returns the test files below the directory, relative to it and sorted.
func (d Directory) Files() ([]string, error) {
	var files []string
	err := filepath.WalkDir(d.Path, func(path string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if language(path) == "" || !e.Type().IsRegular() {
			return nil
		}
		info, err := e.Info()
		if err != nil {
			return err
		}
		if info.Size() > maxSourceBytes {
			return fmt.Errorf("%s has %d bytes; a test file may have %d", path, info.Size(), maxSourceBytes)
		}
		rel, err := filepath.Rel(d.Path, path)
		if err != nil {
			return err
		}
		files = append(files, rel)
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("suite directory: %w", err)
	}
	if len(files) == 0 {
		return nil, fmt.Errorf("suite directory %s has no .c, .cc, .cpp or .cxx file", d.Path)
	}
	slices.Sort(files)
	return files, nil
}

// language tells a test file's language by its extension; "" if it is none.
func language(file string) trial.Language {
	switch filepath.Ext(file) {
	case ".c":
		return trial.C
	case ".cc", ".cpp", ".cxx":
		return trial.CXX
	}
	return ""
}
