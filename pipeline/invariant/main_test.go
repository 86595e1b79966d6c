package invariant

import (
	"testing"

	"github.com/lisa-bench/lisa-bench/tools/tooltest"
)

// compilerDir keeps precompiled headers and the test library's objects, which all tests share.
var compilerDir string

func TestMain(m *testing.M) { tooltest.Main(m, &compilerDir) }
