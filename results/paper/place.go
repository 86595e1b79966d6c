package paper

import (
	"cmp"
	"slices"

	"github.com/lisa-bench/lisa-bench/internal/trial"
)

// Places reports whether a table of the paper has a place for a tool's variant: on lisa, for instance,
// for no_inv_repair, and for no_repair on lisa-api only.
func (p *Paper) Places(tool, variant string) bool {
	for _, t := range p.Tables {
		for _, c := range t.Columns {
			if c.Tool != tool {
				continue
			}
			keys := []string{cmp.Or(c.Variant, trial.DefaultVariant)}
			if c.From != "" {
				keys = nil
				for _, row := range t.Rows {
					keys = append(keys, row[t.Keys-1].Text)
				}
			}
			for _, key := range keys {
				names := t.Variants[key]
				if names == nil {
					names = []string{key}
				}
				if slices.Contains(names, variant) {
					return true
				}
			}
		}
	}
	return false
}
