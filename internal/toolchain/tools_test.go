package toolchain

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
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

func TestFindRefusesOtherVersions(t *testing.T) {
	dir := t.TempDir()
	old := filepath.Join(dir, "clang")
	if err := os.WriteFile(old, []byte("#!/bin/sh\necho 'Debian clang version 14.0.6'\n"), 0o777); err != nil {
		t.Fatal(err)
	}
	tool := newTools().Clang
	tool.find(context.Background(), []string{dir})
	var m *MissingError
	if err := tool.Require(); !errors.As(err, &m) || m.Package != "clang-19" || !strings.Contains(m.Why, "14.0.6") {
		t.Errorf("got %v", err)
	}
	// A good one further on is taken.
	good := filepath.Dir(testTools(t).Clang.Path)
	tool.find(context.Background(), []string{dir, good})
	if err := tool.Require(); err != nil {
		t.Error(err)
	}
}
