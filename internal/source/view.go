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
	"changelog*", "changes*", "history*", "news*", "releasenotes*", "release_notes*", "*.orig", "*.rej",
}

// ToolView returns the library's tree as tools may see it: a copy without what is hidden
// from them.
func (s *Store) ToolView(ctx context.Context, lib *lisabench.Library, ref Tree) (dir string, err error) {
	view, err := s.make(ctx, keyOf("view", ref.Key, hidden, lib.HideFromTools), func(dir string) error {
		return copyView(ref.Dir, dir, lib.HideFromTools)
	})
	if err != nil {
		return "", fmt.Errorf("library %s: tool view: %w", lib.Name, err)
	}
	return view.Dir, nil
}

// copyView copies regular files and directories; a symbolic link could lead out of the view.
func copyView(from, to string, alsoHide []string) error {
	return filepath.WalkDir(from, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(from, name)
		if err != nil || rel == "." {
			return err
		}
		switch {
		case isHidden(filepath.ToSlash(rel), alsoHide):
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
