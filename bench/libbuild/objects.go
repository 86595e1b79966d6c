package libbuild

import (
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"

	"github.com/lisa-bench/lisa-bench/bench/lisabench"
	"github.com/lisa-bench/lisa-bench/internal/durable"
	"github.com/lisa-bench/lisa-bench/internal/toolchain"
)

// An object is one source file and what it is compiled to.
type object struct {
	file string   // relative to the tree, which is also the working directory
	args []string // the command without its input and output
	path string   // of the object file
}

// objects compiles the recipe's sources in a tree to files in dir, in parallel, and returns them in the order of the
// sources. ccache has what was compiled before, so that a buggy tree compiles only what its change touches.
func (b *Builder) objects(
	ctx context.Context, v Variant, recipe lisabench.Recipe, tree, dir string, log *toolchain.CommandLog,
) ([]object, error) {
	files, err := sources(tree, recipe)
	if err != nil {
		return nil, err
	}
	names, err := headerNames(tree)
	if err != nil {
		return nil, err
	}
	headers := filepath.Join(dir, "headers.txt") // a new header can shadow another, which ccache does not see by itself
	if err := os.WriteFile(headers, []byte(strings.Join(names, "\n")), 0o666); err != nil {
		return nil, err
	}
	env := append(toolchain.TempIn(dir), "CCACHE_DIR="+filepath.Join(b.cache, "objects"), "CCACHE_NOHASHDIR=1", "CCACHE_EXTRAFILES="+headers)
	list := make([]object, len(files))
	return list, b.parallel(ctx, len(files), func(ctx context.Context, i int) error {
		o := object{file: files[i], args: b.compileArgs(v, recipe, files[i]), path: filepath.Join(dir, fmt.Sprintf("%d.o", i))}
		list[i] = o
		args := slices.Concat([]string{b.tools.Ccache.Path}, o.args, []string{"-o", o.path, o.file})
		if _, err := toolchain.Run(ctx, toolchain.Command{Args: args, Dir: tree, Env: env, Log: log}); err != nil {
			return fmt.Errorf("compile %s: %w", o.file, err)
		}
		return nil
	})
}

// parallel compiles the first n of something, as many at a time as compilers may run.
func (b *Builder) parallel(ctx context.Context, n int, compile func(ctx context.Context, i int) error) error {
	g, ctx := errgroup.WithContext(ctx)
	for i := range n {
		g.Go(func() error {
			select {
			case b.compile <- struct{}{}:
				defer func() { <-b.compile }()
			case <-ctx.Done():
				return context.Cause(ctx)
			}
			return compile(ctx, i)
		})
	}
	return g.Wait()
}

// compileArgs is the command for one source file, without input and output.
func (b *Builder) compileArgs(v Variant, recipe lisabench.Recipe, file string) []string {
	args := append([]string{b.compilerFor(file), "-c"}, v.compileFlags()...)
	args = append(args, recipe.CFlags...)
	for _, d := range recipe.Defines {
		args = append(args, "-D"+d)
	}
	for _, i := range recipe.Includes {
		args = append(args, "-I"+i)
	}
	return args
}

// headerNames returns the sorted paths of all headers in the tree.
func headerNames(tree string) ([]string, error) {
	var names []string
	err := filepath.WalkDir(tree, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if !d.IsDir() && slices.Contains([]string{".h", ".hh", ".hpp", ".inc"}, filepath.Ext(path)) {
			rel, err := filepath.Rel(tree, path)
			if err != nil {
				return err
			}
			names = append(names, rel)
		}
		return nil
	})
	return names, err
}

// writeJSON replaces path, so that a reader never sees half of it.
func writeJSON(path string, v any) error {
	data, err := json.Marshal(v)
	if err != nil {
		return err
	}
	return durable.WriteFile(path, data)
}
