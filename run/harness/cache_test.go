package harness

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"gotest.tools/v3/assert"
)

// TestCacheIsSwept leaves temporary files of every age in a cache: those that may be somebody's stay.
func TestCacheIsSwept(t *testing.T) {
	now, dir := time.Date(2026, 5, 4, 12, 0, 0, 0, time.UTC), t.TempDir()
	for name, age := range map[string]time.Duration{
		"builds/.tmp-lib-1": 2 * time.Hour, "objects/ab/.tmp-2": 25 * time.Hour, "sources/trees/.tmp-3": 26 * time.Hour,
		".tmp-validate-4": 30 * time.Minute, "builds/cJSON-plain": 1000 * time.Hour,
	} {
		path := filepath.Join(dir, name)
		assert.NilError(t, os.MkdirAll(filepath.Join(path, "inside"), 0o755))
		assert.NilError(t, os.Chtimes(path, now, now.Add(-age)))
	}
	assert.NilError(t, sweepCache(dir, now.Add(-sweepAfter)))
	left, err := filepath.Glob(filepath.Join(dir, "*", "*"))
	assert.NilError(t, err)
	var names []string
	for _, path := range left {
		names = append(names, strings.TrimPrefix(path, dir+"/"))
	}
	assert.DeepEqual(t, names, []string{".tmp-validate-4/inside", "builds/.tmp-lib-1", "builds/cJSON-plain", "objects/ab", "sources/trees"})
	for _, gone := range []string{"objects/ab/.tmp-2", "sources/trees/.tmp-3"} {
		_, err := os.Stat(filepath.Join(dir, gone))
		assert.ErrorIs(t, err, os.ErrNotExist)
	}
}
