package libbuild

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/lisa-bench/lisa-bench/bench/lisabench"
	"github.com/lisa-bench/lisa-bench/internal/toolchain"
)

// prepare returns the directory in which the recipe's sources compile: the tree itself,
// or, when the recipe generates files, a copy in which it has done so. The copy is shared
// by every variant and cached.
func (b *Builder) prepare(ctx context.Context, r Request, recipe lisabench.Recipe, log *toolchain.CommandLog) (string, error) {
	if len(recipe.Copy)+len(recipe.Write)+len(recipe.Configure) == 0 {
		return r.Tree.Dir, nil
	}
	key := hashOf(schema, b.tools.Clang.Version, r.Tree.Key, recipe.Copy, recipe.Write, recipe.Configure, recipe.Unused)
	dir := filepath.Join(b.cache, "prepared", r.Library.Name+"-"+key[:16])
	return dir, b.once(dir, func(tmp string) error {
		if err := os.CopyFS(tmp, partFS{os.DirFS(r.Tree.Dir).(fs.ReadLinkFS), recipe.Unused}); err != nil {
			return fmt.Errorf("copy the tree: %w", err)
		}
		if err := generate(tmp, recipe); err != nil {
			return err
		}
		for _, argv := range recipe.Configure {
			env := []string{"CC=" + b.tools.Clang.Path, "CXX=" + b.tools.ClangXX.Path, "PATH=/usr/bin:/bin", "LC_ALL=C.UTF-8"}
			if _, err := toolchain.Run(ctx, toolchain.Command{Args: argv, Dir: tmp, Env: env, Log: log}); err != nil {
				return fmt.Errorf("configure step: %w", err)
			}
		}
		return nil
	})
}

// generate makes the files that the recipe copies and writes. os.Root keeps them in the tree, also
// where that has symbolic links.
func generate(tree string, recipe lisabench.Recipe) error {
	root, err := os.OpenRoot(tree)
	if err != nil {
		return err
	}
	defer root.Close()
	for _, s := range recipe.Copy {
		data, err := root.ReadFile(s.From)
		if err != nil {
			return fmt.Errorf("recipe copies a file that is not in the tree: %w", err)
		}
		if err := writeFile(root, s.To, data); err != nil {
			return err
		}
	}
	for _, s := range recipe.Write {
		if err := writeFile(root, s.To, []byte(s.Text)); err != nil {
			return err
		}
	}
	return nil
}

// partFS is a file system without some files and directories.
type partFS struct {
	fs.ReadLinkFS
	without []string
}

// ReadDir implements fs.ReadDirFS, on which os.CopyFS walks.
func (p partFS) ReadDir(name string) ([]fs.DirEntry, error) {
	entries, err := fs.ReadDir(p.ReadLinkFS, name)
	left := func(e fs.DirEntry) bool { return slices.Contains(p.without, path.Join(name, e.Name())) }
	return slices.DeleteFunc(entries, left), err
}

// sources expands the recipe's globs, sorted, without what it excludes.
func sources(tree string, recipe lisabench.Recipe) ([]string, error) {
	var files []string
	for _, pattern := range recipe.Sources {
		found, err := filepath.Glob(filepath.Join(tree, pattern))
		if err != nil {
			return nil, fmt.Errorf("recipe source %q: %w", pattern, err)
		}
		if len(found) == 0 {
			return nil, fmt.Errorf("recipe source %q matches no file in %s", pattern, tree)
		}
		for _, f := range found {
			rel, err := filepath.Rel(tree, f)
			if err != nil {
				return nil, err
			}
			if !slices.Contains(recipe.Exclude, rel) {
				files = append(files, rel)
			}
		}
	}
	slices.Sort(files)
	return slices.Compact(files), nil
}

// installHeaders copies the public headers of the tree into dir, each under the name at its
// index, and returns the hash of names and contents.
func installHeaders(tree string, headers, names []string, dir string) (hash string, err error) {
	from, err := os.OpenRoot(tree) // a link may not lead out of it
	if err != nil {
		return "", err
	}
	defer from.Close()
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", err
	}
	to, err := os.OpenRoot(dir)
	if err != nil {
		return "", err
	}
	defer to.Close()
	h := sha256.New()
	for i, header := range headers {
		data, err := from.ReadFile(header)
		if err != nil {
			return "", fmt.Errorf("public header: %w", err)
		}
		if err := writeFile(to, names[i], data); err != nil {
			return "", err
		}
		fmt.Fprintf(h, "%s %d\n", names[i], len(data))
		h.Write(data)
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

// writeFile writes a file below root and makes the directories it is in.
func writeFile(root *os.Root, name string, data []byte) error {
	if err := root.MkdirAll(path.Dir(name), 0o755); err != nil {
		return err
	}
	return root.WriteFile(name, data, 0o644)
}

// isCXX reports whether the file is compiled as C++.
func isCXX(file string) bool {
	return slices.Contains([]string{".cc", ".cpp", ".cxx"}, strings.ToLower(filepath.Ext(file)))
}
