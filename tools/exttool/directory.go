package exttool

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/lisa-bench/lisa-bench/experiments"
	"github.com/lisa-bench/lisa-bench/internal/bounded"
	"github.com/lisa-bench/lisa-bench/internal/trial"
)

// maxSourceBytes bounds one test file; a larger one is not something a person or a
// generator wrote as a test.
const maxSourceBytes = 8 << 20

var errNoTests = errors.New("no .c, .cc, .cpp or .cxx file with a main or a function whose name begins with \"test\"")

// A Directory is the tool whose suite is the files of a directory, in the order of their
// names. One that is a libFuzzer harness is given the empty input.
type Directory struct {
	Path   string
	Only   string            // the one file that counts; "" for all
	Every  bool              // also files that define functions and no test: none is a helper
	Oracle trial.OracleClass // class of the tests' assertions
}

// Name returns the name under which the suite is reported.
func (d Directory) Name() string { return experiments.SuiteTool }

// Version is part of the cells' keys. It tells the tests apart by their content and
// oracle, so that a run that is taken up again with changed tests scores those. Files that cannot
// be read are left to Generate, which fails on them.
func (d Directory) Version() string {
	h := sha256.New()
	fmt.Fprintf(h, "%s\n", d.Oracle)
	files, _ := d.Files()
	helpers, _ := d.Helpers()
	for _, file := range append(files, helpers...) {
		src, _ := d.read(file)
		fmt.Fprintf(h, "%s %d\n%s", file, len(src), src)
	}
	return "2-" + hex.EncodeToString(h.Sum(nil)[:8])
}

// Generate adds every test file to the job's suite.
func (d Directory) Generate(ctx context.Context, job trial.Job) (trial.StopReason, error) {
	programs, err := d.Programs()
	for _, p := range programs {
		if ctx.Err() != nil {
			return "", context.Cause(ctx)
		}
		p.ID = "" // which the suite gives
		if err := job.Suite.Add(p); err != nil {
			return "", fmt.Errorf("%s: %w", p.Origin, err)
		}
	}
	return trial.StopExhausted, err
}

// Programs returns the test files, read. Their ids are the files' names.
func (d Directory) Programs() (list []trial.Program, err error) {
	files, err := d.Files()
	if err != nil {
		return nil, err
	}
	for _, file := range files {
		p, err := suiteLine{File: file, Oracle: d.Oracle}.program(d.read)
		if err != nil {
			return nil, err
		}
		p.ID = file
		list = append(list, p)
	}
	return list, nil
}

func (d Directory) read(file string) ([]byte, error) {
	return bounded.ReadFileIn(d.Path, file, maxSourceBytes)
}

// Files returns the test files in the directory, sorted. What lies in directories below it,
// test frameworks and data, is not a test by itself. It refuses what no test can be. That is a link out of
// the directory, a FIFO or a device, a file that is too large; and an assert.h, which would replace the
// system's.
func (d Directory) Files() (files []string, err error) { return d.list(false) }

// Helpers returns the other source files of the directory, sorted: those with functions of which none is a test.
func (d Directory) Helpers() (files []string, err error) {
	d.Only = ""
	return d.list(true)
}

func (d Directory) list(helpers bool) (files []string, err error) {
	entries, err := os.ReadDir(d.Path)
	if err != nil {
		return nil, fmt.Errorf("suite directory: %w", err)
	}
	for _, e := range entries {
		name := e.Name()
		switch path := filepath.Join(d.Path, name); {
		case d.Only != "" && name != d.Only || strings.HasPrefix(name, "."):
			continue
		case e.Type()&(fs.ModeNamedPipe|fs.ModeSocket|fs.ModeDevice) != 0:
			return nil, fmt.Errorf("suite directory: %s is neither a file nor a directory", path)
		case name == "assert.h":
			return nil, fmt.Errorf("suite directory: %s would take the place of the system's: give it another name", path)
		case languageOf(name) == "" || e.IsDir():
			continue
		}
		src, err := d.read(name)
		if err != nil {
			return nil, fmt.Errorf("suite directory: %w", err)
		}
		if (!d.Every && isHelper(string(src))) != helpers {
			continue
		}
		files = append(files, name)
	}
	if len(files) == 0 && !helpers {
		err := fmt.Errorf("suite directory %s has %w", d.Path, errNoTests)
		if below := d.Below(); len(below) > 0 {
			err = fmt.Errorf("%w; there are some in %s", err, strings.Join(below, ", "))
		}
		return nil, err
	}
	return files, nil
}

// Below returns directories below this one that have files which could be tests: three at most, for a message.
func (d Directory) Below() (below []string) {
	_ = filepath.WalkDir(d.Path, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || languageOf(path) == "" {
			return nil
		}
		if dir := filepath.Dir(path); dir != filepath.Clean(d.Path) && !slices.Contains(below, dir) {
			below = append(below, dir)
		}
		if len(below) == 3 {
			return fs.SkipAll
		}
		return nil
	})
	return below
}

// IsSource reports whether a file is in C or C++ by its name.
func IsSource(file string) bool { return languageOf(file) != "" }

// isHelper reports whether a text defines functions, and neither main, nor a test, nor a harness's.
func isHelper(src string) bool {
	if strings.Contains(src, "gtest/gtest.h") {
		return false
	}
	functions := 0
	for name := range definitions(src) {
		if name == "main" || strings.HasPrefix(name, "test") || strings.HasPrefix(name, harnessOne) {
			return false
		}
		functions++
	}
	return functions > 0 && !conditionalMain.MatchString(src)
}

// conditionalMain matches a main that a condition may leave out, which definitions does not count.
var conditionalMain = regexp.MustCompile(`\bmain\s*\(`)

// languageOf tells a test file's language by its extension, as clang does; "" if it is none. Hidden files, such as the
// locks of editors and the attributes that macOS writes beside files, are no tests.
func languageOf(file string) trial.Language {
	if strings.HasPrefix(filepath.Base(file), ".") {
		return ""
	}
	switch filepath.Ext(file) {
	case ".c":
		return trial.C
	case ".cc", ".cpp", ".cxx", ".c++", ".C", ".CC", ".CPP", ".CXX", ".C++":
		return trial.CXX
	}
	return ""
}
