package libbuild

import (
	"context"
	"fmt"
	"io"

	"github.com/lisa-bench/lisa-bench/internal/build/toolchain"
)

// Sources returns what a build compiles: the directory in which the recipe has generated
// its files, and the paths of the sources in it, sorted.
func (b *Builder) Sources(ctx context.Context, r Request) (dir string, files []string, err error) {
	recipe := r.Library.RecipeFor(r.Edition)
	dir, err = b.prepare(ctx, r, recipe, toolchain.NewCommandLog(io.Discard))
	if err == nil {
		files, err = sources(dir, recipe)
	}
	if err != nil {
		return "", nil, fmt.Errorf("library %s: %w", r.Library.Name, err)
	}
	return dir, files, nil
}
