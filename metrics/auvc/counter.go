package auvc

import (
	"context"
	"fmt"
	"slices"

	results "github.com/lisa-bench/lisa-bench/internal/store"
	"github.com/lisa-bench/lisa-bench/internal/toolchain"
)

// A Result is what is known of one program.
type Result struct {
	Compiles bool `json:"compiles"`
	// Unreadable: it compiles, but is too large or too deep to be read; nothing is counted.
	Unreadable bool         `json:"unreadable,omitempty"`
	Count      Count        `json:"count"`
	Verdicts   []Assessment `json:"-"` // none of a result that was kept
}

// A Counter counts the unique verifications of programs.
type Counter struct {
	Compiler *toolchain.Compiler
	Store    *results.Store // of results, by program; nil: none are kept
	// Includes returns the hash of what a source can include from directories whose paths are not made
	// from their content; nil if there are none.
	Includes func(source string) string
}

// rules is the version of how assertions are read and compared: counts kept under another one
// are not used.
const rules = 13

// keyOf names a unit's result. It is made of all that it depends on but the content of the include
// directories, whose paths must therefore be made from their content, unless c.Includes knows of it.
func (c *Counter) keyOf(flags toolchain.Flags, u toolchain.Unit) string {
	parts := []any{"verifications", rules, flags, u.Lang, u.Source}
	if c.Includes != nil {
		parts = append(parts, c.Includes(u.Source))
	}
	return results.Key(parts...)
}

// Count counts for units that are compiled with flags; result i belongs to units[i]. dir is
// for its use and must hold nothing that a program could include. The error is for what is no
// program's fault.
func (c *Counter) Count(ctx context.Context, dir string, flags toolchain.Flags, units []toolchain.Unit) ([]Result, error) {
	results := make([]Result, len(units))
	var missing []int
	for i, u := range units {
		known, err := c.Store.Get(c.keyOf(flags, u), &results[i])
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
			if results[i], err = count(compiled[k]); err != nil {
				return nil, err
			}
			compiled[k] = toolchain.Compiled{} // which holds the program
			if results[i].Compiles {
				if err := c.Store.Put(c.keyOf(flags, units[i]), results[i]); err != nil {
					return nil, err
				}
			}
			if ctx.Err() != nil {
				return nil, context.Cause(ctx)
			}
		}
	}
	return results, nil
}

// count counts for one program.
func count(read toolchain.Compiled) (r Result, err error) {
	if !read.OK {
		return r, nil
	}
	p, err := read.Program()
	if r.Compiles = err == nil; err != nil {
		return r, err
	}
	if r.Unreadable = p == nil || p.Unreadable; !r.Unreadable {
		all, truncated := assertionsOf(p)
		r.Count, r.Verdicts = judge(all)
		r.Count.Truncated = truncated
	}
	return r, nil
}
