package auvc

import (
	"bytes"
	"context"
	"fmt"
	"slices"

	"github.com/lisa-bench/lisa-bench/internal/smt"
	"github.com/lisa-bench/lisa-bench/internal/toolchain"
	"github.com/lisa-bench/lisa-bench/internal/trial"
)

// A Result is what is known of one program.
type Result struct {
	Compiles bool      `json:"compiles"`
	Count    Count     `json:"count"`
	Verdicts []Verdict `json:"verdicts"`
}

// A Counter counts the unique verifications of programs.
type Counter struct {
	Compiler *toolchain.Compiler
	Z3       toolchain.Tool
	Limits   smt.Limits
	Cache    string // directory of results by program, for include directories that never change; "" for none
}

// Count counts for units that are compiled with flags; result i belongs to units[i]. dir is
// for its use and must hold nothing that a program could include. A z3 that is missing is a
// *toolchain.MissingError. The error is for what is no program's fault.
func (c *Counter) Count(ctx context.Context, dir string, flags toolchain.Flags, units []toolchain.Unit) ([]Result, error) {
	solver, err := smt.New(c.Z3, c.Limits)
	if err != nil {
		return nil, err
	}
	defer solver.Close()
	results := make([]Result, len(units))
	first := map[string]int{} // index of the first unit with a key
	var missing []int
	for i, u := range units {
		key := c.keyOf(flags, u)
		if _, twice := first[key]; twice {
			continue
		}
		first[key] = i
		known := false
		if results[i], known, err = c.recall(key); err != nil {
			return nil, err
		}
		if !known {
			missing = append(missing, i)
		}
	}
	for part := range slices.Chunk(missing, chunk) {
		if err := c.countChunk(ctx, solver, dir, flags, units, part, results); err != nil {
			return nil, err
		}
	}
	for i, u := range units {
		results[i] = results[first[c.keyOf(flags, u)]]
	}
	return results, nil
}

// chunk is how many syntax trees are held in memory at a time.
const chunk = 100

func (c *Counter) countChunk(ctx context.Context, solver Checker, dir string, flags toolchain.Flags, units []toolchain.Unit, part []int, results []Result) error {
	picked := make([]toolchain.Unit, len(part))
	for k, i := range part {
		picked[k] = units[i]
	}
	trees, err := c.Compiler.DumpUnits(ctx, dir, flags, picked)
	if err != nil {
		return fmt.Errorf("read the assertions of %d programs: %w", len(part), err)
	}
	for k, i := range part {
		if !trees[k].OK {
			continue
		}
		if results[i], err = count(ctx, solver, trees[k], units[i]); err == nil {
			err = c.keep(c.keyOf(flags, units[i]), results[i])
		}
		if err != nil {
			return fmt.Errorf("count the verifications of program %s: %w", units[i].ID, err)
		}
	}
	return nil
}

func count(ctx context.Context, solver Checker, tree toolchain.AST, u toolchain.Unit) (Result, error) {
	own := func(file string) bool {
		return u.MainFile(file) || file == "<scratch space>" || tree.Preamble != "" && file == tree.Preamble
	}
	p, err := readProgram(bytes.NewReader(tree.JSON), own, u.Lang == trial.CXX)
	if err != nil {
		return Result{}, fmt.Errorf("read its syntax tree: %w", err)
	}
	j := &judge{solver: solver}
	all := j.assertions(p)
	r := Result{Compiles: true}
	if r.Verdicts, err = j.judge(ctx, all); err != nil {
		return Result{}, err
	}
	r.Count = j.count
	return r, nil
}

// assertions reads those of all tests of a program, each from a state of its own.
func (j *judge) assertions(p *program) []assertion {
	var all []assertion
	var n serial
	for _, f := range p.tests() {
		w := newWalker(p, &n)
		w.test(f)
		all = append(all, w.assertions...)
		j.count.Truncated = j.count.Truncated || w.truncated
		if len(all) > maxAssertions {
			all, j.count.Truncated = all[:maxAssertions], true
		}
	}
	return all
}
