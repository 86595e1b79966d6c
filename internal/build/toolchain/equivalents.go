package toolchain

import (
	"bufio"
	"bytes"
	"context"
	_ "embed" // the program's source
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// equivalentsSource is the source of the program that finds equal code.
//
//go:embed native/equivalents.cc
var equivalentsSource string

// EquivalentsVersion changes with what an EquivalenceFinder finds in the same code.
var EquivalentsVersion = digest(equivalentsSource, strconv.Itoa(functionCost))[:16]

// A Sameness is what the compiler makes of a mutant in one function.
type Sameness struct {
	Mutant int
	// As is the number of the mutant with the same code, 0 for the original; Mutant itself if
	// there is none.
	As int
	// Unknown says that the function is too large to try: As is not set.
	Unknown bool
}

// An EquivalenceFinder finds mutants of which the compiler makes the same code.
type EquivalenceFinder struct {
	program string
	log     *CommandLog
}

// NewEquivalenceFinder keeps its program in dir, which it makes; the first one for a machine takes
// 5 s. log may be nil.
func (t *Tools) NewEquivalenceFinder(ctx context.Context, dir string, log *CommandLog) (*EquivalenceFinder, error) {
	program, err := t.buildOnLLVM(ctx, dir, "equivalents", equivalentsSource, log)
	if err != nil {
		return nil, fmt.Errorf("build the program that finds equivalent mutants: %w", err)
	}
	return &EquivalenceFinder{program: program, log: log}, nil
}

// functionCost is the most instructions times mutants of one function that are compared: about
// two minutes.
const functionCost = 4_000_000

// Find compares the numbered mutants in a unit that has them as a schema (native/equivalents.cc). The arguments
// args are the unit's compile command with its input and without output options, and dir is its working
// directory. A mutant has an element for each function of the unit that it is in.
func (f *EquivalenceFinder) Find(ctx context.Context, dir string, args []string, mutants []int) ([]Sameness, error) {
	work, err := os.MkdirTemp("", "lisa-bench-equivalents-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(work)
	code := filepath.Join(work, "unit.bc")
	full := slices.Concat(args, []string{"-g0", "-emit-llvm", "-Xclang", "-disable-llvm-passes", "-o", code})
	if _, err := Run(ctx, Command{Args: full, Dir: dir, Log: f.log, Repeatable: true}); err != nil {
		return nil, err
	}
	var in strings.Builder
	for _, m := range mutants {
		fmt.Fprintln(&in, m)
	}
	var out bytes.Buffer
	if _, err := Run(ctx, Command{Args: []string{f.program, code, strconv.Itoa(functionCost)}, Stdin: strings.NewReader(in.String()), Stdout: &out, Log: f.log}); err != nil {
		return nil, err
	}
	var found []Sameness
	lines := bufio.NewScanner(&out)
	for lines.Scan() {
		number, as, _ := strings.Cut(lines.Text(), " ")
		s := Sameness{Unknown: as == "-"}
		s.Mutant, err = strconv.Atoi(number)
		if err == nil && !s.Unknown {
			s.As, err = strconv.Atoi(as)
		}
		if err != nil {
			return nil, fmt.Errorf("%s wrote %q: %w", f.program, lines.Text(), err)
		}
		found = append(found, s)
	}
	return found, lines.Err()
}
