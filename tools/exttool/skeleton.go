package exttool

import (
	"embed"
	"io/fs"
)

//go:embed skeleton
var skeleton embed.FS

// Skeleton returns a small working tool, with NAME for its name: the experiment tool.yaml, and a script.
func Skeleton() fs.FS {
	files, err := fs.Sub(skeleton, "skeleton")
	if err != nil {
		panic(err) // the directory is part of the program
	}
	return files
}
