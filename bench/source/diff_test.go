package source

import (
	"bytes"
	"fmt"
	"io/fs"
	"log/slog"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/diff"
	"gotest.tools/v3/assert"
	"gotest.tools/v3/golden"

	"github.com/lisa-bench/lisa-bench/bench/lisabench"
	"github.com/lisa-bench/lisa-bench/internal/testcache"
)

// mostLines is how long a diff is that a reader looks at.
const mostLines = 300

// TestDiffFiles compares the diffs that are kept of bugs which come back by other means than edits with the
// trees. Those whose source cannot be reached here are left out.
func TestDiffFiles(t *testing.T) {
	if testing.Short() && !golden.FlagUpdate() {
		t.Skip("makes the trees of all bugs")
	}
	bench, err := lisabench.Load(lisabench.Embedded())
	assert.NilError(t, err)
	store := New(testcache.Dir("sources"), os.Environ(), slog.New(slog.DiscardHandler))
	compared, out := 0, 0
	for _, lib := range bench.Libraries {
		for _, bug := range lib.Bugs {
			for _, ed := range []lisabench.Edition{lisabench.Debian, lisabench.Upstream} {
				how := bug.In(ed)
				if how == nil || how.Strategy == lisabench.Absent || how.Strategy == lisabench.EditTree {
					continue
				}
				fixed, buggy, err := store.Buggy(t.Context(), lib, ed, bug)
				if err != nil {
					t.Logf("%s, %s: left out: %v", bug.ID, ed, err)
					out++
					continue
				}
				want, err := treeDiff(fixed.Dir, buggy.Dir)
				assert.NilError(t, err)
				file := filepath.Join("..", "lisabench", "libraries", lib.Name, "bugs", bug.DiffFile(ed))
				assert.Check(t, golden.String(want, filepath.Join("..", file)))
				compared++
			}
		}
	}
	t.Logf("%d diffs compared, %d left out", compared, out)
}

// treeDiff shows what the library's own sources have otherwise in another tree: no tests, no documents.
func treeDiff(from, to string) (string, error) {
	names := map[string]bool{}
	for _, dir := range []string{from, to} {
		err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
			name, _ := filepath.Rel(dir, path)
			if err == nil && entry.Type().IsRegular() && isSource(name) {
				names[name] = true
			}
			return err
		})
		if err != nil {
			return "", err
		}
	}
	var out bytes.Buffer
	for _, name := range slices.Sorted(maps.Keys(names)) {
		var texts [2][]byte
		for i, dir := range []string{from, to} {
			text, err := os.ReadFile(filepath.Join(dir, name))
			if err != nil && !os.IsNotExist(err) {
				return "", err
			}
			texts[i] = text
		}
		_, text, _ := bytes.Cut(diff.Diff(name, texts[0], name, texts[1]), []byte("\n")) // its first line is a command
		out.Write(text)
	}
	lines := strings.SplitAfter(strings.ToValidUTF8(out.String(), "?"), "\n")
	if more := len(lines) - mostLines; more > 0 {
		return strings.Join(lines[:mostLines], "") + fmt.Sprintf("and %d more lines\n", more), nil
	}
	return strings.Join(lines, ""), nil
}

func isSource(name string) bool {
	for _, part := range strings.Split(filepath.ToSlash(name), "/") {
		if slices.ContainsFunc([]string{"test", "debian", ".pc", ".git", "contrib", "example", "doc", "fuzz"}, func(other string) bool { return strings.HasPrefix(part, other) }) {
			return false
		}
	}
	return slices.Contains([]string{".c", ".h", ".cc", ".cpp", ".l", ".y", ".in"}, filepath.Ext(name))
}
