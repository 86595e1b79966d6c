package harness

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"gotest.tools/v3/assert"
	is "gotest.tools/v3/assert/cmp"
)

// TestCacheIsSwept leaves temporary files of every age in a cache: those that may be somebody's stay.
func TestCacheIsSwept(t *testing.T) {
	now := time.Date(2026, 5, 4, 12, 0, 0, 0, time.UTC)
	dir := t.TempDir()
	old := map[string]time.Duration{
		"builds/.tmp-lib-1": 2 * time.Hour, "fuzz/.tmp-2": 25 * time.Hour, "sources/trees/.tmp-3": 2 * time.Hour,
		".tmp-validate-4": 30 * time.Minute, "builds/cJSON-plain": 1000 * time.Hour, "stubs/.tmp-5": 0, "plugins/x.so": 1000 * time.Hour,
	}
	for name, age := range old {
		path := filepath.Join(dir, name)
		assert.NilError(t, os.MkdirAll(filepath.Join(path, "inside"), 0o755))
		assert.NilError(t, os.Chtimes(path, now, now.Add(-age)))
	}
	left := func() (names []string) {
		for name := range old {
			if _, err := os.Stat(filepath.Join(dir, name)); err == nil {
				names = append(names, name)
			}
		}
		slices.Sort(names)
		return names
	}
	assert.NilError(t, sweepCache(dir, now.Add(-sweepAfter)))
	want := []string{".tmp-validate-4", "builds/.tmp-lib-1", "builds/cJSON-plain", "plugins/x.so", "sources/trees/.tmp-3", "stubs/.tmp-5"}
	assert.Check(t, is.DeepEqual(left(), want), "left are")
}
