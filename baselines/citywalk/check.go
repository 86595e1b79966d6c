package citywalk

import (
	"context"

	"github.com/lisa-bench/lisa-bench/internal/llm"
	"github.com/lisa-bench/lisa-bench/internal/trial"
)

// The post-processing passes, after what the model wrote: two of rules, which are the checker's,
// and one more round of the model.
const (
	passNone = iota
	passSyntax
	passErrors
	passModel
)

var passNames = [...]string{"model", "syntax rules", "compile-error rules", "model round"}

// A checker compiles and runs test files, and mends new ones by the rules of the first two passes.
type checker struct {
	*workbook
	exec trial.Executor
}

// Check sets outcomes and diagnostics.
func (c *checker) Check(ctx context.Context, items []*item) error {
	if items[0].Repairs > 0 {
		return c.try(ctx, items, passModel)
	}
	if err := c.try(ctx, items, passNone); err != nil {
		return err
	}
	for _, it := range items {
		it.First = it.Outcome
	}
	if !c.options.Fixing {
		return nil
	}
	if err := c.syntaxPass(ctx, items); err != nil {
		return err
	}
	return c.rulePass(ctx, items)
}

// syntaxPass is the first pass. It never makes a file that compiles one that does not.
func (c *checker) syntaxPass(ctx context.Context, items []*item) error {
	var changed []*item
	var before []item
	for _, it := range items {
		if source := c.syntaxRules(it.Data.focal, it.Source); source != it.Source {
			changed, before = append(changed, it), append(before, *it)
			it.Source = source
		}
	}
	if err := c.try(ctx, changed, passSyntax); err != nil {
		return err
	}
	for i, it := range changed {
		if before[i].Outcome.Compiled() && !it.Outcome.Compiled() {
			*it = before[i]
		}
	}
	markPass(items, passSyntax)
	return nil
}

// rulePass is the second pass, on what does not compile.
func (c *checker) rulePass(ctx context.Context, items []*item) error {
	for range fixRounds {
		var changed []*item
		for _, it := range items {
			if it.Outcome.Compiled() {
				continue
			}
			if source := c.compileErrors(it.Source, it.Data.diagnostic); source != it.Source {
				it.Source = source
				changed = append(changed, it)
			}
		}
		if err := c.try(ctx, changed, passErrors); err != nil {
			return err
		}
	}
	markPass(items, passErrors)
	return nil
}

// markPass notes which files compile after a pass.
func markPass(items []*item, pass int) {
	for _, it := range items {
		it.Data.compiled[pass] = it.Outcome.Compiled()
	}
}

// try compiles and runs files in the sandbox. What becomes of one that runs is noted and nothing
// else: only errors of the compiler and the linker are mended.
func (c *checker) try(ctx context.Context, items []*item, pass int) error {
	if len(items) == 0 {
		return nil
	}
	programs := make([]trial.Program, len(items))
	for i, it := range items {
		programs[i] = trial.Program{ID: it.ID, Lang: c.target.Language, Source: c.program(it.Source)}
	}
	results, err := c.exec.Run(ctx, programs, trial.ExecOptions{})
	if err != nil {
		return err
	}
	for i, it := range items {
		it.Outcome, it.Data.diagnostic = results[i].Outcome, llm.Portable(results[i].Diagnostic)
	}
	markPass(items, pass)
	return nil
}
