package exttool

import (
	"bufio"
	"bytes"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"strings"
	"sync"
	"syscall"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"golang.org/x/text/language"
	"golang.org/x/text/message"

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
	closed func() bool // the budget has no room for programs: what is listed now is not looked at

	mu      sync.Mutex     // of all below
	offset  int64          // of the first line that is not taken
	line    int            // taken so far
	seen    map[string]int // line by what it lists
	written bool           // the command writes a suite file
	listed  int            // programs
}

// suiteError is what a command left that breaks the contract.
func suiteError(format string, args ...any) error {
	return &trial.IncompleteError{Kind: KindSuite, Message: fmt.Sprintf(format, args...)}
}

// poll takes what was listed since the last time. final says that nobody writes any more.
func (in *intake) poll(final bool) error {
	in.mu.Lock()
	defer in.mu.Unlock()
	file, err := bounded.OpenIn(in.dir, SuiteFile, 0)
	switch {
	case errors.Is(err, fs.ErrNotExist) && !in.written:
		if !final {
			return nil
		}
		files, err := Directory{Path: in.dir, Every: true}.Files() // every program counts, in the order of their names
		if err != nil && !errors.Is(err, errNoTests) {
			return suiteError("%v", err)
		}
		for i := 0; i < len(files) && err == nil && !in.closed(); i++ {
			err = in.add(suiteLine{File: files[i]}, "")
		}
		if errors.Is(err, errNoTests) {
			return nil
		}
		return err
	case err != nil:
		return suiteError("%s: %v", SuiteFile, cause(err))
	}
	defer file.Close()
	in.written = true
	info, err := file.Stat()
	if err != nil {
		return err
	}
	if info.Size() < in.offset {
		return suiteError("%s became shorter: lines are only ever appended", SuiteFile)
	}
	lines := bufio.NewReaderSize(io.NewSectionReader(file, in.offset, info.Size()-in.offset), maxLine)
	for {
		line, err := lines.ReadSlice('\n')
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			return suiteError("%s:%d: a line of more than %d bytes", SuiteFile, in.line+1, maxLine)
		case err != nil && !errors.Is(err, io.EOF):
			return err
		case err != nil && !final: // it is not finished
			return nil
		}
		in.offset += int64(len(line))
		if refused := in.take(line); refused != nil || err != nil {
			return refused
		}
	}
}

//go:embed suite.schema.json
var suiteSchemaText []byte

// suiteSchema is that of a line. It is one of the contract's two forms; what a command is given is
// manifest.schema.json.
var suiteSchema = sync.OnceValues(func() (*jsonschema.Schema, error) { return compileSchema(suiteSchemaText) })

func compileSchema(text []byte) (*jsonschema.Schema, error) {
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		return nil, err
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("schema.json", doc); err != nil {
		return nil, err
	}
	return c.Compile("schema.json")
}

// conforms checks a JSON text against a schema. The error is one line.
func conforms(schema *jsonschema.Schema, text []byte) error {
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		return fmt.Errorf("not JSON: %w", err)
	}
	err = schema.Validate(value)
	var invalid *jsonschema.ValidationError
	if !errors.As(err, &invalid) {
		return err
	}
	for len(invalid.Causes) > 0 {
		invalid = invalid.Causes[0]
	}
	words := invalid.ErrorKind.LocalizedString(message.NewPrinter(language.English))
	if at := strings.Join(invalid.InstanceLocation, "."); at != "" {
		words = at + ": " + words
	}
	return errors.New(words)
}

// take adds the program of one line.
func (in *intake) take(line []byte) error {
	in.line++
	if len(bytes.TrimSpace(line)) == 0 || in.closed() {
		return nil
	}
	schema, err := suiteSchema()
	if err != nil {
		return err
	}
	where := fmt.Sprintf("%s:%d: ", SuiteFile, in.line)
	var l suiteLine
	invalid := conforms(schema, line)
	if err := json.Unmarshal(line, &l); err == nil && l.File != "" && languageOf(l.File) == "" {
		invalid = fmt.Errorf("%s is neither C nor C++ by its name: .c, .cc, .cpp or .cxx", l.File)
	}
	if invalid != nil {
		return suiteError("%s%v", where, invalid)
	}
	same := fmt.Sprintf("%q", []any{l.File, l.Inputs, l.Args})
	if first, twice := in.seen[same]; twice {
		return suiteError("%s%s is listed twice, first in line %d", where, l.File, first)
	}
	in.seen[same] = in.line
	return in.add(l, where)
}

// add gives a program to the suite, if the budget has room for it.
func (in *intake) add(l suiteLine, where string) error {
	in.listed++
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
	_ = filepath.WalkDir(dir, func(_ string, d fs.DirEntry, err error) error {
		if err != nil {
			return nil // it is gone by now, or locked by the command
		}
		files++
		if info, err := d.Info(); err == nil {
			if s, ok := info.Sys().(*syscall.Stat_t); ok {
				bytes += s.Blocks * 512 // holes take no room
			}
		}
		return nil
	})
	words := ""
	switch {
	case bytes > b.OutputBytes:
		words = fmt.Sprintf("%d MiB", b.OutputBytes>>20)
	case files > b.OutputFiles:
		words = fmt.Sprintf("%d files", b.OutputFiles)
	default:
		return nil
	}
	return &trial.IncompleteError{Kind: KindFlooded, Message: "the output directory holds more than " + words}
}
