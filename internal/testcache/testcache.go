// Package testcache is the cache that the tests of all packages share. It holds parts of the toolchain, sources
// and builds by content, so that test binaries do not make them again. It is laid out as bench's own cache
// (docs/explanation/architecture.md, "On disk"). Like that one it is used by many processes at once, survives
// their being killed, and can be deleted at any time when no test runs. A test that damages a cache takes a
// directory of its own.
package testcache

import (
	"os"
	"path/filepath"
	"sync"
)

// Dir returns the absolute path of a directory of the cache, by its name there ("" for the cache
// itself), and makes it. The cache is lisa-bench-tests in the user's cache directory, or, for a
// user who has none, in that of temporary files.
func Dir(name string) string {
	dir := filepath.Join(root(), name)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		panic(err) // nothing can be tested
	}
	return dir
}

var root = sync.OnceValue(func() string {
	parent, err := os.UserCacheDir()
	if err != nil {
		parent = os.TempDir()
	}
	return filepath.Join(parent, "lisa-bench-tests")
})
