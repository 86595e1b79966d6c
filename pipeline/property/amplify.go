package property

import (
	"context"
	"slices"
)

// Amplification: cases of one run, and programs that run together.
const (
	amplifiedScale = 4
	amplifiedGroup = 8
)

// runOn runs the kept programs with other seeds, a few at a time, until the budget ends.
func (p *policy) runOn(ctx context.Context) error {
	for n := range p.options.Seeds {
		for group := range slices.Chunk(p.kept, amplifiedGroup) {
			if p.job.Ledger.Closed() != "" {
				return nil
			}
			runs := make([]*version, len(group))
			for i, k := range group {
				s := k.version.setting
				s.seed, s.scale = n+2, amplifiedScale
				runs[i] = &version{id: k.id, source: k.version.source, setting: s}
			}
			if err := p.checker.run(ctx, runs, amplifiedWays); err != nil {
				return err
			}
			if err := p.checker.isolate(ctx, runs); err != nil {
				return err
			}
			if err := p.amplify(runs, group); err != nil {
				return err
			}
		}
	}
	return p.keeper.Shorten(ctx)
}
