package source

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/lisa-bench/lisa-bench/bench/lisabench"
	"github.com/lisa-bench/lisa-bench/internal/durable"
)

// hidden are the names, of files and directories anywhere in a tree, that no tool may see:
// history, changelogs and regression tests tell what was once wrong.
var hidden = []string{
	".git*", ".svn", ".hg", "debian", ".pc", "test", "tests", "testsuite", "testdata",
	"changelog*", "changes*", "history*", "news*", "releasenotes*", "release_notes*",
	"*.patch", "*.diff", "*.orig", "*.rej",
}

// ToolView returns the library's tree as tools may see it: a copy without what is hidden
// from them. The harnesses of the fuzz targets are in it wherever they lie.
func (s *Store) ToolView(ctx context.Context, lib *lisabench.Library, ref Tree) (dir string, err error) {
	var harnesses []string
	for _, t := range lib.FuzzTargets {
		if t.Origin == lisabench.OriginTree {
			harnesses = append(harnesses, t.Source)
		}
	}
	view, err := s.make(ctx, keyOf("view", ref.Key, hidden, lib.HideFromTools, harnesses), func(dir string) error {
		return copyFiles(ref.Dir, dir, func(name string) bool { return !Hidden(name, lib) || slices.Contains(harnesses, name) })
	})
	if err != nil {
		return "", fmt.Errorf("library %s: tool view: %w", lib.Name, err)
	}
	return view.Dir, nil
}

// copyFiles copies the regular files that are wanted, by their paths with slashes; a symbolic link could lead out of
// the tree.
func copyFiles(from, to string, wanted func(name string) bool) error {
	return walk(from, func(name string, d fs.DirEntry) error {
		if !d.Type().IsRegular() || !wanted(name) {
			return nil
		}
		data, err := os.ReadFile(filepath.Join(from, name))
		if err != nil {
			return err
		}
		file := filepath.Join(to, name)
		return errors.Join(os.MkdirAll(filepath.Dir(file), 0o755), os.WriteFile(file, data, 0o644))
	})
}

// walk visits all that is below dir, by its path there, but no history beside it.
func walk(dir string, visit func(name string, d fs.DirEntry) error) error {
	return fs.WalkDir(os.DirFS(dir), ".", func(name string, d fs.DirEntry, err error) error {
		if err == nil && d.IsDir() && d.Name() == ".git" {
			return fs.SkipDir
		}
		if err != nil {
			return err
		}
		return visit(name, d)
	})
}

// digestOf hashes the names, kinds and contents of all that is below dir.
func digestOf(dir string) (string, error) {
	h := sha256.New()
	err := walk(dir, func(name string, d fs.DirEntry) (err error) {
		content := ""
		switch {
		case d.Type().IsRegular():
			content, err = durable.FileSum(filepath.Join(dir, name))
		case d.Type()&fs.ModeSymlink != 0:
			content, err = os.Readlink(filepath.Join(dir, name))
		}
		fmt.Fprintf(h, "%q %s %q\n", name, d.Type(), content)
		return err
	})
	return hex.EncodeToString(h.Sum(nil)), err
}

// Hidden reports whether no tool may see a file, by its path in the library's tree. The base name of the file and of
// each directory above it is matched against the built-in patterns, without regard to case, and its path against the
// library's own.
func Hidden(name string, lib *lisabench.Library) bool {
	for at := name; at != "."; at = path.Dir(at) {
		matches := func(name string) func(string) bool {
			return func(pattern string) bool { ok, _ := path.Match(pattern, name); return ok }
		}
		if slices.ContainsFunc(hidden, matches(strings.ToLower(path.Base(at)))) || slices.ContainsFunc(lib.HideFromTools, matches(at)) {
			return true
		}
	}
	return false
}

// applyEdits applies edits in order to the files below dir. os.Root keeps them inside, also
// where the tree has symbolic links.
func applyEdits(dir string, edits []lisabench.Edit) error {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer root.Close()
	for _, e := range edits {
		data, err := root.ReadFile(e.File)
		if err != nil {
			return fmt.Errorf("edit: %w", err)
		}
		if n := strings.Count(string(data), e.Anchor); n != 1 {
			first, _, _ := strings.Cut(strings.TrimSpace(e.Anchor), "\n")
			return fmt.Errorf("%s: the anchor that starts with %q occurs %d times and must occur once", e.File, first, n)
		}
		text := strings.Replace(string(data), e.Anchor, e.Replacement, 1)
		if err := root.WriteFile(e.File, []byte(text), 0o644); err != nil { // which is there, and keeps its permissions
			return fmt.Errorf("edit: %w", err)
		}
	}
	return nil
}
