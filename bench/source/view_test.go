package source

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"gotest.tools/v3/assert"

	"github.com/lisa-bench/lisa-bench/bench/lisabench"
)

func TestToolView(t *testing.T) {
	tree := t.TempDir()
	for _, name := range []string{"src/a.c", "test/fuzz.c", "test/regress.c", "test/sub/b.c", "extra/c.c", "CHANGES", "contrib/wide.diff", "debian/patches/fix.patch"} {
		path := filepath.Join(tree, name)
		assert.NilError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		assert.NilError(t, os.WriteFile(path, []byte(name), 0o644))
	}
	assert.NilError(t, os.Symlink("regress.c", filepath.Join(tree, "test", "link.c")))
	lib := &lisabench.Library{Name: "lib", HideFromTools: []string{"extra"}, FuzzTargets: []lisabench.FuzzTarget{
		{Name: "fuzz", Origin: lisabench.OriginTree, Source: "test/fuzz.c"},
		{Name: "elsewhere", Origin: lisabench.OriginOSSFuzz, Source: "test/regress.c"},
		{Name: "link", Origin: lisabench.OriginTree, Source: "test/link.c"},
		{Name: "missing", Origin: lisabench.OriginTree, Source: "test/none.c"},
	}}
	view, err := newStore(t).ToolView(t.Context(), lib, Tree{Dir: tree, Key: "key"})
	assert.NilError(t, err)
	var files []string
	err = filepath.WalkDir(view, func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			rel, _ := filepath.Rel(view, path)
			files = append(files, rel)
		}
		return err
	})
	want := []string{"src/a.c", "test/fuzz.c"}
	assert.Check(t, err == nil && slices.Equal(files, want), "tools can see %q, %v; want %q", files, err, want)
}
