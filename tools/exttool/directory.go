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
	files, helpers, _ := d.sources()
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
func (d Directory) Files() ([]string, error) {
	files, _, err := d.sources()
	if err == nil && len(files) == 0 {
		err = fmt.Errorf("suite directory %s has %w", d.Path, errNoTests)
		if below := d.Below(); len(below) > 0 {
			err = fmt.Errorf("%w; there are some in %s", err, strings.Join(below, ", "))
		}
	}
	return files, err
}

// Helpers returns the other source files of the directory, sorted: those with functions of which none is a test.
func (d Directory) Helpers() ([]string, error) {
	d.Only = ""
	_, helpers, err := d.sources()
	return helpers, err
}

func (d Directory) sources() (tests, helpers []string, err error) {
	entries, err := os.ReadDir(d.Path)
	if err != nil {
		return nil, nil, fmt.Errorf("suite directory: %w", err)
	}
	for _, e := range entries {
		name := e.Name()
		switch path := filepath.Join(d.Path, name); {
		case d.Only != "" && name != d.Only || strings.HasPrefix(name, "."):
			continue
		case e.Type()&(fs.ModeNamedPipe|fs.ModeSocket|fs.ModeDevice) != 0:
			return nil, nil, fmt.Errorf("suite directory: %s is neither a file nor a directory", path)
		case name == "assert.h":
			return nil, nil, fmt.Errorf("suite directory: %s would take the place of the system's: give it another name", path)
		case languageOf(name) == "" || e.IsDir():
			continue
		}
		src, err := d.read(name)
		if err != nil {
			return nil, nil, fmt.Errorf("suite directory: %w", err)
		}
		if !d.Every && isHelper(string(src)) {
			helpers = append(helpers, name)
		} else {
			tests = append(tests, name)
		}
	}
	return tests, helpers, nil
}

// Below returns directories below this one that have files which could be tests: three at most, for a message.
func (d Directory) Below() (below []string) {
	_ = filepath.WalkDir(d.Path, func(path string, e fs.DirEntry, err error) error {
		dir := filepath.Dir(path)
		if err == nil && !e.IsDir() && languageOf(path) != "" && dir != filepath.Clean(d.Path) && !slices.Contains(below, dir) && len(below) < 3 {
			below = append(below, dir)
		}
		return nil
	})
	return below
}

// IsSource reports whether a file is in C or C++ by its name.
func IsSource(file string) bool { return languageOf(file) != "" }

// mainLike matches a main, which a condition may leave out so that definitions does not count it.
var mainLike = regexp.MustCompile(`\bmain\s*\(`)

// isHelper reports whether a text defines functions, and neither main, nor a test, nor a harness's.
func isHelper(src string) bool {
	defined := definitions(src)
	for name := range defined {
		if strings.HasPrefix(name, "test") || strings.HasPrefix(name, harnessOne) {
			return false
		}
	}
	return len(defined) > 0 && !mainLike.MatchString(src) && !strings.Contains(src, "gtest/gtest.h")
}

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
