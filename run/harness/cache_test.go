package harness

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"
)

// TestCacheIsSwept leaves temporary files of every age in a cache: those that may be somebody's
// stay, alone and beside another bench.
func TestCacheIsSwept(t *testing.T) {
	now := time.Date(2026, 5, 4, 12, 0, 0, 0, time.UTC)
	dir := t.TempDir()
	old := map[string]time.Duration{
		"builds/.tmp-lib-1": 2 * time.Hour, "objects/ab/.tmp-2": 25 * time.Hour, "sources/trees/.tmp-3": 2 * time.Hour,
		".tmp-validate-4": 30 * time.Minute, "builds/cJSON-plain": 1000 * time.Hour, "stubs/.tmp-5": 0, "plugins/x.so": 1000 * time.Hour,
	}
	for name, age := range old {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Join(path, "inside"), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(path, now, now.Add(-age)); err != nil {
			t.Fatal(err)
		}
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
	open := func() *Env {
		a := &Env{Now: func() time.Time { return now }}
		if err := a.useCache(dir); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { a.cacheLock.Close() })
		return a
	}
	hold := &Env{Now: func() time.Time { return now.Add(-1e6 * time.Hour) }}
	if err := hold.useCache(dir); err != nil {
		t.Fatal(err)
	}
	beside := open()
	if got, want := left(), []string{".tmp-validate-4", "builds/.tmp-lib-1", "builds/cJSON-plain", "plugins/x.so", "sources/trees/.tmp-3", "stubs/.tmp-5"}; !slices.Equal(got, want) {
		t.Errorf("beside another bench, left are %v", got)
	}
	hold.cacheLock.Close()
	beside.cacheLock.Close()
	open()
	if got, want := left(), []string{".tmp-validate-4", "builds/cJSON-plain", "plugins/x.so", "stubs/.tmp-5"}; !slices.Equal(got, want) {
		t.Errorf("alone, left are %v", got)
	}
}
