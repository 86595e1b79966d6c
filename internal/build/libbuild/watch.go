package libbuild

import (
	"context"
	"debug/elf"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/lisa-bench/lisa-bench/bench/lisabench"
	"github.com/lisa-bench/lisa-bench/internal/build/source"
	"github.com/lisa-bench/lisa-bench/internal/build/toolchain"
	"github.com/lisa-bench/lisa-bench/internal/files/durable"
)

// A Watched is a changed version of a library's sources.
type Watched struct {
	Name string
	Tree source.Tree
}

// watchPrefix begins the symbols of the counters of versions; their number and that of the source follow.
const watchPrefix = "lisa_bench_watch."

// mostObjects is how many objects a version may change that is watched. One that changes more has another header:
// most often another layout of what they share, with which nothing is the same.
const mostObjects = 8

// watches are the counters of versions that go into a build.
type watches struct {
	dir     string            // has the objects, "" if there are none
	symbols map[string]string // to the versions' names
}

func (w watches) remove() { os.RemoveAll(w.dir) }

// watch compiles those of the objects that versions change with watches of these. A version is left out if it
// has other files, changes many objects, or has a difference that cannot be watched.
func (b *Builder) watch(ctx context.Context, r Request, recipe lisabench.Recipe, objects []object, log *toolchain.CommandLog) (w watches, err error) {
	if len(r.Watched) == 0 {
		return w, nil
	}
	watcher, err := b.tools.NewWatcher(ctx, filepath.Join(b.cache, "plugins"), log)
	if err != nil {
		return w, err
	}
	trees, err := b.watchable(ctx, r, recipe, objects, log)
	if err != nil {
		return w, err
	}
	if w.dir, err = os.MkdirTemp(b.cache, durable.TempPrefix+"watch-"); err != nil {
		return w, err
	}
	defer func() {
		if err != nil {
			w.remove()
		}
	}()
	w.symbols = map[string]string{}
	versions := make([][]toolchain.WatchedVersion, len(objects)) // those that change the object
	for k, tree := range trees {
		var differ []int
		for i, o := range objects {
			if tree != "" && !upToDate(tree, o.deps) {
				differ = append(differ, i)
			}
		}
		if len(differ) > mostObjects {
			continue
		}
		for _, i := range differ {
			v := toolchain.WatchedVersion{Dir: tree, Symbol: fmt.Sprint(watchPrefix, k, ".", i)}
			versions[i], w.symbols[v.Symbol] = append(versions[i], v), r.Watched[k].Name
		}
	}
	why := make([][]string, len(objects))
	err = b.parallel(ctx, len(objects), func(ctx context.Context, i int) (err error) {
		o := &objects[i]
		if len(versions[i]) == 0 {
			return nil
		}
		work := filepath.Join(w.dir, fmt.Sprint(i))
		if err := os.Mkdir(work, 0o755); err != nil {
			return err
		}
		out := filepath.Join(work, filepath.Base(o.path))
		why[i], err = watcher.Compile(ctx, o.tree, append(slices.Clone(o.args), o.file), versions[i], work, out)
		o.path, o.fresh = out, true
		return err
	})
	var not []string
	for i, list := range why {
		for n, reason := range list {
			if name := w.symbols[versions[i][n].Symbol]; reason != "" {
				b.log.Debug("not watched", "library", r.Library.Name, "version", name, "file", objects[i].file, "why", reason)
				not = append(not, name)
			}
		}
	}
	maps.DeleteFunc(w.symbols, func(_, name string) bool { return slices.Contains(not, name) })
	return w, err
}

// watchable prepares the versions' trees. A version whose files are others than the objects' gets "".
func (b *Builder) watchable(ctx context.Context, r Request, recipe lisabench.Recipe, objects []object, log *toolchain.CommandLog) ([]string, error) {
	trees := make([]string, len(r.Watched))
	for k, v := range r.Watched {
		tree, err := b.prepare(ctx, Request{Library: r.Library, Edition: r.Edition, Tree: v.Tree, Variant: r.Variant}, recipe, log)
		if err != nil {
			return nil, err
		}
		files, headers, err := inputs(tree, recipe)
		if err != nil {
			return nil, err
		}
		if slices.EqualFunc(objects, files, func(o object, file string) bool { return o.file == file }) && slices.Equal(headers, objects[0].headers) {
			trees[k] = tree
		}
	}
	return trees, nil
}

// find notes in a linked build where its watches are.
func (w watches) find(build *Build) error {
	if len(w.symbols) == 0 {
		return nil
	}
	f, err := elf.Open(build.SharedLib)
	if err != nil {
		return err
	}
	defer f.Close()
	symbols, err := f.Symbols()
	if err != nil {
		return err
	}
	build.Watches = map[string][]int{}
	for _, s := range symbols {
		if name := w.symbols[s.Name]; name != "" {
			build.Watches[name] = append(build.Watches[name], int(s.Value-build.CountersAt)/8)
		}
	}
	return nil
}
