package lisabench

import (
	"embed"
	"io/fs"
)

//go:embed libraries
var libraries embed.FS

// Embedded returns the benchmark that is built into the program.
func Embedded() fs.FS {
	sub, err := fs.Sub(libraries, "libraries")
	if err != nil {
		panic(err) // the name is a constant and valid
	}
	return sub
}
