package arch

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"gotest.tools/v3/assert"
)

var (
	link    = regexp.MustCompile(`\]\(([^)\s]+)\)`)
	heading = regexp.MustCompile(`(?m)^#+ +(.*)$`)
	mention = regexp.MustCompile(`\b(docs/[\w/-]+\.md)\b`)
	notWord = regexp.MustCompile(`[^\p{L}\p{N} _-]`)
)

// TestLinks follows every relative link of the documents, and every mention of a document in code:
// the file is there, and so is the heading.
func TestLinks(t *testing.T) {
	err := filepath.WalkDir(root, func(path string, d os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if name := d.Name(); d.IsDir() && (name == ".git" || name == "testdata" || name == "results") {
			return filepath.SkipDir
		}
		switch filepath.Ext(path) {
		case ".md":
			for _, m := range link.FindAllStringSubmatch(read(t, path), -1) {
				follow(t, path, m[1])
			}
		case ".go", ".sh", ".yaml":
			for _, m := range mention.FindAllStringSubmatch(read(t, path), -1) {
				if _, err := os.Stat(filepath.Join(root, m[1])); err != nil {
					t.Errorf("%s names %s, which is not there", path, m[1])
				}
			}
		}
		return nil
	})
	assert.NilError(t, err)
}

// follow reports a relative link of a document that leads nowhere.
func follow(t *testing.T, from, to string) {
	if strings.Contains(to, "://") {
		return
	}
	file, anchor, _ := strings.Cut(to, "#")
	path := from
	if file != "" {
		path = filepath.Join(filepath.Dir(from), file)
	}
	if _, err := os.Stat(path); err != nil {
		t.Errorf("%s links to %s, which is not there", from, to)
		return
	}
	if anchor == "" || filepath.Ext(path) != ".md" {
		return
	}
	for _, h := range heading.FindAllStringSubmatch(read(t, path), -1) {
		if slug := strings.ReplaceAll(notWord.ReplaceAllString(strings.ToLower(h[1]), ""), " ", "-"); slug == anchor {
			return
		}
	}
	t.Errorf("%s links to %s, and there is no such heading", from, to)
}

func read(t *testing.T, path string) string {
	data, err := os.ReadFile(path)
	assert.NilError(t, err)
	return string(data)
}
