package exttool

import (
	"cmp"
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
	name := cmp.Or(strings.Trim(notInNames.ReplaceAllString(filepath.Base(abs), "-"), "_+-"), "mytool")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	for _, f := range []struct {
		name string
		mode os.FileMode
	}{{"tool.yaml", 0o644}, {"generate.sh", 0o755}} {
		text, err := skeleton.ReadFile("skeleton/" + f.name)
		if err != nil {
			return nil, err
		}
		path := filepath.Join(dir, f.name)
		file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, f.mode)
		if errors.Is(err, fs.ErrExist) {
			return nil, fmt.Errorf("%s already exists: choose another directory, or move it away", path)
		}
		if err != nil {
			return nil, err
		}
		_, err = file.WriteString(strings.ReplaceAll(string(text), "NAME", name))
		if err := errors.Join(err, file.Close()); err != nil {
			return nil, err
		}
		written = append(written, path)
	}
	return written, nil
}
