package source

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/lisa-bench/lisa-bench/bench/lisabench"
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
	harnesses := treeHarnesses(lib)
	view, err := s.make(ctx, keyOf("view", ref.Key, hidden, lib.HideFromTools, harnesses), func(dir string) error {
		if err := copyTree(ref.Dir, dir, func(rel string) bool { return isHidden(rel, lib.HideFromTools) }); err != nil {
			return err
		}
		return copyFiles(ref.Dir, dir, harnesses)
	})
	if err != nil {
		return "", fmt.Errorf("library %s: tool view: %w", lib.Name, err)
	}
	return view.Dir, nil
}

// copyTree copies regular files and directories but for those left out, by their paths with slashes; a
// symbolic link could lead out of the tree.
func copyTree(from, to string, leftOut func(rel string) bool) error {
	return filepath.WalkDir(from, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(from, name)
		if err != nil || rel == "." {
			return err
		}
		switch {
		case leftOut(filepath.ToSlash(rel)):
			if d.IsDir() {
				return fs.SkipDir
			}
			return nil
		case d.IsDir():
			return os.MkdirAll(filepath.Join(to, rel), 0o755)
		case !d.Type().IsRegular():
			return nil
		}
		data, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		return os.WriteFile(filepath.Join(to, rel), data, 0o644)
	})
}

// treeHarnesses returns the sources of the fuzz targets that lie in the library's own tree.
func treeHarnesses(lib *lisabench.Library) []string {
	var files []string
	for _, t := range lib.FuzzTargets {
		if t.Origin == lisabench.OriginTree {
			files = append(files, t.Source)
		}
	}
	return files
}

// copyFiles copies those of the files that are there and regular. A missing harness is for
// its target to report.
func copyFiles(from, to string, files []string) error {
	for _, name := range files {
		info, err := os.Lstat(filepath.Join(from, name))
		if err != nil || !info.Mode().IsRegular() {
			continue
		}
		data, err := os.ReadFile(filepath.Join(from, name))
		if err != nil {
			return err
		}
		if err := os.MkdirAll(filepath.Join(to, filepath.Dir(name)), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(to, name), data, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// Hidden reports whether no tool may see a file, by its path in the library's tree.
func Hidden(name string, lib *lisabench.Library) bool {
	for at := name; at != "."; at = path.Dir(at) {
		if isHidden(at, lib.HideFromTools) {
			return true
		}
	}
	return false
}

// isHidden matches the base name against the built-in patterns, without regard to case,
// and the whole path against the library's own.
func isHidden(rel string, alsoHide []string) bool {
	base := strings.ToLower(path.Base(rel))
	for _, pattern := range hidden {
		if ok, _ := path.Match(pattern, base); ok {
			return true
		}
	}
	for _, pattern := range alsoHide {
		if ok, _ := path.Match(pattern, rel); ok {
			return true
		}
	}
	return false
}
