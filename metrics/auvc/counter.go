package auvc

import (
	"context"
	"fmt"
	"slices"

	"github.com/lisa-bench/lisa-bench/internal/build/toolchain"
	results "github.com/lisa-bench/lisa-bench/internal/store"
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
const rules = 8

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
	first := map[string]int{} // index of the first unit with a key
	var missing []int
	for i, u := range units {
		key := c.keyOf(flags, u)
		if _, twice := first[key]; twice {
			continue
		}
		first[key] = i
		known, err := c.Store.Get(key, &results[i])
		if err != nil {
			return nil, err
		}
		if !known {
			missing = append(missing, i)
		}
	}
	for part := range slices.Chunk(missing, chunk) {
		if err := c.countChunk(ctx, dir, flags, units, part, results); err != nil {
			return nil, err
		}
	}
	for i, u := range units {
		results[i] = results[first[c.keyOf(flags, u)]]
	}
	return results, nil
}

// chunk is how many programs are read at a time.
const chunk = 100

func (c *Counter) countChunk(ctx context.Context, dir string, flags toolchain.Flags, units []toolchain.Unit, part []int, results []Result) error {
	picked := make([]toolchain.Unit, len(part))
	for k, i := range part {
		picked[k] = units[i]
	}
	compiled, err := c.Compiler.Read(ctx, dir, flags, picked)
	if err != nil {
		return fmt.Errorf("read the assertions of %d programs: %w", len(part), err)
	}
	for k, i := range part {
		if !compiled[k].OK {
			continue
		}
		r := &results[i]
		r.Compiles = true
		p, err := compiled[k].Program()
		if err != nil {
			return err
		}
		compiled[k] = toolchain.Compiled{} // which holds the program
		if r.Unreadable = p == nil || p.Unreadable; !r.Unreadable {
			t, all, truncated := assertionsOf(p)
			r.Count, r.Verdicts = t.judge(all)
			r.Count.Truncated = truncated
		}
		if err := c.Store.Put(c.keyOf(flags, units[i]), *r); err != nil {
			return err
		}
		if err := ctx.Err(); err != nil {
			return context.Cause(ctx)
		}
	}
	return nil
}
