package lisabench

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gotest.tools/v3/assert"
)

// writeFiles writes files below a new directory.
func writeFiles(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, name)
		assert.NilError(t, errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(text), 0o644)))
	}
	return dir
}

func TestOverlayAddsAndOverrides(t *testing.T) {
	second := strings.NewReplacer("lib-1", "lib-2", "strategy: edit\n  edits:\n    - {file: a.c, anchor: good, replacement: bad}", "strategy: absent\n  reason: older").Replace(goodBug)
	dir := writeFiles(t, map[string]string{
		"lib/bugs/lib-1.yaml": strings.Replace(goodBug, "title: t", "title: another", 1), // its witness stays
		"lib/bugs/lib-2.yaml": second,
		"lib/bugs/lib-2.c":    "int main(void) { return 2; }\n",
		"other/library.yaml":  strings.NewReplacer("\nname: lib", "\nname: other", "    - bug: lib-1\n      edits:\n        - {file: a.c, anchor: bad, replacement: good}\n", "", "  backports:\n", "").Replace(goodLibrary),
		".git/config":         "not a library",
		"README":              "not a library",
	})
	over, err := Over(files(goodLibrary, goodBug), dir)
	assert.NilError(t, err)
	b, err := Load(over)
	assert.NilError(t, err)
	lib := b.Libraries[0]
	assert.Assert(t, len(b.Libraries) == 2 && b.Libraries[1].Name == "other" && len(lib.Bugs) == 2,
		"%d libraries, %d bugs of the first", len(b.Libraries), len(lib.Bugs))
	if lib.Bugs[0].Title != "another" || !strings.Contains(lib.Bugs[0].Witness.Source, "return 0") || !strings.Contains(lib.Bugs[1].Witness.Source, "return 2") {
		t.Errorf("bugs %+v, %+v", lib.Bugs[0], lib.Bugs[1])
	}
	plain, err := Load(files(goodLibrary, goodBug))
	assert.Check(t, err == nil && plain.Version == corpusVersion, "version %q, %v", plain.Version, err)
	assert.Check(t, strings.HasPrefix(b.Version, corpusVersion+"+local."),
		"version %q does not tell that the corpus is not the embedded one", b.Version)
}
