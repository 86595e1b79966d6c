package citywalk

import (
	"flag"
	"fmt"
	"os"
	"testing"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// compilerDir keeps precompiled headers, which all tests share.
var compilerDir string

func TestMain(m *testing.M) {
	flag.Parse()
	dir, err := os.MkdirTemp("", "lisa-bench-citywalk-")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	compilerDir = dir
	code := m.Run()
	os.RemoveAll(dir)
	os.Exit(code)
}
