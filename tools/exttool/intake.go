package exttool

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"syscall"

	"github.com/lisa-bench/lisa-bench/internal/bounded"
	"github.com/lisa-bench/lisa-bench/internal/trial"
)

// SuiteFile is where a command lists the programs that it has finished, one JSON object a line.
const SuiteFile = "suite.jsonl"

// maxLine bounds a line of the suite file, which may list a thousand inputs.
const maxLine = 48 << 10

// A suiteLine is one line of the suite file (suite.schema.json).
type suiteLine struct {
	File    string            `json:"file"`
	Oracle  trial.OracleClass `json:"oracle"`
	Refused string            `json:"refused"`
	Inputs  []string          `json:"inputs"` // files that the harness is given, or that lie where the driver runs
	Args    []string          `json:"args"`   // of the driver's main
}

// An intake takes finished programs out of a command's output directory. The command may be at
// work in there, and is not trusted: links are not followed, pipes are not waited for.
type intake struct {
	dir    string
	oracle trial.OracleClass
	suite  trial.SuiteWriter
	closed func() bool // the budget has no room for programs: what is listed now is counted, and not looked at

	mu      sync.Mutex // of all below
	offset  int64
	rest    []byte // of a line that is not finished
	line    int
	seen    map[string]int // line by what it lists
	written bool           // the command writes a suite file
	listed  int            // programs, those beyond the budget included
}

// A suiteError is what a command left that breaks the contract.
func suiteError(format string, args ...any) error {
	return &trial.IncompleteError{Kind: KindSuite, Message: fmt.Sprintf(format, args...)}
}

// poll takes what was listed since the last time. final says that nobody writes any more.
func (in *intake) poll(final bool) error {
	in.mu.Lock()
	defer in.mu.Unlock()
	file, err := bounded.OpenIn(in.dir, SuiteFile, 0)
	if errors.Is(err, fs.ErrNotExist) && !in.written {
		if final {
			return in.directory()
		}
		return nil
	}
	if err != nil {
		return suiteError("%s: %v", SuiteFile, cause(err))
	}
	defer file.Close()
	in.written = true
	for more := true; more; {
		if more, err = in.read(file); err != nil {
			return err
		}
	}
	if final && len(bytes.TrimSpace(in.rest)) > 0 {
		return in.take(in.rest)
	}
	return nil
}

// read takes the lines of the next part of the suite file, and reports whether there was one.
func (in *intake) read(file *os.File) (more bool, err error) {
	info, err := file.Stat()
	if err != nil {
		return false, err
	}
	if info.Size() < in.offset {
		return false, suiteError("%s became shorter: lines are only ever appended", SuiteFile)
	}
	fresh, err := io.ReadAll(io.NewSectionReader(file, in.offset, min(info.Size()-in.offset, 1<<20)))
	if err != nil || len(fresh) == 0 {
		return false, err
	}
	in.offset += int64(len(fresh))
	text := slices.Concat(in.rest, fresh)
	for {
		line, after, whole := bytes.Cut(text, []byte("\n"))
		if !whole {
			break
		}
		text = after
		if err := in.take(line); err != nil {
			return false, err
		}
	}
	if len(text) > maxLine {
		return false, suiteError("%s:%d: a line of more than %d bytes", SuiteFile, in.line+1, maxLine)
	}
	in.rest = bytes.Clone(text)
	return true, nil
}

// take adds the program of one line.
func (in *intake) take(line []byte) error {
	in.line++
	if len(bytes.TrimSpace(line)) == 0 {
		return nil
	}
	if in.closed() {
		in.listed++
		return nil
	}
	schema, err := suiteSchema()
	if err != nil {
		return err
	}
	var l suiteLine
	if err := conforms(schema, line); err != nil {
		if json.Unmarshal(line, &l) == nil && l.File != "" && languageOf(l.File) == "" {
			err = fmt.Errorf("%s is neither C nor C++ by its name: .c, .cc, .cpp or .cxx", l.File)
		}
		return suiteError("%s:%d: %v", SuiteFile, in.line, err)
	}
	if err := json.Unmarshal(line, &l); err != nil {
		return suiteError("%s:%d: %v", SuiteFile, in.line, err)
	}
	same := fmt.Sprintf("%q", []any{l.File, l.Inputs, l.Args})
	if first, twice := in.seen[same]; twice {
		return suiteError("%s:%d: %s is listed twice, first in line %d", SuiteFile, in.line, l.File, first)
	}
	in.seen[same] = in.line
	return in.add(l, fmt.Sprintf("%s:%d: ", SuiteFile, in.line))
}

// state returns how many programs were listed, and whether in a suite file.
func (in *intake) state() (listed int, written bool) {
	in.mu.Lock()
	defer in.mu.Unlock()
	return in.listed, in.written
}

// directory adds every program of a directory that has no suite file, in the order of their names.
func (in *intake) directory() error {
	files, err := Directory{Path: in.dir}.Files()
	if errors.Is(err, errNoTests) {
		return nil
	}
	if err != nil {
		return suiteError("%v", err)
	}
	for _, f := range files {
		if err := in.add(suiteLine{File: f}, ""); err != nil {
			return err
		}
	}
	return nil
}

// add gives a program to the suite, if the budget has room for it.
func (in *intake) add(l suiteLine, where string) error {
	in.listed++
	if in.closed() {
		return nil
	}
	p, err := l.program(func(name string) ([]byte, error) { return bounded.ReadFileIn(in.dir, name, maxSourceBytes) })
	if err != nil {
		return suiteError("%s%v", where, err)
	}
	if p.Oracle == "" {
		p.Oracle = in.oracle
	}
	if err := in.suite.Add(p); !errors.Is(err, trial.ErrBudget) { // its time may end just now
		return err
	}
	return nil
}

// cause leaves out the path, which is the sandbox's.
func cause(err error) error {
	var path *fs.PathError
	var refused *bounded.Error
	switch {
	case errors.As(err, &path):
		return path.Err
	case errors.As(err, &refused):
		return errors.New(refused.Problem)
	}
	return err
}

// measure refuses an output directory that holds more than it may.
func (b Bounds) measure(dir string) error {
	var bytes int64
	var files int
	return filepath.WalkDir(dir, func(_ string, d fs.DirEntry, err error) error {
		if err != nil {
			return nil // it is gone by now, or locked by the command
		}
		files++
		if info, err := d.Info(); err == nil {
			if s, ok := info.Sys().(*syscall.Stat_t); ok {
				bytes += s.Blocks * 512 // holes take no room
			}
		}
		if bytes > b.OutputBytes {
			return &trial.IncompleteError{Kind: KindFlooded, Message: fmt.Sprintf("the output directory holds more than %d MiB", b.OutputBytes>>20)}
		}
		if files > b.OutputFiles {
			return &trial.IncompleteError{Kind: KindFlooded, Message: fmt.Sprintf("the output directory holds more than %d files", b.OutputFiles)}
		}
		return nil
	})
}
