package exttool

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

//go:embed skeleton
var skeleton embed.FS

// notInNames is what the name of a tool cannot have.
var notInNames = regexp.MustCompile(`[^A-Za-z0-9_+-]+`)

// WriteSkeleton writes a small working tool into dir, which it creates if needed, and returns the
// files: the experiment first, then the tool. Files that are there already are left alone, and an
// error.
func WriteSkeleton(dir string) (written []string, err error) {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	name := strings.Trim(notInNames.ReplaceAllString(filepath.Base(abs), "-"), "_+-")
	if name == "" {
		name = "mytool"
	}
	files := []string{"tool.yaml", "generate.sh"}
	for _, f := range files {
		if _, err := os.Lstat(filepath.Join(dir, f)); !errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("%s already exists: choose another directory, or move it away", filepath.Join(dir, f))
		}
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	for _, f := range files {
		text, err := skeleton.ReadFile("skeleton/" + f)
		if err != nil {
			return nil, err
		}
		mode := os.FileMode(0o644)
		if filepath.Ext(f) == ".sh" {
			mode = 0o755
		}
		path := filepath.Join(dir, f)
		if err := os.WriteFile(path, []byte(strings.ReplaceAll(string(text), "NAME", name)), mode); err != nil {
			return nil, err
		}
		written = append(written, path)
	}
	return written, nil
}
