package libbuild

import (
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"golang.org/x/sync/errgroup"

	"github.com/lisa-bench/lisa-bench/bench/lisabench"
	"github.com/lisa-bench/lisa-bench/internal/durable"
	"github.com/lisa-bench/lisa-bench/internal/toolchain"
)

// objects compiles the recipe's sources in parallel, or takes them from the object cache.
// It returns them in the order of the sources.
func (b *Builder) objects(ctx context.Context, v Variant, recipe lisabench.Recipe, tree string, log *toolchain.CommandLog) ([]object, error) {
	files, headers, err := inputs(tree, recipe)
	if err != nil {
		return nil, err
	}
	list := make([]object, len(files))
	return list, b.parallel(ctx, len(files), func(ctx context.Context, i int) error {
		list[i] = object{tree: tree, file: files[i], args: b.compileArgs(v, recipe, files[i]), headers: headers}
		return b.object(ctx, &list[i], log)
	})
}

// inputs returns the recipe's sources in a tree, and the names of all headers there.
func inputs(tree string, recipe lisabench.Recipe) (files, headers []string, err error) {
	if files, err = sources(tree, recipe); err != nil {
		return nil, nil, err
	}
	headers, err = headerNames(tree)
	return files, headers, err
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

// compileArgs is the command for one source file, without input, output and dependency
// options.
func (b *Builder) compileArgs(v Variant, recipe lisabench.Recipe, file string) []string {
	clang := b.tools.Clang.Path
	if isCXX(file) {
		clang = b.tools.ClangXX.Path
	}
	args := append([]string{clang, "-c"}, v.compileFlags()...)
	args = append(args, recipe.CFlags...)
	for _, d := range recipe.Defines {
		args = append(args, "-D"+d)
	}
	for _, i := range recipe.Includes {
		args = append(args, "-I"+i)
	}
	return args
}

// An object is one source file to compile, and what became of it.
type object struct {
	tree, file string // file is relative to tree, which is also the working directory
	args       []string
	headers    []string // names of all headers in the tree: a new one can shadow another

	path  string       // of the object file in the cache
	deps  []dependency // what was read for it
	fresh bool         // it was compiled now
}

// A dependency is a file that a compilation read.
type dependency struct {
	File   string `json:"file"` // relative to the tree, or absolute for a system header
	SHA256 string `json:"sha256"`
}

// A cached object lists what its compilation read. An entry is valid while all of it is unchanged.
type cachedObject struct {
	Object string       `json:"object"` // file name in the cache
	SHA256 string       `json:"sha256"` // of the object
	Deps   []dependency `json:"deps"`
}

// object finds o's object file in the cache, or compiles it.
// The cache works as ccache's direct mode does. A first key of command and source leads to
// a list of objects, each with the hashes of the headers that it was compiled from.
func (b *Builder) object(ctx context.Context, o *object, log *toolchain.CommandLog) error {
	sum, err := durable.FileSum(filepath.Join(o.tree, o.file))
	if err != nil {
		return err
	}
	key := hashOf(schema, b.tools.Clang.Version, o.args, o.file, sum, o.headers)
	defer b.lock("object " + key)()
	dir := filepath.Join(b.cache, "objects", key[:2])
	index := filepath.Join(dir, key+".json")
	known := readIndex(index)
	for _, c := range known {
		path := filepath.Join(dir, c.Object)
		if sum, err := durable.FileSum(path); err == nil && sum == c.SHA256 && upToDate(o.tree, c.Deps) {
			o.path, o.deps = path, c.Deps
			return nil
		}
	}
	c, err := b.compileObject(ctx, *o, key, dir, log)
	if err != nil {
		return err
	}
	o.path, o.deps, o.fresh = filepath.Join(dir, c.Object), c.Deps, true
	known = slices.DeleteFunc(known, func(k cachedObject) bool { return k.Object == c.Object })
	return writeJSON(index, append(known, c))
}

// compileObject compiles o into dir under a name that tells its content's key.
func (b *Builder) compileObject(ctx context.Context, o object, key, dir string, log *toolchain.CommandLog) (cachedObject, error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return cachedObject{}, err
	}
	tmp, err := os.MkdirTemp(dir, durable.TempPrefix)
	if err != nil {
		return cachedObject{}, err
	}
	defer os.RemoveAll(tmp)
	out, depfile := filepath.Join(tmp, "o.o"), filepath.Join(tmp, "o.d")
	args := append(slices.Clone(o.args), "-MD", "-MF", depfile, "-o", out, o.file)
	if _, err := toolchain.Run(ctx, toolchain.Command{Args: args, Dir: o.tree, Log: log}); err != nil {
		return cachedObject{}, fmt.Errorf("compile %s: %w", o.file, err)
	}
	data, err := os.ReadFile(depfile)
	if err != nil {
		return cachedObject{}, err
	}
	c := cachedObject{}
	for _, f := range toolchain.ParseDepfile(string(data)) {
		sum, err := durable.FileSum(inTree(o.tree, f))
		if err != nil {
			return cachedObject{}, err
		}
		c.Deps = append(c.Deps, dependency{File: f, SHA256: sum})
	}
	c.Object = hashOf(key, c.Deps)[:32] + ".o"
	if c.SHA256, err = durable.FileSum(out); err != nil {
		return cachedObject{}, err
	}
	return c, durable.Settle(out, filepath.Join(dir, c.Object))
}

func upToDate(tree string, deps []dependency) bool {
	for _, d := range deps {
		if sum, err := durable.FileSum(inTree(tree, d.File)); err != nil || sum != d.SHA256 {
			return false
		}
	}
	return true
}

func inTree(tree, file string) string {
	if filepath.IsAbs(file) {
		return file
	}
	return filepath.Join(tree, file)
}

// readIndex returns the cached objects of an index; a missing or damaged one is an empty one.
func readIndex(path string) []cachedObject {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil
	}
	var known []cachedObject
	if json.Unmarshal(data, &known) != nil {
		return nil
	}
	return known
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
