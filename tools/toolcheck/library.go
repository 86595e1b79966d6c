package toolcheck

import (
	"context"
	"embed"
	"fmt"
	"hash/fnv"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/lisa-bench/lisa-bench/internal/llm"
	"github.com/lisa-bench/lisa-bench/internal/toolchain"
	"github.com/lisa-bench/lisa-bench/internal/trial"
)

//go:embed library
var libraryFiles embed.FS

// buildLibrary writes the tiny library into dir and builds it there, shared and static.
func buildLibrary(ctx context.Context, tools *toolchain.Tools, dir string) error {
	files, err := fs.Sub(libraryFiles, "library")
	if err != nil {
		return err
	}
	if err := os.CopyFS(dir, files); err != nil {
		return err
	}
	for _, args := range [][]string{
		{tools.Clang.Path, "-g", "-O1", "-fPIC", "-c", "tally.c", "-o", "tally.o"},
		{tools.Clang.Path, "-shared", "-Wl,-soname,libtally.so", "tally.o", "-o", "libtally.so"},
		{tools.Ar.Path, "rcs", "libtally.a", "tally.o"},
	} {
		if _, err := toolchain.Run(ctx, toolchain.Command{Args: args, Dir: dir}); err != nil {
			return fmt.Errorf("the library of the check: %w", err)
		}
	}
	return os.Remove(filepath.Join(dir, "tally.o"))
}

// target is what a tool is told of the library in dir.
func target(dir string) trial.Target {
	return trial.Target{
		Library: "tally", Language: trial.C, Description: "adds numbers, and counts how many they were",
		Headers: []string{"tally.h"}, IncludeDirs: []string{dir}, SourceDir: dir,
		SharedLib: filepath.Join(dir, "libtally.so"), StaticLib: filepath.Join(dir, "libtally.a"), Documents: []string{"README.md"},
	}
}

// answer is the model of the check: whatever it is asked, it writes a program for the tiny library. Other
// requests get other numbers.
func answer(messages []llm.Message) string {
	h := fnv.New32a()
	for _, m := range messages {
		_, _ = h.Write([]byte(m.Content)) // a hash takes everything
	}
	n := h.Sum32() % 1000
	return fmt.Sprintf("A test of the sum.\n\n```c\n#include <assert.h>\n#include \"tally.h\"\n\nint main(void) {\n"+
		"\ttally *t = tally_new();\n\tassert(t);\n\tassert(tally_add(t, %d) == %[1]d);\n\tassert(tally_total(t) == %[1]d);\n\ttally_free(t);\n\treturn 0;\n}\n```\n", n)
}
