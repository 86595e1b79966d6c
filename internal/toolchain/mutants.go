package toolchain

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
)

// MutantsVersion changes with the mutants that ListMutants lists of the same source.
var MutantsVersion = digest(nativeSource("mutants.cc"))[:16]

// A Mutant is a piece of a source file and what takes its place.
type Mutant struct {
	File     string `json:"file"`  // absolute
	Begin    int    `json:"begin"` // byte offsets in the file
	End      int    `json:"end"`
	Line     int    `json:"line"`     // of Begin, 1-based
	Last     int    `json:"last"`     // line of End
	Function string `json:"function"` // its qualified name
	Operator string `json:"operator"`
	Form     string `json:"form"`     // what stands there: value, truth, effect or jump (native/mutants.cc)
	Original string `json:"original"` // on one line, without comments
	Mutated  string `json:"mutated"`
}

// MutantLister lists the mutants of translation units by their syntax trees.
type MutantLister struct {
	plugin string
	log    *CommandLog
}

// NewMutantLister keeps clang's plugin in dir, as NewCompiler. log may be nil.
func (t *Tools) NewMutantLister(ctx context.Context, dir string, log *CommandLog) (*MutantLister, error) {
	plugin, err := t.buildPlugin(ctx, dir, log)
	return &MutantLister{plugin: plugin, log: log}, err
}

// List returns the mutants of what one compile command reads except for system headers, in the order of the
// syntax tree. The arguments args are the command with its input and without output options, and dir is its
// working directory.
func (l *MutantLister) List(ctx context.Context, dir string, args []string) ([]Mutant, error) {
	work, err := os.MkdirTemp("", "lisa-bench-mutants-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(work)
	out := filepath.Join(work, "mutants.jsonl")
	full := slices.Concat(args[:1], []string{"-fsyntax-only", "-w", "-fplugin=" + l.plugin, "-fplugin-arg-" + pluginName + "-mutants=" + out}, args[1:])
	full = slices.DeleteFunc(full, func(a string) bool { return a == "-c" })
	if _, err := Run(ctx, Command{Args: full, Dir: dir, Log: l.log}); err != nil {
		return nil, err
	}
	file, err := os.Open(out)
	if err != nil {
		return nil, fmt.Errorf("clang's plugin left no mutants: %w", err)
	}
	defer file.Close()
	var found []Mutant
	for list := json.NewDecoder(file); ; {
		var m Mutant
		if err := list.Decode(&m); errors.Is(err, io.EOF) {
			return found, nil
		} else if err != nil {
			return nil, fmt.Errorf("clang's plugin wrote no mutants: %w", err)
		}
		found = append(found, m)
	}
}
