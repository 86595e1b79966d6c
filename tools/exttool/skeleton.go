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

// Skeleton returns a small working tool: the experiment tool.yaml, and a script.
func Skeleton() fs.FS {
	files, err := fs.Sub(skeleton, "skeleton")
	if err != nil {
		panic(err) // the directory is part of the program
	}
	return files
}

// WriteSkeleton writes the files of a tool into dir, with the tool's name for NAME, and returns their paths, the
// experiment tool.yaml first. It creates dir if needed. It is an error if a file exists, which is then left as it is.
func WriteSkeleton(dir string, tool fs.FS) (written []string, err error) {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	name := cmp.Or(strings.Trim(notInNames.ReplaceAllString(filepath.Base(abs), "-"), "_+-"), "mytool")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	files, err := fs.Glob(tool, "*.[^y]*")
	if err != nil {
		return nil, err
	}
	for i, file := range append([]string{"tool.yaml"}, files...) {
		text, err := fs.ReadFile(tool, file)
		if err != nil {
			return nil, err
		}
		path, mode := filepath.Join(dir, file), os.FileMode(0o755)
		if i == 0 {
			mode = 0o644
		}
		f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
		if errors.Is(err, fs.ErrExist) {
			return nil, fmt.Errorf("%s already exists: choose another directory, or move it away", path)
		}
		if err != nil {
			return nil, err
		}
		_, err = f.WriteString(strings.ReplaceAll(string(text), "NAME", name))
		if err := errors.Join(err, f.Close()); err != nil {
			return nil, err
		}
		written = append(written, path)
	}
	return written, nil
}
