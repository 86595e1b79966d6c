package testrun

import (
	"fmt"
	"os"
	"testing"
)

// pluginDir keeps the compiler's plugin, which is made once for all tests.
var pluginDir string

func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "lisa-bench-plugin-")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	pluginDir = dir
	code := m.Run()
	os.RemoveAll(dir)
	os.Exit(code)
}
