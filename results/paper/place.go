package paper

import "slices"

// Places reports whether a table of the paper has a place for a tool's variant: on lisa, for instance,
// for no_inv_repair, and for no_repair on lisa-api only.
func (p *Paper) Places(tool, variant string) bool {
	for _, t := range p.Tables {
		for _, c := range t.Columns {
			if c.Tool != tool {
				continue
			}
			for _, row := range t.Rows {
				if _, names := t.variants(c, row); slices.Contains(names, variant) {
					return true
				}
			}
		}
	}
	return false
}
