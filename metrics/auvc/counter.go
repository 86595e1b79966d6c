package auvc

import (
	"context"
	"fmt"
	"slices"

	"github.com/lisa-bench/lisa-bench/internal/store"
	"github.com/lisa-bench/lisa-bench/internal/toolchain"
	"github.com/lisa-bench/lisa-bench/internal/trial"
)

// A Counter counts the unique verifications of programs.
type Counter struct {
	Compiler *toolchain.Compiler
	Store    *store.Store // of results, by program; nil: none are kept
	// Included is the hash of what sources can include from directories whose paths are not made from their content.
	Included string
}

// A result is what is known of one program.
type result struct {
	Compiles bool                `json:"compiles"`
	Count    trial.Verifications `json:"count"`
	verdicts []assessment        // none of a result that was kept
}

// rules is the version of how assertions are read and compared: counts kept under another one
// are not used.
const rules = 14

// Count sums up what units verify that are compiled with flags. dir is for its use and must hold nothing that a program
// could include. The error is for what is no program's fault. A program that does not compile, or is too large or too
// deep to be read, is Unreadable and counts nothing.
func (c *Counter) Count(ctx context.Context, dir string, flags toolchain.Flags, units []toolchain.Unit) (sum trial.Verifications, err error) {
	results, err := c.count(ctx, dir, flags, units)
	for _, r := range results {
		if !r.Compiles {
			sum.Unreadable++
		}
		sum.Unique += r.Count.Unique
		sum.Assertions += r.Count.Assertions
		sum.Repeated += r.Count.Repeated
		sum.Tautologies += r.Count.Tautologies
		sum.Contradictions += r.Count.Contradictions
		sum.Translated += r.Count.Translated
		sum.Structural += r.Count.Structural
		sum.GivenUp += r.Count.GivenUp
		sum.Truncated += r.Count.Truncated
		sum.Unreadable += r.Count.Unreadable
	}
	return sum, err
}

// count counts for each unit; result i belongs to units[i].
func (c *Counter) count(ctx context.Context, dir string, flags toolchain.Flags, units []toolchain.Unit) ([]result, error) {
	results, keys := make([]result, len(units)), make([]string, len(units))
	var missing []int
	for i, u := range units {
		keys[i] = store.Key("verifications", rules, flags, u.Lang, u.Source, c.Included)
		known, err := c.Store.Get(keys[i], &results[i])
		if err != nil {
			return nil, err
		}
		if !known {
			missing = append(missing, i)
		}
	}
	const atOnce = 100 // programs that are read at a time
	for part := range slices.Chunk(missing, atOnce) {
		var some []toolchain.Unit
		for _, i := range part {
			some = append(some, units[i])
		}
		compiled, err := c.Compiler.Read(ctx, dir, flags, some)
		if err != nil {
			return nil, fmt.Errorf("read the assertions of %d programs: %w", len(part), err)
		}
		for k, i := range part {
			if results[i].Compiles = compiled[k].OK; !compiled[k].OK {
				continue
			}
			p, err := compiled[k].Program()
			if err != nil {
				return nil, err
			}
			compiled[k] = toolchain.Compiled{} // which holds the program
			if p == nil || p.Unreadable {
				results[i].Count.Unreadable = 1
			} else {
				results[i].Count, results[i].verdicts = assess(p)
			}
			if err := c.Store.Put(keys[i], results[i]); err != nil {
				return nil, err
			}
			if ctx.Err() != nil {
				return nil, context.Cause(ctx)
			}
		}
	}
	return results, nil
}
