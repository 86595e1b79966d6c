package toolchain

import (
	"path/filepath"
	"testing"
)

func TestFindDescribesEveryTool(t *testing.T) {
	for _, tool := range testTools(t).Describe() {
		if err := tool.Require(); err != nil {
			t.Error(err)
			continue
		}
		if !filepath.IsAbs(tool.Path) || tool.Version == "" || tool.NeededFor == "" || tool.Package == "" {
			t.Errorf("incomplete: %+v", tool)
		}
	}
}
