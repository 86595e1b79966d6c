package libbuild

import (
	"context"
	"fmt"
	"slices"
)

// Sources returns what a build compiles: the directory in which the recipe has generated
// its files, and the paths of the sources in it, sorted.
func (b *Builder) Sources(ctx context.Context, r Request) (dir string, files []string, err error) {
	recipe := r.Library.RecipeFor(r.Edition)
	dir, err = b.prepare(ctx, r, recipe, nil)
	if err == nil {
		files, err = sources(dir, recipe)
	}
	if err != nil {
		return "", nil, fmt.Errorf("library %s: %w", r.Library.Name, err)
	}
	return dir, files, nil
}

// A Compilation is how one source file of a library is compiled.
type Compilation struct {
	File string   // relative to the directory that the command runs in
	Args []string // the command with its input, without output options
}

// Compilations returns the compile commands of a build and the directory in which they run,
// where the recipe has generated its files.
func (b *Builder) Compilations(ctx context.Context, r Request) (dir string, all []Compilation, err error) {
	recipe := r.Library.RecipeFor(r.Edition)
	dir, files, err := b.Sources(ctx, r)
	if err != nil {
		return "", nil, err
	}
	for _, file := range files {
		all = append(all, Compilation{File: file, Args: append(slices.Clone(b.compileArgs(r.Variant, recipe, file)), file)})
	}
	return dir, all, nil
}
