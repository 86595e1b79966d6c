package invariant

import (
	"flag"
	"testing"

	"github.com/lisa-bench/lisa-bench/tools/tooltest"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// compilerDir keeps precompiled headers and the test library's objects, which all tests share.
var compilerDir string

func TestMain(m *testing.M) { tooltest.Main(m, &compilerDir) }
