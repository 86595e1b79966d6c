package citywalk

import (
	"testing"

	"github.com/lisa-bench/lisa-bench/tools/tooltest"
)

// compilerDir keeps precompiled headers, which all tests share.
var compilerDir string

func TestMain(m *testing.M) { tooltest.Main(m, &compilerDir) }
